"""`StudyResult`: what every result of a study can do, since all of it follows from its findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, cast

from plainly.base.errors import MissingResource
from plainly.base.plain_data import plain_fields
from plainly.findings.printers import html
from plainly.findings.printers import json as json_form
from plainly.findings.printing import PRINTERS, lines_above, printed, rows_for_programs, told
from plainly.findings.shape import Findings

if TYPE_CHECKING:
    import pandas

ROWS, SENTENCES, WIDTH = 4, 2, 100
"""So much of a table, of a verdict and of a line is in a `repr`."""


class StudyResult:
    """What a study found: it prints itself, and becomes a data frame or plain data.

    A class says where its findings are made, as "MODULE:FUNCTION", and which of its tables is shown where none is
    asked for (else all are). A dataclass leaves its `repr` to this one: `@dataclass(repr=False)`.
    """

    _made_by: ClassVar[str]
    usual: ClassVar[str | None] = None

    def __init_subclass__(cls, *, findings: str = "", usual: str | None = None) -> None:
        super().__init_subclass__()
        if findings:
            cls._made_by = findings
        if usual:
            cls.usual = usual

    @property
    def data(self) -> dict[str, Any]:
        """The result as plain data, without the version: its fields, and None for numbers that do not exist."""
        return plain_fields(self)

    def findings(self, *choices: Any, **view: Any) -> Findings:
        """What every face prints: verdict, tables, notes, signatures. `view` is what the study lets one
        choose."""
        module, name = self._made_by.split(":")
        make = cast("Callable[..., Findings]", getattr(import_module(module), name))  # it imports this result
        return make(self, *choices, **view)

    def table(self, form: str = "table", *names: str, lang: str = "en", **view: Any) -> str:
        """The tables with these names as a text: "table", "markdown", "latex", "html", "csv", "json" and others."""
        return printed(self._shown(self.findings(**view), names, PRINTERS[form].one_table), form, lang)

    def to_frame(self, name: str | None = None, **view: Any) -> pandas.DataFrame:
        """One table as a data frame of pandas, with the rows and columns that CSV has."""
        found = self._shown(self.findings(**view), () if name is None else (name,), one=True)
        columns, rows = rows_for_programs(found)
        frame: pandas.DataFrame = pandas_here().DataFrame(rows, columns=columns)
        return frame

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, with the version: what the command prints with `json` as its form."""
        return json_form.content(self.findings())

    def _shown(self, found: Findings, names: tuple[str, ...] = (), one: bool = False) -> Findings:
        """The tables that are asked for; where none is, the usual ones."""
        if not names and self.usual is not None:
            names = (self.usual,)
        if not names and one:
            names = tuple(found.names[:1])
        return found.only(*names) if names else found

    def __repr__(self) -> str:
        """The verdict and the first rows: at most ten lines."""
        found = self.findings()
        lines = [f"{type(self).__name__}: {', '.join(found.names)}", *lines_above(found, warned=False)[:SENTENCES]]
        for table in told(self._shown(found))[:1]:
            start = replace(table, rows=table.rows[:ROWS], legend=())
            lines += printed(Findings([start])).splitlines()
            lines += [f"... {more} more rows"] if (more := len(table.rows) - ROWS) > 0 else []
        return "\n".join(line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…" for line in lines)

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        return html.fragment(self._shown(self.findings()))


def pandas_here() -> ModuleType:
    """The package pandas; where it is missing, an error that says how to get it."""
    try:
        return import_module("pandas")
    except ImportError:
        raise MissingResource("a data frame needs pandas; run: pip install 'plainly[frames]'") from None
