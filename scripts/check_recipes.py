"""Checks what is handed out as instructions: the Dockerfile and the recipe for conda.

They cannot be run by every test, so they are read: versions and dependencies are those of
Cargo.toml and pyproject.toml, files that are copied exist and are let through, and commands name
packages, programs, scripts and subcommands that are there.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

DOCKER = "Dockerfile"
IGNORE = ".dockerignore"
RECIPE = "packaging/conda/recipe.yaml"
PROGRAM = "crates/nrdr-cli/Cargo.toml"
COMMANDS = "crates/nrdr-cli/src/lib.rs"
#: Made while the package is built.
MADE = {"third-party-licences.txt"}

Texts = dict[str, str]


def numbers(version: str) -> tuple[int, ...]:
    """The numbers of a version, which are compared as such."""
    return tuple(map(int, version.split(".")))


def missing(path: str) -> bool:
    """Whether a file or folder of the project is not there."""
    return not (ROOT / path).exists()


def commands(lines: list[str], file: str) -> list[str]:
    """What is wrong with commands of a shell."""
    problems = []
    for line in lines:
        for flag in ("-p", "--path"):
            found = re.search(rf" {flag} (\S+)", line)
            if found:
                folder = found.group(1) if flag == "--path" else f"crates/{found.group(1)}"
                if missing(f"{folder}/Cargo.toml"):
                    problems.append(f"{file}: there is no crate in {folder}")
        found = re.search(r"python3? (\S+\.py)", line)
        if found and missing(found.group(1)):
            problems.append(f"{file}: there is no {found.group(1)}")
        if "cargo" in line and "--locked" not in line:
            problems.append(f"{file}: without --locked: {line}")
    return problems


def docker(texts: Texts, cargo: dict) -> list[str]:
    """What is wrong with the Dockerfile."""
    text = texts[DOCKER]
    problems = commands(re.findall(r"(?m)^RUN (.+)$", text), DOCKER)
    image = re.search(r"(?m)^FROM rust:([\d.]+)-(\w+) AS build$", text)
    rust = cargo["workspace"]["package"]["rust-version"]
    if image is None:
        return [*problems, f"{DOCKER}: there is no stage that builds"]
    if numbers(image.group(1)) < numbers(rust):
        problems.append(f"{DOCKER}: Rust {image.group(1)}, and {rust} is needed")
    if f"FROM debian:{image.group(2)}-slim" not in text:
        problems.append(f"{DOCKER}: what is built on {image.group(2)} runs on another Debian")
    through = re.findall(r"(?m)^!(\S+)$", texts[IGNORE])
    name = tomllib.loads(texts[PROGRAM])["bin"][0]["name"]
    for path in re.findall(r" /nrdr/(\S+)", text):
        if path == f"target/release/{name}" or path in MADE:
            continue
        if missing(path):
            problems.append(f"{DOCKER}: there is no {path}")
        elif not any(fnmatch(path, pattern) for pattern in through):
            problems.append(f"{IGNORE}: {path} is not let through")
    needed = ["Cargo.toml", "Cargo.lock", "README.md", "crates", "scripts"]
    for path in needed:
        if not any(fnmatch(path, pattern) for pattern in through):
            problems.append(f"{IGNORE}: {path} is not let through")
    if f"target/release/{name} /usr/local/bin/{name}" not in text:
        problems.append(f"{DOCKER}: the program {name} is not copied")
    if f'ENTRYPOINT ["{name}"]' not in text:
        problems.append(f"{DOCKER}: it does not run {name}")
    return problems


def listed(text: str, key: str) -> list[str]:
    """The items of a list of the recipe, by its key."""
    found = re.search(rf"(?m)^( *)(?:- )?{key}:\n((?:\1 *- .*\n)+)", text)
    return re.findall(r"- (.*)", found.group(2)) if found else []


def recipe(texts: Texts, cargo: dict, project: dict) -> list[str]:
    """What is wrong with the recipe for conda."""
    text = texts[RECIPE]
    problems = []
    version = re.search(r'(?m)^  version: "(.+)"$', text)
    wanted = cargo["workspace"]["package"]["version"]
    if version is None or version.group(1) != wanted:
        problems.append(f"{RECIPE}: the version is not {wanted}")
    build = re.search(r"(?m)^  script:\n((?:    - .*\n)+)", text)
    lines = re.findall(r"- (.*)", build.group(1)) if build else []
    problems += commands([line for line in lines if "pip" not in line], RECIPE)
    if not any("pip install ." in line for line in lines):
        problems.append(f"{RECIPE}: the Python package is not installed")
    metadata = project["project"]
    needs = {re.sub(r"(?=[<>=])", " ", each, count=1) for each in metadata["dependencies"]}
    needs.add(f"python {metadata['requires-python']}")
    if set(listed(text, "run")) != needs:
        problems.append(f"{RECIPE}: runs with {listed(text, 'run')}, not {sorted(needs)}")
    for each in project["build-system"]["requires"]:
        if re.sub(r"(?=[<>=])", " ", each, count=1) not in listed(text, "host"):
            problems.append(f"{RECIPE}: is not built with {each}")
    for module in listed(text, "imports"):
        path = "python/" + module.replace(".", "/")
        if missing(f"{path}.py") and missing(f"{path}/__init__.py"):
            problems.append(f"{RECIPE}: there is no module {module}")
    for command in re.findall(r"(?m)^ +- nrdr (\w+)", text):
        if not re.search(rf"(?m)^    {command.capitalize()}\b", texts[COMMANDS]):
            problems.append(f"{RECIPE}: there is no command {command}")
    for file in listed(text, "license_file"):
        if missing(file) and file not in MADE:
            problems.append(f"{RECIPE}: there is no {file}")
    for key, value in [("summary", metadata["description"]), ("license", metadata["license"])]:
        if not re.search(rf'(?m)^  {key}: "?{re.escape(value)}"?$', text):
            problems.append(f"{RECIPE}: the {key} is not that of pyproject.toml")
    return problems


def check(texts: Texts) -> list[str]:
    """What is wrong."""
    cargo = tomllib.loads(texts["Cargo.toml"])
    project = tomllib.loads(texts["pyproject.toml"])
    return docker(texts, cargo) + recipe(texts, cargo, project)


def self_test(good: Texts) -> None:
    """Fails unless each fault that is put into the files is found."""
    if check(good):
        sys.exit("self-test: begins with files that are right")
    for file, old, new in [
        (DOCKER, "rust:1.95", "rust:1.70"),
        (DOCKER, "FROM debian:bookworm-slim", "FROM debian:bullseye-slim"),
        (DOCKER, "-p nrdr-cli", "-p nrdr-program"),
        (DOCKER, " --locked", ""),
        (DOCKER, "third_party.py", "third.py"),
        (DOCKER, "/nrdr/LICENSE-MIT", "/nrdr/LICENSE-BSD"),
        (DOCKER, 'ENTRYPOINT ["nrdr"]', 'ENTRYPOINT ["nrd"]'),
        (IGNORE, "!crates\n", ""),
        (RECIPE, 'version: "', 'version: "9'),
        (RECIPE, "crates/nrdr-cli", "crates/nrdr-program"),
        (RECIPE, "pip install .", "pip check"),
        (RECIPE, "scikit-learn >=1.6", "scikit-learn >=1.5"),
        (RECIPE, "    - joblib\n", ""),
        (RECIPE, "maturin >=1.9,<2", "maturin"),
        (RECIPE, "nrdr.sklearn", "nrdr.sklern"),
        (RECIPE, "nrdr doctor", "nrdr nurse"),
        (RECIPE, "license: MIT", "license: BSD"),
        (RECIPE, "    - LICENSE-MIT", "    - LICENCE-MIT"),
    ]:
        if old not in good[file]:
            sys.exit(f"self-test: {file} has no {old!r}")
        if not check(good | {file: good[file].replace(old, new)}):
            sys.exit(f"self-test: {new!r} in {file} is not found")


def main() -> None:
    """Checks, says what was found, and fails if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--self-test", action="store_true", help="test this script instead")
    arguments = parser.parse_args()
    files = [DOCKER, IGNORE, RECIPE, PROGRAM, COMMANDS, "Cargo.toml", "pyproject.toml"]
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in files}
    if arguments.self_test:
        self_test(texts)
        print("check_recipes.py: self-test passed")
        return
    problems = check(texts)
    for problem in problems:
        print(f"error: {problem}")
    if problems:
        sys.exit(1)
    print("the Dockerfile and the recipe for conda say what is so")


if __name__ == "__main__":
    main()
