# %% [markdown]
# ## Other machines
#
# How many workers a machine needs depends on its cores, its accelerator and the transforms, so one
# machine's answer need not hold for another. This run is shown beside the sweeps whose throughput
# the articles print{% if others %} and beside {{ others }} published
# {{ "run" if others == 1 else "runs" }} of the same experiment{% endif %}.
# {% if not others %}
# `report.compare` in `config.yaml` adds runs that others have published.
# {% endif %}
# {% for each in other_conditions %}
# - {{ each }} has different transforms under the same name and is left out.
# {% endfor %}
# {% for each in differences %}
# - {{ each }}.
# {% endfor %}

# %%
from feedrate.analysis.machines import MachineRun
from feedrate.claims.ledger import Entry
from feedrate.content.machine_figures import (
    conclusion_counts,
    conclusion_table,
    machine_table,
    machines_figure,
    speedup_rows,
)
from feedrate.content.planned import conditions_of, device_of
from feedrate.notebooks.results import open_as, open_json
from feedrate.page.display import Facts

# %% data=["machines.json", "plan.json"]
machines = open_as(list[MachineRun], "machines.json")
plan = open_json("plan.json")
others = [each for each in machines[1:] if each.verdicts]

# %%
if speedup_rows(machines, conditions_of(plan)):
    display(machines_figure(machines, conditions_of(plan), device_of(plan)))

# %%
machine_table(machines, conditions_of(plan))

# %% [markdown]
# {% if others %}
# ### Which conclusions hold where
#
# Claims that hold on every machine that could decide them: {{ counts.all }}; on some only:
# {{ counts.some }}; on none: {{ counts.none }}; open everywhere: {{ counts.open }}.
# {% endif %}

# %% data=["ledger.json"]
ledger = open_as(list[Entry], "ledger.json")
Facts(
    others=len(others),
    other_conditions=[
        f"{each.name}: {condition}" for each in machines for condition in each.other_conditions
    ],
    differences=[f"{each.name}: {words}" for each in machines for words in each.differences],
    counts=conclusion_counts(ledger, machines),
)

# %%
if others:
    display(conclusion_table(ledger, machines))
