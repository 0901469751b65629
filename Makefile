# `make run` opens the workbench, `make test` checks everything. Both do their own set-up.

SHELL := /bin/bash
.DEFAULT_GOAL := help
PY := .venv/bin/python
BIN := .venv/bin
# three at a time for two processors, since many a test waits for a program that it has started;
# whoever has nothing left to do takes over from the others
TESTS := $(PY) -m pytest -q -n 3 --dist worksteal
# random edits have a run of their own, which tries more of them
EDITS := tests/core/test_fuzz_edits.py
# what is compiled is kept, or each run of tests would compile and rewrite three hundred modules anew
unexport PYTHONDONTWRITEBYTECODE
# gui tests draw into memory, whatever display there is
OFFSCREEN := QT_QPA_PLATFORM=offscreen

# each of several at a time says all it has to say at once
BESIDE := --no-print-directory -j 3 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

.PHONY: help run test checks lint types imports core fuzz thorough soak gui bench screenshots translations lock wheel set-up clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

set-up:  ## .venv and the libraries Qt needs
	@packaging/set-up

run:  ## the window, or without a display a sample run and a picture
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then packaging/set-up screen; else packaging/set-up; fi
	@packaging/run

test: set-up  ## lint, types, import rules and all tests
	@$(MAKE) $(BESIDE) lint types imports fuzz
	@$(MAKE) --no-print-directory core gui

checks: set-up  ## lint, types and imports side by side
	@$(MAKE) $(BESIDE) lint types imports

lint: set-up  ## ruff
	$(BIN)/ruff check .

types: set-up  ## mypy, strict
	$(BIN)/mypy

imports: set-up  ## who may import whom
	$(BIN)/lint-imports --no-logo

core: set-up  ## tests that need no Qt
	$(TESTS) -p no:pytest-qt tests/architecture tests/conformance tests/core --ignore $(EDITS)

fuzz: set-up  ## more than ten thousand edits, the same each time
	HYPOTHESIS_PROFILE=more $(TESTS) -n 2 -p no:pytest-qt $(EDITS)

thorough: set-up  ## explores: ten times as many examples, others each time
	HYPOTHESIS_PROFILE=thorough $(TESTS) -p no:pytest-qt tests/core tests/conformance tests/architecture
	HYPOTHESIS_PROFILE=thorough $(OFFSCREEN) $(TESTS) tests/gui

soak: set-up  ## hundreds of kills, minutes of random actions
	$(OFFSCREEN) $(PY) -m tests.soak

# a window wants a processor of its own: a third at a time gains nothing
gui: set-up  ## tests of the window, and whole journeys through it
	$(OFFSCREEN) $(TESTS) -n 2 tests/gui tests/journeys

bench:  ## how fast everything is
	@packaging/set-up bench
	$(OFFSCREEN) $(PY) -m benchmarks

screenshots: set-up  ## the pictures in packaging/screenshots
	$(OFFSCREEN) $(PY) packaging/take_screenshots.py

translations: set-up  ## the catalogues in resources/translations, brought up to date
	$(PY) packaging/translations.py

lock:  ## requirements.lock anew (needs pip-tools in PATH's python3)
	python3 packaging/lock.py

wheel: set-up  ## dist/*.whl
	$(PY) -m hatchling build -t wheel

clean:  ## remove what was made, .venv included
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
