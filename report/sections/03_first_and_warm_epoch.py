# %% [markdown]
# ## First against warm epoch
#
# The first epoch starts the workers and fills their queues; with `persistent_workers` later epochs
# find them running. Each repetition gives one difference between its own first and warm epoch.
#
# {% for cost in costs %}
# - **{{ cost.condition }}**: first minus warm epoch is {{ cost.without }} s without workers (range
#   {{ cost.without_range }} s) and {{ cost.most_seconds }} s with {{ cost.most }} (range
#   {{ cost.most_range }} s).
# {% endfor %}
#
# {% if start_most %}
# Creating the first epoch's iterator, which starts the workers, took a median of
# {{ start_milliseconds }} ms with {{ start_most }}.
# {% else %}
# This run has no sweep named `workers`.
# {% endif %}

# %%
from feedrate.content.planned import conditions_of, device_of, of_sweep
from feedrate.content.prose_numbers import first_epoch_costs, worker_start
from feedrate.content.repetition_figures import first_epoch_figure
from feedrate.notebooks.results import open_json, open_table
from feedrate.page.display import Facts

# %% data=["repetitions.csv", "epochs.csv", "plan.json"]
plan = open_json("plan.json")
repetitions = of_sweep(open_table("repetitions.csv"), plan, "workers")
epochs = of_sweep(open_table("epochs.csv"), plan, "workers")

# %%
if len(repetitions):
    display(first_epoch_figure(repetitions, conditions_of(plan), device_of(plan)))

# %%
Facts(costs=first_epoch_costs(repetitions, conditions_of(plan)), **worker_start(epochs))
