"""`plainly statistics show`: what is in a folder."""

from __future__ import annotations

import argparse
import json
from typing import Any

from plainly.base.files import writing
from plainly.base.places import join, size_and_time
from plainly.base.tables import Cell, render
from plainly.cli.notes import note
from plainly.scoring.results import range_in_words
from plainly.scoring.statistics import Folder

MOST_VALUES = 1_000  # that are counted
SHOWN = 5


def run(options: argparse.Namespace) -> None:
    folder = Folder(options.folder)
    content = _content(folder)
    with writing(options.output) as out:
        if options.format == "json":
            out.write(json.dumps(content, ensure_ascii=False, indent=2) + "\n")
        else:
            out.write(render(["what", "name", "about"], list(_rows(content)), options.format))
    if not options.quiet:
        for text in folder.notes:
            note(f"note: {text}")


def _content(folder: Folder) -> dict[str, Any]:
    manifest = folder.manifest
    columns = {}
    for name in folder.fields:
        values = folder.values(name, MOST_VALUES)
        columns[name] = {
            "different": len(values) if len(values) <= MOST_VALUES else None,
            "values": sorted(map(str, values - {None}))[:SHOWN],
        }
    return {
        "plainly": manifest.version,
        "segments": manifest.segments,
        "lang": manifest.lang,
        "parts": len(manifest.parts),
        "bytes": sum(size_and_time(join(folder.path, part.file))[0] for part in manifest.parts),
        "systems": {system: range_in_words(manifest.references[system]) for system in folder.systems},
        "metrics": {
            label: metric.signature(range_in_words(manifest.references[folder.systems[0]]))
            for label, metric in folder.metrics.items()
        },
        "columns": columns,
        "problems": dict(manifest.problems),
    }


def _rows(content: dict[str, Any]) -> list[list[Cell]]:
    size = f"{content['bytes'] / 1e6:.1f} MB"
    rows: list[list[Cell]] = [
        ["segments", f"{content['segments']:,}", f"language {content['lang']}"],
        ["parts", f"{content['parts']:,}", f"{size}, measured by plainly {content['plainly']}"],
    ]
    for system, references in content["systems"].items():
        rows.append(["system", system, f"references a segment: {references}"])
    rows += [["metric", label, signature] for label, signature in content["metrics"].items()]
    for name, facts in content["columns"].items():
        count = "more than 1,000" if facts["different"] is None else f"{facts['different']:,}"
        some = ", ".join(value[:30] for value in facts["values"])
        rows.append(["column", name, f"{count} different values: {some}{', ...' if _more(facts) else ''}"])
    rows += [["left out", f"{number:,}", reason] for reason, number in content["problems"].items()]
    return rows


def _more(facts: dict[str, Any]) -> bool:
    return facts["different"] is None or facts["different"] > len(facts["values"])
