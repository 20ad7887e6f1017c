# make chat      sets up what the chat needs and serves it; the index is built meanwhile
# make setup     sets everything up
# make test      sets everything up, checks the code and runs the tests
# make test-all  does the same, and also runs the tests marked slow, careful or ray
# make careful   sets everything up and fetches the careful model, which checks replies (1.1 GB)
# make docs      builds the documentation as a site in build/site
# make repair    checks models and corpus anew, fetches again what is damaged, and makes the Readers anew
# make clean     removes what make made here (models and indexes live under $SEARCHAIN_HOME)
#
# CAREFUL=0         no careful model: make chat else fetches it behind the page where there are 8 GB of memory and 5 GB of disk
# TORCH_INDEX=URL   another index of PyTorch wheels, such as one with CPU wheels
# PYTHON=FILE       which Python makes the environment (3.11 or newer)
# ARGS="…"          more arguments for the chat or for pytest: files, FILE::NAME (a slow test as well), -k WORD, -m browser

.PHONY: help chat test test-all setup careful docs repair clean
.SILENT:

PYTHON ?=
TORCH_INDEX ?=
CAREFUL ?=
ARGS ?=

help:
	sed -n '/^\.PHONY/q;s/^# \{0,1\}//p' Makefile

chat:
	$(with_python) "$$python" -m lab.install --torch-index "$(TORCH_INDEX)"
	.venv/bin/python -m searchain.setup --quick
	exec .venv/bin/python assistant.py chat $(if $(filter 0,$(CAREFUL)),--careful off,--fetch-careful) $(ARGS)

setup:
	$(with_python) "$$python" -m lab.install --torch-index "$(TORCH_INDEX)"
	.venv/bin/python -m searchain.setup

careful: setup
	.venv/bin/python assistant.py setup --careful

docs: setup
	.venv/bin/python -m pip install -q -r requirements-docs.txt -c constraints.txt
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --quiet --strict

test-all: all = --all
test test-all:
	$(with_python) "$$python" -m lab.install --torch-index "$(TORCH_INDEX)" --test
	.venv/bin/python -m searchain.setup
	.venv/bin/ruff format --check --quiet
	.venv/bin/ruff check --quiet
	.venv/bin/mypy
	PYTHONDONTWRITEBYTECODE= .venv/bin/python -m pytest -q $(all) $(ARGS)  # else what tests start compiles all anew

repair:
	$(with_python) "$$python" -m lab.install --torch-index "$(TORCH_INDEX)"
	.venv/bin/python -m searchain.setup --repair

clean:
	rm -rf .venv build *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The first Python that is new enough: the pinned packages need 3.11.
with_python = for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python); do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; python=; done; \
	test -n "$$python" || { echo "error: no Python 3.11 or newer was found; install one, or name it: make PYTHON=FILE" >&2; \
	exit 1; };
