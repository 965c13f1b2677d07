"""Arguments that a function does not have: an error that says which one is meant, in place of Python's TypeError."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from importlib import import_module
from inspect import isclass
from pathlib import PurePath
from typing import ParamSpec, TypeVar

from plainly.base.errors import PlainlyError, UnknownName

P = ParamSpec("P")
T = TypeVar("T")


def checks_arguments(verb: Callable[P, T]) -> Callable[P, T]:
    """The same function; whoever calls it with other arguments than it has is told in one line what it takes."""
    signature = inspect.signature(verb)
    names = [name for name, one in signature.parameters.items() if one.kind is not one.VAR_KEYWORD]
    open_ended = len(names) < len(signature.parameters)

    @wraps(verb)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        if not open_ended:
            refuse_unknown(verb.__name__, kwargs, names)
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise PlainlyError(f"{verb.__name__}: {error}; it takes {', '.join(names)}") from None
        for name in names:
            if isinstance(given.get(name), (str, PurePath)):
                _refuse_file(verb, name, str(signature.parameters[name].annotation))
        return verb(*args, **kwargs)

    return checked


def _refuse_file(verb: Callable[..., object], name: str, kind: str) -> None:
    """An error where the name of a file stands in the place of what is read from it."""
    taken = verb.__globals__.get(kind)
    if not isclass(taken) or issubclass(taken, (str, PurePath)):
        return
    room = import_module(verb.__module__.rpartition(".")[0])
    readers = [one for one in getattr(room, "__all__", ()) if one.startswith("read")]
    reads = [one for one in readers if getattr(room, one).__annotations__.get("return") == kind]
    hint = f"; read the file first, with {room.__name__}.{reads[0]}" if reads else ""
    raise PlainlyError(f"{verb.__name__}: {name} takes {kind}, not text{hint}")


def refuse_unknown(verb: str, given: Iterable[str], known: Iterable[str]) -> None:
    """An error for the first name that is no argument."""
    known = list(known)
    for name in given:
        if name not in known:
            raise UnknownName(f"argument of {verb}", name, known)
