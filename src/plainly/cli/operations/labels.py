"""`plainly operations labels`: which operations there are, and what they mean."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from plainly.base.files import writing
from plainly.base.tables import Cell, render
from plainly.base.version import __version__
from plainly.cli.operations.inputs import typology_of
from plainly.operations import Label, Typology


def run(options: argparse.Namespace) -> None:
    text = _text(typology_of(options), options.format)
    with writing(options.output) as out:
        out.write(text)


def _text(typology: Typology, form: str) -> str:
    labels = typology.labels.values()
    if form == "json":
        head = {"plainly": __version__, "name": typology.name, "lang": typology.lang}
        content = {**head, "labels": [asdict(label) for label in labels]}
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    headers = ["label", "YAWAT", "sides", "kind", "linguistic", "definition", "example"]
    return render(headers, [_row(label) for label in labels], form)


def _row(label: Label) -> list[Cell]:
    example = f"{label.example_source} → {label.example_target}"
    sides = " or ".join(label.shapes)
    return [label.name, label.yawat, sides, label.computational, label.linguistic, label.definition, example]
