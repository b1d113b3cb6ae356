rule aggregate:
    input:
        every_cell,
        code_of(SCRIPTS / "aggregate.py"),
        f"{RESULTS}/plan.json",
    output:
        f"{RESULTS}/epochs.csv",
        f"{RESULTS}/summary.csv",
        f"{RESULTS}/ceilings.csv",
        f"{RESULTS}/resources.csv",
        f"{RESULTS}/stopping.json",
        f"{RESULTS}/machine.json",
        f"{RESULTS}/columns.json",
    log:
        f"{LOGS}/aggregate.log",
    conda:
        "../../envs/report.yaml"
    params:
        script=SCRIPTS / "aggregate.py",
        results=results_folder,
    shell:
        "python {params.script:q} --results {params.results:q} 2>&1 | tee {log:q} >&2"
