"""Generated data sets with their true parameters.

The same seed gives the points that ``nrdr dataset`` of the command line gives.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from . import _nrdr
from ._arguments import seed_of, whole
from .typing import Seed

__all__ = ["make_cube", "make_s_curve", "make_strip", "make_swiss_roll", "make_torus"]


def make_swiss_roll(
    n_samples: int = 2000,
    *,
    height: float = 21.0,
    noise: float = 0.0,
    hole: bool = False,
    random_state: Seed = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """Makes a sheet rolled up in three dimensions.

    Parameters
    ----------
    n_samples : int, default=2000
        Number of points.
    height : float, default=21
        Width of the sheet; its rolled-up side is about 90 long.
    noise : float, default=0
        Standard deviation of the noise.
    hole : bool, default=False
        Whether the middle of the sheet is cut out.
    random_state : int, RandomState or None, default=0
        Start of the random numbers.

    Returns
    -------
    X : ndarray of shape (n_samples, 3)
        The points.
    truth : ndarray of shape (n_samples, 2)
        The angle along the roll and the height.

    Examples
    --------
    >>> from nrdr.datasets import make_swiss_roll
    >>> X, truth = make_swiss_roll(100)
    >>> X.shape, truth.shape
    ((100, 3), (100, 2))
    """
    n = whole("n_samples", n_samples)
    return _nrdr.swiss_roll(n, height, noise, hole, seed_of(random_state))


def make_s_curve(
    n_samples: int = 2000, *, height: float = 2.0, noise: float = 0.0, random_state: Seed = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Makes a sheet bent to an S.

    Parameters
    ----------
    n_samples : int, default=2000
        Number of points.
    height : float, default=2
        Width of the sheet.
    noise : float, default=0
        Standard deviation of the noise.
    random_state : int, RandomState or None, default=0
        Start of the random numbers.

    Returns
    -------
    X : ndarray of shape (n_samples, 3)
        The points.
    truth : ndarray of shape (n_samples, 2)
        The angle along the S and the height.

    Examples
    --------
    >>> from nrdr.datasets import make_s_curve
    >>> X, truth = make_s_curve(100)
    >>> X.shape, truth.shape
    ((100, 3), (100, 2))
    """
    n = whole("n_samples", n_samples)
    return _nrdr.s_curve(n, height, noise, seed_of(random_state))


def make_strip(
    n_samples: int = 2000, *, aspect: float = 2.5, noise: float = 0.0, random_state: Seed = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Makes a flat rectangle.

    Parameters
    ----------
    n_samples : int, default=2000
        Number of points.
    aspect : float, default=2.5
        Length over width.
    noise : float, default=0
        Standard deviation of the noise.
    random_state : int, RandomState or None, default=0
        Start of the random numbers.

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
        The points.
    truth : ndarray of shape (n_samples, 2)
        The places along and across, without noise.

    Examples
    --------
    >>> from nrdr.datasets import make_strip
    >>> X, truth = make_strip(100)
    >>> X.shape, truth.shape
    ((100, 2), (100, 2))
    """
    n = whole("n_samples", n_samples)
    return _nrdr.strip(n, aspect, noise, seed_of(random_state))


def make_cube(
    n_samples: int = 2000,
    *,
    sides: Sequence[float] = (1.0, 1.0, 1.0),
    noise: float = 0.0,
    random_state: Seed = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """Makes a box of any dimension.

    Parameters
    ----------
    n_samples : int, default=2000
        Number of points.
    sides : sequence of float, default=(1, 1, 1)
        Length of each side; as many as dimensions.
    noise : float, default=0
        Standard deviation of the noise.
    random_state : int, RandomState or None, default=0
        Start of the random numbers.

    Returns
    -------
    X : ndarray of shape (n_samples, len(sides))
        The points.
    truth : ndarray of shape (n_samples, len(sides))
        Their places without noise.

    Examples
    --------
    >>> from nrdr.datasets import make_cube
    >>> X, truth = make_cube(100, sides=(3, 1))
    >>> X.shape, truth.shape
    ((100, 2), (100, 2))
    """
    n = whole("n_samples", n_samples)
    return _nrdr.cube(n, list(sides), noise, seed_of(random_state))


def make_torus(
    n_samples: int = 2000,
    *,
    major: float = 10.0,
    minor: float = 4.0,
    noise: float = 0.0,
    random_state: Seed = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """Makes the surface of a ring.

    Parameters
    ----------
    n_samples : int, default=2000
        Number of points.
    major : float, default=10
        Radius of the ring.
    minor : float, default=4
        Radius of the tube.
    noise : float, default=0
        Standard deviation of the noise.
    random_state : int, RandomState or None, default=0
        Start of the random numbers.

    Returns
    -------
    X : ndarray of shape (n_samples, 3)
        The points.
    truth : ndarray of shape (n_samples, 2)
        The angles around the ring and around the tube.

    Examples
    --------
    >>> from nrdr.datasets import make_torus
    >>> X, truth = make_torus(100)
    >>> X.shape, truth.shape
    ((100, 3), (100, 2))
    """
    n = whole("n_samples", n_samples)
    return _nrdr.torus(n, major, minor, noise, seed_of(random_state))
