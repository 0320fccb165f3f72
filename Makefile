# `make example` and `make test` need nothing but Python 3.11 or newer; both set up what is missing.
# Another place for the environment: make VENV=/some/where test. Another Python: make PYTHON=python3.12 test.

VENV   ?= .venv
PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)

BIN   := $(abspath $(VENV))/bin
READY := $(VENV)/.buckspec-installed

.DEFAULT_GOAL := help
.PHONY: help setup example test test-slow test-js bench check lint format types pyright wheel-check lock setup-bench clean

help:                ## what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# ------------------------------------------------------------------------------------------------ set-up

# pip refuses to check hashes and to install a folder in one step, so: first the pinned packages, then this project.
$(READY): constraints.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "buckspec needs Python 3.11 or newer; $(PYTHON) is older. Name another: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up $(VENV) (once; about a minute)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

setup: $(READY)      ## the environment, .venv, with the project in it

setup-bench: $(READY) ## what only benchmarks need, besides
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints-bench.txt

# ------------------------------------------------------------------------------------------------ use and test

example: $(READY)    ## replay a whole recorded game and say what the rules make of it
	$(BIN)/buckspec replay spec/examples/whole-game.json

# In as many processes as there are processors, each with whole files: what a file sets up is set up once.
test: $(READY)       ## the tests
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

test-slow: $(READY)  ## the tests that take more than a few seconds each
	$(BIN)/python -m pytest -m slow

test-js:             ## the tests of the JavaScript engine (needs node)
	node --test conformance/engines/javascript/

bench: setup-bench   ## how quick buckspec is, as ratios to others (some minutes; on a machine that does nothing else)
	status=0; for part in replay conform prove; do $(BIN)/python tools/bench/$$part.py || status=1; done; exit $$status

check: lint types test test-js wheel-check ## everything that must pass before a change goes in

# ------------------------------------------------------------------------------------------------ gates

lint: $(READY)       ## style, direction of imports, the rule book
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	$(BIN)/buckspec lint

format: $(READY)     ## put the Python in its form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(READY) pyright ## mypy in strict mode, and pyright (needs node)
	$(BIN)/mypy

pyright: $(READY)    ## pyright alone (needs node)
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright --pythonpath $(BIN)/python

# The wheel must be enough: a new environment, an empty folder, nothing but the wheel and what it requires. The
# versions are those of constraints.txt, without the hashes, as those would ask for every package in it.
wheel-check: $(READY) ## build source and wheel, install the wheel alone, run it from an empty folder
	@set -eu; tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	$(BIN)/python -m build --no-isolation --outdir "$$tmp/dist" . >"$$tmp/build.log" 2>&1 || { cat "$$tmp/build.log"; exit 1; }; \
	sed -e '/^ *--hash=/d' -e 's/ *\\$$//' constraints.txt >"$$tmp/pins.txt"; \
	$(PYTHON) -m venv "$$tmp/venv"; \
	"$$tmp/venv/bin/python" -m pip install --quiet --disable-pip-version-check -c "$$tmp/pins.txt" "$$tmp"/dist/*.whl; \
	mkdir "$$tmp/empty"; cd "$$tmp/empty"; unset PYTHONPATH; \
	game=$$("$$tmp/venv/bin/python" -c 'from buckspec.data import spec_dir; print(spec_dir() / "examples" / "whole-game.json")'); \
	case "$$game" in "$$tmp"/*) ;; *) echo "the rule book was read from $$game, not from the wheel"; exit 1;; esac; \
	"$$tmp/venv/bin/buckspec" profiles; \
	"$$tmp/venv/bin/buckspec" replay "$$game"; \
	echo "wheel-check: the wheel works alone"

# ------------------------------------------------------------------------------------------------ upkeep

LOCK := --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet

lock:                ## pin the newest packages anew, with hashes (needs uv)
	uv pip compile pyproject.toml --extra dev $(LOCK) --upgrade --output-file constraints.txt
	uv pip compile pyproject.toml --extra bench $(LOCK) --upgrade --constraints constraints.txt --output-file constraints-bench.txt

clean:               ## remove the environment and everything built
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
