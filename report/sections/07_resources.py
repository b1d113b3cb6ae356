# %% [markdown]
# ## What workers cost
#
# {% if measured %}
# One further repetition of every setting was watched by a process of its own, about every
# {{ sample_seconds }} s; memory was read less often, for at most a tenth of the time, since
# reading it holds the workers up. Its times are not used. Memory is proportional set size:
# pages that forked workers share are divided among them, where adding up resident sizes would
# count them again for every worker.
# {% if not gpu %}
# GPU use, GPU memory and clocks are n/a: NVML reports no GPU here.
# {% endif %}
# {% else %}
# Resources were not measured in this run: set `resources.instrumented` in `config.yaml`.
# {% endif %}
# {% for each in leaks %}
#
# Over {{ each.epochs }} epochs, with {{ each.workers }} kept alive, memory at the end of an epoch
# went from {{ each.first }} to {{ each.last }} MiB ({{ each.condition }}).
# {% endfor %}

# %%
from feedrate.content.decision_figures import memory_figure
from feedrate.content.planned import conditions_of, device_of
from feedrate.content.prose_numbers import memory_growth
from feedrate.content.resource_tables import gpu_table, has_gpu_use, usage_table
from feedrate.notebooks.results import open_json, open_table
from feedrate.page.display import Facts

# %% data=["resources.csv", "plan.json"]
plan = open_json("plan.json")
resources = open_table("resources.csv")
watched = (resources["arm"] == "instrumented").any()
Facts(
    measured=bool(watched),
    sample_seconds=plan["experiment"]["resources"]["sample_seconds"],
    leaks=memory_growth(resources),
    gpu=has_gpu_use(resources),
)

# %%
if resources.loc[resources["arm"] == "instrumented", "total_memory_mib"].notna().any():
    display(memory_figure(resources, conditions_of(plan), device_of(plan)))

# %%
if watched:
    display(usage_table(resources))

# %%
if has_gpu_use(resources):
    display(gpu_table(resources))
