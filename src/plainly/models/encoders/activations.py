"""The functions between the layers of a transformer, in numpy: on float32, in place, in parts of the cache."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def gelu(x: Floats) -> Floats:
    """x Phi(x), Phi the normal distribution function."""
    for start in range(0, len(x), 32):  # a part of the cache, for there are many steps
        _gelu(x[start : start + 32])
    return x


def softmax(x: Floats) -> Floats:
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x


def norm(x: Floats, weight: Floats, bias: Floats, epsilon: float) -> Floats:
    x -= x.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x) / np.float32(x.shape[-1])
    x *= (1 / np.sqrt(variance + np.float32(epsilon)))[:, None]
    x *= weight
    x += bias
    return x


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
