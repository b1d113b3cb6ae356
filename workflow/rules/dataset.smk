rule download_dataset:
    output:
        f"{DATA}/manifest.json",
    log:
        f"{LOGS}/download_dataset.log",
    conda:
        "../../envs/measure.yaml"
    params:
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
        command(
            "download_dataset.py",
            "--workload {params.workload} --destination {params.destination:q} "
            "--sources {params.sources:q} {params.local:q}",
        )
