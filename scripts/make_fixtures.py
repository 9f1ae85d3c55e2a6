"""Makes the fixtures of crates/nrdr/tests/reference.rs: small inputs and their results.

    python scripts/make_fixtures.py [folder]

The files in the repository were made with Python 3.11.7, scikit-learn 1.9.1, NumPy
2.4.6 and SciPy 1.17.1. Another version or machine may change the last digits.

Inputs are written as `points_<name>.csv`, a point a line, rounded to 12 significant
digits before anything is computed from them. A result `<method>_<case>.csv` has the
eigenvalues in its first line, the traditional lengths of the coordinates in its
second, and then the coordinates, a point a line, each column scaled to unit length.
Signs carry no meaning.

Coordinates come from scikit-learn wherever it has the method. The matrix of Laplacian
eigenmaps, LLE, modified LLE, LTSA and Hessian LLE is written down here once more, from its
definition: its dense eigenvectors must agree with scikit-learn's, and its
eigenvalues, which scikit-learn does not tell, are the ones stored. Three things come
from the definition alone: diffusion maps, Hessian LLE with more neighbours than
unknowns (see `hlle_matrix`), and modified LLE of thin neighbourhoods (`mlle_matrix`).

Eigenvectors are only as good as the gaps around their eigenvalues. Every result is
checked to have gaps so wide that rounding stays far below the tolerance of the tests;
results whose name ends in `ring` have pairs of equal eigenvalues, so that only the
span of each pair is defined.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh, qr, svd
from sklearn.datasets import make_s_curve, make_swiss_roll
from sklearn.decomposition import KernelPCA
from sklearn.manifold import Isomap, LocallyLinearEmbedding, spectral_embedding
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

Array = npt.NDArray[np.float64]

FOLDER = Path(__file__).parent.parent / "crates/nrdr/tests/fixtures"
NARROWEST = 1e-6  # gap between eigenvalues, as a share of the norm of the matrix
AGREEMENT = 1e-9  # between scikit-learn's coordinates and those of the definition


def inputs() -> dict[str, Array]:
    """Noisy roll and S-curve, ten-dimensional oblong cloud and curved sheet, circle."""
    random = np.random.default_rng(2)
    oblong = random.random((150, 2)) * [1.6, 1.0]
    phases = oblong @ random.uniform(-2, 2, (2, 10)) + random.uniform(0, 2 * np.pi, 10)
    sheet = np.sin(phases) + 0.05 * random.standard_normal((150, 10))
    angles = 2 * np.pi * np.arange(120) / 120
    points = {
        "swiss": make_swiss_roll(200, noise=0.4, random_state=3)[0],
        "s_curve": make_s_curve(150, noise=0.1, random_state=4)[0],
        "cloud": random.standard_normal((150, 10)) * 0.8 ** np.arange(10),
        "sheet": sheet,
        "ring": np.column_stack([np.cos(angles), np.sin(angles)]),
    }
    rounded = np.vectorize(lambda value: float(f"{value:.12g}"))
    return {name: rounded(x) for name, x in points.items()}


def write(path: Path, rows: Array) -> None:
    """A table of numbers that read back exactly."""
    path.write_text("".join(",".join(map(repr, row)) + "\n" for row in rows.tolist()))


def store(
    folder: Path,
    name: str,
    coordinates: Array,
    values: Array,
    norm: float = 1.0,
    lengths: Array | None = None,
) -> None:
    """Writes coordinates, scaled to unit length, with their eigenvalues.

    `values` has one more at either end than there are coordinates: the trivial one (NaN
    where there is none) and the first that is not wanted.
    """
    wanted = values[1:-1]
    gaps = np.abs(np.diff(values)) / norm
    if name.endswith("ring"):
        gaps = gaps[::2]
    narrowest = np.nanmin(gaps)
    assert narrowest > NARROWEST, f"{name}: gap {narrowest:.1e}"
    unit = coordinates / np.linalg.norm(coordinates, axis=0)
    unit *= np.sign(unit[np.abs(unit).argmax(0), range(len(wanted))])
    lengths = np.ones_like(wanted) if lengths is None else lengths
    write(folder / f"{name}.csv", np.vstack([wanted, lengths, unit]))
    print(f"{name:16} gap {narrowest:.1e}, eigenvalues {wanted}")


def check(name: str, theirs: Array, definition: Array) -> None:
    """The same coordinates up to sign and length; for a `ring` the same span."""
    p = theirs / np.linalg.norm(theirs, axis=0)
    q = definition / np.linalg.norm(definition, axis=0)
    if name.endswith("ring"):
        basis, _ = qr(q, mode="economic")
        q = basis @ (basis.T @ p)
    difference = np.abs(p - q * np.sign((p * q).sum(0))).max()
    assert difference < AGREEMENT, f"{name}: differs from definition by {difference:.1e}"


# Graphs


def edges(points: Array, k: int) -> Array:
    """Lengths of the edges of the union graph; zero where there is none."""
    directed = kneighbors_graph(points, k, mode="distance", include_self=False)
    return directed.maximum(directed.T).toarray()


def gaussian(lengths: Array, epsilon: float) -> Array:
    """exp(-length^2 / epsilon) on the edges."""
    return np.where(lengths > 0, np.exp(-(lengths**2) / epsilon), 0)


def walk(weights: Array, d: int) -> tuple[Array, Array]:
    """Eigenvalues and vectors of the random walk, by its symmetric form."""
    roots = np.sqrt(weights.sum(1))
    values, vectors = eigh(weights / np.outer(roots, roots))
    return values[::-1][: d + 2], vectors[:, ::-1][:, 1 : d + 1] / roots[:, None]


def lem(folder: Path, name: str, weights: Array, d: int) -> None:
    """Laplacian eigenmaps with these weights."""
    values, definition = walk(weights, d)
    theirs = spectral_embedding(
        weights, n_components=d, eigen_solver="arpack", drop_first=True, random_state=0
    )
    check(name, theirs, definition)
    store(folder, name, theirs, values)


def dfm(
    folder: Path,
    name: str,
    lengths: Array,
    epsilon: float,
    density: float,
    time: float,
    d: int,
) -> None:
    """Diffusion maps; the kernel is 1 on the diagonal and divided by its densities."""
    kernel = gaussian(lengths, epsilon) + np.eye(len(lengths))
    assert kernel[kernel > 0].min() > 1e-10, "the library raises smaller weights to this"
    factors = kernel.sum(1) ** -density
    values, coordinates = walk(kernel * np.outer(factors, factors), d)
    store(folder, name, coordinates, values, lengths=values[1:-1] ** time)


# Sums over neighbourhoods


def neighborhoods(points: Array, k: int) -> npt.NDArray[np.intp]:
    """The k nearest neighbours of each point, itself not among them."""
    return NearestNeighbors(n_neighbors=k).fit(points).kneighbors(return_distance=False)


def lle_matrix(points: Array, k: int, _: int) -> Array:
    """(I - W)' (I - W) with the weights of each point's mean of its neighbours."""
    residual = np.eye(len(points))
    for i, members in enumerate(neighborhoods(points, k)):
        difference = points[members] - points[i]
        gram = difference @ difference.T
        weights = np.linalg.solve(gram + 1e-3 * np.trace(gram) * np.eye(k), np.ones(k))
        residual[i, members] -= weights / weights.sum()
    return residual.T @ residual


def mlle_matrix(points: Array, k: int, d: int) -> Array:
    """The sum of [-1'; W] [-1'; W]' with all weights W of each point's neighbourhood.

    A neighbourhood keeps d directions at least, as in the paper. scikit-learn lets a thin one
    keep fewer; the two agree when there is none.
    """
    lists = neighborhoods(points, k)
    parts = []
    for i, members in enumerate(lists):
        difference = points[members] - points[i]
        values, vectors = eigh(difference @ difference.T)
        parts.append((values[::-1], vectors[:, ::-1]))
    # What the directions after the first so many hold, beside these.
    shares = [(v.sum() - v.cumsum()[:-1]) / v.cumsum()[:-1] for v, _ in parts]
    typical = np.median([share[d - 1] for share in shares])
    total = np.zeros((len(points), len(points)))
    for i, (members, (values, vectors), share) in enumerate(zip(lists, parts, shares, strict=True)):
        kept = next((first for first in range(d, k) if share[first - 1] < typical), k - 1)
        gram = vectors @ np.diag(values) @ vectors.T
        usual = np.linalg.solve(gram + 1e-3 * values.sum() * np.eye(k), np.ones(k))
        flat = vectors[:, kept:]
        sums = flat.sum(0)
        length = np.linalg.norm(sums) / np.sqrt(k - kept)
        normal = length - sums
        normal /= np.linalg.norm(normal)
        turned = flat - 2 * np.outer(flat @ normal, normal)
        weights = turned + (1 - length) * (usual / usual.sum())[:, None]
        block = np.vstack([-np.ones(k - kept), weights])
        total[np.ix_([i, *members], [i, *members])] += block @ block.T
    return total


def aligned(points: Array, k: int, local: Callable[[Array], Array]) -> Array:
    """The sum of `local`, a k x k matrix, over the centred neighbourhoods."""
    total = np.zeros((len(points), len(points)))
    for members in neighborhoods(points, k):
        total[np.ix_(members, members)] += local(points[members] - points[members].mean(0))
    return total


def ltsa_matrix(points: Array, k: int, d: int) -> Array:
    """I - G G' with G = [1 / sqrt(k), U], U the first d left singular vectors."""

    def local(centred: Array) -> Array:
        u = svd(centred, full_matrices=False)[0][:, :d]
        return np.eye(k) - 1 / k - u @ u.T

    return aligned(points, k, local)


