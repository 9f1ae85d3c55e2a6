"""Builds the wheel of the Python package, tests it, and tries it in a fresh environment.

The wheel is built in the dev profile and shares the target directory: what
`cargo build --workspace` compiled is not compiled again.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "python" / "requirements.txt"


def run(*command: str | Path, **environment: str) -> None:
    """Runs a command; its failure is ours."""
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")


def tools(folder: Path) -> bool:
    """An environment with what the tests need, unless it is there; whether that worked."""
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    stamp = folder / "requirements"
    if stamp.exists() and stamp.read_text() == wanted:
        return True
    try:
        venv.create(folder, with_pip=True, clear=True)
        pip = [folder / "bin" / "pip", "install", "--quiet", "-r", REQUIREMENTS]
        subprocess.run(pip, check=True)
    except (subprocess.CalledProcessError, OSError):
        return False
    stamp.write_text(wanted)
    return True


def wheel(target: Path, tools: Path) -> Path:
    """The wheel, built now."""
    folder = target / "wheels"
    for old in folder.glob("nrdr-*.whl"):
        old.unlink()
    python = tools / "bin" / "python"
    path = f"{tools / 'bin'}:{os.environ['PATH']}"
    run(
        tools / "bin" / "maturin", "build", "--profile", "dev", "--locked",
        "--interpreter", python, "--out", folder,
        CARGO_TARGET_DIR=str(target), PATH=path,
    )  # fmt: skip
    return next(folder.glob("nrdr-*.whl"))


def fresh(target: Path, built: Path) -> None:
    """A new environment installs the wheel and runs the README's example."""
    folder = target / "venv-wheel"
    venv.create(folder, with_pip=True, clear=True)
    run(folder / "bin" / "pip", "install", "--quiet", built)
    readme = (ROOT / "README.md").read_text()
    example = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    if example is None:
        sys.exit("README.md has no example in Python")
    script = folder / "example.py"
    script.write_text(example.group(1))
    subprocess.run([folder / "bin" / "python", script], cwd=folder, check=True)


def main() -> None:
    """Everything, one after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", type=Path, default=ROOT / "target")
    parser.add_argument("--skipped", type=Path, help="file that is told what was skipped")
    arguments = parser.parse_args()
    target = arguments.target.resolve()
    folder = target / "venv-python"
    if not tools(folder):
        reason = "the Python package: what its tests need could not be installed"
        print(reason)
        if arguments.skipped:
            with arguments.skipped.open("a") as file:
                print(reason, file=file)
        return
    built = wheel(target, folder)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", built)
    program = target / "debug" / "nrdr"
    run(python, "-m", "pytest", "-q", "python/tests", NRDR_PROGRAM=str(program))
    fresh(target, built)


if __name__ == "__main__":
    main()
