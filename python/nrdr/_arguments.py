"""What parameters mean that scikit-learn names."""

from __future__ import annotations

import os
from numbers import Integral
from typing import Any

from sklearn.utils import check_random_state


def seed_of(random_state: Any) -> int:
    """The start of the random numbers; a number is taken as it is, as on the command line."""
    if isinstance(random_state, Integral):
        seed = int(random_state)
        if not 0 <= seed < 2**64:
            raise ValueError(f"random_state = {seed} is out of range: it must be 0 or more")
        return seed
    return int(check_random_state(random_state).randint(2**31 - 1))


def threads_of(n_jobs: int | None) -> int | None:
    """The number of threads; None means all cores."""
    if n_jobs is None or n_jobs == -1:
        return None
    if n_jobs == 0 or n_jobs > 1024:
        raise ValueError(
            f"n_jobs = {n_jobs} is out of range: it must be from 1 to 1024, or negative"
        )
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)
