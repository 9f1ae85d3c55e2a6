"""All MNIST digits: neighbours beside approximate searches, and whole embeddings beside UMAP."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import data
from environment import DATA, OURS, ROOT, STRATEGY, machine, mnist_file, peers
from process import Run, run, show_megabytes, show_seconds
from report import table, thousands, verdict

NEIGHBORS = "10"
ALL = 70_000
FILES = [("train-images-idx3-ubyte", "train-labels-idx1-ubyte")]
FILES += [("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")]
LABELS_HEADER = 8
MOST_TIMES = 1.2
"""Of the processor time of umap-learn's neighbour stage, for a whole run."""
LIMIT = 1200
SEARCHES = ["auto", "exact", "approximate"]
HEADER = ["neighbours", "processor", "wall", "over umap-learn's", "recall"]
HEADER_WHOLE = [
    "embedding",
    "coordinates",
    "processor",
    "wall",
    "memory",
    "over umap-learn's neighbours",
    f"≤ {MOST_TIMES}",
    "10-NN labels",
    "redundancy",
]


def section(quick: bool, _repeats: int) -> str | None:
    """Measures and tells; None without the digits."""
    files = [mnist_file(name) for pair in FILES for name in pair]
    if quick or None in files:
        return None
    points, labels = str(data.mnist(files[0], ALL, files[2])), joined(files[1], files[3])
    found = peers(["umap-learn", "hnswlib"])
    near = str(Path(__file__).with_name("near.py"))
    arguments = [points, str(data.IMAGE), NEIGHBORS]
    runs = {
        f"ours, {search}": run([str(OURS), "neighbors", *arguments, "1", search])
        for search in SEARCHES
    }
    for name, peer in found.items():
        command = [str(peer.python), near, name, *arguments]
        runs[peer.version()] = Run(problem=peer.problem) if peer.problem else run(command)
    for what, ran in runs.items():
        print(what, ran, ran.details, flush=True)
    umap = runs[found["umap-learn"].version()].details.get("processor")
    first = with_compiling(runs[found["umap-learn"].version()])
    runs[f"{found['umap-learn'].version()}, the first in a process"] = first
    rows = [row(what, ran, umap) for what, ran in runs.items()]
    wholes = [
        ours(points, labels, dims, strategy, umap)
        for dims in (2, 5)
        for strategy in ("priced", "orthogonal")
    ]
    wholes.append(theirs(points, labels, found["umap-learn"].python, umap))
    return (
        f"{NEIGHBORS} nearest neighbours of all {thousands(ALL)} images of MNIST; umap-learn's is "
        "its neighbour stage alone, compiled before; the first one in a process is that with what "
        "has to be compiled or loaded for it. It and hnswlib count a point as its own neighbour. "
        f"One run each. {machine()}.\n\n{table(HEADER, rows)}\n\n"
        "Whole embeddings by Laplacian eigenmaps, neighbours included, and by UMAP as it comes "
        "(compiled before): processor and wall time, peak memory, the share of labels that the 10 "
        "nearest neighbours in the embedding tell, and the error of predicting each coordinate "
        "after the first from the earlier ones (1 is new, 0 is redundant).\n\n"
        f"{table(HEADER_WHOLE, wholes)}"
    )


def joined(*files: Path) -> Path:
    """The labels of all images, as one file of the same form."""
    out = DATA / "mnist-labels-all"
    parts = [file.read_bytes() for file in files]
    out.write_bytes(parts[0][:LABELS_HEADER] + b"".join(part[LABELS_HEADER:] for part in parts))
    return out


def row(what: str, ran: Run, umap: float | None) -> list[str]:
    """A search's time, beside that of umap-learn."""
    if ran.seconds is None:
        return [what, ran.problem, "", "", ""]
    recall = ran.details.get("recall")
    times = [show_seconds(ran.details["processor"]), show_seconds(ran.seconds)]
    return [what, *times, over(ran, umap), "" if recall is None else f"{recall:.3f}"]


def with_compiling(ran: Run) -> Run:
    """The same with what a process does before its first search."""
    if ran.seconds is None:
        return ran
    before = ran.details["before"]
    processor = ran.details["processor"] + before["processor"]
    details = {**ran.details, "processor": processor}
    return replace(ran, seconds=ran.seconds + before["seconds"], details=details)


def over(ran: Run, umap: float | None) -> str:
    """Times the processor time of umap-learn's neighbour stage."""
    return "–" if umap is None else f"{ran.details['processor'] / umap:.2f}"


def ours(points: str, labels: Path, dims: int, strategy: str, umap: float | None) -> list[str]:
    """By Laplacian eigenmaps."""
    out = DATA / "mnist-embedded.f64"
    source = [points, str(data.IMAGE), "lem", NEIGHBORS, str(dims), "1"]
    ran = run([str(STRATEGY), "embed", *source, str(out), strategy], limit=LIMIT)
    name = {"priced": "ours, default", "orthogonal": "ours, original method"}[strategy]
    return whole(name, ran, out, dims, labels, umap)


def theirs(points: str, labels: Path, python: Path, umap: float | None) -> list[str]:
    """By UMAP."""
    out = DATA / "mnist-umap.f64"
    script = str(ROOT / "bench" / "rivals.py")
    embed = [str(python), script, "embed", "umap-learn", points, str(data.IMAGE), "2", str(out)]
    return whole("UMAP", run(embed, limit=LIMIT), out, 2, labels, umap)


def whole(name: str, ran: Run, out: Path, dims: int, labels: Path, umap: float | None) -> list[str]:
    """A row of a whole embedding."""
    print(name, dims, ran, ran.details, flush=True)
    if ran.seconds is None:
        return [name, str(dims), ran.problem, *[""] * 6]
    python = peers(["scikit-learn"])["scikit-learn"].python
    script = str(ROOT / "bench" / "scores.py")
    scored = run([str(python), script, "score", str(out), str(dims), "rows", str(labels)])
    measured = run([str(STRATEGY), "redundancy", str(out), str(dims)])
    ratio = over(ran, umap)
    is_goal = name == "ours, default" and dims == 2 and umap is not None
    return [
        name,
        str(dims),
        show_seconds(ran.details["processor"]),
        show_seconds(ran.seconds),
        show_megabytes(ran.megabytes or 0),
        ratio,
        verdict(ran.details["processor"] <= MOST_TIMES * umap) if is_goal else "",
        f"{scored.details['scores'][0]:.3f}" if scored.details else scored.problem,
        " ".join(f"{error:.2f}" for error in measured.details.get("errors", [])),
    ]
