"""Checks that all files name one version, and sets it.

    python3 scripts/check_versions.py                               what is wrong
    python3 scripts/check_versions.py --set 0.3.0 --date 2027-02-01 a new version, everywhere
    python3 scripts/check_versions.py --released 0.3.0              ready to be tagged?

The version is that of the workspace in Cargo.toml. The crates among its dependencies, both lock
files, CITATION.cff and the recipe for conda have the same, and Python takes it from Cargo.
CHANGELOG.md begins with what is unreleased; below stands the version, or one that is in
preparation: a later one, with the word `unreleased` in the place of its date. Its date is that of
CITATION.cff. rust-version is what the pages say, and no dependency asks for a newer one.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LOCKS = ["Cargo.lock", "fuzz/Cargo.lock"]
#: The recipe for conda.
RECIPE = "packaging/conda/recipe.yaml"
FILES = ["Cargo.toml", "pyproject.toml", "CITATION.cff", "CHANGELOG.md", RECIPE, *LOCKS]
#: Pages that say which Rust is needed.
OF_RUST = ["README.md", "CONTRIBUTING.md", "docs/policy.md", "docs/python.md", "docs/index.md"]
HEADING = re.compile(r"^## \[(.+?)\](?: - (\S+))?$", re.MULTILINE)
NUMBERS = re.compile(r"\d+\.\d+\.\d+")
#: What CITATION.cff cannot be without, by its schema, and what ours has beside.
CITED = ["cff-version", "message", "title", "authors", "version", "date-released", "license"]
CITED += ["references"]

Texts = dict[str, str]


def parts(version: str) -> tuple[int, ...]:
    """The numbers of a version, which are compared as such."""
    return tuple(map(int, version.split(".")))


def entry(text: str, key: str) -> str | None:
    """A value of CITATION.cff at its outermost level."""
    found = re.search(rf'^{key}: *"?([^"\n]*?)"?$', text, re.MULTILINE)
    return found.group(1) if found else None


def members(lock: str) -> dict[str, str]:
    """The packages of a lock file that come from no registry, and their versions."""
    packages = tomllib.loads(lock)["package"]
    return {each["name"]: each["version"] for each in packages if "source" not in each}


def check(texts: Texts) -> list[str]:
    """What is wrong."""
    problems = []
    cargo = tomllib.loads(texts["Cargo.toml"])["workspace"]
    version = cargo["package"]["version"]
    if not NUMBERS.fullmatch(version):
        problems.append(f"Cargo.toml: {version} is no version of three numbers")
    for name, value in cargo["dependencies"].items():
        if isinstance(value, dict) and "path" in value and value.get("version") != version:
            problems.append(f"Cargo.toml: {name} is {value.get('version')}, not {version}")
    for file in LOCKS:
        for name, found in members(texts[file]).items():
            if name.startswith("nrdr") and name != "nrdr-fuzz" and found != version:
                problems.append(f"{file}: {name} is {found}, not {version}")
    project = tomllib.loads(texts["pyproject.toml"])["project"]
    taken = "version" in project.get("dynamic", [])
    if not taken and project.get("version") != version:
        problems.append(f"pyproject.toml: {project.get('version')}, not {version}")
    cited = texts["CITATION.cff"]
    problems += [f"CITATION.cff: there is no {key}" for key in CITED if entry(cited, key) is None]
    if entry(cited, "version") != version:
        problems.append(f"CITATION.cff: {entry(cited, 'version')}, not {version}")
    if f'\n  version: "{version}"\n' not in texts[RECIPE]:
        problems.append(f"{RECIPE}: the version is not {version}")
    headings = HEADING.findall(texts["CHANGELOG.md"])
    if not headings or headings[0] != ("Unreleased", ""):
        return [*problems, "CHANGELOG.md: the first section is Unreleased, without a date"]
    if len(headings) < 2:
        return [*problems, "CHANGELOG.md: there is no version"]
    newest, date = headings[1]
    numbers = [name for name, _ in headings[1:]]
    if any(not NUMBERS.fullmatch(name) for name in numbers):
        return [*problems, f"CHANGELOG.md: {numbers} are not all versions"]
    if numbers != sorted(set(numbers), key=parts, reverse=True):
        problems.append(f"CHANGELOG.md: {numbers} do not go down")
    if any(not re.fullmatch(r"\d{4}-\d\d-\d\d", date) for _, date in headings[2:]):
        problems.append("CHANGELOG.md: an earlier version has no date")
    if date == "unreleased":
        if parts(newest) < parts(version):
            problems.append(f"CHANGELOG.md: {newest} comes before {version}")
    elif newest != version:
        problems.append(f"CHANGELOG.md: {newest}, not {version}")
    elif date != entry(cited, "date-released"):
        problems.append(f"CHANGELOG.md: {date}; CITATION.cff: {entry(cited, 'date-released')}")
    rust = cargo["package"]["rust-version"]
    for page in OF_RUST:
        for found in re.findall(r"Rust (\d+\.\d+)", texts.get(page, "")):
            if found != rust:
                problems.append(f"{page}: Rust {found}, in Cargo.toml {rust}")
    return problems


def too_new(packages: list[dict], rust: str) -> list[str]:
    """Dependencies that need a newer Rust than the workspace says."""
    found = []
    for package in packages:
        wanted = package.get("rust_version")
        if wanted and parts(wanted)[:2] > parts(rust)[:2]:
            found.append(f"{package['name']} {package['version']} needs Rust {wanted}, not {rust}")
    return found


def dependencies() -> list[dict]:
    """All packages, of whatever feature, as cargo tells them."""
    command = ["cargo", "metadata", "--locked", "--all-features", "--format-version", "1"]
    answer = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if answer.returncode:
        sys.exit("cargo metadata failed")
    return json.loads(answer.stdout)["packages"]


def ready(texts: Texts, version: str) -> list[str]:
    """What is wrong with files that should be that version."""
    problems = check(texts)
    if tomllib.loads(texts["Cargo.toml"])["workspace"]["package"]["version"] != version:
        problems.append(f"Cargo.toml: the version is not {version}")
    if HEADING.findall(texts["CHANGELOG.md"])[1][1] == "unreleased":
        problems.append(f"CHANGELOG.md: {version} has no date")
    return problems


def changed(texts: Texts, version: str, date: str) -> Texts:
    """The files with another version."""
    old = tomllib.loads(texts["Cargo.toml"])["workspace"]["package"]["version"]
    new = dict(texts)
    quoted = re.escape(old)
    cargo = re.sub(
        rf'(?m)^version = "{quoted}"$', f'version = "{version}"', texts["Cargo.toml"], count=1
    )
    new["Cargo.toml"] = re.sub(
        rf'(path = "[^"]*", version = )"{quoted}"', rf'\g<1>"{version}"', cargo
    )
    for file in LOCKS:
        for name, found in members(texts[file]).items():
            if name.startswith("nrdr") and name != "nrdr-fuzz" and found == old:
                entry_of = f'name = "{name}"\nversion = "{old}"'
                new[file] = new[file].replace(entry_of, f'name = "{name}"\nversion = "{version}"')
    cited = re.sub(r"(?m)^version: .*$", f"version: {version}", texts["CITATION.cff"], count=1)
    new["CITATION.cff"] = re.sub(
        r"(?m)^date-released: .*$", f"date-released: {date}", cited, count=1
    )
    new[RECIPE] = texts[RECIPE].replace(f'\n  version: "{old}"\n', f'\n  version: "{version}"\n')
    log = texts["CHANGELOG.md"]
    begun = f"## [{version}] - unreleased"
    if begun in log:
        new["CHANGELOG.md"] = log.replace(begun, f"## [{version}] - {date}", 1)
    else:
        section = f"## [Unreleased]\n\n## [{version}] - {date}"
        new["CHANGELOG.md"] = log.replace("## [Unreleased]", section, 1)
    return new


def self_test() -> None:
    """Fails unless each fault is found, and what is set is right."""
    lock = '[[package]]\nname = "nrdr"\nversion = "1.2.3"\n\n[[package]]\nname = "a"\n'
    lock += 'version = "1.2.3"\nsource = "registry"\n'
    good = {
        "Cargo.toml": '[workspace.package]\nversion = "1.2.3"\nrust-version = "1.89"\n\n'
        '[workspace.dependencies]\nnrdr = { path = "x", version = "1.2.3" }\na = "1.2.3"\n',
        "pyproject.toml": '[project]\ndynamic = ["version"]\n',
        "CITATION.cff": "".join(f"{key}: x\n" for key in CITED if "version" != key),
        "CHANGELOG.md": "## [Unreleased]\n\n## [1.2.3] - 2026-01-02\n\n## [1.2.0] - 2025-01-02\n",
        RECIPE: 'context:\n  version: "1.2.3"\n',
        "Cargo.lock": lock,
        "fuzz/Cargo.lock": lock,
        "README.md": "Rust 1.89 or newer",
    }
    good["CITATION.cff"] = good["CITATION.cff"].replace("released: x", "released: 2026-01-02")
    good["CITATION.cff"] += "version: 1.2.3\n"
    if check(good) or ready(good, "1.2.3"):
        sys.exit(f"self-test: good files have faults: {check(good)}")
    for file, old, new in [
        ("Cargo.toml", 'version = "1.2.3" }', 'version = "1.2.2" }'),
        ("pyproject.toml", 'dynamic = ["version"]', 'version = "1.2.2"'),
        ("CITATION.cff", "version: 1.2.3", "version: 1.2.2"),
        ("CITATION.cff", "2026-01-02", "2026-01-03"),
        ("CITATION.cff", "message: x\n", ""),
        (RECIPE, "1.2.3", "1.2.2"),
        ("CHANGELOG.md", "## [1.2.3]", "## [1.2.4]"),
        ("CHANGELOG.md", "## [Unreleased]\n", ""),
        ("CHANGELOG.md", "[1.2.0]", "[1.3.0]"),
        ("CHANGELOG.md", " - 2025-01-02", ""),
        ("Cargo.lock", '"nrdr"\nversion = "1.2.3"', '"nrdr"\nversion = "1.2.4"'),
        ("fuzz/Cargo.lock", '"nrdr"\nversion = "1.2.3"', '"nrdr"\nversion = "1.2.4"'),
        ("README.md", "1.89", "1.88"),
    ]:
        bad = good | {file: good[file].replace(old, new)}
        if len(check(bad)) != 1:
            sys.exit(f"self-test: {new!r} in {file} is one fault, not {check(bad)}")
    for wanted, faults in [("1.89.0", 0), ("1.90", 1), (None, 0), ("1.9", 0)]:
        package = {"name": "a", "version": "1.0.0", "rust_version": wanted}
        if len(too_new([package], "1.89")) != faults:
            sys.exit(f"self-test: Rust {wanted} beside 1.89 has {faults} fault(s)")
    coming = "## [Unreleased]\n\n## [1.3.0] - unreleased\n\n"
    log = good["CHANGELOG.md"].replace("## [Unreleased]\n\n", coming)
    if check(good | {"CHANGELOG.md": log}):
        sys.exit("self-test: a version may be in preparation")
    if not ready(good | {"CHANGELOG.md": log}, "1.2.3") or not ready(good, "1.3.0"):
        sys.exit("self-test: a version in preparation is not ready")
    for texts in (good, good | {"CHANGELOG.md": log}):
        new = changed(texts, "1.3.0", "2026-02-03")
        if ready(new, "1.3.0") or '"a"\nversion = "1.2.3"' not in new["Cargo.lock"]:
            sys.exit(f"self-test: 1.3.0 is not set well: {ready(new, '1.3.0')}")
        if new["CHANGELOG.md"].count("1.3.0") != 1 or 'a = "1.2.3"' not in new["Cargo.toml"]:
            sys.exit("self-test: what else has that number stays")


def main() -> None:
    """Checks or sets, says what was found, and fails if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--set", metavar="VERSION", help="write this version into all files")
    parser.add_argument("--date", help="its date, as 2027-02-01")
    parser.add_argument("--released", metavar="VERSION", help="whether all are that version, dated")
    parser.add_argument("--self-test", action="store_true", help="test this script instead")
    arguments = parser.parse_args()
    if arguments.self_test:
        self_test()
        print("check_versions.py: self-test passed")
        return
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in FILES + OF_RUST}
    if arguments.set:
        if not NUMBERS.fullmatch(arguments.set) or not arguments.date:
            parser.error("--set takes a version of three numbers, and --date its date")
        for name, text in changed(texts, arguments.set, arguments.date).items():
            if text != texts[name]:
                (ROOT / name).write_text(text, encoding="utf-8")
                print(f"wrote {name}")
        return
    problems = ready(texts, arguments.released) if arguments.released else check(texts)
    rust = tomllib.loads(texts["Cargo.toml"])["workspace"]["package"]["rust-version"]
    problems += too_new(dependencies(), rust)
    for problem in problems:
        print(f"error: {problem}")
    if problems:
        sys.exit(1)
    print(f"all files name the same version, and nothing needs more than Rust {rust}")


if __name__ == "__main__":
    main()
