# Set-up, checks and tests. `make` alone lists what there is.
#
# Needs Rust (with rustup, or with rustfmt and clippy), Python 3.11 or newer, and a network, or
# caches, for the first build. Everything made here goes to the target directory.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

TARGET := $(or $(CARGO_TARGET_DIR),target)
RUFF_VERSION := 0.17.4
VENV := $(TARGET)/venv
RUFF := $(VENV)/bin/ruff
PYTHON_CODE := bench fuzz python scripts scripts/get-data
# Pages whose Rust examples are compiled and run.
PAGES := README.md CONTRIBUTING.md docs/methods.md docs/conventions.md docs/unpredictable.md docs/redundancy.md \
  docs/strategies.md docs/dimension.md docs/new-points.md
# Pages whose commands are run, and compared with what the pages say that they print.
SHOWN := docs/index.md docs/faq.md docs/tutorial.md $(wildcard docs/how-to/*.md docs/methods/*.md)
SKIPPED := $(TARGET)/skipped
# What is for several machines needs MPI, and has a target of its own.
MPI_CRATES := nrdr-mpi nrdr-slepc-sys
WORKSPACE := --workspace $(addprefix --exclude ,$(MPI_CRATES))

say = @printf '\n== %s\n' '$(1)'

.PHONY: help test soak bench tables lint doc site dist oldest fmt setup format python links licenses clippy unit build browser \
  package pages examples manual completions mpi dist-tools distcheck program licences wheel sdist archive deb crates

help: ## List the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name text; do \
	  printf '  make %-8s %s\n' "$$name" "$$text"; done

test: setup format links licenses python clippy unit build browser pages doc mpi package ## Run every test and check
	$(call say,passed)
	@if [ -s $(SKIPPED) ]; then sed 's/^/SKIPPED: /' $(SKIPPED); fi

# Everything that takes its number of cases from NRDR_SOAK, at full speed, and the fuzzers: hours.
FUZZERS := csv npy npz parquet mat idx images xlsx arrow mtx hdf5 h5ad model config
FUZZ_RUNS := 1000000

soak: build ## Run the tests with many more cases, then the fuzzers
	$(call say,tests of many cases)
	NRDR_SOAK=$(or $(NRDR_SOAK),20) cargo test $(WORKSPACE) --locked --release
	NRDR_SOAK=$(or $(NRDR_SOAK),20) python3 scripts/python_package.py --target $(TARGET) --skipped $(SKIPPED)
	$(call say,fuzzers)
	@if ! cargo fuzz --version >/dev/null 2>&1; then \
	  echo 'cargo-fuzz is missing: cargo install cargo-fuzz'; exit 1; \
	fi
	@for target in $(FUZZERS); do \
	  echo "$$target"; \
	  mkdir -p fuzz/found/$$target; \
	  (cd fuzz && RUSTC_BOOTSTRAP=1 cargo fuzz run -O --sanitizer none $$target found/$$target corpus/$$target -- \
	    -runs=$(FUZZ_RUNS) -rss_limit_mb=512 -malloc_limit_mb=256 -timeout=10 -max_len=65536); \
	done

bench: ## Measure, beside other libraries, and write docs/benchmarks.md
	python3 bench/run.py

tables: ## Write the tables of methods, strategies and parameters into the documentation
	NRDR_WRITE_TABLES=1 cargo test $(WORKSPACE) --locked --test tables

lint: setup format links python clippy ## Check format, lints, links and versions
	@if [ -s $(SKIPPED) ]; then sed 's/^/SKIPPED: /' $(SKIPPED); fi

doc: ## Build the documentation of the library
	$(call say,documentation)
	RUSTDOCFLAGS="-D warnings" cargo doc $(WORKSPACE) --no-deps --locked

# mkdocs and what it needs come from PyPI, at the versions of docs/site/requirements.txt. Nothing else is fetched, and the
# site loads nothing from elsewhere.
SITE := $(TARGET)/site
VENV_SITE := $(TARGET)/venv-site
LIBRARIES := nrdr nrdr-write nrdr-io nrdr-report nrdr-checkpoint nrdr-model

site: links ## Build one site of all pages, in target/site
	$(call say,documentation of the libraries)
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --lib --locked $(addprefix -p ,$(LIBRARIES))
	$(call say,site)
	@if ! cmp -s docs/site/requirements.txt $(VENV_SITE)/requirements.txt; then \
	  rm -rf $(VENV_SITE); \
	  python3 -m venv $(VENV_SITE); \
	  $(VENV_SITE)/bin/pip install --quiet -r docs/site/requirements.txt; \
	  cp docs/site/requirements.txt $(VENV_SITE); \
	fi
	NO_MKDOCS_2_WARNING=1 $(VENV_SITE)/bin/mkdocs build --strict --quiet --site-dir $(abspath $(SITE))
	cp -r $(TARGET)/doc $(SITE)/rust
	python3 scripts/check_links.py --site $(SITE)
	@if command -v node >/dev/null && command -v chromium >/dev/null; then \
	  NRDR_SITE=$(abspath $(SITE)) NRDR_SHOTS=$(abspath $(TARGET)/site-shots) AXE=$(abspath $(AXE)) \
	    timeout 600 node --test scripts/site.test.mjs; \
	else echo 'SKIPPED: the site in a browser: node or chromium is missing'; fi
	@echo 'open $(SITE)/index.html'

# What is handed out, a part each. What cannot be made is told, and why; the rest is made.
DIST := $(TARGET)/dist
VENV_DIST := $(TARGET)/venv-dist
DIST_SKIPPED := $(TARGET)/dist-skipped
SHELLS := bash zsh fish elvish powershell
THIRD_PARTY := $(DIST)/third-party-licences.txt
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
# The oldest glibc that what is linked by zig runs with: that of manylinux2014.
GLIBC := 2.17
MUSL := x86_64-unknown-linux-musl
# Equal sources make equal files: no paths of this machine, and the time of the last change for all of them.
program wheel sdist archive deb: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
REMAP := --remap-path-prefix=$(CURDIR)=/nrdr --remap-path-prefix=$(abspath $(TARGET))=/target \
  --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)=/cargo
# Where the program is for, and where it then is: musl if that target is installed, else an old glibc, else as cargo does it.
DIST_FOR = $(shell if [ ! -x $(VENV_DIST)/bin/cargo-zigbuild ] || [ $(HOST) != x86_64-unknown-linux-gnu ]; then echo $(HOST); \
  elif [ -d "$$(rustc --print sysroot)/lib/rustlib/$(MUSL)" ]; then echo $(MUSL); else echo $(HOST).$(GLIBC); fi)
DIST_PROGRAM = $(TARGET)/$(patsubst %.$(GLIBC),%,$(DIST_FOR))/dist/nrdr

dist: dist-tools program manual completions licences wheel sdist archive deb crates ## Make all that is handed out, in target/dist
	$(call say,in $(DIST))
	@cd $(DIST) && find . -type f | sort
	@if [ -s $(DIST_SKIPPED) ]; then sed 's/^/SKIPPED: /' $(DIST_SKIPPED); fi

dist-tools:
	@mkdir -p $(DIST)
	@rm -f $(DIST_SKIPPED)
	@if ! cmp -s packaging/requirements.txt $(VENV_DIST)/requirements.txt; then \
	  rm -rf $(VENV_DIST); \
	  if python3 -m venv $(VENV_DIST) && $(VENV_DIST)/bin/pip install --quiet -r packaging/requirements.txt; then \
	    cp packaging/requirements.txt $(VENV_DIST); \
	  else rm -rf $(VENV_DIST); fi; \
	fi
	@if [ ! -d $(VENV_DIST) ]; then \
	  echo 'wheel, sdist and programs for older systems: maturin and zig could not be installed from PyPI' | tee -a $(DIST_SKIPPED); \
	fi

program: dist-tools
	$(call say,program)
	@echo 'for $(DIST_FOR)'
	@case $(DIST_FOR) in \
	  $(HOST)) RUSTFLAGS="$(REMAP)" cargo build --profile dist --locked -p nrdr-cli --target $(HOST); \
	    echo 'a program for older systems: this one needs the C library of this system' | tee -a $(DIST_SKIPPED);; \
	  *) PATH="$(abspath $(VENV_DIST))/bin:$$PATH" RUSTFLAGS="$(REMAP)" \
	    cargo zigbuild --profile dist --locked -p nrdr-cli --target $(DIST_FOR);; \
	esac
	@if [ $(DIST_FOR) = $(HOST).$(GLIBC) ]; then \
	  echo 'a program without any C library: the target $(MUSL) is not installed; glibc $(GLIBC) instead' | tee -a $(DIST_SKIPPED); \
	fi

manual: program
	$(call say,man pages)
	rm -rf $(DIST)/man
	$(DIST_PROGRAM) man $(DIST)/man >/dev/null

completions: program
	$(call say,completions of shells)
	rm -rf $(DIST)/completions
	mkdir -p $(DIST)/completions
	for shell in $(SHELLS); do \
	  $(DIST_PROGRAM) completions $$shell > $(DIST)/completions/$$shell; \
	done

licences:
	$(call say,licences of what is compiled in)
	python3 scripts/third_party.py $(THIRD_PARTY)

# maturin takes what stands in python/nrdr; the file is there while it works.
IN_WHEEL := python/nrdr/third-party-licences.txt

wheel: dist-tools licences ## Make the Python wheel, and so on for each part: sdist archive deb crates
	$(call say,wheel)
	@if [ -d $(VENV_DIST) ]; then \
	  rm -f $(DIST)/*.whl; \
	  trap 'rm -f $(IN_WHEEL)' EXIT; \
	  cp $(THIRD_PARTY) $(IN_WHEEL); \
	  case $(HOST) in \
	    x86_64-unknown-linux-gnu) how='--zig --target $(HOST) --compatibility manylinux2014';; \
	    *) how=''; echo 'a wheel for older systems: zig is for Linux on x86-64' | tee -a $(DIST_SKIPPED);; \
	  esac; \
	  PATH="$(abspath $(VENV_DIST))/bin:$$PATH" RUSTFLAGS="$(REMAP)" CARGO_TARGET_DIR=$(abspath $(TARGET)) \
	    maturin build --profile dist --locked $$how --out $(DIST); \
	else echo skipped; fi

sdist: dist-tools
	$(call say,source archive)
	@if [ -d $(VENV_DIST) ]; then \
	  PATH="$(abspath $(VENV_DIST))/bin:$$PATH" maturin sdist --out $(DIST); \
	else echo skipped; fi

archive: manual completions licences
	$(call say,archive)
	python3 scripts/packages.py archive $(DIST_PROGRAM) $(DIST_FOR) $(DIST)

deb: manual completions licences
	$(call say,package for Debian)
	@if command -v dpkg-deb >/dev/null && [ $(firstword $(subst -, ,$(HOST))) = x86_64 ]; then \
	  case $(DIST_FOR) in \
	    $(MUSL)) glibc=none;; \
	    *.$(GLIBC)) glibc=$(GLIBC);; \
	    *) glibc=$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2);; \
	  esac; \
	  python3 scripts/packages.py deb $(DIST_PROGRAM) $$glibc $(DIST); \
	else echo 'the package for Debian: dpkg-deb is missing, or this is not x86-64' | tee -a $(DIST_SKIPPED); fi

# Each crate as a registry would get it, unpacked and compiled beside the others. CRATES=--no-verify only packs them.
crates:
	$(call say,crates)
	cargo package --locked $(addprefix -p ,$(LIBRARIES) nrdr-cli) $(CRATES)

distcheck: ## Install what make dist made in fresh places, and use it
	$(call say,what is handed out)
	python3 scripts/check_dist.py $(DIST)

fmt: setup ## Format the code, Rust and Python
	cargo fmt --all
	@if [ -x $(RUFF) ]; then $(RUFF) format $(PYTHON_CODE); else cat $(SKIPPED); fi

RUST_VERSION := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

oldest: ## Compile with the oldest Rust that Cargo.toml promises
	rustup toolchain install $(RUST_VERSION) --profile minimal
	cargo +$(RUST_VERSION) check $(WORKSPACE) --locked --target-dir $(TARGET)/oldest

# rustfmt, clippy and ruff; without ruff the rest still runs.
setup:
	@mkdir -p $(TARGET)
	@rm -f $(SKIPPED)
	@cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
	@cargo clippy --version >/dev/null 2>&1 || rustup component add clippy
	@if ! $(RUFF) --version 2>/dev/null | grep -qx 'ruff $(RUFF_VERSION)'; then \
	  { python3 -m venv $(VENV) && $(VENV)/bin/pip install --quiet ruff==$(RUFF_VERSION); } \
	    || { rm -rf $(VENV); \
	         echo 'format and lints of the Python code: ruff could not be installed' >> $(SKIPPED); }; \
	fi

format:
	$(call say,format)
	cargo fmt --all --check

links:
	$(call say,links and versions)
	python3 scripts/check_links.py --self-test
	python3 scripts/check_links.py
	python3 scripts/check_versions.py --self-test
	python3 scripts/check_versions.py
	python3 scripts/check_recipes.py --self-test
	python3 scripts/check_recipes.py
	python3 scripts/third_party.py --self-test

# Advisories need cargo-deny and its database, which needs a network.
licenses:
	$(call say,licences bans and sources of the dependencies)
	python3 scripts/check_licenses.py --self-test
	@if ! cargo deny --version >/dev/null 2>&1; then \
	  python3 scripts/check_licenses.py; \
	  echo 'security advisories: cargo-deny is not installed' >> $(SKIPPED); \
	else \
	  cargo deny --locked check licenses bans sources; \
	  if timeout 120 cargo deny fetch db; then cargo deny --locked check advisories; \
	  else echo 'security advisories: the database could not be fetched' >> $(SKIPPED); fi; \
	fi

python:
	$(call say,Python)
	@if [ -x $(RUFF) ]; then \
	  $(RUFF) check $(PYTHON_CODE); \
	  $(RUFF) format --check $(PYTHON_CODE); \
	else echo 'ruff is missing: skipped'; fi

clippy:
	$(call say,lints)
	cargo clippy $(WORKSPACE) --all-targets --locked -- -D warnings

unit:
	$(call say,tests)
	cargo test $(WORKSPACE) --locked

# All of it at once: a package alone would have other features of what it shares with the rest, and compile that anew.
build:
	$(call say,build)
	cargo build $(WORKSPACE) --locked --lib --bins --examples

# A report made by the program itself, with a label that would like to be a script, in a real browser.
HOSTILE := </script><script>alert(1)</script>
REPORT := $(TARGET)/browser/report.html
# Rules of accessibility: a tool of the tests, which nothing that is shipped contains.
AXE_VERSION := 4.14.0
AXE := $(TARGET)/axe-core-$(AXE_VERSION)/package/axe.min.js

browser: build
	$(call say,report in a browser)
	@mkdir -p $(TARGET)/browser
	@if ! command -v chromium >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } \
	    >$(TARGET)/browser/apt.log 2>&1 || true; \
	fi
	@if ! command -v node >/dev/null; then \
	  echo 'the report in a browser: node is missing (apt install nodejs)' >> $(SKIPPED); \
	elif ! command -v chromium >/dev/null; then \
	  echo 'the report in a browser: chromium is missing (apt install chromium)' >> $(SKIPPED); \
	else \
	  if [ ! -e $(AXE) ]; then \
	    mkdir -p $(TARGET)/axe-core-$(AXE_VERSION); \
	    { npm pack --silent --pack-destination $(TARGET) axe-core@$(AXE_VERSION) \
	        && tar -xzf $(TARGET)/axe-core-$(AXE_VERSION).tgz -C $(TARGET)/axe-core-$(AXE_VERSION); } >/dev/null 2>&1 \
	      || echo 'accessibility of the report: axe-core could not be fetched (npm pack axe-core)' >> $(SKIPPED); \
	  fi; \
	  python3 scripts/labelled_table.py '$(HOSTILE)' > $(TARGET)/browser/table.csv; \
	  $(TARGET)/debug/nrdr embed $(TARGET)/browser/table.csv --label kind -d 3 --report $(REPORT) --quiet; \
	  NRDR_REPORT=$(abspath $(REPORT)) NRDR_SHOTS=$(abspath $(TARGET)/browser) AXE=$(abspath $(AXE)) \
	    timeout 600 node --test crates/nrdr-cli/tests/browser/; \
	fi

pages: build
	$(call say,examples on the pages)
	@for page in $(PAGES); do \
	  echo "$$page"; \
	  rustdoc --test "$$page" --edition 2024 --crate-name page \
	    --extern nrdr=$(TARGET)/debug/libnrdr.rlib -L dependency=$(TARGET)/debug/deps; \
	done
	python3 scripts/run_pages.py --self-test
	python3 scripts/run_pages.py --program $(TARGET)/debug/nrdr --target $(TARGET) --skipped $(SKIPPED) $(SHOWN)

examples: build ## Run the commands on the pages, and write what they print
	python3 scripts/run_pages.py --program $(TARGET)/debug/nrdr --target $(TARGET) --write $(SHOWN)

# Open MPI, PETSc and SLEPc come from the system. Tests start themselves by mpirun; none of them takes longer than its limit.
MPI_PACKAGES := libslepc-real-dev openmpi-bin libopenmpi-dev pkg-config
HAS_MPI = pkg-config --exists ompi-c petsc slepc 2>/dev/null && command -v mpirun >/dev/null
OF_MPI := $(addprefix -p ,$(MPI_CRATES))

mpi: ## Build and test what runs on several machines, with SLEPc and Open MPI
	$(call say,several machines)
	@mkdir -p $(TARGET)/mpi
	@if ! { $(HAS_MPI); } && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends $(MPI_PACKAGES); } \
	    >$(TARGET)/mpi/apt.log 2>&1 || true; \
	fi
	@if ! { $(HAS_MPI); }; then \
	  echo 'several machines: SLEPc or Open MPI is missing (apt install $(MPI_PACKAGES))' >> $(SKIPPED); \
	else \
	  cargo build --locked -p nrdr-mpi; \
	  timeout 3600 cargo test --locked $(OF_MPI); \
	  cargo clippy --locked --no-deps $(OF_MPI) --all-targets -- -D warnings; \
	  RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps $(OF_MPI); \
	fi

# The wheel, its tests, and a fresh environment that installs it. Last: maturin compiles pyo3 in its own way, and what
# comes after would compile it once more.
package: build
	$(call say,Python package)
	python3 scripts/python_package.py --target $(TARGET) --skipped $(SKIPPED)
