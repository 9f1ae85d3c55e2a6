"""scikit-learn's own tests of four estimators, run against `nrdr.sklearn`.

Nothing of them is here: the modules come from the installed scikit-learn, loaded under other names
with our classes in place of theirs. What fails is listed with the reason, and an unexpected pass is
a failure, too, so that the list stays true.
"""

from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import sklearn

from nrdr import sklearn as ours

#: The version that the list of failures is of.
VERSION = "1.9"

FALLBACK = "expects a warning of how pyamg was replaced: the core has multigrid for every matrix"
MOCKED = "replaces scikit-learn's eigensolver by a mock and asks what it was called with"
NO_AMG = "expects eigen_solver='amg' to be refused without pyamg: the core's multigrid needs none"
NULL_SPACE = "all points are equal: refused as here, but not with the words of ARPACK"
LARGEST_MODULUS = "expects randomized to take a negative eigenvalue for a leading one"

#: Tests that fail, and why.
FAILURES = {
    "test_spectral_embedding_fallback_amg": FALLBACK,
    "test_spectral_embedding_error_pyamg_not_available": NO_AMG,
    **{
        f"test_spectral_embedding_spectral_eigen_tol_auto[{kind}-{solver}]": MOCKED
        for kind in ("csr_matrix", "csr_array")
        for solver in ("arpack", "amg", "lobpcg")
    },
    "test_locally_linear_singular_matrix": NULL_SPACE,
    "test_kernel_pca_precomputed_kernel_not_psd[randomized]": LARGEST_MODULUS,
}

#: In a namespace like `sklearn.manifold`.
MANIFOLD = SimpleNamespace(
    Isomap=ours.Isomap,
    LocallyLinearEmbedding=ours.LocallyLinearEmbedding,
    locally_linear_embedding=ours.locally_linear_embedding,
)

#: Test modules by a short name, and what is changed in each.
MODULES = {
    "spectral_embedding": (
        "manifold/tests/test_spectral_embedding.py",
        {
            "SpectralEmbedding": ours.SpectralEmbedding,
            "spectral_embedding": ours.spectral_embedding,
        },
    ),
    "isomap": ("manifold/tests/test_isomap.py", {"manifold": MANIFOLD}),
    "locally_linear": ("manifold/tests/test_locally_linear.py", {"manifold": MANIFOLD}),
    "kernel_pca": ("decomposition/tests/test_kernel_pca.py", {"KernelPCA": ours.KernelPCA}),
}


def loaded(short, path, changed):
    """The tests of a module of scikit-learn, with names that tell which module it was."""
    file = Path(find_spec("sklearn").origin).parent / path
    if not file.exists():
        pytest.skip(f"scikit-learn came without {path}", allow_module_level=True)
    spec = spec_from_file_location(f"sklearn_suite_{short}", file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    missing = changed.keys() - vars(module).keys()
    assert not missing, f"{path} does not use {missing}"
    vars(module).update(changed)
    functions = {n: f for n, f in vars(module).items() if n.startswith("test_") and callable(f)}
    return {f"test_{short}_{name.removeprefix('test_')}": f for name, f in functions.items()}


for short, (path, changed) in MODULES.items():
    globals().update(loaded(short, path, changed))


@pytest.fixture(params=[np.float32, np.float64], ids=["float32", "float64"])
def global_dtype(request):
    """scikit-learn's own fixture; single precision is an option there."""
    return request.param


@pytest.fixture
def global_random_seed():
    """scikit-learn's own fixture, with its default."""
    return 42


@pytest.fixture(autouse=True)
def expected(request):
    """Marks what is to fail."""
    reason = FAILURES.get(request.node.name)
    if reason is not None:
        strict = sklearn.__version__.startswith(VERSION)
        request.applymarker(pytest.mark.xfail(strict=strict, reason=reason))


def test_the_list_names_tests(request):
    if not sklearn.__version__.startswith(VERSION):
        pytest.skip(f"the list is of scikit-learn {VERSION}")
    file = request.node.path
    there = {item.name for item in request.session.items if item.path == file}
    if len(there) > 100:
        assert FAILURES.keys() <= there
