"""What studies found, in one shape that every face prints: tables, verdicts, notes, charts; and the printers."""

from plainly.base.messages import Message, Note, joined, message, plain
from plainly.findings.printing import PRINTERS, Printer, form_of, forms, printed
from plainly.findings.result import StudyResult
from plainly.findings.shape import SERIES, Cell, Chart, Column, Findings, Table, column

__all__ = [
    "PRINTERS",
    "SERIES",
    "Cell",
    "Chart",
    "Column",
    "Findings",
    "Message",
    "Note",
    "Printer",
    "StudyResult",
    "Table",
    "column",
    "form_of",
    "forms",
    "joined",
    "message",
    "plain",
    "printed",
]
