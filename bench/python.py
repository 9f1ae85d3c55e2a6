"""What the Python layer costs beyond the core: time at 10 000 x 50, memory beyond the program's own.

Run it with a Python that has nrdr (built for release), and name the program: python bench/python.py target/release/nrdr.
"""  # noqa: E501

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

import nrdr
import numpy as np

FIT = """
import sys, time
import numpy as np
import nrdr

def kilobytes(name):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))

X = np.load(sys.argv[1])
nrdr.LaplacianEigenmaps(strategy="orthogonal").fit(X[:100, :3].copy())
before = kilobytes("VmRSS:")
nrdr.LaplacianEigenmaps(strategy="orthogonal").fit(X)
print((kilobytes("VmHWM:") - before) / 1024)
"""


def overhead(X: np.ndarray, repeats: int = 5, **parameters: object) -> tuple[float, float]:
    """Seconds of a fit, and the share of them that is not the core's; the best of a few."""
    found = []
    for _ in range(repeats):
        start = time.perf_counter()
        fitted = nrdr.LaplacianEigenmaps(**parameters).fit(X)
        whole = time.perf_counter() - start
        core = sum(fitted.report_["seconds"].values())
        found.append((whole, (whole - core) / core))
    return min(found, key=lambda one: one[1])


def outside(X: np.ndarray, repeats: int = 3) -> tuple[float, float]:
    """Seconds of a fit, and those of them outside the compiled module; the best of a few."""
    compiled, inside, found = nrdr._nrdr.fit, [], []

    def timed(*given: object) -> object:
        start = time.perf_counter()
        told = compiled(*given)
        inside.append(time.perf_counter() - start)
        return told

    with mock.patch.object(nrdr._nrdr, "fit", timed):
        for _ in range(repeats):
            start = time.perf_counter()
            nrdr.LaplacianEigenmaps().fit(X)
            whole = time.perf_counter() - start
            found.append((whole, whole - inside[-1]))
    return min(found, key=lambda one: one[1])


def memory(X: np.ndarray, program: str) -> tuple[float, float]:
    """Megabytes that a fit takes at most beyond what was there, in Python and in the program."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.save(folder / "x.npy", X)
        command = [program, "embed", "x.npy", "-s", "orthogonal", "-q", "--json", "run.json"]
        subprocess.run(command, cwd=folder, check=True)
        theirs = json.loads((folder / "run.json").read_text())["peak_memory_mb"]
        code = [sys.executable, "-c", FIT, str(folder / "x.npy")]
        ours = subprocess.run(code, check=True, capture_output=True, text=True).stdout
        return float(ours), theirs


def main() -> None:
    """Prints a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="?", default="target/release/nrdr")
    program = str(Path(parser.parse_args().program).resolve())
    random = np.random.default_rng(0)
    X = random.normal(size=(10_000, 4)) @ random.normal(size=(4, 50))
    for strategy in ("orthogonal", "unpredictable"):
        whole, share = overhead(X, strategy=strategy)
        print(f"10 000 x 50, {strategy}: {whole:.2f} s, {100 * share:.1f} % beyond the core")
    whole, python = outside(X)
    print(f"by default: {whole:.2f} s, {1000 * python:.1f} ms of them in Python")
    X = random.normal(size=(4000, 4)) @ random.normal(size=(4, 4000))
    ours, theirs = memory(X, program)
    size = X.nbytes / 2**20
    print(f"4 000 x 4 000 ({size:.0f} MB): {ours:.0f} MB in Python, {theirs:.0f} MB in the program")


if __name__ == "__main__":
    main()
