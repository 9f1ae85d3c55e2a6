"""What parameters mean that scikit-learn names."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sklearn.utils import check_random_state

from .typing import Seed


def whole(name: str, value: Any, least: int = 1, most: int = 2**32 - 1) -> int:
    """A whole number that is neither too small nor too large; one that is gets named."""
    if not isinstance(value, Integral):
        raise TypeError(f"{name} = {value!r} must be a whole number")
    number = int(value)
    if not least <= number <= most:
        expected = f"at least {least}" if number < least else f"at most {most}"
        raise ValueError(f"{name} = {number} is out of range: it must be {expected}")
    return number


def seed_of(random_state: Seed) -> int:
    """The start of the random numbers; a number is taken as it is, as on the command line."""
    if isinstance(random_state, Integral):
        seed = int(random_state)
        if not 0 <= seed < 2**64:
            raise ValueError(f"random_state = {seed} is out of range: it must be 0 or more")
        return seed
    return int(check_random_state(random_state).randint(2**31 - 1))


#: Strategies that move the points, and embed them anew: the core needs them for that.
MOVING = ("regression", "advection")

#: Solvers that scikit-learn names, and the core does not have.
OTHERS = ("arpack", "lobpcg", "amg", "randomized")


def solver_of(name: Any) -> tuple[Any, list[str]]:
    """The solver as the core takes it, and what is to be said of that."""
    if not isinstance(name, str) or name not in OTHERS:
        return name, []
    note = f"eigen_solver={name!r} is a solver of scikit-learn: the core's own was chosen instead"
    return "auto", [note]
