"""How many threads work: as many as ``n_jobs``, threadpoolctl and the environment allow."""

from __future__ import annotations

import os
import threading
from numbers import Integral

import joblib
import threadpoolctl

from . import _nrdr

#: What threadpoolctl allows the thread that asks.
_limits = threading.local()


def threads_of(n_jobs: int | None) -> int | None:
    """The number of threads; None means all cores, or what the core itself is told."""
    if n_jobs is None:
        limit: int | None = getattr(_limits, "most", None)
        return by_environment() if limit is None else limit
    if not isinstance(n_jobs, Integral):
        raise TypeError(f"n_jobs = {n_jobs!r} must be a whole number or None")
    if n_jobs == 0 or n_jobs > 1024:
        raise ValueError(
            f"n_jobs = {n_jobs} is out of range: it must be from 1 to 1024, or negative"
        )
    return int(n_jobs) if n_jobs > 0 else max(1, joblib.cpu_count() + 1 + int(n_jobs))


def by_environment() -> int | None:
    """The threads of ``OMP_NUM_THREADS``, which schedulers and joblib's processes set."""
    # The core follows this one by itself.
    if "RAYON_NUM_THREADS" in os.environ:
        return None
    told = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return max(1, int(told)) if told.isdecimal() else None


class Controller(threadpoolctl.LibController):
    """Lets ``threadpoolctl.threadpool_limits`` limit the threads of this package."""

    user_api = "nrdr"
    internal_api = "nrdr"
    filename_prefixes = ("_nrdr",)

    def get_num_threads(self) -> int:
        """The threads of a computation that is told nothing."""
        return threads_of(None) or joblib.cpu_count()

    def set_num_threads(self, num_threads: int) -> None:
        """Limits those that this thread starts."""
        unlimited = by_environment() or joblib.cpu_count()
        _limits.most = None if num_threads == unlimited else num_threads

    def get_version(self) -> str:
        """That of the package."""
        return _nrdr.__version__


threadpoolctl.register(Controller)