def hlle_matrix(points: Array, k: int, d: int) -> Array:
    """H H' with H the columns of the products U_a U_b in the QR of [1, U, U_a U_b].

    scikit-learn takes the square Q of a full QR and keeps all columns after those of
    [1, U]: also the ones that have nothing to do with second derivatives. The two agree
    when there are none of these, k = 1 + d + d (d + 1) / 2.
    """

    def local(centred: Array) -> Array:
        u = svd(centred, full_matrices=False)[0][:, :d]
        products = [u[:, a] * u[:, b] for a in range(d) for b in range(a, d)]
        q, _ = qr(np.column_stack([np.ones(k), u, *products]), mode="economic")
        hessian = q[:, 1 + d :]
        return hessian @ hessian.T

    return aligned(points, k, local)


MATRICES = {
    "standard": lle_matrix,
    "modified": mlle_matrix,
    "ltsa": ltsa_matrix,
    "hessian": hlle_matrix,
}


def aligning(
    folder: Path, name: str, method: str, points: Array, k: int, d: int, agrees: bool = True
) -> None:
    """A method that sums over neighbourhoods; `method` is scikit-learn's name of it."""
    values, vectors = eigh(MATRICES[method](points, k, d))
    coordinates = vectors[:, 1 : d + 1]
    if agrees:
        model = LocallyLinearEmbedding(
            n_neighbors=k, n_components=d, reg=1e-3, eigen_solver="dense", method=method
        )
        theirs = model.fit_transform(points)
        check(name, theirs, coordinates)
        coordinates = theirs
    store(folder, name, coordinates, values[: d + 2], norm=values[-1])


