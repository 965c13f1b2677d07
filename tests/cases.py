"""Many small cases in one test: a test of its own for each would cost more than what it looks at."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def each(names: str, cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, in one test. All cases are looked at, and those that fail are named.

    For cases that leave fixtures as they were.
    """
    arguments = [name.strip() for name in names.split(",")]
    every = [case if len(arguments) > 1 else (case,) for case in cases]

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def whole(**fixtures: Any) -> None:
            faults = []
            for case in every:
                try:
                    test(**dict(zip(arguments, case, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as fault:
                    faults.append(f"{', '.join(map(repr, case)):.300}: {type(fault).__name__}: {fault}")
            assert every, "no cases"
            assert not faults, "\n\n".join([f"{len(faults)} of {len(every)} cases fail", *faults])

        signature = inspect.signature(test)
        rest = [value for name, value in signature.parameters.items() if name not in arguments]
        vars(whole)["__signature__"] = signature.replace(parameters=rest)
        return whole

    return decorated
