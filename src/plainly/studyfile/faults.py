"""A fault in the words of a study file: what an argument is elsewhere is a key here."""

from __future__ import annotations

import json

from plainly.base.errors import Argument, Place, PlainlyError, Remedy, advice


def worded(error: PlainlyError) -> str:
    """`study.toml:4: x.txt:3: empty reference; say empty_reference = "missing"`."""
    return error.worded(_place, lambda remedies: advice("say", remedies, _remedy))


def _place(place: Place | Argument) -> str:
    return str(place)


def _remedy(remedy: Remedy) -> str:
    if remedy.value is None:
        return remedy.argument
    if isinstance(remedy.value, tuple):
        return f"{remedy.argument} = {{ {', '.join(f'{name} = {_value(what)}' for name, what in remedy.value)} }}"
    return f"{remedy.argument} = {json.dumps(remedy.value, ensure_ascii=False)}"


def _value(text: str) -> str:
    """As TOML has it: a number is not quoted."""
    try:
        float(text)
    except ValueError:
        return json.dumps(text, ensure_ascii=False)
    return text
