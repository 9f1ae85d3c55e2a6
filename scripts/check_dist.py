"""Installs what `make dist` made in fresh places, and uses it.

    python3 scripts/check_dist.py target/dist [--sdist]

The wheel goes into a new environment, where the README's example runs; the archive and the .deb
are unpacked, and their programs make an embedding. With --sdist the source archive is built by pip,
too, which takes as long as a first build. Sizes and the newest glibc that is asked for are told.
What is not there is told and skipped; what is there and does not work fails.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: The newest glibc that may be asked for.
GLIBC = (2, 17)
THIRD_PARTY = "third-party-licences.txt"


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """What a command prints; its failure is ours."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def glibc(binary: Path) -> tuple[int, ...]:
    """The newest glibc that a program or a library asks for; nothing where it asks for none."""
    symbols = run("objdump", "-T", binary)
    found = re.findall(r"\(?GLIBC_([\d.]+)\)?", symbols)
    return max((tuple(map(int, each.split("."))) for each in found), default=())


def judge(binary: Path, promised: bool) -> str:
    """The same in words; fails where more is asked for than was promised."""
    newest = glibc(binary)
    if promised and newest > GLIBC:
        sys.exit(f"{binary.name} asks for glibc {newest}, not {GLIBC}")
    return f"glibc {'.'.join(map(str, newest))}" if newest else "no glibc"


def example(python: Path, folder: Path) -> None:
    """Runs the README's example in Python."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    if found is None:
        sys.exit("README.md has no example in Python")
    print("  " + run(python, "-c", found.group(1), cwd=folder).strip())


def fresh(folder: Path) -> Path:
    """The Python of a new environment."""
    venv.create(folder, with_pip=True)
    return folder / "bin" / "python"


def wheel(file: Path, folder: Path) -> None:
    """The wheel in a new environment."""
    with zipfile.ZipFile(file) as packed:
        names = packed.namelist()
        module = next(name for name in names if name.endswith(".so"))
        library = Path(packed.extract(module, folder))
    if "abi3" not in file.name:
        sys.exit(f"{file.name} is for one version of Python")
    for needed in ("LICENSE-MIT", "LICENSE-APACHE", THIRD_PARTY):
        if not any(name.endswith(needed) for name in names):
            sys.exit(f"{file.name} has no {needed}")
    print(f"  {judge(library, 'manylinux2014' in file.name)}")
    python = fresh(folder / "wheel")
    run(python, "-m", "pip", "install", "--quiet", file)
    example(python, folder)


def use(program: Path, folder: Path, promised: bool) -> None:
    """A program makes the demonstration and an embedding."""
    print(f"  {run(program, '--version').strip()}, {judge(program, promised)}")
    begun = time.monotonic()
    run(program, "demo", cwd=folder)
    print(f"  nrdr demo: {time.monotonic() - begun:.1f} s")
    table = folder / "embedding.csv"
    run(program, "embed", "--dataset", "swiss-roll", "-o", table, "--quiet", cwd=folder)
    if len(table.read_text(encoding="utf-8").splitlines()) < 1000:
        sys.exit(f"{program} wrote no embedding")


def archive(file: Path, folder: Path) -> None:
    """The archive, unpacked."""
    with tarfile.open(file) as tar:
        tar.extractall(folder, filter="data")
    home = folder / file.name.removesuffix(".tar.gz")
    for needed in ("LICENSE-MIT", "LICENSE-APACHE", THIRD_PARTY, "man/nrdr.1", "completions/bash"):
        if not (home / needed).exists():
            sys.exit(f"{file.name} has no {needed}")
    use(home / "nrdr", folder, "2.17" in file.name or "musl" in file.name)


def deb(file: Path, folder: Path, promised: bool) -> None:
    """The package for Debian, listed and unpacked."""
    listing = run("dpkg-deb", "-c", file)
    for needed in ("usr/bin/nrdr", "man1/nrdr.1.gz", "doc/nrdr/copyright", f"{THIRD_PARTY}.gz"):
        if needed not in listing:
            sys.exit(f"{file.name} has no {needed}")
    if any(" root/root " not in line for line in listing.splitlines()):
        sys.exit(f"{file.name} has files that are not root's")
    print("  " + run("dpkg-deb", "-f", file, "Depends").strip())
    run("dpkg-deb", "-x", file, folder / "deb")
    use(folder / "deb" / "usr" / "bin" / "nrdr", folder, promised)


def sdist(file: Path, folder: Path) -> None:
    """The source archive, built and installed by pip."""
    python = fresh(folder / "sdist")
    begun = time.monotonic()
    run(python, "-m", "pip", "install", "--quiet", file)
    print(f"  built in {time.monotonic() - begun:.0f} s")
    example(python, folder)


def main() -> None:
    """Everything that is there."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dist", type=Path)
    parser.add_argument("--sdist", action="store_true", help="build the source archive, too")
    arguments = parser.parse_args()
    dist = arguments.dist.resolve()
    sources = [file for file in dist.glob("nrdr-*.tar.gz") if file.name.count("-") == 1]
    programs = [file for file in dist.glob("nrdr-*.tar.gz") if file not in sources]
    old = any("2.17" in file.name or "musl" in file.name for file in programs)
    parts = [
        ("wheel", list(dist.glob("*.whl")), wheel),
        ("archive", programs, archive),
        (".deb", list(dist.glob("*.deb")), lambda file, folder: deb(file, folder, old)),
    ]
    if arguments.sdist:
        parts.append(("source archive", sources, sdist))
    for name, files, test in parts:
        if not files:
            print(f"SKIPPED: there is no {name} in {dist}")
        for file in files:
            print(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB")
            with tempfile.TemporaryDirectory() as folder:
                test(file, Path(folder))


if __name__ == "__main__":
    main()
