# `make demo` runs the main job, `make test` passes every check, `make explore` opens a page to look at words in context.
# All of them set up what they need, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test explore docs check format clean

demo: $(READY)
	$(BIN)/python examples/demo.py

test: $(READY) check
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term --cov-fail-under=90

explore: $(READY)
	$(BIN)/elmo explore

docs: $(READY)
	$(BIN)/python -m sphinx -W --keep-going -q docs docs/_build/html
	@echo docs/_build/html/index.html

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) demo docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Reinstalled only when what is installed has changed.
$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	touch $@
