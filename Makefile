# Two commands on a fresh machine: `make demo`, `make test`. Everything is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin
EXTRAS := fast,frames,excel,sql,learn,account,query,server,studio,mobility,spark,pseudonym,pdf,demo
LOWEST := fast,frames,excel,sql,learn,account,query,server,studio,mobility,pseudonym,pdf,demo
SMOKE := tests/app/test_run.py tests/app/test_collect.py tests/app/test_answer_cli.py tests/contract/test_engine.py \
	tests/unit/engine/duckdb tests/unit/collect tests/unit/mechanism/pseudonym tests/unit/table/test_cells.py \
	tests/unit/utility/test_model_error.py tests/golden/test_accounting.py
JOBS ?= 3
# Workers fill the cores: threads of linear algebra beside them would only spin while they wait for one.
ALONE := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

.PHONY: help demo studio test check check-imports check-generated check-types check-pages pictures looks lowest lock bench docs format clean
help:  ## What can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Sfumato needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv

.venv/ready-demo: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable ".[demo]"
	@touch $@

.venv/ready: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet "uv>=0.9"
	$(BIN)/uv pip install --quiet --python $(BIN)/python --editable ".[$(EXTRAS)]" --group test --group check --group docs
	@touch $@

demo: .venv/ready-demo  ## Anonymise a real census sample and write its report
	$(BIN)/python examples/census2000/demo.py

.venv/ready-studio: .venv/ready-demo
	$(BIN)/python -m pip install --quiet --editable ".[demo,frames,excel,pdf,studio]"
	@touch $@

studio: .venv/ready-studio  ## The same sample in a browser, in the folder `studio`
	$(BIN)/python examples/census2000/studio.py

test: .venv/ready  ## All tests
	$(ALONE) $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

check: .venv/ready  ## Format, lint, types, imports, docs; under a minute
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(MAKE) --no-print-directory --output-sync --jobs 2 check-pages check-types check-imports check-generated

check-imports: .venv/ready
	$(BIN)/lint-imports

check-generated: .venv/ready
	$(BIN)/python docs/generated.py --check

check-types: .venv/ready
	$(BIN)/mypy

# One process, which keeps in mind what it has read: several hand each other all they know of every page.
check-pages: .venv/ready
	$(BIN)/sphinx-build -q -W -D smartquotes=0 -D toc_object_entries=0 -b check docs docs/_build/check

pictures: .venv/ready  ## The pictures of pages in the documentation, made anew by their tests
	SFUMATO_TEST_PICTURES=docs/pictures $(BIN)/python -m pytest -q tests/studio/test_longest_path.py tests/arena/test_pictures.py tests/collect/test_research.py tests/app/test_demonstrate.py

looks: .venv/ready  ## A picture of every page of the studio, in three widths, two schemes and two languages, in the folder `looks`
	$(BIN)/python -m tests.studio.looks looks

lowest: .venv/ready  ## A part of the tests with the lowest versions that pyproject.toml allows
	test -x .venv-lowest/bin/python || $(BIN)/uv venv --quiet --python $(BIN)/python .venv-lowest
	$(BIN)/uv pip install --quiet --python .venv-lowest/bin/python --resolution lowest-direct --editable ".[$(LOWEST)]"
	$(BIN)/uv pip install --quiet --python .venv-lowest/bin/python pytest pytest-randomly pytest-xdist hypothesis httpx
	$(ALONE) .venv-lowest/bin/python -m pytest -n $(JOBS) --dist worksteal -k "not sail and not spark" $(SMOKE)

lock: .venv/ready  ## Newest versions of everything into requirements.lock, and the bill of materials
	$(BIN)/uv lock --upgrade
	$(BIN)/python .ci/lock.py $(BIN)/uv

docs: .venv/ready  ## The documentation site, in docs/_build/html
	$(BIN)/sphinx-build -q -W -j 2 -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

bench: .venv/ready  ## Ours and the peers, side by side, in an environment of its own
	test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	.venv-bench/bin/python -m pip install --quiet --editable ".[$(EXTRAS)]" --group bench
	for file in bench/*.py; do .venv-bench/bin/python $$file || exit 1; done

format: .venv/ready  ## Format and fix what can be fixed
	$(BIN)/ruff format --quiet .
	$(BIN)/ruff check --quiet --fix .
	$(BIN)/python docs/generated.py

clean:  ## Remove everything that was made
	rm -rf .venv .venv-bench .venv-lowest dist docs/_build demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
