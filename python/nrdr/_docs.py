"""What the documentation of all estimators has in common."""

COMMON = """\
strategy : {"priced", "unpredictable", "orthogonal", "selection", "independent", "regression", \
"advection"}
    What a coordinate owes to the earlier ones. "priced", the default, asks for coordinates that are
    as unpredictable from them as it pays; "unpredictable" that none can be predicted, at any price
    (Blau & Michaeli 2017); "orthogonal" is the original method.
mu : float, optional
    For the strategy "priced": what a function that the earlier coordinates predict entirely is
    charged, in units of the energy that the method minimises. By default the price whose coordinate
    tells most.
pool : int, optional
    For "priced": eigenvectors that the least localised combination is taken from.
thrift : float, optional
    For "priced": the larger, the less an even spread over the points may cost.
depth : int, optional
    For "priced": original eigenvectors that coordinates are made of, 48 by default.
alpha : float or "auto", default="auto"
    Width of the smoother that predicts, beside the spread of the earlier coordinates.
smoother : {"nw", "local-linear"}, default="nw"
    How it predicts: by the local mean or by a local linear fit.
candidates : int, optional
    Original coordinates that the strategies "selection" and "independent" select from; ten times
    as many as wanted by default.
zeta : float, optional
    For "independent": what a coordinate's energy costs, that of the first one being 1. By default
    the most that a quarter of the points object to.
intrinsic_dim : int, optional
    For "independent": dimension of the manifold, the number of coordinates by default.
search : {"auto", "exact", "approximate"}, default="auto"
    How neighbours are searched: "auto" is exact, or approximate where that is faster.
recall : float, default=0.95
    Least share of true neighbours that an approximate search has to find. If it does not, "auto"
    searches exactly, and "approximate" is an error.
components : {"connect", "largest", "error"}, default="connect"
    What happens when the neighbour graph falls apart. Rows outside the largest component are NaN.
eigen_solver : {"auto", "dense", "lanczos", "shift-invert", "multigrid"}, default="auto"
    How eigenvectors are computed. scikit-learn's words "arpack", "lobpcg", "amg" and "randomized"
    are taken for "auto", and ``report_["notes"]`` says so.
tol : float, default=1e-8
    Relative residual at which an eigenvector counts as converged.
max_iter : int, default=5000
    Most iterations of the eigensolver.
random_state : int, RandomState or None, default=0
    Start of the random numbers, on which the result depends only within the tolerance. A number
    gives the bits that the command line gives for the same ``--seed``.
n_jobs : int or None, default=None
    Number of threads; -1 means all cores, and None as many as threadpoolctl and OMP_NUM_THREADS
    allow, all without these. The result does not depend on it.
memory : int, str or None, default=None
    Memory that a fit may take, the data included: bytes, or a size such as "8G". None means three
    quarters of what is available. What does not fit is refused with what would; ``plan`` tells.
verbose : bool, default=False
    Show progress, by tqdm if it is installed.
"""

ATTRIBUTES = """\
embedding_ : ndarray of shape (n_samples, n_components)
    The coordinates: each of unit length, its largest entry positive.
eigenvalues_ : ndarray of shape (n_components,)
    The eigenvalues.
lengths_ : ndarray of shape (n_components,)
    The lengths that the method traditionally gives the coordinates; multiply by them to get that
    scaling.
redundancy_ : ndarray of shape (n_components,)
    The error of predicting each coordinate from the earlier ones: 1 is new, 0 is redundant. NaN
    where it cannot be measured; ``report_["verdict"]`` says why.
quality_ : dict or None
    On a sample of the points: ``trustworthiness``, ``continuity`` and ``neighborhoods`` of 10
    neighbours (1 is best), ``accuracy`` of labels (None: ``fit`` has none), ``spikes`` (for each
    coordinate the share of its variance that 1 % of the points hold), and the same of the original
    method as ``original``, None if the strategy is its. None where ``X`` are no points.
explain_ : list of dict or None
    What each coordinate means, on the same sample: the columns of ``X`` that it tells most of, as
    ``nrdr.explain`` says. None where ``X`` are no points.
alpha_ : ndarray of shape (n_components,)
    The width of the smoother used for each coordinate; NaN where there was none.
residuals_ : ndarray of shape (n_components,)
    Relative residual of each eigenvector.
n_iter_ : int
    The most iterations that a coordinate took.
report_ : dict
    All that is known of the fit, with the names that the command line's ``--json`` has.
n_features_in_ : int
    Number of columns of ``X``.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Their names, if ``X`` has names of strings.
"""

METRIC = """\
metric : str or callable, default="euclidean"
    The distance of points, as ``sklearn.neighbors.NearestNeighbors`` takes it. The core searches by
    "euclidean", "cosine", "manhattan", "correlation", "hamming", "haversine", "chebyshev" and
    "minkowski"; by others scikit-learn does.
p : float, default=2
    Power of the metric "minkowski".
metric_params : dict, optional
    Further parameters of the metric.
radius : float, optional
    Neighbours are all points within this distance, instead of ``n_neighbors``.
"""
