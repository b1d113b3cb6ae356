# %% [markdown]
# ## Where it levels off
#
# The best number of workers is uncertain, and so is the smallest that comes near it. A number is
# *proven* to be within {{ near_percent }} % of the best where every comparison with another number
# shows it, and *excluded* where one shows it to be worse by more than that; the answer lies between
# the smallest not excluded and the smallest proven. Overlapping ranges are not a criterion.

# %%
from feedrate.analysis.decisions import Decisions
from feedrate.content.answer import advice_table, rule_table
from feedrate.content.comparison_tables import verdict_table
from feedrate.content.decision_figures import near_best_figure
from feedrate.content.planned import conditions_of, device_of, of_sweep
from feedrate.content.repetition_figures import plateau_figure
from feedrate.content.thresholds import NEAR_PERCENT
from feedrate.notebooks.results import open_as, open_json, open_table
from feedrate.page.display import Facts
from feedrate.statistics.plateau import NEAR_BEST

# %% data=["decisions.json"]
advice = open_as(Decisions, "decisions.json").advice
Facts(near_percent=NEAR_PERCENT)

# %%
if any(each.plateau for each in advice):
    display(near_best_figure(advice, NEAR_BEST))

# %%
advice_table(advice, NEAR_PERCENT)

# %% [markdown]
# ### Around the peak
#
# {% if repeated %}
# The settings around the expected peak have a sweep of their own, because differences there are
# small.
# {% else %}
# This run has no sweep named `plateau`.
# {% endif %}

# %% data=["repetitions.csv", "plan.json"]
plan = open_json("plan.json")
repetitions = of_sweep(open_table("repetitions.csv"), plan, "plateau")
Facts(repeated=bool(len(repetitions)))

# %%
if len(repetitions):
    display(plateau_figure(repetitions, conditions_of(plan), device_of(plan)))

# %% data=["comparisons.csv"]
comparisons = open_table("comparisons.csv")
if (comparisons["sweep"] == "plateau").any():
    display(
        verdict_table(
            comparisons,
            "plateau",
            name="plateau-comparisons",
            message="comparisons",
        )
    )

# %% [markdown]
# ### Rules of thumb
#
# What common rules say for this machine, scored against the measured optimum.

# %%
rule_table(advice)
