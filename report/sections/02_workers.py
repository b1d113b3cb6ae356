# %% [markdown]
# ## What workers gain
#
# With 0 workers the main process loads every batch itself; with workers, loading runs beside the
# training, in other processes. The gain is the ratio to the median without workers.
#
# {% for gain in gains %}
# - **{{ gain.condition }}**:
#   {% if gain.one %}
#   {{ gain.one }} times with 1 worker,
#   {% endif %}
#   {% if gain.helped %}
#   at most {{ gain.most }} times with {{ gain.best }}; there, the main process spent
#   {{ gain.waiting_percent }} % of the warm epoch waiting for data
#   ({{ gain.waiting_percent_without }} % without workers).
#   {% else %}
#   no gain at any number of workers; without workers, the main process spends
#   {{ gain.waiting_percent_without }} % of the warm epoch on loading data.
#   {% endif %}
# {% endfor %}
# {% if not gains %}
# The sweep `workers` has no setting without workers to compare with.
# {% endif %}

# %%
from feedrate.analysis.tables import waiting_share
from feedrate.content.comparison_tables import verdict_table
from feedrate.content.planned import conditions_of, device_of, of_sweep
from feedrate.content.prose_numbers import gains
from feedrate.content.repetition_figures import throughput_figure
from feedrate.content.run_tables import summary_of
from feedrate.notebooks.results import open_json, open_table
from feedrate.page.display import Facts

# %% data=["repetitions.csv", "epochs.csv", "plan.json"]
plan = open_json("plan.json")
repetitions = of_sweep(open_table("repetitions.csv"), plan, "workers")
waiting = waiting_share(open_table("epochs.csv"))
gained = gains(repetitions, waiting, conditions_of(plan))

# %%
if gained:
    compared = repetitions["condition"].isin([each["condition"] for each in gained])
    display(throughput_figure(repetitions[compared], conditions_of(plan), device_of(plan)))

# %%
Facts(gains=gained)

# %% data=["comparisons.csv"]
comparisons = open_table("comparisons.csv")
if (comparisons["sweep"] == "workers").any():
    display(
        verdict_table(
            comparisons,
            "workers",
            name="worker-comparisons",
            message="comparisons",
        )
    )

# %% data=["summary.csv", "plan.json"]
summary_of(
    of_sweep(open_table("summary.csv"), open_json("plan.json"), "workers"),
    name="workers",
)
