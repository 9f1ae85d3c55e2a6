"""Writes the licences of all that is compiled into the program and the Python module, as one file.

    python3 scripts/third_party.py FILE

The crates are those that nrdr-cli and nrdr-py link: no tests, no build scripts, no macros. Each is
named with its version, its licence and where it comes from, and its files with terms are given in
full, equal ones once. A crate that brings no such file gets the standard text of the first of its
licences that this project has, too, with the authors it names.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import deque
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ["nrdr-cli", "nrdr-py"]
TERMS = re.compile(r"(un)?licen[cs]e|copying|copyright|notice|ofl", re.IGNORECASE)
#: What is not text: a program of that name, say.
CODE = {".rs", ".py", ".js", ".html", ".json"}
OURS = {"MIT": "LICENSE-MIT", "Apache-2.0": "LICENSE-APACHE"}
RULE = "=" * 80
HEAD = """\
nrdr itself is licensed as LICENSE-MIT and LICENSE-APACHE say. Its program and its Python module are
compiled together with Rust's standard library (MIT or Apache-2.0, the Rust Project's contributors)
and with the crates below. Their terms follow, equal ones once.
"""


def linked(metadata: dict, roots: list[str]) -> list[dict]:
    """The packages from registries that are linked into the roots, by name."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}

    def macro(number: str) -> bool:
        return any("proc-macro" in target["kind"] for target in packages[number]["targets"])

    left = deque(number for number, package in packages.items() if package["name"] in roots)
    seen = set(left)
    while left:
        for dependency in nodes[left.popleft()]["deps"]:
            number = dependency["pkg"]
            normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if normal and number not in seen and not macro(number):
                seen.add(number)
                left.append(number)
    found = [packages[number] for number in seen if packages[number]["source"]]
    return sorted(found, key=lambda package: (package["name"], package["version"]))


def standard(package: dict) -> str:
    """The terms of a crate that brings none."""
    for licence in re.split(r"[^A-Za-z0-9.-]+", package["license"] or ""):
        if licence in OURS:
            text = (ROOT / OURS[licence]).read_text(encoding="utf-8")
            who = ", ".join(package["authors"]) or f"the authors of {package['name']}"
            return re.sub(r"(?m)^Copyright \(c\).*$", f"Copyright (c) {who}", text, count=1)
    sys.exit(f"{package['name']} brings no licence, and {package['license']} has no text here")


def terms(package: dict) -> list[str]:
    """The texts of a package's terms."""
    folder = Path(package["manifest_path"]).parent
    files = [file for file in sorted(folder.rglob("*")) if TERMS.match(file.name)]
    files = [file for file in files if file.is_file() and file.suffix not in CODE]
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    if not any(file.parent == folder for file in files):
        texts.append(standard(package))
    # Line ends and blanks before them say nothing.
    return ["\n".join(map(str.rstrip, text.splitlines())).strip("\n") for text in texts]


def written(packages: list[tuple[dict, list[str]]]) -> str:
    """The file: the list, and below it each text with the packages that have it."""
    owners: dict[str, list[str]] = {}
    lines = [HEAD]
    for package, texts in packages:
        name = f"{package['name']} {package['version']}"
        where = package["repository"] or f"https://crates.io/crates/{package['name']}"
        lines.append(f"{name}: {package['license']}, {where}")
        for text in dict.fromkeys(texts):
            owners.setdefault(text, []).append(name)
    for text, names in owners.items():
        lines += ["", RULE, ", ".join(names), RULE, "", text]
    return "\n".join(lines) + "\n"


def self_test() -> None:
    """Fails unless what is linked is found, and nothing else."""
    kinds = {"a": "lib", "b": "lib", "m": "proc-macro", "t": "lib", "r": "bin"}
    packages = [
        {"id": name, "name": name, "version": "1.0.0", "targets": [{"kind": [kind]}]}
        | {"source": None if name == "r" else "registry", "license": "MIT", "repository": None}
        for name, kind in kinds.items()
    ]

    def needs(**names: str | None) -> list[dict]:
        return [{"pkg": name, "dep_kinds": [{"kind": kind}]} for name, kind in names.items()]

    nodes = {"r": needs(a=None, m=None, t="dev"), "a": needs(b=None, t="build"), "m": needs(t=None)}
    resolve = [{"id": name, "deps": nodes.get(name, [])} for name in kinds]
    found = linked({"packages": packages, "resolve": {"nodes": resolve}}, ["r"])
    if [package["name"] for package in found] != ["a", "b"]:
        sys.exit(f"self-test: a and b are linked, not {found}")
    text = written([(found[0], ["one", "one"]), (found[1], ["one", "two"])])
    if text.count("\none\n") != 1 or "a 1.0.0, b 1.0.0\n" not in text or "b 1.0.0\n=" not in text:
        sys.exit(f"self-test: equal texts are given once: {text}")
    if "Copyright (c) Ada" not in standard(found[0] | {"authors": ["Ada"]}):
        sys.exit("self-test: the standard text names the authors")


def main() -> None:
    """Writes the file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path, nargs="?", help="where to write")
    parser.add_argument("--self-test", action="store_true", help="test this script instead")
    arguments = parser.parse_args()
    if arguments.self_test:
        self_test()
        print("third_party.py: self-test passed")
        return
    if arguments.file is None:
        parser.error("where to write?")
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    command += ["--filter-platform", "x86_64-unknown-linux-gnu"]
    answer = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if answer.returncode:
        sys.exit("cargo metadata failed")
    packages = linked(json.loads(answer.stdout), SHIPPED)
    arguments.file.parent.mkdir(parents=True, exist_ok=True)
    text = written([(package, terms(package)) for package in packages])
    arguments.file.write_text(text, encoding="utf-8")
    print(f"licences of {len(packages)} crates in {arguments.file}")


if __name__ == "__main__":
    main()
