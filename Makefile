# The commands of feedrate. Each does its own set-up: a fresh clone needs Python 3.11, make and pip.

PYTHON ?= python3
BIN := .venv/bin
RUN := .venv/.run-ready
DEV := .venv/.dev-ready
CITATION := .venv/.citation-ready
SNAKEMAKE := $(BIN)/snakemake
QUICK := --configfile workflow/presets/quick.yaml
CODE := scripts tests
SITE ?= site
LOCK := ../$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help reproduce quick report audit publish verify-site test check bench format schema lock prune

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

reproduce: $(RUN) ## measure the missing cells of config.yaml, then write results/report.html
	$(SNAKEMAKE)

quick: $(RUN) ## the same pipeline in minutes: results-quick/report.html
	$(SNAKEMAKE) $(QUICK)

report: $(RUN) ## write the report from measured cells; never measures
	$(SNAKEMAKE) report

audit: $(RUN) ## execute every cell of the report again, compare, and show the finding on the page
	$(SNAKEMAKE) audit; audit=$$?; $(SNAKEMAKE) report && exit $$audit

publish: $(RUN) ## build site/: page, figures, tables, raw cells, metadata, checksums, bundle.zip
	$(SNAKEMAKE) publish

verify-site: $(RUN) ## check site/ (or SITE=bundle.zip) against itself, aggregating its cells again
	$(BIN)/python scripts/verify_site.py --site $(SITE)

test: $(DEV) ## every test
	$(BIN)/python -m pytest -m "not alone" --numprocesses 2 --dist worksteal
	$(BIN)/python -m pytest -m alone

check: $(DEV) $(CITATION) ## formatters, linters and type checker; changes nothing
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE) report/sections
	$(BIN)/snakefmt --check Snakefile workflow
	$(SNAKEMAKE) --lint
	$(BIN)/mypy
	PYTHONPATH=scripts $(BIN)/lint-imports --no-logo
	.venv/citation/bin/cffconvert --validate --infile CITATION.cff

bench: $(DEV) ## measure feedrate's fidelity, overhead and speed; FIGURE=overhead for that alone
	$(BIN)/python -m tests.bench $(FIGURE)

format: $(DEV) ## let the formatters change files
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE) report/sections
	$(BIN)/snakefmt Snakefile workflow

schema: $(RUN) ## write workflow/schemas/config.schema.json from the model
	$(BIN)/python scripts/write_schema.py

lock: $(DEV) ## resolve envs/*.in again into envs/*.txt
	$(BIN)/python -m pip install --quiet uv
	cd envs && $(LOCK) requirements.in -o requirements.txt
	cd envs && $(LOCK) requirements-dev.in -c requirements.txt -o requirements-dev.txt
	cd envs && $(LOCK) requirements-citation.in -o requirements-citation.txt

prune: $(RUN) ## list the cells that the plan no longer has, and delete them after confirmation
	$(BIN)/python scripts/prune.py

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "feedrate needs Python 3.11 or newer; choose one with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv

$(RUN): envs/requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@

$(DEV): envs/requirements-dev.txt $(RUN)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@

$(CITATION): envs/requirements-citation.txt | .venv/bin/python
	$(BIN)/python -m venv .venv/citation
	.venv/citation/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@
