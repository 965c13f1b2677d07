"""`plainly replicate`: the tables and figures of a paper, computed anew and held against what was printed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from plainly.base.errors import MissingResource, PlainlyError
from plainly.base.files import check_writable, write_bytes, writing
from plainly.base.messages import plain
from plainly.cli.options import form_for, studied_resampling
from plainly.cli.pictures import DRAWN, svg_of
from plainly.cli.printing import WorkLine, note, print_findings
from plainly.findings import PRINTERS, Findings, printed
from plainly.replication import Recipe, Replication, Table, load, names, replicate
from plainly.replication.findings import errata, findings, listed, of_papers


def run(options: argparse.Namespace) -> None:
    recipes = _recipes(options)
    if options.list:
        _print(options, listed(recipes))
        return
    if options.errata is not None:
        if options.errata and not options.paper:
            raise PlainlyError("--errata NAME needs a paper; without a name, --errata lists those of all papers")
        _print(options, errata(recipes, options.errata))
        return
    if options.all and options.output:
        _into_folder(options, recipes)
    elif options.all and not options.paper:
        _print(options, of_papers(_replicated(options, recipes)))
    elif options.paper:
        _paper(options, recipes[0])
    else:
        raise PlainlyError("which paper? plainly replicate --list lists them; --all computes all of them")


def _recipes(options: argparse.Namespace) -> list[Recipe]:
    chosen = options.table is not None or options.figure is not None
    instead = [f"--{name}" for name in ("list", "errata", "all") if getattr(options, name) not in (False, None)]
    if len(instead) > 1:
        raise PlainlyError(f"{' and '.join(instead)} are several things; say one of them")
    if instead and chosen:
        does = {"--list": "lists", "--errata": "is about", "--all": "computes"}[instead[0]]
        raise PlainlyError(f"{instead[0]} {does} everything; leave --table and --figure out")
    if chosen and not options.paper:
        raise PlainlyError("--table and --figure need a paper; plainly replicate --list lists them")
    return [load(name) for name in ([options.paper] if options.paper else names())]


def _paper(options: argparse.Namespace, recipe: Recipe) -> None:
    """The tables and figures asked for; a summary of all where none is."""
    chosen = recipe.chosen([] if options.table is None else [options.table], "table")
    chosen += recipe.chosen([] if options.figure is None else [options.figure], "figure")
    picture = DRAWN.get(Path(options.output or "").suffix.lower())
    if picture:
        if len(chosen) != 1 or chosen[0].kind != "figure":
            raise PlainlyError(f"{options.output} is a picture of one figure: say --figure NAME alone")
        check_writable(options.output)
        figure = _found(options, recipe, chosen)
        charts = figure.findings().charts
        if not charts:
            raise MissingResource(f"{chosen[0].where} cannot be drawn: {figure.tables[0].missing}")
        write_bytes(options.output, picture(charts[0]))
        if not options.quiet:
            note(f"wrote {options.output}")
        return
    options.format = options.format or form_for(options.output, DRAWN if options.figure else ())
    check_writable(options.output)
    if len(chosen) > 1 and PRINTERS[options.format].one_table:
        raise PlainlyError(f"one file holds one table, not {len(chosen)}: {', '.join(one.where for one in chosen)}")
    found = _found(options, recipe, chosen or recipe.tables).findings()
    print_findings(options, found, ["cells"] if chosen else ["summary"])


def _print(options: argparse.Namespace, found: Findings) -> None:
    options.format = options.format or form_for(options.output)
    print_findings(options, found)


def _found(options: argparse.Namespace, recipe: Recipe, tables: Sequence[Table]) -> Replication:
    line = WorkLine(options.quiet)
    try:
        return replicate(
            recipe, tables, studied_resampling(options, "segment"), lambda stage: line.stage(plain(stage))
        )
    finally:
        line.end()


def _replicated(options: argparse.Namespace, recipes: Sequence[Recipe]) -> list[Replication]:
    return [_found(options, recipe, recipe.tables) for recipe in recipes]


def _into_folder(options: argparse.Namespace, recipes: Sequence[Recipe]) -> None:
    """Every table as CSV and Markdown, every figure as SVG beside its numbers, and a summary of all papers."""
    folder = Path(options.output)
    if options.format:
        raise PlainlyError("--all -o FOLDER writes CSV, Markdown and SVG; leave --format out")
    if folder.exists() and not folder.is_dir():
        raise PlainlyError(f"{folder} is a file; --all -o needs a folder")
    if not folder.exists() and folder.suffix.lower() in ENDINGS:
        raise PlainlyError(f"{folder} has the name of a file; --all -o needs a folder")
    _make(folder)
    check_writable(str(folder / "summary.csv"))
    found = []
    for recipe in recipes:
        replication = _found(options, recipe, recipe.tables)
        _make(folder / recipe.name)
        _write_paper(replication, folder / recipe.name)
        found.append(replication)
    for form, ending in FORMS.items():
        _write(folder / f"summary.{ending}", printed(of_papers(found), form))
    if not options.quiet:
        note(f"wrote {folder}: " + ", ".join(one.recipe.name for one in found))
    options.output, options.format = None, "table"
    print_findings(options, of_papers(found))


FORMS = {"csv": "csv", "markdown": "md"}
ENDINGS = {*DRAWN, *(f".{ending}" for name in PRINTERS for ending in PRINTERS[name].endings)}


def _write_paper(replication: Replication, folder: Path) -> None:
    whole = findings(replication)
    for form, ending in FORMS.items():
        _write(folder / f"summary.{ending}", printed(whole.only("summary"), form))
    for replicated in replication.tables:
        one = replace(replication, tables=[replicated]).findings()
        name = replicated.table.where.lower().replace(" ", "-")
        for form, ending in FORMS.items():
            _write(folder / f"{name}.{ending}", printed(one.only("cells"), form))
        for chart in one.charts:
            write_bytes(str(folder / f"{name}.svg"), svg_of(chart))


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PlainlyError(f"cannot make the folder {folder}: {error.strerror}") from error


def _write(path: Path, text: str) -> None:
    with writing(str(path)) as out:
        out.write(text)
