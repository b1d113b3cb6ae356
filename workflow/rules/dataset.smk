rule download_dataset:
    output:
        f"{DATA}/manifest.json",
    log:
        f"{LOGS}/download_dataset.log",
    conda:
        "../../envs/measure.yaml"
    params:
        script=SCRIPTS / "download_dataset.py",
        workload=session.experiment.workload,
        destination=lambda wildcards, output: str(Path(output[0]).parent),
        sources=session.experiment.dataset.sources,
        local=[
            text
            for folder in [session.experiment.dataset.local_folder]
            if folder
            for text in ("--local-folder", folder)
        ],
    shell:
        "python {params.script:q} --workload {params.workload} --destination {params.destination:q}"
        " --sources {params.sources:q} {params.local:q} 2>&1 | tee {log:q} >&2"
