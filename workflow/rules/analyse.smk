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
    log:
        f"{LOGS}/aggregate.log",
    conda:
        "../../envs/report.yaml"
    params:
        script=SCRIPTS / "aggregate.py",
        results=results_folder,
    shell:
        "python {params.script:q} --results {params.results:q} 2>&1 | tee {log:q} >&2"


rule decide:
    input:
        rules.aggregate.output,
        code_of(SCRIPTS / "decide.py"),
    output:
        f"{RESULTS}/comparisons.csv",
        f"{RESULTS}/bottlenecks.csv",
        f"{RESULTS}/decisions.json",
        f"{RESULTS}/columns.json",
    log:
        f"{LOGS}/decide.log",
    conda:
        "../../envs/report.yaml"
    params:
        script=SCRIPTS / "decide.py",
        results=results_folder,
    shell:
        "python {params.script:q} --results {params.results:q} 2>&1 | tee {log:q} >&2"


rule judge_claims:
    input:
        rules.aggregate.output,
        code_of(SCRIPTS / "judge_claims.py"),
        claims=CLAIMS,
    output:
        f"{RESULTS}/ledger.json",
        f"{RESULTS}/published.json",
    log:
        f"{LOGS}/judge_claims.log",
    # The default of an argument is read off the torch that is installed beside.
    conda:
        "../../envs/report.yaml"
    params:
        script=SCRIPTS / "judge_claims.py",
        results=results_folder,
    shell:
        "python {params.script:q} --results {params.results:q} --claims {input.claims:q}"
        " 2>&1 | tee {log:q} >&2"
