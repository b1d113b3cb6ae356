# %% [markdown]
# ## Method and machine
#
# Each number comes from {{ images }} training images of {{ workload }}, in batches of
# {{ batch_sizes }}, shuffled.
# {% if device == "emulated" %}
# Nothing was trained: each step waits as long as an accelerator of
# {{ emulated_images_per_second }} images/s would take, as the accelerators of MLPerf Storage do.
# {% else %}
# {{ model }} of {{ parameters }} parameters was trained with Adam in FP32 without TF32.
# {% endif %}
# One synthetic step comes first and counts in no epoch. A repetition is a fresh process with
# {{ epochs }} epochs over one loader. The device is synchronised at both ends of an epoch and
# nowhere else; throughput is images divided by the seconds between.
#
# The {{ repetitions }} timed repetitions{% if ceilings %} and {{ ceilings }} of
# ceilings{% endif %} were measured one at a time in {{ rounds }} rounds: every setting once a round
# until it has its number of repetitions, ceilings included, in a seeded random order that differs
# by round, so that drift of the machine falls on all of them alike (blocking: Box, Hunter and
# Hunter, *Statistics for Experimenters*, 2005). One setting, the sentinel, is measured in every
# configured round. Rounds that `repetitions: auto` adds contain only the settings that are still
# open. Processes are watched in separate repetitions, after all of these. Nothing is dropped.
#
# The design follows *PyTorch DataLoaderは何workerが速い？* (experiment of 2026-08-24: Core
# i7-14700F, RTX 5070 Ti, PyTorch 2.13.0), whose numbers are its author's, from another machine.
#
# ### How numbers become verdicts
#
# - **Interval of a median**: for up to {{ few_values }} repetitions, order statistics, with their
#   true coverage from the binomial distribution (David and Nagaraja, *Order Statistics*, 2003):
#   {{ coverage_of_three }} % for 3, {{ coverage_of_five }} % for 5. Above {{ few_values }}, the
#   percentile bootstrap (Efron 1979).
# - **Comparison of two settings**: the log-ratios of their throughput within each round; the mean
#   has a Student t interval. *Equivalent* where the {{ two_one_sided_percent }} % interval of the
#   ratio lies within {{ equivalence_percent }} %, which is two one-sided tests at
#   {{ error_percent }} % (Schuirmann 1987), else *faster* or *slower* where the
#   {{ confidence_percent }} % interval excludes 1, else *undecided*. The number of further rounds
#   that would decide is a rough projection, often wrong; adding rounds until a verdict appears
#   would raise the error rate.
# - **Plateau**: settings and rounds as a randomised block design, log throughput = setting +
#   round + error by least squares, one error for all (Box, Hunter and Hunter 2005); numbers of
#   workers that reach {{ contender_percent }} % of the best estimate are compared in a separate
#   fit. A number is *proven* near the best where the one-sided {{ confidence_percent }} %
#   bound of its ratio to every other number exceeds {{ near_bound }} (intersection-union test,
#   Berger 1982), *excluded* where a bound with Bonferroni's correction lies below it for some
#   other number (multiple comparisons with the best, Hsu 1984); the intervals over the best other
#   number have these two bounds, and their nominal coverage if noise is equal at all numbers of
#   workers. Where a claim compares the best of some numbers with the best of
#   others, each bound is corrected for the choice that it makes. Throughput *declines* from the
#   first number above the best that is slower than it with Bonferroni's correction for all pairs.
#   The smallest proven number is recommended.
# - **Bottleneck**: with workers, or with a device that works behind the main process, loading and
#   training overlap, and the smaller of the two ceilings is expected; otherwise they alternate,
#   and 1 / (1/loader + 1/step) is. Below
#   {{ contention_percent }} % of that it is *contention*; otherwise the slower side is the bound,
#   *undecided* where the ranges of the two ceilings overlap.
# - **Drift**: the Theil–Sen slope of log throughput, relative to its setting's median, over time
#   (Theil 1950, Sen 1968), with a {{ confidence_percent }} % interval.
# - **Outliers**: a modified z-score above {{ outlier_score }} (Iglewicz and Hoaglin 1993). They are
#   flagged and stay in every number.
# - **Repetitions `auto`**: at least {{ auto.minimum }} rounds, until the median's interval is no
#   wider than {{ auto_percent }} % of it, or {{ auto.maximum }} rounds. Looking after every round
#   gives such an interval somewhat less than its nominal coverage.
# - **Sessions**: after {{ gap_minutes }} minutes without a measurement the next one belongs to
#   another session, which measures a setting of the first one again, as an anchor. The two
#   sessions count together only where it is equivalent in both, by Welch's t (Welch 1947).
# - **Payback**: the first epoch after which more workers have taken no more time in all than
#   fewer, from medians of first and warm epochs.
# - **Rules of thumb**: ceil(t_load / t_step) is the step's throughput over that of one loading
#   process, rounded up: with that many workers, a pipeline keeps pace.
# - **Resources**: proportional set size (proc_pid_smaps(5)); shared memory is what /dev/shm held
#   beyond what it held before; GPU use by NVML is the share of time with any kernel running, GPU
#   busy the share of time between the first and the last kernel of a step, by the device's events.
# - **Claims**: paired by round as above; a resource that was observed once counts by its value;
#   growth is a Theil–Sen slope over epochs.
#
# ### How steady the machine was
#
# {% if steadiness.all_cells %}
# Over {{ steadiness.hours }} hours, throughput of all settings together changed by
# {{ steadiness.all_cells }}.
# {% if steadiness.sentinel %}
# The sentinel alone: {{ steadiness.sentinel }}.
# {% endif %}
# {% else %}
# Too few repetitions, or too short a time, to say anything about drift.
# {% endif %}
# {% if outliers %}
# Flagged as outliers, and kept:
#
# {% for each in outliers %}
# - {{ each }}
# {% endfor %}
# {% else %}
# No repetition is flagged as an outlier.
# {% endif %}
# {% for each in sessions %}
#
# Session {{ each.session }} {{ each.text }}.
# {% endfor %}
# {% if stopping %}
#
# ### Why rounds stopped
#
# {% for name, reason in stopping.items() %}
# - `{{ name }}`: {{ reason }}.
# {% endfor %}
# {% endif %}
#
# {% if left_out %}
# Not applicable here:
#
# {% for entry in left_out %}
# - `{{ entry.factor }}` in the sweep `{{ entry.sweep }}`: {{ entry.reason }}.
# {% endfor %}
# {% else %}
# Every factor of every sweep applies on this machine.
# {% endif %}

