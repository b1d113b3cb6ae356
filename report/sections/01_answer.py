# %% [markdown]
# ## The answer
#
# {% for answer in answers %}
# - **{{ answer.condition }}**: highest median with **{{ answer.best }}**,
#   {{ answer.median }} images/s in the warm epoch ({{ answer.minimum }} to {{ answer.maximum }}
#   over {{ answer.repetitions }} repetitions){% if answer.speedup %}, {{ answer.speedup }} times
#   the throughput without workers{% endif %}.
#   {% if answer.overlapping %}
#   The range of its repetitions overlaps with those of {{ answer.overlapping }} workers: this run
#   doesn't set them apart.
#   {% endif %}
#   {% if answer.near == answer.best %}
#   No smaller number of workers comes within {{ near_percent }} % of it.
#   {% else %}
#   From {{ answer.near }} on, medians come within {{ near_percent }} % of it.
#   {% endif %}
# {% endfor %}
#
# Measured on {{ cpu }} with {{ usable_cores }} usable cores, training on the device
# *{{ device }}*. {% if device == "cpu" %}
# There is no accelerator here: training and workers share the same cores, so the answer is about
# this machine. To see how a fast accelerator would be fed from it, set `device: emulated`.
# {% endif %}

# %%
from feedrate.analysis.answers import NEAR_BEST, answers, counted_workers
from feedrate.analysis.tables import repetition_table
from feedrate.report.display import Facts
from feedrate.report.figures import leading_figure
from feedrate.report.results import open_table, read_json
from feedrate.report.selection import conditions_of, device_of, listed, of_sweep

# %% data=["epochs.csv", "plan.json"]
plan = read_json("plan.json")
repetitions = of_sweep(repetition_table(open_table("epochs.csv")), plan, "workers")

# %%
if len(repetitions):
    display(leading_figure(repetitions, conditions_of(plan), device_of(plan)))

# %% data=["summary.csv", "machine.json", "plan.json"]
machine = read_json("machine.json")["machine"]
Facts(
    answers=[
        {
            "condition": answer.condition,
            "best": counted_workers(answer.best.num_workers),
            "median": f"{answer.best.median:,.0f}",
            "minimum": f"{answer.best.minimum:,.0f}",
            "maximum": f"{answer.best.maximum:,.0f}",
            "repetitions": answer.best.repetitions,
            "speedup": f"{answer.speedup:.2f}" if answer.speedup else None,
            "overlapping": listed([each.num_workers for each in answer.overlapping]),
            "near": counted_workers(answer.fewest_near_best.num_workers),
        }
        for answer in answers(open_table("summary.csv").to_dict("records"))
    ],
    near_percent=round(100 * (1 - NEAR_BEST)),
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
