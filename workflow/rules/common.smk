SCRIPTS = Path(workflow.basedir) / "scripts"
sys.path.insert(0, str(SCRIPTS))

from snakemake.logging import logger

from feedrate.code_digest import first_party_closure
from feedrate.running.progress import failures, outlook
from feedrate.workflow import begin, best_settings, open_session

session = open_session(config, workflow.configfiles, SCRIPTS, Path.cwd())
RESULTS = str(session.results)
LOGS = f"{RESULTS}/logs"


# Two lines for every job would bury the progress.
logger.addFilter(
    lambda record: not record.getMessage().startswith(("Select jobs to execute", "Execute "))
)


def tell(line):
    print(f"feedrate: {line}", file=sys.stderr)


def library_of(*scripts):
    """The scripts and all modules that they import: inputs, so that a change in them counts."""
    return [str(file) for file in first_party_closure(map(SCRIPTS.joinpath, scripts), SCRIPTS)]
