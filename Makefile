# `make demo` and `make test` need Python 3.11 to 3.13, a C++17 compiler and nothing else: they set up an
# environment of their own in build/venv. A developer's own environment is never touched.
PYTHON ?= python3
VENV ?= build/venv
JOBS ?= 2

BIN := $(VENV)/bin
SOURCES := $(shell find CMakeLists.txt pyproject.toml ascend_kernel custom_op_lib maxpoolgrad_onnx converters -type f \
             -not -path '*/__pycache__/*' 2>/dev/null)

# The folder maxpoolgrad_onnx/ of this tree must not hide the installed package, which has the native parts.
export PYTHONSAFEPATH := 1

.PHONY: demo test campaign bench lint format clean
.DELETE_ON_ERROR:

demo: $(VENV)/.installed-demo ## the whole road on real images; results in maxpoolgrad-demo/
	$(BIN)/maxpoolgrad demo --output maxpoolgrad-demo

test: $(VENV)/.installed-test ## every test, with seeded samples of the long ones
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile

campaign: $(VENV)/.installed-test ## every test with its full counts: hours
	MAXPOOLGRAD_CAMPAIGN=1 $(BIN)/python -m pytest -n $(JOBS) --dist loadfile

bench: $(VENV)/.installed-test ## the CPU kernel's speed; results in maxpoolgrad-bench/
	$(BIN)/maxpoolgrad bench --output maxpoolgrad-bench

lint: $(VENV)/.installed-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	cd $(VENV) && bin/mypy --config-file $(CURDIR)/pyproject.toml
	$(BIN)/clang-format --dry-run --Werror $$(git ls-files '*.cc' '*.h')

format: $(VENV)/.installed-lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $$(git ls-files '*.cc' '*.h')

clean:
	rm -rf build maxpoolgrad-demo maxpoolgrad-bench

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# One stamp for each set of extras; the package is installed again when a source has changed.
$(VENV)/.installed-demo: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet '.[demo]'
	@touch $@

$(VENV)/.installed-test: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet '.[demo,test]'
	@touch $@

$(VENV)/.installed-lint: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet '.[demo,test,lint]'
	@touch $@
