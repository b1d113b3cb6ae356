import os
from shlex import quote

SCRIPTS = Path(workflow.basedir) / "scripts"
sys.path.insert(0, str(SCRIPTS))

from snakemake.logging import logger

from feedrate.analysis.recommendation import conclusion
from feedrate.publishing import card_address
from feedrate.publishing.bundle import bundle_files
from feedrate.running.progress import failures
from feedrate.workflow import begin, demand_measured, open_session, start_outlook

# Snakemake lists the files of --configfile, which override, before the project's own.
*overriding, own = map(str, workflow.configfiles)
session = open_session(config, [own, *overriding], SCRIPTS, Path.cwd())
RESULTS = str(session.results)
DATA = str(session.data)
LOGS = f"{RESULTS}/logs"
CLAIMS = Path(workflow.basedir) / "report/claims.yaml"
SECTION_FOLDER = Path(workflow.basedir) / "report/sections"
MESSAGES = Path(workflow.basedir) / "report/messages"
LANGUAGE = session.experiment.report.language


# Two lines for every job would bury the progress.
logger.addFilter(
    lambda record: not record.getMessage().startswith(
        ("Select jobs to execute", "Execute ")
    )
)


def tell(line):
    print(f"feedrate: {line}", file=sys.stderr)


def word(text):
    """`text` as one word of a shell command, whatever it contains."""
    return quote(str(text)).replace("{", "{{").replace("}", "}}")


def command(script, options):
    """The shell command of a rule: run a script, and show and log its output."""
    return f"python {word(SCRIPTS / script)} {options} 2>&1 | tee {{log:q}} >&2"


RESULTS_OPTION = f"--results {word(RESULTS)}"


def cell_file(wildcards):
    return f"{RESULTS}/cells/{wildcards.cell}.json"


def starts_a_run():
    """Whether jobs will run: not in a dry run, nor when only the graph is printed."""
    return (
        workflow.is_main_process
        and workflow.executor_plugin is not None
        and not workflow.dryrun
    )


def written(*names):
    """Files that a run writes before its graph is built; a dry run has a job where they change."""

    def files(wildcards):
        if starts_a_run():
            session.start()
        return [
            (
                f"{RESULTS}/{name}"
                if session.is_written(name)
                else f"{RESULTS}/to-write/{name}"
            )
            for name in names
        ]

    return files


def every_cell(wildcards):
    """All cells: the planned ones, and the rounds that turn out to be needed.

    Decisions after measured rounds are known when the graph is built; checkpoints make those after
    rounds that are still to be measured.
    """
    if starts_a_run():
        session.start()
    files = list(session.cell_files)
    rounds, added = session.open_rounds, len(session.added)
    while rounds:
        digest = session.remember(rounds)
        decision = checkpoints.decide_rounds.get(added=added, digest=digest)
        rounds = session.rounds_after(rounds, decision.output[0])
        files += session.last_files(rounds)
        added += 1
    return files


def page_without_measuring(wildcards):
    """The page, for a target that never measures; exits if cells are missing."""
    demand_measured(session)
    return rules.assemble_report.output


def dataset_unless_measured(wildcards):
    """The dataset, for a cell that is still to be measured; a measured one needs nothing."""
    measured = session.is_measured(cell_file(wildcards))
    return [] if measured else f"{DATA}/manifest.json"


def code_of_section(wildcards):
    return written(f"code/sections/{wildcards.section}.sha256")(wildcards)


def section_file(wildcards):
    return str(SECTION_FOLDER / f"{wildcards.section}.py")


def words_of(wildcards):
    """The messages that a section's prose uses, and its translation if there is one."""
    english = str(MESSAGES / "en.yaml")
    translation = SECTION_FOLDER / LANGUAGE / f"{wildcards.section}.py"
    if not translation.exists():
        return [english]
    return [english, str(MESSAGES / f"{LANGUAGE}.yaml"), str(translation)]


def language_if_any(wildcards):
    """The language, for a section that has been translated into any language."""
    translated = any(SECTION_FOLDER.glob(f"*/{wildcards.section}.py"))
    return written("presentation/language.json")(wildcards) if translated else []


def audit_if_any(wildcards):
    """The finding of `rule audit` if it exists; the page shows it but never asks for it."""
    file = Path(RESULTS) / "audit.json"
    return [str(file)] if file.exists() else []
