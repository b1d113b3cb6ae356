"""Where everything is in a published folder."""

from feedrate import result_files
from feedrate.result_files import TABLES, ResultFile

PAGE = "index.html"
README = "README.md"
METADATA = "ro-crate-metadata.json"
PLAN = result_files.PLAN.name
FACTS = "tables/facts.json"
MACHINE = "tables/machine.json"

PROJECT = "project"
"""The folder of the workflow with all that it needs to run again."""

WORKFLOW = f"{PROJECT}/Snakefile"
CONFIG = f"{PROJECT}/config.yaml"
CLAIMS = f"{PROJECT}/report/claims.yaml"
LOCK = f"{PROJECT}/envs/requirements.txt"
CITATION = f"{PROJECT}/CITATION.cff"
LICENSE = f"{PROJECT}/LICENSE"

RESULTS: dict[str, ResultFile] = {
    PAGE: result_files.REPORT,
    PLAN: result_files.PLAN,
    CONFIG: result_files.CONFIG,
    **{f"tables/{table.name}": table for table in TABLES},
}
"""Each file of the results folder by its place in the published one."""
