# `make demo` and `make test` are all a newcomer needs: each sets up its own environment in .venv first.
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find src native/src native/Cargo.toml native/Cargo.lock pyproject.toml README.md -type f \
             -not -name '*.so' -not -path '*/__pycache__/*' 2>/dev/null)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PRECIOUS: $(VENV)/.%-installed
.PHONY: help demo test quick dev lint bench docs clean wheel

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: $(VENV)/.installed  ## build, install, and rank artificial data with every ranker
	$(BIN)/rankwright demo

test: $(VENV)/.test-installed  ## build the wheel, install it, run the whole suite against it
	$(BIN)/python -m pytest -n auto --dist loadfile

quick: $(VENV)/.test-installed  ## the suite without its slow tests
	$(BIN)/python -m pytest -n auto --dist loadfile -m 'not slow'

dev: $(BIN)/python  ## install the tree itself, editable, for working on it
	PATH=$(CURDIR)/$(BIN):$$PATH $(BIN)/pip install -q -c constraints.txt --no-build-isolation -e '.[test,lint]'
	rm -f $(VENV)/.*installed

lint: $(VENV)/.test-installed $(VENV)/.lint-installed  ## formats, types, import contract, clippy
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	PYTHONPATH=src $(BIN)/lint-imports
	cargo fmt --manifest-path native/Cargo.toml --check
	PYO3_PYTHON=$(CURDIR)/$(BIN)/python cargo clippy --manifest-path native/Cargo.toml --all-targets --release -- -D warnings

bench: $(VENV)/.bench-installed  ## measure every bar beside its peer; writes benches/README.md
	$(BIN)/python benches/run.py

docs: $(VENV)/.installed  ## write the generated pages anew
	$(BIN)/python -m rankwright.cli.pages

wheel: dist/.built  ## build the wheel into dist/

clean:  ## remove everything that was built
	rm -rf $(VENV) dist native/target bench-data

# -- how they are made ---------------------------------------------------------------------------------------------

$(BIN)/python:
	@command -v cargo >/dev/null || { echo "error: building needs Rust's cargo on the PATH. Install it from your packages or rustup."; exit 1; }
	$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "error: Python 3.11 or later is needed. Set PY=python3.x.")'
	$(PY) -m venv $(VENV)
	$(BIN)/pip install -q -c constraints.txt pip maturin

dist/.built: $(BIN)/python $(SOURCES)
	rm -rf dist && mkdir -p dist
	$(BIN)/maturin build --release --interpreter $(BIN)/python --out dist --quiet
	touch $@

$(VENV)/.installed: dist/.built
	$(BIN)/pip install -q -c constraints.txt dist/*.whl
	$(BIN)/pip install -q --no-deps --force-reinstall dist/*.whl
	touch $@

$(VENV)/.%-installed: $(VENV)/.installed
	$(BIN)/pip install -q -c constraints.txt "$$(ls dist/*.whl)[$*]"
	touch $@
