"""Findings in the form that is asked for. Each form is a module of `plainly.findings.printers`.

The name of the module is the name of the form. A new one is one file there with a `PRINTER`, or an entry point of the
group `plainly.printers` in another package.
"""

from __future__ import annotations

import pkgutil

from plainly.base.errors import UnknownName
from plainly.base.registry import Registry
from plainly.findings import printers
from plainly.findings.printers import Printer
from plainly.findings.shape import Findings

PRINTERS: Registry[Printer] = Registry(
    "format",
    {
        module.name: f"plainly.findings.printers.{module.name}:PRINTER"
        for module in pkgutil.iter_modules(printers.__path__)
        if not module.name.startswith("_")
    },
    "plainly.printers",
    "a plainly.findings.Printer",
    lambda loaded: isinstance(loaded, Printer),
)


def forms() -> list[str]:
    """The names of all forms."""
    return PRINTERS.names()


def form_of(path: str) -> str:
    """The form that the ending of a file names."""
    ending = path.rpartition(".")[2].lower()
    for name in PRINTERS:
        if ending in PRINTERS[name].endings:
            return name
    raise UnknownName("ending of a file", ending, [end for name in PRINTERS for end in PRINTERS[name].endings])


def printed(findings: Findings, form: str = "table", lang: str = "en") -> str:
    """The findings as a text."""
    return PRINTERS[form].write(findings, lang)
