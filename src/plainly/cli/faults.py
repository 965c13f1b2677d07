"""A fault in the words of the command line: places as compilers write them, and options that mend it."""

from __future__ import annotations

import shlex

from plainly.base.errors import Argument, Place, PlainlyError, Remedy, advice

CALLED = {"layer": "--set bertscore.layer=N", "repeats": "--allow-repeats", "system": "--of"}
"""Arguments in Python that mend a fault -> their options, where those have other names."""


def worded(error: PlainlyError) -> str:
    """`x.txt:3: empty reference; say --empty-reference missing`."""
    return error.worded(_place, lambda remedies: advice("say", remedies, _remedy))


def _place(place: Place | Argument) -> str:
    return f"{_option(place.name)} {place.value}".rstrip() if isinstance(place, Argument) else str(place)


def _remedy(remedy: Remedy) -> str:
    option = _option(remedy.argument)
    if isinstance(remedy.value, tuple):
        return f"{option} {_quoted(','.join(f'{name}={what}' for name, what in remedy.value))}"
    return option if remedy.value is None or remedy.value is True else f"{option} {_quoted(str(remedy.value))}"


def _quoted(value: str) -> str:
    return shlex.quote(value) if " " in value else value


def _option(argument: str) -> str:
    return CALLED.get(argument) or "--" + argument.replace("_", "-")
