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
        script=SCRIPTS / "publish_site.py",
        results=results_folder,
        project=Path(workflow.basedir),
    shell:
        "python {params.script:q} --results {params.results:q} --project {params.project:q}"
        " 2>&1 | tee {log:q} >&2"
