# %% [markdown]
# ## The answer
#
# {% for each in advice %}
# ### {{ each.condition }}: {{ each.workers }}{{ "" if each.proven else ", for the time being" }}
#
# {% if each.proven %}
# The fewest workers that are proven to come within {{ near_percent }} % of the best:
# {% else %}
# No number of workers is proven to come within {{ near_percent }} % of the best yet. The best
# estimate is:
# {% endif %}
#
#     {{ each.call | indent(4) }}
#
# {% if each.throughput %}
# - Throughput of the warm epoch: {{ each.throughput.median }} images/s (median;
#   {{ each.throughput.coverage }} % interval {{ each.throughput.low }} to
#   {{ each.throughput.high }}).
# {% endif %}
# {% if each.gain %}
# - **{{ each.help | capitalize }}**: throughput with {{ each.gain.compared }} is
#   {{ each.gain.ratio }} times that without (95 % interval {{ each.gain.low }} to
#   {{ each.gain.high }}, {{ each.gain.rounds }} rounds),
#   {{ each.gain.verdict }}{% if each.gain.more_rounds %}; about {{ each.gain.more_rounds }} more
#   rounds might decide{% endif %}.
# {% endif %}
# {% if each.plateau and each.plateau.proven %}
# - The fewest workers within {{ near_percent }} % of the best lie between {{ each.plateau.from }}
#   and {{ each.plateau.to }}{% if each.plateau.declines_from %}; from
#   {{ each.plateau.declines_from }} on, throughput declines{% endif %}.
# {% elif each.plateau %}
# - From {{ each.plateau.from }} on, no number is excluded{% if each.more_rounds %}; about
#   {{ each.more_rounds }} more rounds might prove one{% endif %}.
# {% endif %}
# {% if each.cost %}
# - Cost: {{ each.cost.workers_memory_mib }} of memory for all workers,
#   {{ each.cost.shared_memory_mib }} of shared memory at the peak.
# {% endif %}
# {% if each.paybacks %}
# - The start of the workers is paid back {{ each.paybacks | join(", ") }}.
#   {% if each.start and each.persistent %}
#   The first epoch takes {{ each.start }} s more than a warm one; without `persistent_workers`
#   every epoch would be a first one, so that they pay from the second epoch on.
#   {% endif %}
# {% endif %}
# {% for bound in bounds if bound.condition == each.condition %}
# - Bottleneck: {{ bound.bounds }}.
# {% endfor %}
#
# {% endfor %}
# Measured on {{ cpu }} with {{ usable_cores }} usable cores, training on the device
# *{{ device }}*. {% if device == "cpu" %}
# No accelerator trains here: training and workers share the same cores, so the answer is about
# this machine. To see how a fast accelerator would be fed from it, set `device: emulated`.
# {% endif %}

# %%
from feedrate.analysis.tables import repetition_table
from feedrate.report.display import Facts
from feedrate.report.figures import leading_figure
from feedrate.report.results import open_table, read_json
from feedrate.report.selection import conditions_of, device_of, of_sweep
from feedrate.report.verdicts import advice_facts, bounds_by_condition
from feedrate.statistics.plateau import NEAR_BEST

# %% data=["epochs.csv", "plan.json"]
plan = read_json("plan.json")
repetitions = of_sweep(repetition_table(open_table("epochs.csv")), plan, "workers")

# %%
if len(repetitions):
    display(leading_figure(repetitions, conditions_of(plan), device_of(plan)))

# %% data=["decisions.json", "bottlenecks.csv", "machine.json", "plan.json"]
machine = read_json("machine.json")["machine"]
Facts(
    advice=advice_facts(read_json("decisions.json")),
    bounds=bounds_by_condition(open_table("bottlenecks.csv")),
    near_percent=round(100 * NEAR_BEST),
    cpu=machine["cpu"],
    usable_cores=machine["usable_cores"],
    device=device_of(read_json("plan.json")),
)

# %% data=["plan.json"]
if device_of(read_json("plan.json")) == "emulated":
    display(
        Facts(
            banner="The accelerator in this report is emulated: each step waits as long as an "
            "accelerator of the configured rate would train. No number here is one of training."
        )
    )
