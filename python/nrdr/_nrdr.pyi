"""The compiled half of the package."""

from collections.abc import Callable
from os import PathLike
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

__version__: str

_Array = NDArray[np.float64]
_Progress = Callable[[str, float], object] | None
_Told = tuple[_Array, str]
_Data = NDArray[Any] | tuple[NDArray[Any], NDArray[Any], NDArray[Any]]

@final
class Model:
    def transform(
        self,
        data: _Data,
        threads: int | None = None,
        progress: _Progress = None,
        names: list[str] = ...,
    ) -> _Array: ...
    def training(self) -> tuple[_Array, _Array] | None: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Model: ...
    @staticmethod
    def read(path: str | PathLike[str]) -> Model: ...
    def held(self) -> tuple[str, str | None, list[str] | None, int]: ...
    def embedding(self) -> _Array | None: ...
    def __reduce__(self) -> tuple[Callable[[bytes], Model], tuple[bytes]]: ...

def catalog() -> str: ...
def fit(
    data: _Data,
    kind: str,
    method: str,
    parameters: dict[str, Any],
    progress: _Progress = None,
    names: list[str] = ...,
) -> tuple[
    _Told,
    _Told | None,
    list[tuple[bool, str]],
    Model | None,
    str | None,
    tuple[NDArray[np.uint32], _Array] | None,
    list[str],
]: ...
def inextensible(method: str, parameters: dict[str, Any]) -> str | None: ...
def plan(
    data: _Data,
    kind: str,
    method: str,
    parameters: dict[str, Any],
    names: list[str] = ...,
) -> tuple[str, list[str]]: ...
def compare(
    data: NDArray[Any],
    method: str,
    parameters: dict[str, Any],
    strategies: list[str],
    truth: tuple[_Array, list[str]] | None = None,
    labels: list[int] | None = None,
    progress: _Progress = None,
) -> str: ...
def neighbors(
    data: NDArray[Any],
    metric: str,
    k: int,
    search: str = "exact",
    threads: int | None = None,
) -> tuple[NDArray[np.uint32], _Array]: ...
def redundancy(
    embedding: NDArray[Any],
    bandwidth: str,
    sample: int,
    accuracy: float,
    seed: int,
    threads: int | None,
    lenient: bool,
) -> str: ...
def qualities(
    rows: NDArray[np.uint32],
    points: NDArray[Any],
    embeddings: list[NDArray[Any]],
    labels: list[int] | None = None,
    threads: int | None = None,
    metric: str = "euclidean",
) -> str: ...
def explain(
    embedding: NDArray[Any],
    rows: NDArray[np.uint32],
    columns: tuple[NDArray[Any], list[str]] | None,
    numbers: list[tuple[str, _Array]],
    labels: list[tuple[str, list[str], list[int]]],
    seed: int,
    threads: int | None = None,
) -> str: ...
def kept(quality: str, original: str | None = None) -> str: ...
def verdict(dims: int, errors: list[float], original: list[float] | None = None) -> str: ...
def page(parts: dict[str, Any]) -> str: ...
def check_output(path: str | PathLike[str]) -> None: ...
def write(path: str | PathLike[str], content: bytes) -> None: ...
def printable(text: str) -> str: ...
def swiss_roll(
    n: int, height: float, noise: float, hole: bool, seed: int
) -> tuple[_Array, _Array]: ...
def s_curve(n: int, height: float, noise: float, seed: int) -> tuple[_Array, _Array]: ...
def strip(n: int, aspect: float, noise: float, seed: int) -> tuple[_Array, _Array]: ...
def cube(n: int, sides: list[float], noise: float, seed: int) -> tuple[_Array, _Array]: ...
def torus(n: int, major: float, minor: float, noise: float, seed: int) -> tuple[_Array, _Array]: ...