# Dense kernels


def kernel(folder: Path, name: str, points: Array, d: int, model: KernelPCA | Isomap) -> None:
    """Isomap and kernel PCA; the lengths are those of scikit-learn's columns."""
    model.set_params(n_components=d + 1, eigen_solver="dense")
    theirs = model.fit_transform(points)
    values = getattr(model, "kernel_pca_", model).eigenvalues_
    lengths = np.linalg.norm(theirs, axis=0)[:d]
    store(folder, name, theirs[:, :d], np.append(np.nan, values), values[0], lengths)


def main() -> None:
    """Writes all inputs and results."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    points = inputs()
    for name, x in points.items():
        write(folder / f"points_{name}.csv", x)
    swiss, s_curve, cloud, sheet, ring = points.values()

    lem(folder, "lem_binary", 1.0 * (edges(swiss, 10) > 0), 4)
    lem(folder, "lem_cloud", 1.0 * (edges(cloud, 8) > 0), 3)
    lem(folder, "lem_ring", 1.0 * (edges(ring, 4) > 0), 4)
    lem(folder, "lem_heat", gaussian(edges(s_curve, 12), 2 * 0.4**2), 3)

    dfm(folder, "dfm_plain", edges(swiss, 10), 8.0, 0.0, 1.0, 4)
    dfm(folder, "dfm_half", edges(swiss, 10), 8.0, 0.5, 3.0, 3)
    dfm(folder, "dfm_density", edges(s_curve, 12), 0.2, 1.0, 1.0, 3)
    dfm(folder, "dfm_all", edges(s_curve, 149), 1.5, 1.0, 2.0, 3)
    dfm(folder, "dfm_all_plain", edges(cloud, 149), 10.0, 0.0, 1.0, 3)
    dfm(folder, "dfm_ring", edges(ring, 4), 0.02, 1.0, 1.0, 4)

    aligning(folder, "lle_s_curve", "standard", s_curve, 24, 3)
    aligning(folder, "lle_cloud", "standard", cloud, 6, 3)
    aligning(folder, "mlle_swiss", "modified", swiss, 14, 2)
    aligning(folder, "mlle_s_curve", "modified", s_curve, 12, 2)
    aligning(folder, "mlle_sheet", "modified", sheet, 8, 3, agrees=False)
    aligning(folder, "ltsa_swiss", "ltsa", swiss, 14, 2)
    aligning(folder, "ltsa_sheet", "ltsa", sheet, 8, 3)
    aligning(folder, "hlle_swiss", "hessian", swiss, 6, 2)
    aligning(folder, "hlle_sheet", "hessian", sheet, 6, 2)
    aligning(folder, "hlle_solid", "hessian", sheet, 10, 3)
    aligning(folder, "hlle_more", "hessian", s_curve, 14, 2, agrees=False)

    kernel(folder, "isomap_swiss", swiss, 3, Isomap(n_neighbors=8))
    kernel(folder, "isomap_cloud", cloud, 3, Isomap(n_neighbors=6))
    kernel(folder, "isomap_ring", ring, 4, Isomap(n_neighbors=4))

    kernel(folder, "kpca_rbf", s_curve, 4, KernelPCA(kernel="rbf", gamma=0.5))
    polynomial = KernelPCA(kernel="poly", gamma=0.1, degree=3, coef0=1)
    kernel(folder, "kpca_polynomial", cloud, 3, polynomial)
    kernel(folder, "kpca_cosine", cloud, 3, KernelPCA(kernel="cosine"))
    sigmoid = KernelPCA(kernel="sigmoid", gamma=0.02, coef0=0.1)
    kernel(folder, "kpca_sigmoid", cloud, 3, sigmoid)
    kernel(folder, "kpca_linear", cloud, 3, KernelPCA(kernel="linear"))


if __name__ == "__main__":
    main()
