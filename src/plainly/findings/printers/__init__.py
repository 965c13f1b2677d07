"""The forms in which findings are printed, one module each; its name is the name of the form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plainly.findings.shape import Findings


@dataclass(frozen=True)
class Printer:
    """One form: the endings of its files, and what writes it. The first ending is the usual one."""

    endings: tuple[str, ...]
    write: Callable[[Findings, str], str]
    """Findings and the reader's language -> the text, which ends in a line feed."""
    one_table: bool = False
    """Whether it holds one table alone."""
