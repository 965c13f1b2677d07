"""Files as people name them: patterns, also quoted ones, and `~`. Importing this page imports nothing heavy."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from plainly.base.patterns import matching


class Files(argparse.Action):
    """Files, as several words or repeats, patterns or not; with `named`, each may be NAME=FILE, for all that fit."""

    def __init__(self, *arguments: Any, named: bool = False, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._named = named

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        if values is self.default:
            return  # of an argument without an option, where there is none
        namespace.__dict__.setdefault("given", set()).add(self.dest)
        found = list(getattr(namespace, self.dest) or [])
        for value in [values] if isinstance(values, str) else values:
            name, equals, path = value.partition("=")
            own = self._named and equals and not Path(value).exists()
            files = matching(path if own else value, (option_string or "").lstrip("-"))
            found += [f"{name}={file}" for file in files] if own else files
        setattr(namespace, self.dest, found)
