DATA = str(session.data)


rule download_dataset:
    output:
        f"{DATA}/manifest.json",
    log:
        f"{LOGS}/download_dataset.log",
    params:
        sources=session.experiment.dataset.sources,
        local=[
            text
            for folder in [session.experiment.dataset.local_folder]
            if folder
            for text in ("--local-folder", folder)
        ],
    conda:
        "../../envs/measure.yaml"
    shell:
        "python {SCRIPTS:q}/download_dataset.py --destination {DATA:q}"
        " --sources {params.sources:q} {params.local:q} 2>&1 | tee {log:q} >&2"
