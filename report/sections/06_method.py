# %% [markdown]
# ## Method and machine
#
# Each number comes from {{ images }} training images of FashionMNIST (Xiao, Rasul and Vollgraf
# 2017, arXiv:1708.07747), in batches of {{ batch_sizes }}, shuffled.
# {% if device == "emulated" %}
# Nothing was trained: each step waits as long as an accelerator of
# {{ emulated_images_per_second }} images/s would take, as the accelerators of MLPerf Storage do.
# {% else %}
# A CNN of 105,866 parameters was trained with Adam in FP32 without TF32.
# {% endif %}
# One synthetic step comes first, for which no epoch pays. A repetition is a fresh process with
# {{ epochs }} epochs over one loader. The device is synchronised at both ends of an epoch and
# nowhere else; throughput is images divided by the seconds between.
#
# The {{ cells }} repetitions were measured one at a time in {{ rounds }} rounds: every setting
# once a round, in a seeded random order that differs by round, so that drift of the machine falls
# on all of them alike (blocking: Box, Hunter and Hunter, *Statistics for Experimenters*). The
# report gives medians and full ranges and drops nothing.
#
# The design follows *PyTorch DataLoaderは何workerが速い？* (experiment of 2026-08-24: Core
# i7-14700F, RTX 5070 Ti, PyTorch 2.13.0), whose numbers are its author's and whose machine is
# another one than this.
#
# {% if left_out %}
# Not applicable here:
#
# {% for entry in left_out %}
# - the sweep `{{ entry.sweep }}`: {{ entry.reason }}.
# {% endfor %}
# {% else %}
# Every sweep of the configuration applies on this machine.
# {% endif %}

# %%
from feedrate.report.display import Facts
from feedrate.report.results import open_table, read_json
from feedrate.report.selection import device_of
from feedrate.report.tables import columns_of, conditions_in, machine_facts, summary_of

# %% data=["plan.json", "epochs.csv"]
plan = read_json("plan.json")
epochs = open_table("epochs.csv")

# %%
Facts(
    images=f"{plan['experiment']['dataset']['images']:,}",
    batch_sizes=" or ".join(str(size) for size in sorted(set(epochs["batch_size"]))),
    epochs=plan["experiment"]["training"]["epochs"],
    cells=len(plan["cells"]),
    rounds=int(epochs["repetition"].max()),
    left_out=plan["not_applicable"],
    device=device_of(plan),
    emulated_images_per_second=f"{plan['experiment']['emulated']['images_per_second']:,.0f}",
)

# %%
conditions_in(plan)

# %% data=["machine.json"]
machine_facts(read_json("machine.json"))

# %% [markdown]
# ### Every setting
#
# Medians, with the full range of the repetitions in brackets. The files `summary.csv` and
# `epochs.csv` beside this page hold all digits.

# %% data=["summary.csv"]
summary_of(
    open_table("summary.csv"),
    name="all-settings",
    caption="All settings of this run.",
)

# %% [markdown]
# ### Columns of the tables

# %% data=["columns.json"]
columns_of(read_json("columns.json"), "summary.csv", name="summary-columns")

# %% data=["columns.json"]
columns_of(read_json("columns.json"), "epochs.csv", name="epoch-columns")
