"""Runs the commands on the pages, and compares what they print with what the pages say.

    python3 scripts/run_pages.py --program target/debug/nrdr docs/methods/*.md
    python3 scripts/run_pages.py --program target/release/nrdr --write docs/methods/*.md

All blocks of a page run in one empty folder, in their order. Those called `sh` must succeed. In
those called `console` a line behind `$ ` is a command, and what follows is what it prints, `...`
being any lines. Numbers may differ by a twentieth, and percent by two, since processors round
differently; the seconds of `nrdr compare` are left out. `--write` puts what was printed into the
page, and beside it the pictures that it shows and that its commands made.

A page that says `<!-- needs: NAME -->` finds that public table in its folder. It is fetched once,
as for the gallery; where it cannot be, the page is skipped, and that is told.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import gallery

ROOT = Path(__file__).resolve().parent.parent
#: What fetches public tables.
TABLES = {"digits.csv.gz": gallery.digits, "pbmc68k.h5ad": gallery.cells}

BLOCK = re.compile(r"^```(sh|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")
SECONDS = 600


def near(one: float, other: float, least: float) -> bool:
    """Whether two numbers tell the same; below 1e-9 all are rounding."""
    largest = max(abs(one), abs(other))
    return largest < 1e-9 or abs(one - other) <= max(0.05 * largest, least)


def same_line(wanted: str, found: str) -> bool:
    """Whether two lines have the same words, and numbers that are near."""
    mark = "\N{NUMBER SIGN}"
    words = [NUMBER.sub(mark, line).split() for line in (wanted, found)]
    if words[0] != words[1]:
        return False
    for one, other in zip(NUMBER.finditer(wanted), NUMBER.finditer(found)):
        least = 2 if wanted.startswith(" %", one.end()) else 0.015
        if not near(float(one.group()), float(other.group()), least):
            return False
    return True


def same(wanted: list[str], found: list[str]) -> bool:
    """Whether lines agree; `...` stands for any."""
    if not wanted or not found:
        return all(line == "..." for line in wanted) and (not found or bool(wanted))
    if wanted[0] == "...":
        return any(same(wanted[1:], found[start:]) for start in range(len(found) + 1))
    return same_line(wanted[0], found[0]) and same(wanted[1:], found[1:])


def without_seconds(lines: list[str]) -> list[str]:
    """Tables whose last column is seconds lose it."""
    done, inside = [], False
    for line in lines:
        inside = (inside and bool(line.strip())) or line.endswith("  seconds")
        shorter = re.fullmatch(r"(.*\S) +(?:seconds|[\d.]+|-)", line) if inside else None
        done.append((shorter.group(1) if shorter else line).rstrip())
    return done


def commands(block: str) -> list[tuple[str, list[str]]]:
    """Each command of a console, with the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    going_on = False
    for line in block.rstrip("\n").split("\n"):
        if going_on:
            found[-1] = (f"{found[-1][0]}\n{line}", [])
        elif line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
        else:
            raise ValueError(f"a console begins with a command, not with {line!r}")
        going_on = line.endswith("\\") and not found[-1][1]
    return found


def run(command: str, folder: Path, program: Path) -> tuple[int, list[str]]:
    """Runs a command, the program first in the path."""
    path = f"{folder / '.bin'}:{os.environ['PATH']}"
    (folder / ".bin").mkdir(exist_ok=True)
    if not (folder / ".bin" / "nrdr").exists():
        (folder / ".bin" / "nrdr").symlink_to(program)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
    )
    return done.returncode, done.stdout.rstrip("\n").split("\n") if done.stdout else []


def table(name: str, target: Path) -> Path | None:
    """A public table, fetched now unless it is here."""
    gallery.FOLDER = target / "gallery"
    path = gallery.FOLDER / name
    if not path.exists():
        gallery.FOLDER.mkdir(parents=True, exist_ok=True)
        try:
            TABLES[name]()
        except (subprocess.CalledProcessError, OSError):
            return None
    return path


