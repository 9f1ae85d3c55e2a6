"""Checks licences, bans and sources of the dependencies against deny.toml.

The part of `cargo deny check` that needs neither cargo-deny nor a network. Security advisories are
not checked here: they need cargo-deny and its database.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def satisfied(expression: str, allowed: set[str]) -> bool:
    """Whether the allowed licences suffice for an SPDX expression.

    AND binds tighter than OR. `a/b` is the old way to write `a OR b`, `a+` is met by `a`, and a
    licence WITH an exception is a licence of its own.
    """
    tokens = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))
    position = 0

    def peek() -> str:
        return tokens[position] if position < len(tokens) else ""

    def take() -> str:
        nonlocal position
        position += 1
        return tokens[position - 1] if position <= len(tokens) else ""

    def either() -> bool:
        value = both()
        while peek() == "OR":
            take()
            value = both() or value
        return value

    def both() -> bool:
        value = single()
        while peek() == "AND":
            take()
            value = single() and value
        return value

    def single() -> bool:
        token = take()
        if token == "(":
            value = either()
            if take() != ")":
                raise ValueError(f"unbalanced parentheses in {expression!r}")
            return value
        if not re.fullmatch(r"[A-Za-z0-9.:-]+\+?", token) or token in {"AND", "OR", "WITH"}:
            raise ValueError(f"cannot read {expression!r} at {token!r}")
        if peek() == "WITH":
            take()
            return f"{token} WITH {take()}" in allowed
        return token.removesuffix("+") in allowed

    value = either()
    if position != len(tokens):
        raise ValueError(f"cannot read {expression!r} at {peek()!r}")
    return value


def check(packages: list[dict], members: set[str], policy: dict) -> tuple[list[str], list[str]]:
    """What is wrong with the packages, and what is worth knowing."""
    problems, notes = [], []
    allowed = set(policy["licenses"]["allow"])
    banned = {ban["crate"]: ban["reason"] for ban in policy["bans"]["deny"]}
    registries = {f"registry+{url}" for url in policy["sources"]["allow-registry"]}
    for package in packages:
        name = f"{package['name']} {package['version']}"
        if package["name"] in banned:
            problems.append(f"{name} is banned: {banned[package['name']]}")
        if package["source"] not in registries and package["id"] not in members:
            problems.append(
                f"{name} comes from {package['source'] or 'a path outside the project'}"
            )
        try:
            if not package["license"]:
                problems.append(f"{name} names no licence")
            elif not satisfied(package["license"], allowed):
                problems.append(
                    f"{name} has the licence {package['license']}, which is not allowed"
                )
        except ValueError as error:
            problems.append(f"{name}: {error}")
    names = Counter(package["name"] for package in packages)
    twice = sorted(name for name, count in names.items() if count > 1)
    if twice:
        notes.append(f"in more than one version: {', '.join(twice)}")
    for advisory in policy["advisories"]["ignore"]:
        if advisory["reason"].partition(":")[0] in names:
            notes.append(f"{advisory['id']} is accepted: {advisory['reason']}")
        else:
            problems.append(f"{advisory['id']} is accepted for a crate that is not used")
    return problems, notes


def self_test() -> None:
    """Fails unless expressions are read as they should be and each problem is found."""
    allowed = {"MIT", "Apache-2.0", "Zlib", "Apache-2.0 WITH LLVM-exception"}
    for expression, expected in {
        "MIT": True,
        "GPL-3.0": False,
        "MIT OR GPL-3.0": True,
        "GPL-3.0 OR MIT": True,
        "MIT AND GPL-3.0": False,
        "GPL-3.0 AND MIT OR MIT": True,
        "MIT OR GPL-3.0 AND LGPL-3.0": True,
        "(MIT OR GPL-3.0) AND LGPL-3.0": False,
        "(MIT OR GPL-3.0) AND (LGPL-3.0 OR (Zlib AND Apache-2.0))": True,
        "GPL-3.0/MIT": True,
        "GPL-3.0/LGPL-3.0": False,
        "Apache-2.0+": True,
        "Apache-2.0 WITH LLVM-exception": True,
        "MIT WITH LLVM-exception": False,
        "GPL-3.0 WITH LLVM-exception OR MIT": True,
    }.items():
        if satisfied(expression, allowed) is not expected:
            sys.exit(f"self-test: {expression!r} should be {expected}")
    for expression in ["", "MIT OR", "(MIT", "MIT)", "MIT Zlib", "AND MIT", "()", "MIT OR OR MIT"]:
        try:
            satisfied(expression, allowed)
        except ValueError:
            continue
        sys.exit(f"self-test: {expression!r} should be refused")
    crates_io = "https://github.com/rust-lang/crates.io-index"
    good = {"id": "a", "name": "a", "version": "1.0.0", "license": "MIT"}
    good["source"] = f"registry+{crates_io}"
    policy = {
        "licenses": {"allow": ["MIT"]},
        "bans": {"deny": [{"crate": "bad", "reason": "for a test"}]},
        "sources": {"allow-registry": [crates_io]},
        "advisories": {"ignore": [{"id": "X", "reason": "a: for a test"}]},
    }
    for change, found in {
        ("license", "MIT"): 0,
        ("license", "GPL-3.0"): 1,
        ("license", None): 1,
        ("license", "MIT OR"): 1,
        ("source", "git+https://example.org/a"): 1,
        ("source", None): 1,
        ("id", "other"): 0,
    }.items():
        problems, _ = check([good | dict([change])], set(), policy)
        if len(problems) != found:
            sys.exit(f"self-test: {change} should give {found} problem(s), not {problems}")
    for packages, found in [([good, good | {"name": "bad"}], 1), ([], 1), ([good, good], 0)]:
        problems, _ = check(packages, set(), policy)
        if len(problems) != found:
            sys.exit(f"self-test: {packages} should give {found} problem(s), not {problems}")
    if check([good | {"source": None}], {"a"}, policy)[0]:
        sys.exit("self-test: a member of the workspace has no source")


def main() -> None:
    """Checks, says what was found, and fails if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--self-test", action="store_true", help="test this script instead")
    if parser.parse_args().self_test:
        self_test()
        print("check_licenses.py: self-test passed")
        return
    policy = tomllib.loads((ROOT / "deny.toml").read_text())
    command = ["cargo", "metadata", "--locked", "--all-features", "--format-version", "1"]
    answer = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if answer.returncode:
        sys.exit("cargo metadata failed")
    metadata = json.loads(answer.stdout)
    packages = metadata["packages"]
    problems, notes = check(packages, set(metadata["workspace_members"]), policy)
    for note in notes:
        print(f"note: {note}")
    for problem in problems:
        print(f"error: {problem}")
    if problems:
        sys.exit(1)
    print(f"licences, bans and sources of {len(packages)} packages are as deny.toml wants them")


if __name__ == "__main__":
    main()
