# Every target makes what it needs and does nothing twice. `make PYTHON=python3.12 docs` picks the Python.
# `make docs SNAPSHOT=FOLDER` shows the benchmark results of that night, `SNAPSHOT=none` shows none.
# `make docs AGAINST=main` also holds the docs against that state of the library's repository, and needs a network.

export PYTHON
export NO_MKDOCS_2_WARNING = 1
export DISABLE_MKDOCS_2_WARNING = true

ENVIRONMENT := sh requirements/environment
BIN := .venv/bin
EXAMPLES := .venv-examples

.PHONY: help docs benchmarks serve check drift bump fix drill test lint bench examples examples-record clean
.DEFAULT_GOAL := help

help: ## say what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s  %s\n", $$1, $$2 }' Makefile

docs: ## check everything, build the site into site/, prove what was published
	@$(ENVIRONMENT) site
	@$(BIN)/snippetlock pin fetch
	@$(BIN)/snippetlock check
	@$(if $(AGAINST),$(BIN)/snippetlock drift --against '$(AGAINST)')
	@$(BIN)/mkdocs build --strict --clean
	@$(BIN)/snippetlock proof site

benchmarks: ## build the site with a night of results: SNAPSHOT=FOLDER|ARCHIVE, or else the last one that the library published
	@$(ENVIRONMENT) site
	@$(BIN)/snippetlock pin fetch
	@$(BIN)/python -m tileops_site.benchmarks $(if $(SNAPSHOT),'$(SNAPSHOT)') || test $$? -eq 1
	@$(MAKE) --no-print-directory docs

serve: ## build and show the site at http://127.0.0.1:8000, again at every change
	@$(ENVIRONMENT) site
	@$(BIN)/snippetlock pin fetch
	@$(BIN)/mkdocs serve

check: ## hold pages, definitions and lock against the pinned library
	@$(ENVIRONMENT) site
	@$(BIN)/snippetlock pin fetch
	@$(BIN)/snippetlock check

drift: ## say what became of the snippets on the library's main, or at AGAINST=REV (asks the network)
	@$(ENVIRONMENT) site
	@$(BIN)/snippetlock pin fetch
	@$(BIN)/snippetlock drift $(if $(AGAINST),--against '$(AGAINST)')

bump: ## move the pin to TO=VERSION|REV|FOLDER (default: the newest release), with what you looked at: ACCEPT="ID CLASS …"
	@$(ENVIRONMENT) site
	@$(BIN)/snippetlock pin fetch
	@$(BIN)/snippetlock bump $(if $(TO),--to '$(TO)') $(if $(ACCEPT),--accept $(ACCEPT))

fix: ## mend the selectors that find nothing at the pin
	@$(ENVIRONMENT) site
	@$(BIN)/snippetlock pin fetch
	@$(BIN)/snippetlock fix

drill: ## change a copy of every snippet's source in every way, and require the right class
	@$(ENVIRONMENT) site
	@$(BIN)/snippetlock pin fetch
	@$(BIN)/snippetlock drill

test: ## run the tests, the drill on some snippets, and the example that needs no PyTorch
	@$(ENVIRONMENT) site test
	@$(BIN)/snippetlock pin fetch
	@$(BIN)/snippetlock drill --sample 6
	@$(BIN)/snippetlock record --check manifest-row
	@echo "not run: the other examples, which need 5 GB of PyTorch (make examples); checked: what they call"
	@$(BIN)/python -m pytest

lint: ## read the code with ruff and mypy, the Chinese with autocorrect, the workflows with actionlint, shellcheck and zizmor
	@$(ENVIRONMENT) site lint
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy
	@$(BIN)/python -m tileops_site.typography docs
	@$(BIN)/shellcheck --severity=warning .github/scripts/* requirements/environment requirements/examples
	@$(BIN)/actionlint -shellcheck $(BIN)/shellcheck .github/workflows/*.yml
	@$(BIN)/zizmor --offline --quiet --persona=pedantic .

bench: ## measure against the bounds; ends with 1 when one is passed
	@$(ENVIRONMENT) site
	@$(BIN)/snippetlock pin fetch
	@$(BIN)/python benchmarks/run.py
	@$(BIN)/python benchmarks/history.py
	@$(BIN)/python benchmarks/index.py
	@$(BIN)/python benchmarks/prose.py
	@$(BIN)/python benchmarks/nights.py

examples: ## run our own programs with their tests, and hold what they say against its record (.venv-examples: 5 GB)
	@$(ENVIRONMENT) site
	@$(BIN)/snippetlock pin fetch
	@sh requirements/examples
	@$(EXAMPLES)/bin/python -m pytest -p no:cacheprovider snippets/examples --ignore snippets/examples/cpu_backend
	@$(EXAMPLES)/with/cpu_backend/bin/python -m pytest -p no:cacheprovider snippets/examples/cpu_backend
	@$(if $(wildcard snippets/runs.yaml),$(BIN)/snippetlock record --check --all)

examples-record: ## run them, and record what they say now: pages show that
	@$(ENVIRONMENT) site
	@$(BIN)/snippetlock pin fetch
	@sh requirements/examples
	@$(BIN)/snippetlock record --all

clean: ## remove what was made here, but not .venv-examples (the downloaded library stays in the cache)
	@rm -rf site .venv build dist .pytest_cache .ruff_cache .mypy_cache .coverage tools/*.egg-info
	@find tools tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
