import sys
from pathlib import Path

from snakemake.utils import min_version

min_version("9.27")


configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/dataset.smk"
include: "workflow/rules/measure.smk"
include: "workflow/rules/analyse.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/publish.smk"


rule all:
    default_target: True
    input:
        every_cell,
        f"{RESULTS}/report.html",


onstart:
    folder_lock = begin(session)
    tell(start_outlook(session))


onsuccess:
    for line in conclusion(session.results):
        tell(line)


onerror:
    for line in failures(session.plan, session.results, session.results / "logs"):
        tell(line)
    tell("start the same command again to measure what is missing")
