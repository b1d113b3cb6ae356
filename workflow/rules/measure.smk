# In a dry run, a placeholder for what a run writes before its graph is built: plan and settings.
rule write_plan:
    output:
        f"{RESULTS}/to-write/{{file}}",
    log:
        f"{LOGS}/to-write/{{file}}.log",
    conda:
        "../../envs/measure.yaml"
    shell:
        "echo 'written when a run starts' > {log:q}; exit 1"


rule measure_cell:
    input:
        dataset_unless_measured,
    output:
        f"{RESULTS}/cells/{{cell}}.json",
    log:
        f"{LOGS}/cells/{{cell}}.log",
    priority: lambda wildcards: session.priority(cell_file(wildcards))
    conda:
        "../../envs/measure.yaml"
    # All cores, so that nothing else runs at the same time.
    threads: workflow.cores
    params:
        specification=lambda wildcards: session.specification(cell_file(wildcards)),
        limits=session.experiment.limits,
        session=session.name,
        snakemake=os.getpid(),
        script=SCRIPTS / "measure_cell.py",
        data=DATA,
    shell:
        "exec python {params.script:q} --specification {params.specification:q}"
        f" {RESULTS_OPTION}"
        " --data {params.data:q} --output {output:q} --log {log:q}"
        " --session {params.session:q} --parent {params.snakemake}"
        " --batch-seconds {params.limits.batch_seconds} --cell-seconds {params.limits.cell_seconds}"


checkpoint decide_rounds:
    input:
        lambda wildcards: session.files_before(wildcards.digest),
        written("code/decide_rounds.sha256"),
    output:
        f"{RESULTS}/rounds/added-{{added}}-{{digest}}.json",
    log:
        f"{LOGS}/rounds/added-{{added}}-{{digest}}.log",
    # Before any further cell: watched cells come after the rounds.
    priority: 1000000
    conda:
        "../../envs/report.yaml"
    shell:
        command(
            "decide_rounds.py",
            f"{RESULTS_OPTION} --added {{wildcards.added}} --output {{output:q}}",
        )


# A target for measuring on one machine and writing the report on another.
rule measure:
    input:
        every_cell,
