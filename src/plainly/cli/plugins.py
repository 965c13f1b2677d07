"""`plainly plugins`: learned metrics at the command line."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from plainly import plugins
from plainly.base.errors import PlainlyError
from plainly.cli.faults import worded
from plainly.cli.printing import note, print_findings
from plainly.findings import Column, Findings, Table, message
from plainly.metrics import GROUPS
from plainly.metrics import names as metric_names
from plainly.plugins import Entry


def run(options: argparse.Namespace) -> None:
    {"list": _list, "install": _install, "check": _check, "remove": _remove}[options.action](options)


def _list(options: argparse.Namespace) -> None:
    entries, broken = [], []
    for name in plugins.names():
        try:
            entries.append(plugins.info(name))
        except PlainlyError as fault:
            broken.append(worded(fault))
    columns = ["plug-in", "state", "better", "needs", "languages", "licence", "what it is"]
    question = message("cli.plugins", "Which plug-ins are there?")
    table = Table("plugins", question, [*map(Column, columns)], list(map(_row, entries)))
    print_findings(options, Findings([table], data={"plugins": list(map(_facts, entries))}))
    if broken:
        raise PlainlyError("; ".join(broken))


def _row(entry: Entry) -> list[str]:
    needs = ", ".join(entry.needs) or "outputs only"
    languages = ", ".join(entry.languages) or "any"
    return [entry.name, plugins.state(entry), entry.direction, needs, languages, entry.licence, entry.about]


def _facts(entry: Entry) -> dict[str, Any]:
    bounds = [bound if abs(bound) != float("inf") else None for bound in entry.range]
    return {**asdict(entry), "range": bounds, "file": str(entry.file), "state": plugins.state(entry)}


def _install(options: argparse.Namespace) -> None:
    entry = _wanted(options.name)
    tell = (lambda _: None) if options.quiet else note
    tell(f"{entry.name}: {entry.about}. Licence: {entry.licence}")
    identity = plugins.install(entry, options.python, tell, options.quiet)
    if not options.quiet:
        print(f"{entry.name} {identity.version} is installed and works; say --metrics {entry.name}")


def _wanted(name: str) -> Entry:
    """The plug-in of that name, or the one that a file describes."""
    if not name.endswith(".toml"):
        return plugins.info(name)
    entry = plugins.read_entry(Path(name))
    if entry.name in (*metric_names(), *GROUPS, "all"):
        raise PlainlyError(f"{name}: {entry.name!r} is the name of another metric; choose another")
    if entry.name in plugins.names() and plugins.info(entry.name).file != entry.file:
        raise PlainlyError(f"{name}: {entry.name!r} is the name of another plug-in; choose another")
    return entry


def _check(options: argparse.Namespace) -> None:
    identity = plugins.check(options.name)
    print(f"{options.name} {identity.version} works")


def _remove(options: argparse.Namespace) -> None:
    removed = plugins.remove(options.name)
    print(f"{options.name} {'is removed' if removed else 'was not installed'}")
