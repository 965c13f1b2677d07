"""How every command prints what its study found: in the form asked for, all or nothing, notes beside it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.cli.notes import tell
from plainly.findings import PRINTERS, Findings, printed


def print_findings(options: argparse.Namespace, findings: Findings, tables: Sequence[str] = ()) -> None:
    """Write findings where `--output` says, in the form of `--format`; `tables` chooses some of them."""
    chosen = findings.only(*tables) if tables else findings
    with writing(options.output) as out:
        out.write(printed(chosen, options.format))
    note_aside(options, findings)


def insist_on_one_table(options: argparse.Namespace, tables: Sequence[str]) -> None:
    """Refuse, before the work, several tables in a form that holds one; `tables` are those without `--table`."""
    if options.table is None and len(tables) > 1 and PRINTERS[options.format].one_table:
        raise PlainlyError(f"one file holds one table: {', '.join(tables)}")


def note_aside(options: argparse.Namespace, findings: Findings) -> None:
    """Tell the person at the terminal what does not stand below the table."""
    tell((one for one in findings.notes if one.aside), options.quiet)
