SECTIONS = sorted(file.stem for file in SECTION_FOLDER.glob("*.py"))
TEMPLATE = Path(workflow.basedir) / "report/template"


rule render_section:
    input:
        rules.aggregate.output,
        rules.decide.output,
        rules.judge_claims.output,
        rules.compare_machines.output,
        written("plan.json"),
        words_of,
        language_if_any,
        code_of_section,
        section=section_file,
    output:
        f"{RESULTS}/sections/{{section}}.ipynb",
    log:
        f"{LOGS}/render_section/{{section}}.log",
    conda:
        "../../envs/report.yaml"
    params:
        language=LANGUAGE,
    shell:
        command(
            "render_section.py",
            f"{RESULTS_OPTION} --section {{input.section:q}} "
            "--language {params.language} --output {output:q}",
        )


rule assemble_report:
    input:
        written(
            "code/assemble_report.sha256",
            "presentation/title.json",
            "presentation/language.json",
            "presentation/url.json",
        ),
        [str(file) for folder in (TEMPLATE, MESSAGES) for file in folder.iterdir()],
        audit_if_any,
        sections=expand(f"{RESULTS}/sections/{{section}}.ipynb", section=SECTIONS),
    output:
        page=report(
            f"{RESULTS}/report.html",
            caption="../captions/page.rst",
            category="The report",
            labels={"file": "report.html"},
        ),
        figures=report(
            directory(f"{RESULTS}/figures"),
            patterns=["{figure}.png"],
            caption="../captions/figure.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
    log:
        f"{LOGS}/assemble_report.log",
    conda:
        "../../envs/report.yaml"
    params:
        page=session.experiment.report,
        card=card_address(session.experiment.report.url),
        audit=f"{RESULTS}/audit.json",
    shell:
        command(
            "assemble_report.py",
            "--sections {input.sections:q} --title {params.page.title:q} "
            "--language {params.page.language} --card {params.card:q} "
            "--audit {params.audit:q} --figures {output.figures:q} "
            "--output {output.page:q}",
        )


rule report:
    input:
        page_without_measuring,


# Writes audit.json, but not as an output: if the page depended on it, every change would execute
# all cells again.
rule audit:
    input:
        page_without_measuring,
        written("code/audit_report.sha256"),
        sections=[str(SECTION_FOLDER / f"{section}.py") for section in SECTIONS],
    log:
        f"{LOGS}/audit.log",
    conda:
        "../../envs/report.yaml"
    params:
        audit=f"{RESULTS}/audit.json",
    shell:
        command(
            "audit_report.py",
            f"{RESULTS_OPTION} --sections {{input.sections:q}} "
            "--output {params.audit:q}",
        )
