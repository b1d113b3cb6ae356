# The commands of feedrate. Each does its own set-up: a fresh clone needs Python 3.11, make and pip.

PYTHON ?= python3
BIN := .venv/bin
RUN := .venv/.run-ready
DEV := .venv/.dev-ready
SNAKEMAKE := $(BIN)/snakemake
QUICK := --configfile workflow/presets/quick.yaml
CODE := scripts tests
LOCK := ../$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help reproduce quick report test check bench format schema lock prune

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

reproduce: $(RUN) ## measure what config.yaml says and is missing, then write results/report.html
	$(SNAKEMAKE)

quick: $(RUN) ## the same pipeline in minutes: results-quick/report.html
	$(SNAKEMAKE) $(QUICK)

report: $(RUN) ## write the report from measured cells; never measures
	$(SNAKEMAKE) report --allowed-rules report decide_rounds aggregate decide \
	  judge_claims render_section assemble_report

test: $(DEV) ## every test
	$(BIN)/python -m pytest

check: $(DEV) ## formatters, linters and type checker; changes nothing
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE) report/sections
	$(BIN)/snakefmt --check Snakefile workflow
	$(SNAKEMAKE) --lint
	$(BIN)/mypy

bench: $(DEV) ## figures of fidelity, overhead and speed, as ratios from one run each
	$(BIN)/python -m tests.bench

format: $(DEV) ## let the formatters change files
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE) report/sections
	$(BIN)/snakefmt Snakefile workflow

schema: $(RUN) ## write workflow/schemas/config.schema.json from the model
	$(BIN)/python scripts/write_schema.py

lock: $(DEV) ## resolve envs/*.in anew into envs/*.txt
	$(BIN)/python -m pip install --quiet uv
	cd envs && $(LOCK) requirements.in -o requirements.txt
	cd envs && $(LOCK) requirements-dev.in -c requirements.txt -o requirements-dev.txt

prune: $(RUN) ## list, and after a question delete, cells that the plan no longer names
	$(BIN)/python scripts/prune.py

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "feedrate needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv

$(RUN): envs/requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@

$(DEV): envs/requirements-dev.txt $(RUN)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	touch $@
