"""How `plainly metaeval` writes what it found: tables, JSON, a page, or Markdown with pictures."""

from __future__ import annotations

import argparse
import json
import os
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
        if options.all and form == "json":
            return _one_line_each({"plainly": __version__, **collection.to_dict()})
        if form == "markdown" and self.whole:
            links = self._pictures(collection, path) if options.pictures else {}
            return metaeval_markdown(collection, links)
        (found,) = collection.studies
        done = collection.operations.get(found.name)
        tables = [options.table] if options.table else ["correlations", *(["operations"] if done else [])]
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
