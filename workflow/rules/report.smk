SECTIONS = sorted(file.stem for file in SECTION_FOLDER.glob("*.py"))
TEMPLATE = Path(workflow.basedir) / "report/template"


rule render_section:
    input:
        rules.aggregate.output,
        rules.decide.output,
        rules.judge_claims.output,
        f"{RESULTS}/plan.json",
        lambda wildcards: code_of(
            SCRIPTS / "render_section.py", section_file(wildcards)
        ),
        section=section_file,
    output:
        f"{RESULTS}/sections/{{section}}.ipynb",
    log:
        f"{LOGS}/render_section/{{section}}.log",
    conda:
        "../../envs/report.yaml"
    params:
        script=SCRIPTS / "render_section.py",
        results=results_folder,
    shell:
        "python {params.script:q} --section {input.section:q} --results {params.results:q}"
        " --output {output:q} 2>&1 | tee {log:q} >&2"


rule assemble_report:
    input:
        code_of(SCRIPTS / "assemble_report.py"),
        # Holds the title.
        f"{RESULTS}/plan.json",
        [str(file) for file in TEMPLATE.iterdir()],
        sections=expand(f"{RESULTS}/sections/{{section}}.ipynb", section=SECTIONS),
    output:
        page=f"{RESULTS}/report.html",
        figures=directory(f"{RESULTS}/figures"),
    log:
        f"{LOGS}/assemble_report.log",
    conda:
        "../../envs/report.yaml"
    params:
        script=SCRIPTS / "assemble_report.py",
        template=TEMPLATE,
        title=session.experiment.report.title,
    shell:
        "python {params.script:q} --sections {input.sections:q}"
        " --template {params.template:q} --figures {output.figures:q} --title {params.title:q}"
        " --output {output.page:q} 2>&1 | tee {log:q} >&2"


rule report:
    input:
        rules.assemble_report.output,