def page(path: Path, program: Path, target: Path, write: bool) -> tuple[list[str], list[str]]:
    """Runs a page; what is wrong with it, and what was skipped."""
    text = path.read_text(encoding="utf-8")
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for needed in re.findall(r"<!-- needs: (\S+) -->", text):
            there = table(needed, target)
            if there is None:
                return [], [f"examples on {path}: {needed} could not be fetched"]
            shutil.copyfile(there, folder / needed)

        def replaced(match: re.Match[str]) -> str:
            kind, block = match.groups()
            if kind == "sh":
                code, lines = run(block, folder, program)
                if code:
                    problems.append("\n".join([f"{path}: exit code {code}", block, *lines]))
                return match.group()
            parts = []
            for command, wanted in commands(block):
                _, lines = run(command, folder, program)
                lines = without_seconds(lines)
                agrees = same([line.rstrip() for line in wanted], lines)
                if not agrees and not write:
                    problems.append("\n".join([f"{path}: $ {command}", "prints", *lines]))
                parts += [f"$ {command}", *(wanted if agrees else lines)]
            return "```console\n" + "".join(f"{part}\n" for part in parts) + "```"

        new = BLOCK.sub(replaced, text)
        if write and not problems:
            path.write_text(new, encoding="utf-8")
            for picture in re.findall(r"!\[[^\]]*\]\(([\w.-]+)\)", new):
                if (folder / picture).exists():
                    shutil.copyfile(folder / picture, path.parent / picture)
    return problems, []


def self_test() -> None:
    """Fails unless lines are compared as they should be."""
    for wanted, found, expected in [
        ("a  1 b", "a 1 b", True),
        ("a 1", "b 1", False),
        ("a 2", "a 3", False),
        ("0.957 97.3 %", "0.951 97.1 %", True),
        ("0 % of 9", "2 % of 9", True),
        ("0 % of 9", "3 % of 9", False),
        ("-1.5e-14", "3e-16", True),
        ("5.9e-1", "5.9e-2", False),
        ("f1,0.25", "f1,0.75", False),
    ]:
        if same_line(wanted, found) is not expected:
            sys.exit(f"self-test: {wanted!r} beside {found!r} should be {expected}")
    for lines, expected in [(["a", "b", "c"], True), (["c"], False), (["a", "c"], True)]:
        if same(["a", "...", "c"], lines) is not expected:
            sys.exit(f"self-test: {lines} should be {expected}")
    if same([], ["a"]) or not same([], []) or not same(["..."], []):
        sys.exit("self-test: what prints nothing")
    if without_seconds(["x  seconds", "y  0.05", "", "z  0.05"]) != ["x", "y", "", "z  0.05"]:
        sys.exit("self-test: seconds are left out of a table, and of nothing else")
    if commands("$ a \\\n  b\nc\n$ d\n") != [("a \\\n  b", ["c"]), ("d", [])]:
        sys.exit(f"self-test: {commands('$ a')}")


def main() -> None:
    """All pages that are named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pages", type=Path, nargs="*")
    parser.add_argument("--program", type=Path, default=ROOT / "target" / "debug" / "nrdr")
    parser.add_argument("--target", type=Path, default=ROOT / "target")
    parser.add_argument("--skipped", type=Path, help="file that is told what was skipped")
    parser.add_argument("--write", action="store_true", help="write what is printed")
    parser.add_argument("--self-test", action="store_true", help="test this script instead")
    arguments = parser.parse_args()
    if arguments.self_test:
        self_test()
        print("run_pages.py: self-test passed")
        return
    failed = False
    for path in arguments.pages:
        program, target = arguments.program.resolve(), arguments.target.resolve()
        problems, skipped = page(path, program, target, arguments.write)
        print(path, *(["failed"] if problems else skipped))
        for problem in problems:
            print(problem)
        if skipped and arguments.skipped:
            with arguments.skipped.open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in skipped)
        failed = failed or bool(problems)
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
