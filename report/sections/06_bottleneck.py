# %% [markdown]
# ## What holds training back
#
# {% if bounds %}
# Two ceilings say what training from the loader could reach at most: the loader alone, its batches
# copied to the device without training, and the training step alone, on a batch that is already
# there.
#
# {% for each in bounds %}
# - **{{ each.condition }}**: {{ each.bounds }}. With {{ each.rule_workers }}: {{ each.rule }}
# {% endfor %}
# {% else %}
# The two ceilings that bound the training, `loader` and `step`, were not both measured in this
# run: see `ceilings.arms` in `config.yaml`.
# {% endif %}
# {% if resident %}
#
# Training without any workers, on the whole dataset kept on the device and transformed there in
# batches, reaches
# {% for each in resident %}
# {{ each.throughput }} images/s ({{ each.condition }}){{ "." if loop.last else "," }}
# {% endfor %}
# There, a random transform draws once per batch, not once per image.
# {% endif %}
# {% for reason in not_applicable %}
# - Not applicable: {{ reason }}.
# {% endfor %}

# %%
from feedrate.content.bottleneck_tables import bound_table, bounds_by_condition, resident_facts
from feedrate.content.decision_figures import ceiling_figure
from feedrate.content.planned import device_of
from feedrate.notebooks.results import open_json, open_table
from feedrate.page.display import Facts

# %% data=["bottlenecks.csv", "ceilings.csv"]
bottlenecks = open_table("bottlenecks.csv")
ceilings = open_table("ceilings.csv")
reasons = ceilings[["condition", "arm", "not_applicable"]].dropna()
Facts(
    bounds=bounds_by_condition(bottlenecks),
    resident=resident_facts(ceilings),
    not_applicable=[
        f"{condition}, {arm}: {reason}"
        for condition, arm, reason in dict.fromkeys(map(tuple, reasons.values.tolist()))
    ],
)

# %% data=["plan.json"]
if len(bottlenecks):
    display(ceiling_figure(bottlenecks, device_of(open_json("plan.json"))))

# %%
if len(bottlenecks):
    display(bound_table(bottlenecks))
