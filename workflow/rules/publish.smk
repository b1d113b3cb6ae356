# No output: Snakemake deletes an output before its job starts, but the old site is to stay until
# the new one is complete. The script builds it beside its destination, then moves it there.
rule publish:
    input:
        rules.aggregate.output,
        rules.decide.output,
        rules.judge_claims.output,
        rules.compare_machines.output,
        page_without_measuring,
        written("plan.json", "config.yaml"),
    log:
        f"{LOGS}/publish.log",
    conda:
        "../../envs/report.yaml"
    params:
        project=Path(workflow.basedir),
    shell:
        command(
            "publish_site.py",
            f"{RESULTS_OPTION} --project {{params.project:q}}",
        )
