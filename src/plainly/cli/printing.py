"""How every command prints what its study found: in the form asked for, all or nothing, notes beside it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from plainly.base.files import writing
from plainly.cli.notes import tell
from plainly.findings import Findings, printed


def print_findings(options: argparse.Namespace, findings: Findings, tables: Sequence[str] = ()) -> None:
    """Write findings where `--output` says, in the form of `--format`; `tables` chooses some of them."""
    chosen = findings.only(*tables) if tables else findings
    with writing(options.output) as out:
        out.write(printed(chosen, options.format))
    note_aside(options, findings)


def note_aside(options: argparse.Namespace, findings: Findings) -> None:
    """Tell the person at the terminal what does not stand below the table."""
    tell((one for one in findings.notes if one.aside), options.quiet)
