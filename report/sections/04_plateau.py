# %% [markdown]
# ## Where it levels off
#
# {% if not settings %}
# This run has no sweep named `plateau`.
# {% else %}
# The settings around the expected peak have a sweep of their own, because differences there are
# small: each is compared with the smallest number of workers of the sweep.
#
# {% for setting in settings %}
# - {{ setting.condition }}, {{ setting.workers }}: {{ setting.median }} images/s
#   ({{ setting.minimum }} to {{ setting.maximum }}, {{ setting.repetitions }} repetitions){% if
#   setting.change %}, {{ setting.change }} % against {{ setting.base }}{% endif %}.
# {% endfor %}
# {% endif %}

# %%
from feedrate.analysis.tables import repetition_table
from feedrate.report.display import Facts
from feedrate.report.figures import plateau_figure
from feedrate.report.results import open_table, read_json
from feedrate.report.selection import conditions_of, device_of, of_sweep, plateau_settings

# %% data=["epochs.csv", "summary.csv", "plan.json"]
plan = read_json("plan.json")
repetitions = of_sweep(repetition_table(open_table("epochs.csv")), plan, "plateau")
summary = of_sweep(open_table("summary.csv"), plan, "plateau")

# %%
if len(repetitions):
    display(plateau_figure(repetitions, conditions_of(plan), device_of(plan)))

# %%
Facts(settings=plateau_settings(summary))
