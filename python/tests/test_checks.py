"""scikit-learn's own checks of estimators."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import nrdr

#: Checks that a method honestly cannot pass, with the reason. There are none.
EXPECTED: dict[str, dict[str, str]] = {}

#: scikit-learn embeds as few as ten points: they have no ten neighbours.
FEW = {"n_neighbors": 8}


def expected(estimator):
    return EXPECTED.get(type(estimator).__name__, {})


@parametrize_with_checks(
    [
        nrdr.LaplacianEigenmaps(**FEW),
        nrdr.DiffusionMaps(**FEW),
        nrdr.LocallyLinearEmbedding(**FEW),
        nrdr.ModifiedLLE(**FEW),
        nrdr.HessianEigenmaps(**FEW),
        nrdr.LTSA(**FEW),
        nrdr.Isomap(**FEW),
        nrdr.KernelPCA(),
        nrdr.Precomputed(),
        nrdr.Isomap(metric="precomputed", **FEW),
        nrdr.KernelPCA(kernel="precomputed"),
        nrdr.LaplacianEigenmaps(strategy="orthogonal", **FEW),
        nrdr.LTSA(strategy="orthogonal", **FEW),
        nrdr.KernelPCA(strategy="orthogonal"),
    ],
    expected_failed_checks=expected,
)
@pytest.mark.filterwarnings("ignore:the neighbour graph had")
def test_scikit_learn(estimator, check):
    check(estimator)
