"""What a statistics folder holds, and the scores of groups of its segments, as every face prints it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plainly.base.places import join, size_and_time
from plainly.findings import Column, Findings, Message, Note, Table, message
from plainly.findings.shape import Value
from plainly.scoring.findings import LONG, SYSTEM, amount, long_rows, score_column, signatures, unscored_by
from plainly.scoring.statistics.folder import Folder
from plainly.scoring.statistics.slices import Slices

MOST_VALUES = 1_000  # that are counted
SHOWN = 5


def slices_findings(found: Slices) -> Findings:
    """The scores of each group: one row a group and system, for programs one a score."""
    question = message("scoring.groups", "How well does each system do on each group of segments?")
    front = [
        *map(Column, found.by),
        Column("segments", "count", title=message("scoring.column.segments", "segments")),
    ]
    rows: list[list[Value]] = [
        [*part.group, part.segments, system, *(result.estimate for result in results.values())]
        for part in found.slices
        for system, results in part.systems.items()
    ]
    long = [
        [*part.group, part.segments, *row]
        for part in found.slices
        for system, results in part.systems.items()
        for row in long_rows(system, results)
    ]
    scores = [score_column(label, metric) for label, metric in found.metrics.items()]
    table = Table(
        "groups", question, [*front, SYSTEM, *scores], rows, long=Table("groups", question, [*front, *LONG], long)
    )
    below = [amount(found.segments, None, found.intervals), *_unscored(found)]
    return Findings(
        tables=[table],
        notes=[*map(Note, below), *(Note(one, aside=True) for one in found.notes)],
        signatures=signatures(found.metrics, found.slices[0].systems),
        data=found.data,
    )


def _unscored(found: Slices) -> Iterator[Message]:
    for system in found.slices[0].systems:
        for label in found.metrics:
            if count := sum(part.systems[system][label].unscored for part in found.slices):
                yield unscored_by([label], count, found.segments, system)


def folder_findings(folder: Folder) -> Findings:
    """What a folder holds: segments, parts, systems, metrics, columns."""
    content = _content(folder)
    return Findings(
        tables=[
            Table(
                "content",
                message("scoring.content", "What does the folder hold?"),
                [Column("what"), Column("name"), Column("about")],
                list(_rows(content)),
            )
        ],
        notes=[Note(one, aside=True) for one in folder.notes],
        data=content,
    )


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
        "systems": {system: str(manifest.references[system]) for system in folder.systems},
        "metrics": {
            label: metric.signature(manifest.references[folder.systems[0]])
            for label, metric in folder.metrics.items()
        },
        "columns": columns,
        "problems": dict(manifest.problems),
    }


def _rows(content: dict[str, Any]) -> Iterator[list[str]]:
    size = f"{content['bytes'] / 1e6:.1f} MB"
    yield ["segments", f"{content['segments']:,}", f"language {content['lang']}"]
    yield ["parts", f"{content['parts']:,}", f"{size}, measured by plainly {content['plainly']}"]
    for system, references in content["systems"].items():
        yield ["system", system, f"references a segment: {references}"]
    for label, signature in content["metrics"].items():
        yield ["metric", label, signature]
    for name, facts in content["columns"].items():
        count = "more than 1,000" if facts["different"] is None else f"{facts['different']:,}"
        some = ", ".join(value[:30] for value in facts["values"])
        yield ["column", name, f"{count} different values: {some}{', ...' if _more(facts) else ''}"]
    for reason, number in content["problems"].items():
        yield ["left out", f"{number:,}", reason]


def _more(facts: dict[str, Any]) -> bool:
    return facts["different"] is None or facts["different"] > len(facts["values"])
