# make demo: install into .venv and run the main job.   make test: every check and every test.
# Another Python: make demo PYTHON=python3.12. Another folder: make demo VENV=.venv312.

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= auto
# Tests of processes and servers wait much of their time: one worker more than there are cores.
ONE_MORE = $(shell $(PY) -c 'import os; print((os.cpu_count() or 1) + 1)')

# The lock is made on the oldest Python that Readmark supports; UPGRADE=--upgrade moves its pins.
LOCK_PYTHON ?= python3.11
UPGRADE ?=
PIP_TOOLS := pip-tools==7.6.2
TORCH := torch==2.13.0+cpu
COMPILE = CUSTOM_COMPILE_COMMAND='make lock' build/lock/bin/pip-compile -q $(UPGRADE) \
    --generate-hashes --strip-extras --allow-unsafe --build-deps-for wheel \
    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host

PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check -qq
LOCKED := install --require-hashes --only-binary :all:
STAMPS := $(VENV)/.stamps

# An environment that is there is used as it is, so a PYTHON that differs from it is refused.
ifeq ($(origin PYTHON),command line)
ifneq ($(wildcard $(PY)),)
VERSION := -c 'import sys; print(*sys.version_info[:2], sep=".")'
ifneq ($(shell $(PYTHON) $(VERSION)),$(shell $(PY) $(VERSION)))
$(error $(VENV) holds Python $(shell $(PY) $(VERSION)), not $(PYTHON): "make distclean" first, or choose another folder with VENV=)
endif
endif
endif

.PHONY: help demo test test-fast check browser emulator docs site reproduce lock bench fuzz release-check clean distclean
.DEFAULT_GOAL := help

help:
	@echo 'make demo       install into $(VENV) and run the main job'
	@echo 'make test       install the test tools, run every check and every test'
	@echo 'make test-fast  the tests of functions: no commands, reference data, torch, Ray, browser, PostgreSQL,'
	@echo '                reasoner, server or second process, and nothing slow'
	@echo 'make check      ruff, mypy, import-linter and the documentation test'
	@echo 'make browser    install Chromium for the browser tests, where root may'
	@echo 'make emulator   install qemu-user for the tests of other processors, where root may'
	@echo 'make docs       write the generated parts of the documentation anew'
	@echo 'make reproduce  the tables of the source documents and what Readmark gets, docs/reproductions*.md'
	@echo 'make site       build the documentation as a site in out/site, to be opened without a server'
	@echo 'make bench      the benchmarks'
	@echo 'make fuzz       commands on spoilt files: CASES=2000 SEED=... WORKERS=2 FIRST=0, failures in out/fuzz'
	@echo 'make release-check  build wheel and sdist, check them, install and run them in clean environments'
	@echo '                (PYTHONS="python3.12 python3.13" tries them there too)'
	@echo 'make lock       write requirements/*.txt anew (UPGRADE=--upgrade for newer versions)'
	@echo 'make clean      remove what was made here except $(VENV); make distclean: that too'

demo: $(STAMPS)/read
	@echo 'Running readmark demo'
	@$(VENV)/bin/readmark demo

test: check browser emulator $(STAMPS)/torch
	@echo 'Running all tests'
	@$(PY) -m pytest -q --dist worksteal -n $(if $(filter auto,$(WORKERS)),$(ONE_MORE),$(WORKERS))

test-fast: $(STAMPS)/test
	@echo 'Running the fast tests'
	@$(PY) -m pytest -q -n $(if $(filter auto,$(WORKERS)),$(ONE_MORE),$(WORKERS)) --dist worksteal --hypothesis-profile fast -m 'not (torch or ray or browser or postgres or slow or process or server or reasoning or command or golden)'

check: $(STAMPS)/test
	@echo 'Checking style (ruff)'
	@$(PY) -m ruff check -q .
	@$(PY) -m ruff format -q --check .
	@echo 'Checking types (mypy)'
	@$(PY) -m mypy --strict --no-error-summary src
	@echo 'Checking layers (import-linter)'
	@$(VENV)/bin/lint-imports --no-logo
	@echo 'Checking documentation (pytest)'
	@$(PY) -m pytest -q tests/test_docs.py

# Some tests drive a Chromium or emulate another processor. Without them they are skipped, so this
# never fails. Of $(call debian,COMMANDS,PACKAGE,TESTS) one command is enough.
define debian
	@for name in $(1); do command -v $$name >/dev/null && exit 0; done; \
	if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
	    echo 'No $(word 1,$(1)) here, so $(3) are skipped: install the package $(2)'; \
	else \
	    echo 'Installing $(2) for $(3) (apt-get install $(2))'; \
	    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y $(2); } \
	        >/dev/null 2>&1 || echo 'It cannot be installed, so $(3) are skipped'; \
	fi
