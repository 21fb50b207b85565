# Each target works on a machine with Python 3.11-3.13 and nothing else: it makes .venv itself, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TORCH ?= torch==2.13.0

.PHONY: help train test lint docs clean
.DEFAULT_GOAL := help

help:
	@echo "make train   train, evaluate and export a first bot, and play one game with it"
	@echo "make test    run all tests"
	@echo "make lint    check style and types"
	@echo "make docs    write the generated tables of docs/ anew"
	@echo "make clean   remove .venv and what the tools left"

train: $(VENV)/.installed-train
	$(BIN)/tinhorn quickstart

test: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n 2 --durations=20

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.installed-train
	$(BIN)/python tools/docs.py

# The extras are nested: dev holds test, test holds train.
$(VENV)/.installed-%: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet $(TORCH)
	$(BIN)/python -m pip install --quiet --editable ".[$*]"
	@touch $@

$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "Tinhorn needs Python 3.11, 3.12 or 3.13; $(PYTHON) was not found. Name one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { echo "Tinhorn needs Python 3.11, 3.12 or 3.13; $(PYTHON) is `$(PYTHON) --version`. Name one: make PYTHON=python3.12"; exit 1; }
	@echo "Installing into $(VENV), once (some minutes) ..."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "This Python cannot make virtual environments; on Debian or Ubuntu: apt install python3-venv"; exit 1; }

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache build dist
