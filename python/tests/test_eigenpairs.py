"""Eigenpairs against LAPACK: small eigenvalues beside large ones, and what cannot be told."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.exceptions import ConvergenceWarning

import nrdr

SOAK = int(os.environ.get("NRDR_SOAK", "1"))


def centred(X):
    return X - X.mean(axis=0)


def off(found, kernel, gap=1e-11):
    """How far each coordinate is outside the eigenspace that LAPACK finds for its number."""
    values, vectors = np.linalg.eigh(kernel)
    values, vectors = values[::-1], vectors[:, ::-1]
    for i, coordinate in enumerate(found.embedding_.T):
        same = np.abs(values - values[i]) < gap * np.abs(values).max()
        inside = np.sum((vectors[:, same].T @ coordinate) ** 2)
        yield np.sqrt(max(0.0, 1.0 - inside))


def linear(X, dims):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        return nrdr.KernelPCA(dims, kernel="linear", strategy="orthogonal").fit(X)


TABLES = {
    "five scales": (np.random.default_rng(0).normal(size=(2000, 5)) * np.logspace(0, -3, 5), 5),
    "breast cancer": (load_breast_cancer().data, 30),
    "wine": (load_wine().data, 13),
}


@pytest.mark.parametrize("name", TABLES)
def test_principal_components_of_raw_tables(name):
    X, dims = TABLES[name]
    found = linear(X, dims)
    expected = np.linalg.svd(centred(X), compute_uv=False)[:dims] ** 2
    assert np.allclose(found.eigenvalues_, expected, rtol=1e-6, atol=1e-13 * expected[0])
    U = np.linalg.svd(centred(X), full_matrices=False)[0]
    for i in range(dims):
        assert abs(U[:, i] @ found.embedding_[:, i]) > 1 - 1e-6, i + 1


def test_columns_far_from_zero_lose_no_digits():
    X = np.random.default_rng(1).normal(size=(500, 4)) * [4, 3, 2, 1]
    near, far = linear(X, 4), linear(X + 1e8, 4)
    assert np.allclose(near.eigenvalues_, far.eigenvalues_, rtol=1e-6)
    assert np.allclose(near.embedding_, far.embedding_, atol=1e-6)
    # New points and training points alike.
    new = np.random.default_rng(2).normal(size=(20, 4))
    assert np.allclose(near.transform(new), far.transform(new + 1e8), atol=1e-6)
    assert np.allclose(far.transform(X[:20] + 1e8), far.embedding_[:20], atol=1e-9)


@pytest.mark.parametrize("size", [1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 1e-9, 1e-11])
def test_a_small_eigenvalue_after_four_large_ones(size):
    for seed in range(5 * SOAK):
        rng = np.random.default_rng(seed)
        Q = np.linalg.qr(rng.normal(size=(200, 200)))[0]
        spectrum = np.zeros(200)
        spectrum[:5] = [1, 0.5, 0.4, 0.3, size]
        kernel = (Q * spectrum) @ Q.T
        kernel = (kernel + kernel.T) / 2
        found = nrdr.Precomputed(5, strategy="orthogonal", random_state=seed).fit(kernel)
        assert max(off(found, kernel)) < max(1e-5, 1e-13 / size)


def test_two_clusters_far_apart():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 6))
    X[150:, 0] += 3000
    first = None
    for seed in range(4 * SOAK):
        found = nrdr.KernelPCA(5, kernel="linear", strategy="orthogonal", random_state=seed).fit(X)
        kernel = centred(X) @ centred(X).T
        assert max(off(found, kernel)) < 1e-5
        first = found.embedding_ if first is None else first
        assert np.allclose(first, found.embedding_, atol=1e-5)


def test_an_outlier_does_not_make_coordinates_of_noise():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(200, 3))
    X[0] = 1e5
    original = nrdr.Isomap(3, strategy="orthogonal")
    found = [original.set_params(random_state=seed).fit(X).embedding_ for seed in range(4 * SOAK)]
    for other in found[1:]:
        assert np.allclose(np.abs(np.sum(found[0] * other, axis=0)), 1, atol=1e-5)
    # What the smoother lets pass of the outlier outweighs the rest where all must be forbidden.
    with pytest.warns(ConvergenceWarning, match=r"coordinate\(s\) (2, )?3 owe .* outliers"):
        nrdr.Isomap(3, strategy="unpredictable").fit(X)


def test_eigenvalues_that_are_rounding_are_told():
    rng = np.random.default_rng(5)
    Q = np.linalg.qr(rng.normal(size=(150, 150)))[0]
    spectrum = np.r_[1.0, 0.5, 1e-14, np.zeros(147)]
    kernel = (Q * spectrum) @ Q.T
    with pytest.warns(ConvergenceWarning, match=r"coordinate\(s\) 3 .* rounding"):
        nrdr.Precomputed(3, strategy="orthogonal").fit((kernel + kernel.T) / 2)


def test_negative_eigenvalues_of_a_given_kernel_are_told():
    rng = np.random.default_rng(6)
    Q = np.linalg.qr(rng.normal(size=(150, 150)))[0]
    spectrum = np.r_[1.0, 0.5, -0.1 * rng.random(148)]
    kernel = (Q * spectrum) @ Q.T
    with pytest.warns(ConvergenceWarning, match=r"only [12] coordinate"):
        found = nrdr.KernelPCA(4, kernel="precomputed", strategy="orthogonal")
        found.fit((kernel + kernel.T) / 2)
    assert found.lengths_[-1] == 0


def test_spectra_of_many_scales():
    for seed in range(6 * SOAK):
        rng = np.random.default_rng(seed)
        n, dims = int(rng.integers(20, 250)), int(rng.integers(1, 7))
        Q = np.linalg.qr(rng.normal(size=(n, n)))[0]
        ratio = 10 ** -rng.uniform(0, 11)
        spectrum = np.r_[np.geomspace(1, ratio, dims + 1), 0.1 * ratio * rng.random(n - dims - 1)]
        kernel = (Q * spectrum) @ Q.T
        kernel = (kernel + kernel.T) / 2
        found = nrdr.Precomputed(dims, strategy="orthogonal", random_state=seed).fit(kernel)
        assert max(off(found, kernel)) < max(1e-5, 1e-13 / ratio), (seed, n, dims, ratio)