# %%
from feedrate.analysis.decisions import Decisions
from feedrate.content.planned import device_of, model_of, workload_of
from feedrate.content.run_tables import columns_of, conditions_in, machine_facts, summary_of
from feedrate.content.steadiness_words import outlier_texts, session_texts, steadiness_facts
from feedrate.content.thresholds import (
    CONFIDENCE_PERCENT,
    CONTENDER_PERCENT,
    CONTENTION_PERCENT,
    EQUIVALENCE_PERCENT,
    ERROR_PERCENT,
    TWO_ONE_SIDED_PERCENT,
)
from feedrate.notebooks.results import open_as, open_json, open_table
from feedrate.page.display import Facts
from feedrate.statistics.drift import OUTLIER_SCORE
from feedrate.statistics.intervals import FEW_VALUES, median_interval
from feedrate.statistics.plateau import NEAR_BEST

# %% data=["plan.json", "repetitions.csv"]
plan = open_json("plan.json")
repetitions = open_table("repetitions.csv")

# %% data=["ceilings.csv"]
Facts(
    images=f"{plan['experiment']['dataset']['images']:,}",
    batch_sizes=" or ".join(str(size) for size in sorted(set(repetitions["batch_size"]))),
    epochs=plan["experiment"]["training"]["epochs"],
    repetitions=len(repetitions),
    ceilings=len(open_table("ceilings.csv")),
    rounds=int(repetitions["repetition"].max()),
    left_out=plan["not_applicable"],
    device=device_of(plan),
    workload=workload_of(plan).citation,
    model=model_of(plan).title,
    parameters=f"{model_of(plan).parameters:,}",
    emulated_images_per_second=f"{plan['experiment']['emulated']['images_per_second']:,.0f}",
)

# %%
Facts(
    confidence_percent=CONFIDENCE_PERCENT,
    two_one_sided_percent=TWO_ONE_SIDED_PERCENT,
    error_percent=ERROR_PERCENT,
    equivalence_percent=EQUIVALENCE_PERCENT,
    near_bound=1 - NEAR_BEST,
    contender_percent=CONTENDER_PERCENT,
    contention_percent=CONTENTION_PERCENT,
    few_values=FEW_VALUES,
    coverage_of_three=f"{100 * median_interval(range(1, 4)).coverage:g}",
    coverage_of_five=f"{100 * median_interval(range(1, 6)).coverage:g}",
    outlier_score=OUTLIER_SCORE,
)

# %% data=["decisions.json"]
decisions = open_as(Decisions, "decisions.json")
auto = plan["experiment"]["auto_repetitions"]
Facts(
    auto=auto,
    auto_percent=f"{100 * auto['relative_width']:g}",
    gap_minutes=f"{plan['experiment']['sessions']['gap_minutes']:g}",
    steadiness=steadiness_facts(decisions.steadiness),
    outliers=outlier_texts(decisions.steadiness),
    sessions=session_texts(decisions.sessions),
    stopping={name: why.reason for name, why in decisions.stopping.items()},
)

# %%
conditions_in(plan)

# %% data=["machine.json"]
machine_facts(open_json("machine.json"))

# %% [markdown]
# ### Every setting
#
# Medians, with the full range of the repetitions in brackets. The files `summary.csv` and
# `epochs.csv` beside this page hold all digits.

# %% data=["summary.csv"]
summary_of(
    open_table("summary.csv"),
    name="all-settings",
)

# %% [markdown]
# ### Columns of the tables

# %% data=["columns.json"]
columns = open_json("columns.json")
for file in columns:
    display(columns_of(columns, file, name=f"{file.removesuffix('.csv')}-columns"))
