"""How `plainly metaeval` writes what it found: tables, JSON, a page, or Markdown with pictures."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import IO, Any

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.tables import Cell, render, shown, with_lines
from plainly.base.version import __version__
from plainly.cli.metaeval.tables import csv_table, titled_tables
from plainly.cli.options import form_for
from plainly.cli.study_tables import estimate_cells, p_cell
from plainly.metaeval.collection import Collection
from plainly.metaeval.operations import Effect, OperationsStudy
from plainly.report.assets import chart_library
from plainly.report.metaeval import metaeval_page
from plainly.report.metaeval_markdown import metaeval_markdown, pictures
from plainly.report.words import plural

PAGE = "html"
WHOLE = (PAGE, "markdown", "json")
"""What several data sets can be written as."""


class Outputs:
    """The files of a run. None appears unless all were written without error."""

    def __init__(self, options: argparse.Namespace, stack: ExitStack) -> None:
        files: list[tuple[str | None, str]] = [(options.output, options.format)]
        files += [(path, form_for(path)) for path in options.also]
        places = [Path(path).resolve() for path, _ in files if path not in (None, "-")]
        for number, place in enumerate(places):
            if place in places[:number]:
                raise PlainlyError(f"--output and --also name the same file twice: {place}")
        if (options.output or "").lower().endswith((".html", ".htm")) and options.format != PAGE:
            raise PlainlyError(f"{options.output} is the name of a page; leave --format {options.format} out")
        self._options = options
        for _, form in files:
            if options.all and form not in WHOLE:
                raise PlainlyError(f"--all writes .html, .md or .json, not {form}; name such a file with -o")
            if form == PAGE:
                chart_library()  # if it is missing, say so before the work
        folder = options.pictures
        if folder is not None and not any(form == "markdown" for _, form in files):
            raise PlainlyError("--pictures goes with Markdown: name a file that ends in .md")
        if folder is not None and not Path(folder).is_dir():
            raise PlainlyError(f"--pictures: {folder} is not a folder")
        self._files: list[tuple[IO[str], str | None, str]] = [
            (stack.enter_context(writing(path)), path, form) for path, form in files
        ]
        self._stack = stack

    @property
    def whole(self) -> bool:
        """Whether some file shows more than tables: systems beside outputs, and points."""
        return bool(self._options.all) or any(form == PAGE for _, _, form in self._files)

    def write(self, collection: Collection) -> None:
        for stream, path, form in self._files:
            stream.write(self._text(collection, path, form))

    def _text(self, collection: Collection, path: str | None, form: str) -> str:
        options = self._options
        if form == PAGE:
            return metaeval_page(collection, date.today().isoformat())
        if form == "json":
            return _json(collection, bool(options.all))
        if form == "markdown" and self.whole:
            links = self._pictures(collection, path) if options.pictures else {}
            return metaeval_markdown(collection, links)
        (found,) = collection.studies
        if form == "csv":
            return csv_table(found, options.table)
        text = titled_tables(found, options.table, form)
        return "\n".join([text, *(operations_tables(done, form) for done in collection.operations.values())])

    def _pictures(self, collection: Collection, path: str | None) -> dict[str, str]:
        """Writes a picture for each data set: name of the data set -> how the Markdown file links to it."""
        links = {}
        home = Path(path).parent if path not in (None, "-") else Path()
        for name, picture in pictures(collection).items():
            file = Path(self._options.pictures) / f"metaeval-{name}.svg"
            self._stack.enter_context(writing(str(file))).write(picture)
            links[name] = Path(os.path.relpath(file, home)).as_posix()
        return links


def _json(collection: Collection, several: bool) -> str:
    content: dict[str, Any] = {"plainly": __version__}
    if several:
        content |= collection.to_dict()
        return _one_line_each(content)
    (found,) = collection.studies
    content |= found.to_dict()
    if collection.operations:
        content["operations"] = collection.operations[found.name].to_dict()
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _one_line_each(content: dict[str, Any]) -> str:
    """Records in lines of their own: short enough to keep, and changes can be seen line by line."""

    def compact(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)

    parts = []
    for key, value in content.items():
        body = compact(value)
        if isinstance(value, list) and value:
            body = "[\n" + ",\n".join(map(compact, value)) + "\n]"
        parts.append(f"{compact(key)}: {body}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def operations_tables(found: OperationsStudy, form: str) -> str:
    """Which operations go with which scores: over all outputs, then of each system."""
    name = {"spearman": "rho", "pearson": "r", "kendall": "tau"}[found.coefficient]
    headers = ["score", "operation", "with it", "of", name, "low", "high", "p corrected", "verdict"]
    headers += ["difference", "difference low", "difference high"]
    title = {"markdown": "## {}\n\n", "latex": "% {}\n"}.get(form, "{}\n\n")
    parts = []
    for system, effects in found.groups.items():
        if not effects:
            continue
        named = shown(f"operations, {system or 'all outputs'}", 0)
        parts.append(title.format(named) + render(headers, list(_rows(effects, form)), form, 3))
    chosen = found.resampling
    lines = [
        f"operations by {', '.join(found.annotators)}; {name} of the score with the number of operations; "
        "Holm within each table",
        f"difference: mean score with the operation less that without it; {chosen.confidence:.0%} intervals, "
        f"{chosen.resamples} resamples of segments, seed {chosen.seed}",
        f"{plural(found.outputs, 'output')}, {plural(found.segments, 'segment')}",
        *found.notes,
    ]
    return with_lines("\n".join(parts), [shown(line, 0) for line in lines], form)


def _rows(effects: Sequence[Effect], form: str) -> Iterator[list[Cell]]:
    for effect in effects:
        finding, difference = effect.finding, effect.difference
        yield [
            finding.score,
            finding.operation,
            finding.pairs,
            finding.correlation.n,
            *estimate_cells(finding.correlation.estimate),
            p_cell(finding.p_corrected, form),
            finding.verdict or None,
            *estimate_cells(difference),
        ]
