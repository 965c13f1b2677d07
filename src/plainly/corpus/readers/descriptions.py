"""What a YAML file describes, built from its tables; a fault is named with file and line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from plainly.base.declarations import Fault, read_yaml
from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import LineFile, open_input, shown

T = TypeVar("T")


def read_description(path: Path | str, build: Callable[[Any], T]) -> T:
    """What `build` makes of the file; it complains by a `Fault`."""
    with open_input(str(path)) as file:
        text = "\n".join(LineFile(file))
    try:
        return build(read_yaml(text))
    except Fault as fault:
        place = shown(str(path)) if fault.line is None else f"{shown(str(path))}:{fault.line}"
        raise PlainlyError(f"{place}: {fault}") from None
