"""What studies found, in one shape that every face prints: tables, verdicts, notes, charts; and the printers."""

from plainly.findings.messages import Message, message, plain
from plainly.findings.printing import PRINTERS, Printer, form_of, forms, printed
from plainly.findings.shape import Cell, Chart, Column, Findings, Note, Table

__all__ = [
    "PRINTERS",
    "Cell",
    "Chart",
    "Column",
    "Findings",
    "Message",
    "Note",
    "Printer",
    "Table",
    "form_of",
    "forms",
    "message",
    "plain",
    "printed",
]
