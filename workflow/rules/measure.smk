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
    # All cores, so that nothing else runs meanwhile.
    threads: workflow.cores
    params:
        specification=lambda wildcards: session.specification(cell_file(wildcards)),
        limits=session.experiment.limits,
        script=SCRIPTS / "measure_cell.py",
        data=DATA,
        results=results_folder,
    shell:
        "exec python {params.script:q} --specification {params.specification:q}"
        " --data {params.data:q} --results {params.results:q} --output {output:q} --log {log:q}"
        " --batch-seconds {params.limits.batch_seconds} --cell-seconds {params.limits.cell_seconds}"


# A target for those who measure on one machine and write the report on another.
rule measure:
    input:
        session.cell_files,
