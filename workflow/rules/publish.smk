# No output: Snakemake deletes an output before its job starts, and the site that is there stays
# until a new one is whole. The script makes it beside its place and then puts it there.
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
