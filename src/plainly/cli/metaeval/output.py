"""How `plainly metaeval` writes what it found: tables, JSON, a page, or Markdown with pictures."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import IO, Any

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.version import __version__
from plainly.cli.options import form_for
from plainly.findings import printed
from plainly.metaeval.collection import Collection
from plainly.metaeval.findings import findings
from plainly.report.assets import chart_library
from plainly.report.metaeval import metaeval_page
from plainly.report.metaeval_markdown import metaeval_markdown, pictures

PAGES = {"html"}
PICTURED = {"markdown"}
"""Forms that link to pictures in files of their own."""


class Outputs:
    """The files of a run. None appears unless all were written without error."""

    def __init__(self, options: argparse.Namespace, stack: ExitStack) -> None:
        files: list[tuple[str | None, str]] = [(options.output, options.format)]
        files += [(path, form_for(path)) for path in options.also]
        places = [Path(path).resolve() for path, _ in files if path not in (None, "-")]
        for number, place in enumerate(places):
            if place in places[:number]:
                raise PlainlyError(f"--output and --also name the same file twice: {place}")
        forms = {form for _, form in files}
        if (options.output or "").lower().endswith((".html", ".htm")) and not PAGES & {options.format}:
            raise PlainlyError(f"{options.output} is the name of a page; leave --format {options.format} out")
        if options.all and (other := sorted(forms - WHOLE.keys())):
            raise PlainlyError(f"--all writes .html, .md or .json, not {other[0]}; name such a file with -o")
        if forms & PAGES:
            chart_library()  # if it is missing, say so before the work
        folder = options.pictures
        if folder is not None and not forms & PICTURED:
            raise PlainlyError("--pictures goes with Markdown: name a file that ends in .md")
        if folder is not None and not Path(folder).is_dir():
            raise PlainlyError(f"--pictures: {folder} is not a folder")
        self.whole = bool(options.all or forms & PAGES)
        """Whether some file shows more than tables: systems beside outputs, and points."""
        self._options = options
        self._stack = stack
        self._files: list[tuple[IO[str], str | None, str]] = [
            (stack.enter_context(writing(path)), path, form) for path, form in files
        ]

    def write(self, collection: Collection) -> None:
        # The JSON of one data set holds more than the records of many.
        writers = WHOLE if self._options.all else {form: WHOLE[form] for form in PAGES | PICTURED if self.whole}
        for stream, path, form in self._files:
            whole = writers.get(form)
            links = self._pictures(collection, path) if PICTURED & {form} and self._options.pictures and whole else {}
            stream.write(whole(collection, links) if whole else self._tables(collection, form))

    def _tables(self, collection: Collection, form: str) -> str:
        (found,) = collection.studies
        done = collection.operations.get(found.name)
        chosen = self._options.table
        tables = [chosen] if chosen else ["correlations", *(["operations"] if done else [])]
        return printed(findings(found, done).only(*tables), form)

    def _pictures(self, collection: Collection, path: str | None) -> dict[str, str]:
        """Writes a picture for each data set: name of the data set -> how the Markdown file links to it."""
        links = {}
        home = Path(path).parent if path not in (None, "-") else Path()
        for name, picture in pictures(collection).items():
            file = Path(self._options.pictures) / f"metaeval-{name}.svg"
            self._stack.enter_context(writing(str(file))).write(picture)
            links[name] = Path(os.path.relpath(file, home)).as_posix()
        return links


def _page(collection: Collection, links: Mapping[str, str]) -> str:
    return metaeval_page(collection, date.today().isoformat())


def _records(collection: Collection, links: Mapping[str, str]) -> str:
    """Records in lines of their own: short enough to keep, and changes can be seen line by line."""
    parts = []
    for key, value in {"plainly": __version__, **collection.to_dict()}.items():
        body = _compact(value)
        if isinstance(value, list) and value:
            body = "[\n" + ",\n".join(map(_compact, value)) + "\n]"
        parts.append(f"{_compact(key)}: {body}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


WHOLE = {"html": _page, "markdown": metaeval_markdown, "json": _records}
"""What several data sets can be written as: the collection and links to pictures -> the text."""
