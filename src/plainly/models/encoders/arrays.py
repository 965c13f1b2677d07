"""The few operations in which numpy and torch differ, for code that runs on either."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from plainly.base.errors import MissingResource, PlainlyError
from plainly.models.one_core import one_core_each

Floats = NDArray[np.float32]
GPU_FILES = ("/dev/nvidiactl", "/dev/dxg", "/dev/kfd")  # of NVIDIA, of Windows' Linux, of AMD


class Arrays(Protocol):
    """Operations on arrays of one library. `rows`: how many tokens make a good batch."""

    rows: int

    def running(self) -> AbstractContextManager[Any]: ...
    def array(self, values: NDArray[Any]) -> Any: ...
    def numpy(self, values: Any) -> Floats: ...
    def gelu(self, x: Any) -> Any: ...
    def softmax(self, x: Any) -> Any: ...
    def norm(self, x: Any, weight: Any, bias: Any, epsilon: float) -> Any: ...


def arrays_on(device: str) -> Arrays:
    """numpy for the processor, torch for everything else; "auto" is a GPU if torch can use one here."""
    if device == "cpu":
        return NumpyArrays()
    if device == "auto":
        # torch takes seconds to import: only where there is a GPU at all.
        if find_spec("torch") is None or not any(map(Path.exists, map(Path, GPU_FILES))):
            return NumpyArrays()
        import torch

        return TorchArrays("cuda") if torch.cuda.is_available() else NumpyArrays()
    return TorchArrays(device)


class NumpyArrays:
    """float32 on the processor."""

    rows = 1024  # so few stay in its cache

    def running(self) -> AbstractContextManager[Any]:
        return one_core_each()

    def array(self, values: NDArray[Any]) -> Any:
        return np.ascontiguousarray(values)

    def numpy(self, values: Any) -> Floats:
        found: Floats = values
        return found

    def gelu(self, x: Floats) -> Floats:
        """x Phi(x), Phi the normal distribution function, in place."""
        for start in range(0, len(x), 32):  # a part of the cache, for there are many steps
            _gelu(x[start : start + 32])
        return x

    def softmax(self, x: Floats) -> Floats:
        x -= x.max(axis=-1, keepdims=True)
        np.exp(x, out=x)
        x /= x.sum(axis=-1, keepdims=True)
        return x

    def norm(self, x: Floats, weight: Floats, bias: Floats, epsilon: float) -> Floats:
        x -= x.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", x, x) / np.float32(x.shape[-1])
        x *= (1 / np.sqrt(variance + np.float32(epsilon)))[:, None]
        x *= weight
        x += bias
        return x


class TorchArrays:
    """float32 on a device of torch."""

    rows = 32_768

    def __init__(self, device: str) -> None:
        try:
            import torch
        except ImportError:
            raise MissingResource(f"the device {device!r} needs torch: pip install torch") from None
        try:
            self._device = torch.device(device)
            torch.zeros(1, device=self._device)
        except (RuntimeError, AssertionError) as error:
            reason = str(error).partition("\n")[0]
            raise PlainlyError(f"the device {device!r} cannot be used here: {reason}") from None
        self._torch = torch

    def running(self) -> AbstractContextManager[Any]:
        found: AbstractContextManager[Any] = self._torch.inference_mode()
        return found

    def array(self, values: NDArray[Any]) -> Any:
        return self._torch.from_numpy(np.ascontiguousarray(values)).to(self._device)

    def numpy(self, values: Any) -> Floats:
        found: Floats = values.cpu().numpy()
        return found

    def gelu(self, x: Any) -> Any:
        return self._torch.nn.functional.gelu(x)

    def softmax(self, x: Any) -> Any:
        return x.softmax(-1)

    def norm(self, x: Any, weight: Any, bias: Any, epsilon: float) -> Any:
        return self._torch.nn.functional.layer_norm(x, x.shape[-1:], weight, bias, epsilon)


GELU_BOUND = 5.0  # beyond it Phi is taken for 0 or 1, with an error below 0.000001
GELU_DEGREE = 12


@cache
def _gelu_polynomial() -> list[np.float32]:
    """Coefficients of q, the highest first, with Phi(x) - 1/2 = x q(t) and t = 2 (x / bound)^2 - 1."""

    t = chebyshev.chebpts1(GELU_DEGREE + 1)
    x = GELU_BOUND * np.sqrt((t + 1) / 2)
    quotients = [math.erf(value / math.sqrt(2)) / (2 * value) for value in x.tolist()]
    fitted = chebyshev.cheb2poly(chebyshev.chebfit(t, quotients, GELU_DEGREE))
    return [np.float32(coefficient) for coefficient in fitted[::-1]]


def _gelu(x: Floats) -> None:
    bounded = np.clip(x, np.float32(-GELU_BOUND), np.float32(GELU_BOUND))
    t = bounded * bounded
    t *= np.float32(2 / GELU_BOUND**2)
    t -= np.float32(1)
    first, *others = _gelu_polynomial()
    phi = t * first
    for coefficient in others[:-1]:
        phi += coefficient
        phi *= t
    phi += others[-1]
    phi *= bounded
    phi += np.float32(0.5)
    x *= phi
