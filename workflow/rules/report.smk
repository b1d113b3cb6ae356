SECTIONS = sorted(path.stem for path in Path(workflow.basedir, "report/sections").glob("*.py"))
TEMPLATE = Path(workflow.basedir) / "report/template"


rule render_section:
    input:
        rules.aggregate.output,
        library_of("render_section.py", "feedrate/report/figures.py"),
        f"{RESULTS}/plan.json",
        section=f"{workflow.basedir}/report/sections/{{section}}.py",
    output:
        f"{RESULTS}/sections/{{section}}.ipynb",
    log:
        f"{LOGS}/render_section/{{section}}.log",
    conda:
        "../../envs/report.yaml"
    shell:
        "python {SCRIPTS:q}/render_section.py --section {input.section:q} --results {RESULTS:q}"
        " --output {output:q} 2>&1 | tee {log:q} >&2"


rule assemble_report:
    input:
        library_of("assemble_report.py"),
        # Holds the title.
        f"{RESULTS}/plan.json",
        [str(file) for file in TEMPLATE.iterdir()],
        sections=expand(f"{RESULTS}/sections/{{section}}.ipynb", section=SECTIONS),
    output:
        page=f"{RESULTS}/report.html",
        figures=directory(f"{RESULTS}/figures"),
    log:
        f"{LOGS}/assemble_report.log",
    params:
        title=session.experiment.report.title,
    conda:
        "../../envs/report.yaml"
    shell:
        "python {SCRIPTS:q}/assemble_report.py --sections {input.sections:q}"
        " --template {TEMPLATE:q} --figures {output.figures:q} --title {params.title:q}"
        " --output {output.page:q} 2>&1 | tee {log:q} >&2"


rule report:
    input:
        rules.assemble_report.output,
