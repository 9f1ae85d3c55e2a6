"""What a run needs before it can start: our program, the peers, the digits, the machine's name."""

from __future__ import annotations

import datetime
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
DATA = TARGET / "bench-data"
COMMAND = TARGET / "release" / "nrdr"
OURS = TARGET / "release" / "examples" / "bench"
CHOLESKY = OURS.with_name("cholesky")
STRATEGY = OURS.with_name("strategy")
SOLVERS = OURS.with_name("solvers")
QUALITY = OURS.with_name("quality")
RENDERER = OURS.with_name("heads")

ENVIRONMENT_OF = {
    "tapkee": "",
    "scikit-learn": "",
    "numpy": "",
    "pydiffmap": "-pydiffmap",
    "datafold": "-datafold",
    "pyLDLE2": "-ldle",
    "umap-learn": "-umap",
    "hnswlib": "-umap",
}
"""The peers that need versions of their own have an environment of their own."""


@dataclass(frozen=True)
class Peer:
    """A library to compare with: the Python that has it, or why there is none."""

    name: str
    python: Path
    problem: str = ""

    def version(self) -> str:
        """Name and version."""
        if self.problem:
            return f"{self.name} ({self.problem})"
        question = f"from importlib.metadata import version; print(version('{self.name}'))"
        answer = subprocess.run(
            [str(self.python), "-c", question], capture_output=True, text=True, check=True
        )
        return f"{self.name} {answer.stdout.strip()}"


def build() -> None:
    """Builds our side."""
    examples = (OURS, CHOLESKY, STRATEGY, SOLVERS, QUALITY, RENDERER)
    drivers = [word for name in examples for word in ("--example", name.name)]
    for what in (["-p", "nrdr-paper", *drivers], ["-p", "nrdr-cli"]):
        command = ["cargo", "build", "--release", *what, "--locked"]
        subprocess.run(command, cwd=ROOT, check=True)


def peers(names: list[str]) -> dict[str, Peer]:
    """Installs the peers that are not there yet."""
    problems = {suffix: install(suffix) for suffix in {ENVIRONMENT_OF[name] for name in names}}
    return {
        name: Peer(name, python_of(ENVIRONMENT_OF[name]), problems[ENVIRONMENT_OF[name]])
        for name in names
    }


def python_of(suffix: str) -> Path:
    """The Python of an environment."""
    return TARGET / f"bench-venv{suffix}" / "bin" / "python"


def install(suffix: str) -> str:
    """Makes an environment of pinned versions; returns what went wrong, if anything."""
    requirements = ROOT / "bench" / f"requirements{suffix}.txt"
    home = TARGET / f"bench-venv{suffix}"
    # A copy of the list is left behind on success: a changed list is installed anew.
    stamp = home / "installed.txt"
    if stamp.exists() and stamp.read_text() == requirements.read_text():
        return ""
    print(f"installing {requirements.name}", flush=True)
    pip = [str(python_of(suffix)), "-m", "pip", "install", "--quiet", "-r", str(requirements)]
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
        subprocess.run(pip, check=True, timeout=1200)
    except (subprocess.SubprocessError, OSError) as error:
        print(error)
        return "could not be installed"
    shutil.copyfile(requirements, stamp)
    return ""


def mnist_file(name: str) -> Path | None:
    """An IDX file of MNIST; None when it cannot be had."""
    wanted = DATA / name
    if not wanted.exists():
        script = ROOT / "scripts" / "get-data"
        if subprocess.run([sys.executable, str(script), str(DATA), "mnist"]).returncode != 0:
            print("MNIST is skipped")
            return None
    return wanted


def mnist_images() -> Path | None:
    """The training images of MNIST; None when they cannot be had."""
    return mnist_file("train-images-idx3-ubyte")


def machine() -> str:
    """The day, the processor and the compiler; nothing that names the host."""
    model = "unknown processor"
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
        model = models[0] if models else model
    compiler = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True)
    rust = " ".join(compiler.stdout.split()[:2])
    today = datetime.date.today().isoformat()
    return f"{today}, {cores()} cores of {model}, {rust}"


def cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