endef

browser:
	$(call debian,chromium chromium-browser google-chrome,chromium,the browser tests)

emulator:
	$(call debian,qemu-x86_64,qemu-user,tests of other processors)

docs: $(STAMPS)/test
	@$(PY) docs/generate.py
	@$(PY) docs/console.py

reproduce: $(STAMPS)/test
	@$(PY) -m reproductions.reproduce

site: $(STAMPS)/site
	@$(PY) docs/build_site.py

bench: $(STAMPS)/test
	@if [ -f benchmarks/run.py ]; then $(PY) benchmarks/run.py; else echo 'No benchmarks/run.py yet'; fi

# Case N of a seed is always the same: FIRST=N resumes. Needs every CPU for one thread only.
fuzz: $(STAMPS)/test
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONPATH=src:tests $(PY) -m fuzz.run \
	    --cases $(or $(CASES),2000) $(if $(SEED),--seed $(SEED)) --first $(or $(FIRST),0) \
	    --workers $(if $(filter auto,$(WORKERS)),2,$(WORKERS))

# Everything that a release needs but the tests themselves: run `make test` too.
release-check: check
	@$(PY) tests/release_check.py
	@for python in $(PYTHONS); do $$python tests/release_check.py --dist dist || exit 1; done

# Each step leaves a stamp inside the environment, so that it is done once and goes with it.

$(STAMPS)/test: requirements/lock-test.txt $(STAMPS)/package
	@echo 'Installing the locked test tools into $(VENV)'
	@$(PIP) $(LOCKED) -r requirements/lock-test.txt
	@touch $@

# The training tests need torch's CPU build; the plain one brings gigabytes for graphics cards, so it
# is never taken unasked. Where pip finds no CPU build those tests are skipped, so this never fails.
$(STAMPS)/torch: $(STAMPS)/test
	@echo 'Installing the CPU build of torch for the training tests'
	@$(PIP) install --only-binary :all: '$(TORCH)' 2>/dev/null \
	    || echo 'pip finds no $(TORCH), so the training tests are skipped: install it from the index of its makers'
	@touch $@

# The site shows reports of the demo.
$(STAMPS)/site: requirements/site.txt $(STAMPS)/read
	@echo 'Installing the locked site tools into $(VENV)'
	@$(PIP) $(LOCKED) -r requirements/site.txt
	@touch $@

# The demo sits with the shipped readers, rewriters, raters and extractors.
$(STAMPS)/read: requirements/lock-read.txt $(STAMPS)/package
	@echo 'Installing the locked packages of the extras "read" and "tasks" into $(VENV)'
	@$(PIP) $(LOCKED) -r requirements/lock-read.txt
	@touch $@

$(STAMPS)/package: pyproject.toml $(STAMPS)/lock
	@echo 'Installing readmark into $(VENV)'
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(STAMPS)/lock: requirements/lock.txt | $(VENV)/bin/pip
	@echo 'Installing the locked dependencies into $(VENV)'
	@$(PIP) $(LOCKED) -r requirements/lock.txt
	@mkdir -p $(STAMPS)
	@touch $@

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo \
	    'Readmark needs Python 3.11 or newer, which "$(PYTHON)" is not: name one with PYTHON=...' >&2; \
	    exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV)

# The tests' lock is the widest, so the others take their pins from it; only "all" adds torch.
lock:
	@echo 'Making requirements/lock*.txt'
	@$(LOCK_PYTHON) -m venv --clear build/lock
	@build/lock/bin/python -m pip --disable-pip-version-check -qq install $(PIP_TOOLS)
	@$(COMPILE) --extra test -o requirements/lock-test.txt pyproject.toml
	@$(COMPILE) -c requirements/lock-test.txt -o requirements/lock.txt pyproject.toml
	@$(COMPILE) -c requirements/lock-test.txt --extra read --extra tasks \
	    -o requirements/lock-read.txt pyproject.toml
	@$(COMPILE) -c requirements/lock-test.txt --extra read --extra tasks --extra postgres \
	    -o requirements/lock-serve.txt pyproject.toml
	@$(COMPILE) -c requirements/lock-test.txt --extra all \
	    -o requirements/lock-all.txt pyproject.toml
	@$(filter-out --build-deps-for wheel,$(COMPILE)) -c requirements/lock-test.txt \
	    -o requirements/site.txt requirements/site.in

clean:
	rm -rf build dist out .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean
	rm -rf $(VENV)
