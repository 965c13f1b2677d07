"""Names of EASSE that need a model, a parser or a page that plainly does not have yet.

A module says `__getattr__ = stand_ins(["corpus_samsa", ...], "why")`. Its names can then be imported as in
EASSE; calling one raises `MissingResource` with a sentence that says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from plainly.base.errors import MissingResource


def stand_ins(names: Iterable[str], why: str) -> Callable[[str], Callable[..., NoReturn]]:
    """A module's `__getattr__` that answers each of `names` with a function that raises `MissingResource`."""
    known = frozenset(names)

    def module_getattr(name: str) -> Callable[..., NoReturn]:
        if name not in known:
            raise AttributeError(f"plainly.compat.easse has no name {name!r} here")
        return stand_in(name, why)

    return module_getattr


def absent(names: Iterable[str], why: str) -> Callable[[str], NoReturn]:
    """The same for names that are no functions: importing one raises `MissingResource`."""
    stand_in_for = stand_ins(names, why)
    return lambda name: stand_in_for(name)()


def stand_in(name: str, why: str) -> Callable[..., NoReturn]:
    """A function of that name that raises `MissingResource`."""

    def missing(*args: Any, **kwargs: Any) -> NoReturn:
        raise MissingResource(f"{name} is not available: {why}")

    missing.__name__ = missing.__qualname__ = name
    return missing
