"""How every command speaks: what its study found in the form asked for, with notes and progress beside it."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.messages import Message, Note
from plainly.findings import PRINTERS, Findings, printed
from plainly.findings.printers import table

BAR = 30  # characters
MANY = 1_000  # steps of work whose progress is worth a line where there is no terminal
ADVICE = {"corpus.blank-references": "; where a line means that there is none, say --empty-reference missing"}


def print_findings(
    options: argparse.Namespace,
    findings: Findings,
    tables: Sequence[str] = (),
    below: str = "",
    advice: Mapping[str, str] = ADVICE,
) -> None:
    """Write findings where `--output` says, in the form of `--format`; `tables` chooses some, `below` ends them."""
    chosen = findings.only(*tables) if tables else findings
    if getattr(options, "picture", None):
        from plainly.cli.pictures import draw

        draw(chosen, options.output)
        note_aside(options, findings, advice)
        return
    screen = _screen() if options.format == "table" and options.output is None else None
    with writing(options.output) as out:
        out.write((_printed(options, chosen) if screen is None else table.write(chosen, "en", screen)) + below)
    note_aside(options, findings, advice)


def _printed(options: argparse.Namespace, findings: Findings) -> str:
    """In the form asked for; a page has the charts too, where the command has pictures."""
    text = printed(findings, options.format)
    if options.format != "html" or getattr(options, "picture", None) is None:
        return text
    from plainly.cli.pictures import on_page

    return on_page(text, findings)


def _screen() -> table.Screen | None:
    """The terminal that is written to; None where it is none, and nothing is cut."""
    if not sys.stdout.isatty():
        return None
    bold = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return table.Screen(shutil.get_terminal_size().columns, bold, "They are in -o FILE.txt or --format json.")


def insist_on_one_table(options: argparse.Namespace, tables: Sequence[str]) -> None:
    """Refuse, before the work, several tables in a form that holds one; `tables` are those without `--table`."""
    if options.table is None and len(tables) > 1 and PRINTERS[options.format].one_table:
        raise PlainlyError(f"one file holds one table: {', '.join(tables)}")


def note_aside(options: argparse.Namespace, findings: Findings, advice: Mapping[str, str] = ADVICE) -> None:
    """Tell the person at the terminal what does not stand below the table."""
    tell((one for one in findings.notes if one.aside), options.quiet, advice)


def note(text: str) -> None:
    """One line on standard error."""
    print(text, file=sys.stderr)


def tell(notes: Iterable[Note], quiet: bool, advice: Mapping[str, str] = ADVICE) -> None:
    """What the numbers alone do not say, each on a line, with the option that helps where there is one.

    Warnings are said to those who want quiet, too: nobody else might ever look at the texts.
    """
    for one in dict.fromkeys(one for one in notes if not quiet or one.kind == "warning"):
        note(f"{one.kind}: {one.message}{advice.get(one.message.key, '')}")


class ProgressLine:
    """One line on the terminal that says how far the work is; nothing where there is no terminal."""

    def __init__(self, quiet: bool) -> None:
        self._on = not quiet and sys.stderr.isatty()
        self._width = 0

    def show(self, text: str) -> None:
        """Put the text in the place of the one before."""
        if self._on:
            print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(text)

    def bar(self, done: int, all_: int) -> None:
        """How much is done, as a bar."""
        full = BAR * done // max(all_, 1)
        self.show(f"[{'#' * full}{'.' * (BAR - full)}] {done / max(all_, 1):.0%}")

    def end(self) -> None:
        """What is printed next begins on a line of its own."""
        if self._width:
            print(file=sys.stderr)
            self._width = 0


class WorkLine(ProgressLine):
    """Says what long work begins, and how far it is: on a terminal as a bar, elsewhere a line each tenth of it."""

    def __init__(self, quiet: bool) -> None:
        super().__init__(quiet)
        self._quiet = quiet
        self._tenths = 0

    def stage(self, what: Message) -> None:
        """What begins now."""
        self.end()
        self._tenths = 0
        if not self._quiet:
            note(f"{what} ...")

    def progress(self, done: int, all_: int) -> None:
        """How much of it is done."""
        if self._on:
            self.bar(done, all_)
            return
        tenths = 10 * done // max(all_, 1)
        if not self._quiet and all_ > MANY and self._tenths < tenths < 10:
            note(f"{done:,} of {all_:,}")
        self._tenths = tenths
