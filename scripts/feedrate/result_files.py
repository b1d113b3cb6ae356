"""The files that a run leaves at the top of its results folder, and what each of them is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ResultFile:
    """The name of a file, and what it is, in a sentence.

    `unverified` is the reason why a published folder can't reproduce a table from its own cells;
    empty if it can.
    """

    name: str
    meaning: str
    unverified: str = ""


REPORT = ResultFile("report.html", "The report.")
CONFIG = ResultFile(
    "config.yaml", "The configuration of the run: conditions, sweeps and repetitions."
)
PLAN = ResultFile(
    "plan.json", "The experiment and its cells, in the order in which they were measured."
)

TABLES = (
    ResultFile("epochs.csv", "A row per measured epoch, with all that was timed."),
    ResultFile("repetitions.csv", "A row per timed repetition: its first and its warm epochs."),
    ResultFile("summary.csv", "A row per condition and settings."),
    ResultFile("ceilings.csv", "A row per repetition of a ceiling."),
    ResultFile("resources.csv", "A row per watched epoch: memory, CPU and GPU use."),
    ResultFile("comparisons.csv", "Every setting of a sweep against its first."),
    ResultFile("bottlenecks.csv", "What bounds each setting, and the rule that was applied."),
    ResultFile("decisions.json", "Plateaus, advice, drift, outliers and sessions."),
    ResultFile("ledger.json", "A verdict for every claim."),
    ResultFile("published.json", "The articles' own tables."),
    ResultFile("stopping.json", "Why open-ended rounds stopped."),
    ResultFile("columns.json", "What every column of every table means."),
    ResultFile("machine.json", "The machine and the package versions."),
    ResultFile(
        "machines.json",
        "This run beside the articles' numbers and other machines.",
        unverified="it shows other machines, too, whose cells aren't here",
    ),
    ResultFile(
        "facts.json",
        "The facts of machine and software that claims were judged by.",
        unverified="only the measuring machine knows them",
    ),
)
"""Everything that was derived from the cells, as CSV or JSON."""

RESULT_FILES = (REPORT, CONFIG, PLAN, *TABLES)

LEADING_FIGURE = "figures/throughput-and-epochs.png"
"""The figure that shows the answer, below the results folder."""
