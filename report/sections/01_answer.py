# %%
from feedrate.analysis.decisions import Decisions
from feedrate.analysis.recommendation import answer_in_words
from feedrate.analysis.samples import worker_families
from feedrate.analysis.tables import comparable
from feedrate.content.answer import advice_facts, answer_table, byline
from feedrate.content.leading_figure import leading_figure
from feedrate.content.planned import conditions_of, device_of
from feedrate.content.thresholds import CONFIDENCE_PERCENT, NEAR_PERCENT
from feedrate.notebooks.results import open_as, open_json, open_table
from feedrate.page.display import Facts

# %% data=["repetitions.csv", "plan.json", "decisions.json", "bottlenecks.csv"]
plan = open_json("plan.json")
advice = open_as(Decisions, "decisions.json").advice
bottlenecks = open_table("bottlenecks.csv")
repetitions = open_table("repetitions.csv")
family = worker_families(comparable(repetitions))

# %% [markdown]
# ## The answer

# %%
answer_table(advice, bottlenecks)

# %%
leading_figure(family, bottlenecks, advice, conditions_of(plan), device_of(plan))

# %% [markdown]
# ### What to paste, and why
#
# {% for each in advice %}
# {% set standing = "" if each.proven else ", for the time being" %}
# #### {{ each.condition }}: {{ each.workers | workers }}{{ standing }}
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
# - **{{ each.help | term | capitalize }}**: throughput with {{ each.gain.compared | workers }} is
#   {{ each.gain.ratio }} times that without ({{ confidence_percent }} % interval
#   {{ each.gain.low }} to {{ each.gain.high }}, {{ each.gain.rounds }} rounds),
#   {{ each.gain.verdict | term }}{% if each.gain.more_rounds %}; about
#   {{ each.gain.more_rounds }} more round{{ "" if each.gain.more_rounds == 1 else "s" }} might
#   decide{% endif %}.
# {% endif %}
# {% if each.plateau and each.plateau.proven is not none %}
# - The fewest workers within {{ near_percent }} % of the best{% if
#   each.plateau.from == each.plateau.proven %}: {{ each.plateau.proven }}{% else %} lie between
#   {{ each.plateau.from }} and {{ each.plateau.proven }}{% endif %}{% if
#   each.plateau.declines_from %}; from {{ each.plateau.declines_from }} on, throughput
#   declines{% endif %}.
# {% elif each.plateau %}
# - The smallest number that is not excluded is {{ each.plateau.from }}{% if
#   each.more_rounds %}; about {{ each.more_rounds }} more
#   round{{ "" if each.more_rounds == 1 else "s" }} might prove one{% endif %}.
# {% endif %}
# {% if each.cost %}
# - Cost, at the peak: memory of all workers {{ each.cost.workers_memory_mib }}, shared memory
#   {{ each.cost.shared_memory_mib }}.
# {% endif %}
# {% for payback in each.paybacks %}
# {% if payback.epochs is none %}
# - By the medians, the start of the workers is never paid back against
#   {{ payback.against | workers }}: a warm epoch takes
#   {{ payback.saved_seconds | replace("-", "") }} s longer.
# {% elif payback.epochs == 1 %}
# - By the medians, the start of the workers is paid back within the first epoch against
#   {{ payback.against | workers }}.
# {% else %}
# - By the medians, the start of the workers is paid back after {{ payback.epochs }} epochs against
#   {{ payback.against | workers }}.
# {% endif %}
# {% endfor %}
# {% if each.start and each.persistent %}
# - The first epoch takes {{ each.start }} s more than a warm one; without `persistent_workers`
#   every epoch would be a first one, so the setting pays off from the second epoch on.
# {% endif %}
#
# {% endfor %}
# {% if device == "cpu" %}
# No accelerator trains here: training and workers share the same cores, so the answer holds for
# this machine only. To see how a fast accelerator would be fed from it, set `device: emulated`.
# {% endif %}

# %% data=["machine.json"]
Facts(
    advice=advice_facts(advice),
    near_percent=NEAR_PERCENT,
    confidence_percent=CONFIDENCE_PERCENT,
    device=device_of(plan),
    byline=byline(open_json("machine.json")["machine"], device_of(plan), repetitions),
    description=answer_in_words(advice),
)

# %%
if device_of(plan) == "emulated":
    display(
        Facts(
            banner="The accelerator in this report is emulated: each step waits as long as an "
            "accelerator of the configured rate would take. No number here comes from training."
        )
    )
