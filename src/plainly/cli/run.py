"""`plainly run`: a whole study from one file."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from plainly.base.errors import PlainlyError
from plainly.base.messages import plural
from plainly.cli.gates import status
from plainly.cli.printing import WorkLine, note, print_findings
from plainly.findings import PRINTERS, Findings
from plainly.studyfile import Outcome, beginning, load, plan
from plainly.studyfile import run as run_study
from plainly.studyfile.faults import worded
from plainly.studyfile.findings import files_table

ADVICE = {"corpus.blank-references": '; where a line means that there is none, say empty_reference = "missing"'}


def run(options: argparse.Namespace) -> int | None:
    path = Path(options.file)
    try:
        if options.init:
            beginning(path, options.lang or "")
            if not options.quiet:
                note(f"wrote {path}; look at it, then: plainly run {path}")
            return None
        if options.lang:
            raise PlainlyError("--lang goes with --init; a study file says lang itself")
        if not path.exists():
            raise PlainlyError(f"there is no study file {path}; plainly run --init {path} writes a first one")
        if options.dry_run:
            _planned(options, path)
            return None
        return _done(options, path)
    except PlainlyError as error:
        raise PlainlyError(worded(error)) from error


def _planned(options: argparse.Namespace, path: Path) -> None:
    found = plan(load(path), options.threads)
    print_findings(options, found, ["measured"] if PRINTERS[options.format].one_table else [])


def _done(options: argparse.Namespace, path: Path) -> int | None:
    study = load(path)
    line = WorkLine(options.quiet)
    try:
        outcome = run_study(study, line, options.threads)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"what is measured is kept; plainly run {path} goes on") from None
    finally:
        line.end()
    shown = _shown(options, study.comparison.tables, outcome)
    print_findings(options, shown, advice=ADVICE)
    if not options.quiet:
        note(f"measured {plural(outcome.measured, 'row')}; all others were kept" if outcome.measured else "all kept")
    return status(outcome.failures, str)


def _shown(options: argparse.Namespace, tables: tuple[str, ...], outcome: Outcome) -> Findings:
    """The tables asked for; below them the files, in forms that have room for a table more."""
    names = list(dict.fromkeys(tables))
    if "slices" in outcome.findings.names and "slices" not in names:
        names.append("slices")
    one = PRINTERS[options.format].one_table
    found = outcome.findings.only(*(names[:1] if one else names))
    if not outcome.written or one:
        return found
    files = [{"file": file.file, "what": str(file.what)} for file in outcome.written]
    return replace(found, tables=[*found.tables, files_table(outcome.written)], data={**found.data, "files": files})
