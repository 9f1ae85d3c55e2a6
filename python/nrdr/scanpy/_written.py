"""What is written beside the coordinates: only what an .h5ad file can hold."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np


def facts(fitted: Any, method: str, **source: Any) -> dict[str, Any]:
    """What is known of a fit; source tells where the data came from."""
    return plain(
        {
            "method": method,
            "eigenvalues": fitted.eigenvalues_,
            "lengths": fitted.lengths_,
            "redundancy": fitted.redundancy_,
            "quality": fitted.quality_,
            "alpha": fitted.alpha_,
            "verdict": fitted.report_["verdict"],
            "params": {**fitted.get_params(), **source},
        }
    )


def plain(value: Any) -> Any:
    """Numbers, texts, arrays and dictionaries of these; what is None is left out."""
    if isinstance(value, dict):
        return {str(name): plain(entry) for name, entry in value.items() if entry is not None}
    if isinstance(value, (bool, np.bool_, str)):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, (list, tuple, np.ndarray)):
        array = np.asarray(value)
        return array.astype(float) if array.dtype == object else array
    return repr(value)
