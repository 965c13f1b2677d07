"""What readers of files advise: on the web there are fields where the command line has options."""

from __future__ import annotations

import re

_BRACKETS = re.compile(r" \(--[a-z][^()]*\)")
_ADVICE = re.compile(r"; [^;]*?(--[a-z][a-z-]*)[^;]*")
_FIELDS = {
    "--empty-reference": "choose what an empty line in a reference file means",
    "--lang": "choose the language of the texts",
}


def for_the_web(message: str) -> str:
    """The message without options of the command line; where a field does the same, it names the field."""
    return _ADVICE.sub(
        lambda found: f"; {_FIELDS[found[1]]}" if found[1] in _FIELDS else "", _BRACKETS.sub("", message)
    )
