rule aggregate:
    input:
        session.cell_files,
        library_of("aggregate.py"),
        f"{RESULTS}/plan.json",
    output:
        f"{RESULTS}/epochs.csv",
        f"{RESULTS}/summary.csv",
        f"{RESULTS}/machine.json",
        f"{RESULTS}/columns.json",
    log:
        f"{LOGS}/aggregate.log",
    conda:
        "../../envs/report.yaml"
    shell:
        "python {SCRIPTS:q}/aggregate.py --results {RESULTS:q} 2>&1 | tee {log:q} >&2"
