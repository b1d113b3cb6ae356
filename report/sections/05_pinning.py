# %% [markdown]
# ## Pinned memory
#
# {% if reason %}
# Not applicable on this machine: {{ reason }}. Nothing was measured and nothing is shown.
# {% elif not settings %}
# This run has no sweep named `pinning`.
# {% else %}
# Page-locked batches can be copied to the device while the host goes on. Seconds of the warm
# epoch:
#
# {% for setting in settings %}
# - {{ setting.condition }}, {{ setting.workers }}, {{ setting.memory }}: {{ setting.median }} s
#   ({{ setting.minimum }} to {{ setting.maximum }}, {{ setting.repetitions }} repetitions).
# {% endfor %}
# {% endif %}

# %%
from feedrate.content.comparison_tables import verdict_table
from feedrate.content.planned import conditions_of, device_of, of_sweep, why_left_out
from feedrate.content.prose_numbers import pinning_settings
from feedrate.content.repetition_figures import pinning_figure
from feedrate.notebooks.results import open_json, open_table
from feedrate.page.display import Facts

# %% data=["repetitions.csv", "summary.csv", "plan.json"]
plan = open_json("plan.json")
repetitions = of_sweep(open_table("repetitions.csv"), plan, "pinning")
summary = of_sweep(open_table("summary.csv"), plan, "pinning")

# %%
if len(repetitions):
    display(pinning_figure(repetitions, conditions_of(plan), device_of(plan)))

# %% data=["comparisons.csv"]
comparisons = open_table("comparisons.csv")
if (comparisons["sweep"] == "pinning").any():
    display(
        verdict_table(
            comparisons,
            "pinning",
            name="pinning-comparisons",
            message="pinning-comparisons",
        )
    )

# %%
Facts(settings=pinning_settings(summary), reason=why_left_out(plan, "pinning"))
