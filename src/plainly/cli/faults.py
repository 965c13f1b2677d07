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
    return f"{option(place.name)} {place.value}".rstrip() if isinstance(place, Argument) else str(place)


def _remedy(remedy: Remedy) -> str:
    name = CALLED.get(remedy.argument) or option(remedy.argument)
    if isinstance(remedy.value, tuple):
        return f"{name} {_quoted(','.join(f'{key}={what}' for key, what in remedy.value))}"
    return name if remedy.value is None or remedy.value is True else f"{name} {_quoted(str(remedy.value))}"


def _quoted(value: str) -> str:
    return shlex.quote(value) if " " in value else value


def option(argument: str) -> str:
    """The option that an argument of Python is."""
    return "--" + argument.replace("_", "-")
