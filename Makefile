# Everything starts here: `make book`, `make test`, `make help`. Each target brings the environment up to date first.
PYTHON ?= python3
VENV ?= .venv
PORT ?= 8000
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest -q
# a worker for each core, four at most; the tests of a file stay together and share what it has made
SPREAD := -n logical --maxprocesses 4 --dist loadscope
NOTEBOOKS = $(wildcard *.ipynb chapters/*.ipynb pages/*.ipynb tools/skeleton/*.ipynb)
export VENV

.DEFAULT_GOAL := book
.NOTPARALLEL:
.PHONY: help setup book serve test lint unit js notebooks browser bench chapter look fold runs address clean

help: ## list the targets
	@grep -E '^[a-z]+:.* ## ' Makefile | sed -E 's/^([a-z]+):.* ## (.*)/  make \1\t\2/' | expand -t 20

setup: ## the environment alone, without building anything
	@$(PYTHON) tools/setup.py

book: setup ## run the notebooks that changed, build the site into _build/html
	@$(BIN)/python tools/build_book.py

serve: book ## show the site on http://127.0.0.1:8000 (PORT=...)
	@echo "http://127.0.0.1:$(PORT) (Ctrl-C ends it)"
	@$(BIN)/python -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html

test: lint book ## every test: lint, unit, JavaScript, notebooks, browser (installs Chromium if it may)
	@BROWSER_PATH="$$($(BIN)/python tools/chromium.py)" && export BROWSER_PATH && $(PYTEST) $(SPREAD)

lint: setup ## style, spelling, types, notebooks without outputs
	@$(BIN)/ruff check -q . && $(BIN)/ruff format -q --check . && $(BIN)/codespell
	@$(BIN)/mypy --no-error-summary
	@$(if $(NOTEBOOKS),$(BIN)/nbstripout --verify --keep-id $(NOTEBOOKS) && $(BIN)/python tools/fold_cells.py --check $(NOTEBOOKS))

unit: setup ## the fast tests
	@$(PYTEST) $(SPREAD) tests/unit

js: setup ## the tests of the widgets' JavaScript
	@$(PYTEST) tests/unit/widgets/test_js.py

notebooks: setup ## the tests of the notebooks, executed if they have changed
	@$(BIN)/python tools/build_book.py --execute-only && $(PYTEST) tests/notebooks

browser: book ## the tests of the site in Chromium
	@BROWSER_PATH="$$($(BIN)/python tools/chromium.py)" && export BROWSER_PATH && $(PYTEST) $(SPREAD) tests/browser

bench: book ## one table: budgets, what is measured here, ratio to a stock Jupyter Book, as a page (QUICK=1: one page, printed)
	@BROWSER_PATH="$$($(BIN)/python tools/chromium.py)" && export BROWSER_PATH && $(BIN)/python tools/bench.py $(if $(QUICK),--quick,--page pages/benchmark.md)

chapter: setup ## NAME=two_streams TITLE="Two streams" NUMBER=17: the skeleton of a chapter
	@$(BIN)/python tools/new_chapter.py "$(NAME)" $(if $(TITLE),--title "$(TITLE)") $(if $(NUMBER),--number $(NUMBER))

look: setup ## NAME=attention WIDGET=own_sentence: one widget as a page, which turns dark with the system
	@PYTHONPATH=tests $(BIN)/python -c 'from pathlib import Path; from browser.pages import page_with; from attention_book.chapters.$(NAME).widgets import $(WIDGET); print(page_with(Path("_build/look.html").absolute(), $(WIDGET)()))'

fold: setup ## fold the notebooks' cells by their tags, for JupyterLab, Colab and the site
	@$(BIN)/python tools/fold_cells.py $(NOTEBOOKS)

runs: setup ## train every recorded run again (long)
	@$(BIN)/python -m attention_book.runs --all

address: setup ## REPOSITORY=https://github.com/you/fork: write the book's address wherever it stands
	@$(BIN)/python tools/address.py "$(REPOSITORY)"

clean: ## remove what was built; the environment stays
	rm -rf _build .pytest_cache .ruff_cache .hypothesis
