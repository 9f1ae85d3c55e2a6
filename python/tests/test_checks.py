"""scikit-learn's own checks of estimators."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import nrdr
from nrdr import sklearn

#: Checks that a method honestly cannot pass, with the reason. There are none.
EXPECTED: dict[str, dict[str, str]] = {}


def expected(estimator):
    return EXPECTED.get(type(estimator).__name__, {})


@parametrize_with_checks(
    [
        nrdr.LaplacianEigenmaps(),
        nrdr.DiffusionMaps(),
        nrdr.LocallyLinearEmbedding(),
        nrdr.ModifiedLLE(),
        nrdr.HessianEigenmaps(),
        nrdr.LTSA(),
        nrdr.Isomap(),
        nrdr.KernelPCA(),
        nrdr.Precomputed(),
        nrdr.Isomap(metric="precomputed"),
        nrdr.KernelPCA(kernel="precomputed"),
        nrdr.LaplacianEigenmaps(strategy="orthogonal"),
        nrdr.LTSA(strategy="orthogonal"),
        nrdr.KernelPCA(strategy="orthogonal"),
        nrdr.LaplacianEigenmaps(strategy="advection"),
        nrdr.KernelPCA(strategy="advection"),
        nrdr.LaplacianEigenmaps(affinity="rbf"),
        nrdr.DiffusionMaps(metric="manhattan"),
        sklearn.Isomap(),
        sklearn.KernelPCA(),
        sklearn.LocallyLinearEmbedding(),
        sklearn.SpectralEmbedding(),
    ],
    expected_failed_checks=expected,
)
@pytest.mark.filterwarnings("ignore:.*(components|is reduced to)")
def test_scikit_learn(estimator, check):
    check(estimator)
