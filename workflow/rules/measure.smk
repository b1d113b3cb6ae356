def dataset_unless_measured(wildcards, output=None):
    """A measured cell needs nothing: its path tells what it was measured on."""
    return [] if session.is_measured(cell_file(wildcards)) else f"{DATA}/manifest.json"


def cell_file(wildcards):
    return f"{RESULTS}/cells/{wildcards.cell}.json"


rule measure_cell:
    input:
        dataset_unless_measured,
    output:
        f"{RESULTS}/cells/{{cell}}.json",
    log:
        f"{LOGS}/cells/{{cell}}.log",
    params:
        specification=lambda wildcards: session.specification(cell_file(wildcards)),
        limits=session.experiment.limits,
    # All cores, so that nothing else runs meanwhile.
    threads: workflow.cores
    priority: lambda wildcards: session.priority(cell_file(wildcards))
    conda:
        "../../envs/measure.yaml"
    shell:
        "exec python {SCRIPTS:q}/measure_cell.py --specification {params.specification:q}"
        " --data {DATA:q} --results {RESULTS:q} --output {output:q} --log {log:q}"
        " --batch-seconds {params.limits.batch_seconds} --cell-seconds {params.limits.cell_seconds}"
