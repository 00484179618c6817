#   make demo      embed four sentences with the bundled model
#   make test      run all checks and tests
#   make coverage  run the tests and report the lines that none of them runs
#   make explore   open the explorer in a browser
#   make models    install the model packages of this checkout
#   make docs      build the documentation site
#   make bench     run the benchmarks that fit this machine, and compare with recorded runs
#   make check     run the linters and the type checker only
#   make format    fix formatting and imports
#   make clean     remove the virtual environment and everything that was generated
#
# The first target you run creates a virtual environment in .venv and installs the package and its dependencies there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
MODELS := $(VENV)/.models
FLAIR := $(VENV)/flair

.PHONY: demo test coverage bench explore models docs check format clean

demo: $(READY)
	$(BIN)/python examples/demo.py

test: $(READY) $(MODELS) $(FLAIR) check
	$(BIN)/python -m pytest -n 2 --dist loadfile
	PYTHONPATH=$(FLAIR) $(BIN)/python -m pytest tests/interop/test_flair.py

coverage: $(READY) $(MODELS)
	$(BIN)/python -m pytest -n 2 --dist loadfile --cov --cov-report=term --cov-fail-under=90

bench: $(READY)
	$(BIN)/python benchmarks/run_all.py $(if $(TEXT),--text $(TEXT))

explore: $(READY) $(MODELS)
	$(BIN)/elmo explore

models: $(MODELS)

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

# Reinstalls only when the dependencies have changed.
$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	touch $@

$(MODELS): $(READY) $(wildcard models/*/pyproject.toml)
	$(BIN)/python -m pip install --quiet --no-deps $(patsubst %/pyproject.toml,-e ./%,$(wildcard models/*/pyproject.toml))
	touch $@

# Flair requires an older version of Transformers than our other adapters, so its packages have a folder of their own.
$(FLAIR): $(READY) tests/interop/flair-requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(FLAIR) -r tests/interop/flair-requirements.txt
	touch $@
