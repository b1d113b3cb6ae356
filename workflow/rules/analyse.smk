rule aggregate:
    input:
        every_cell,
        written("plan.json", "code/aggregate.sha256"),
    output:
        f"{RESULTS}/epochs.csv",
        f"{RESULTS}/repetitions.csv",
        report(
            f"{RESULTS}/summary.csv",
            caption="../captions/table.rst",
            category="Tables",
            labels={"table": "summary"},
        ),
        f"{RESULTS}/ceilings.csv",
        f"{RESULTS}/resources.csv",
        f"{RESULTS}/stopping.json",
        f"{RESULTS}/machine.json",
    log:
        f"{LOGS}/aggregate.log",
    conda:
        "../../envs/report.yaml"
    shell:
        command(
            "aggregate.py",
            RESULTS_OPTION,
        )


rule decide:
    input:
        rules.aggregate.output,
        written("plan.json", "code/decide.sha256"),
    output:
        report(
            f"{RESULTS}/comparisons.csv",
            caption="../captions/table.rst",
            category="Tables",
            labels={"table": "comparisons"},
        ),
        report(
            f"{RESULTS}/bottlenecks.csv",
            caption="../captions/table.rst",
            category="Tables",
            labels={"table": "bottlenecks"},
        ),
        f"{RESULTS}/decisions.json",
        f"{RESULTS}/columns.json",
    log:
        f"{LOGS}/decide.log",
    conda:
        "../../envs/report.yaml"
    shell:
        command(
            "decide.py",
            RESULTS_OPTION,
        )


rule judge_claims:
    input:
        rules.aggregate.output,
        written("plan.json", "code/judge_claims.sha256"),
        claims=CLAIMS,
    output:
        f"{RESULTS}/ledger.json",
        f"{RESULTS}/facts.json",
        f"{RESULTS}/published.json",
    log:
        f"{LOGS}/judge_claims.log",
    conda:
        "../../envs/report.yaml"
    shell:
        command(
            "judge_claims.py",
            f"{RESULTS_OPTION} --claims {{input.claims:q}}",
        )


rule compare_machines:
    input:
        rules.aggregate.output,
        rules.decide.output,
        rules.judge_claims.output,
        written(
            "plan.json", "presentation/compare.json", "code/compare_machines.sha256"
        ),
        bundle_files(session.experiment.report.compare),
    output:
        f"{RESULTS}/machines.json",
    log:
        f"{LOGS}/compare_machines.log",
    conda:
        "../../envs/report.yaml"
    params:
        bundles=session.experiment.report.compare,
    shell:
        command(
            "compare_machines.py",
            f"{RESULTS_OPTION} --bundles {{params.bundles:q}}",
        )
