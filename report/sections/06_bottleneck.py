# %% [markdown]
# ## What holds training back
#
# {% if bounds %}
# Three ceilings say what training from the loader could reach at most: the loader alone, its
# batches copied to the device without training; the training step alone, on a batch that already
# lies there; and the whole dataset on the device, transformed there in batches, without any
# loader.
#
# {% for each in bounds %}
# - **{{ each.condition }}**: {{ each.bounds }} workers. With {{ each.rule_workers }}:
#   {{ each.rule }}{% if each.resident %} With the dataset on the device, training reaches
#   {{ each.resident }} images/s.{% endif %}
# {% endfor %}
# {% for reason in not_applicable %}
# - Not applicable: {{ reason }}.
# {% endfor %}
# {% else %}
# The ceilings were not measured in this run: set `ceilings.arms` in `config.yaml`.
# {% endif %}

# %%
from feedrate.report.decision_figures import ceiling_figure
from feedrate.report.display import Facts
from feedrate.report.results import open_table, read_json
from feedrate.report.selection import device_of
from feedrate.report.verdicts import bottleneck_table, bounds_by_condition

# %% data=["bottlenecks.csv", "ceilings.csv"]
bottlenecks = open_table("bottlenecks.csv")
reasons = open_table("ceilings.csv")[["condition", "arm", "not_applicable"]].dropna()
Facts(
    bounds=bounds_by_condition(bottlenecks),
    not_applicable=[
        f"{condition}, {arm}: {reason}"
        for condition, arm, reason in dict.fromkeys(map(tuple, reasons.values.tolist()))
    ],
)

# %% data=["plan.json"]
if len(bottlenecks):
    display(ceiling_figure(bottlenecks, device_of(read_json("plan.json"))))

# %%
if len(bottlenecks):
    display(bottleneck_table(bottlenecks))
