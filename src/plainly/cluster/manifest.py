"""What a run in parts says of itself: for who resumes it, and for who reads what it made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from plainly import places
from plainly.cluster.jobs import Job, built, part_path
from plainly.cluster.partitions import ROWS, Plan
from plainly.cluster.totals import Totals
from plainly.corpus.readers.inputs import STDIN
from plainly.errors import PlainlyError
from plainly.version import __version__

NAME = "manifest.json"
FORMAT = 1
_IN_WORDS = {
    "plainly": "by another version of plainly",
    "files": "with other files, or they were changed since",
    "metrics": "with other metrics or settings",
    "baselines": "with other baselines",
}


def fingerprint(job: Job, plan: Plan) -> dict[str, Any]:
    """All that the parts depend on. Two runs with the same fingerprint write the same parts."""
    settings = asdict(job) | {
        "rules": job.rules._asdict(),
        "metrics": None,
        "scores": job.scores is not None,
        "statistics": job.statistics and places.absolute(job.statistics),
        "checkpoints": None,
    }
    return {
        "plainly": __version__,
        "format": FORMAT,
        "rows": ROWS,
        "files": [_facts(path) for path in plan.files],
        "metrics": [metric.signature(long=True) for metric in built(job.metrics)],
        "settings": json.loads(json.dumps(settings)),
    }


def _facts(path: str) -> list[Any]:
    return [path] if path == STDIN else [places.absolute(path), *places.size_and_time(path)]


def read_manifest(folder: str) -> dict[str, Any] | None:
    """The manifest in a folder, if there is one."""
    path = places.join(folder, NAME)
    if not places.exists(path):
        return None
    with places.open_binary(path) as stream:
        try:
            data = json.loads(stream.read())
        except ValueError:
            raise PlainlyError(f"{path} is damaged; delete {folder} and begin again") from None
    if not isinstance(data, dict):
        raise PlainlyError(f"{path} is no manifest; delete {folder} and begin again")
    return data


def write_manifest(folder: str, data: Mapping[str, Any], name: str = NAME) -> None:
    """Write a manifest, whole."""
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    places.write_whole(places.join(folder, name), text.encode())


def check_fitting(folder: str, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuses to go on with a run that was begun otherwise. What stopped at bad input may go on by skipping it."""
    for key, value in wanted.items():
        begun = found.get(key)
        if key == "settings" and isinstance(begun, dict) and begun.get("on_error") == "stop":
            begun = begun | {"on_error": value["on_error"]}  # nothing was left out so far
        if begun != value:
            how = _IN_WORDS.get(key, "with other options")
            raise PlainlyError(f"cannot resume: the run in {folder} was begun {how}; delete it, or say what it said")


def statistics_manifest(
    job: Job,
    segments: int,
    systems: Sequence[str],
    references: Mapping[str, set[int]],
    totals: Mapping[str, Sequence[Totals]],
    parts: Sequence[tuple[int, int, int]],
    problems: Mapping[str, int],
) -> dict[str, Any]:
    """What stands beside the parts of statistics; `parts` are their number, rows and first segment."""
    metrics = built(job.metrics)
    return {
        "plainly": __version__,
        "kind": "statistics",
        "format": FORMAT,
        "segments": segments,
        "systems": list(systems),
        "metrics": {
            metric.label: {"name": metric.name, "settings": asdict(metric), "columns": list(metric.columns)}
            for metric in metrics
        },
        "references": {
            system: [min(counts, default=0), max(counts, default=0)] for system, counts in references.items()
        },
        "lang": job.rules.lang,
        "parts": [
            {"file": part_path("", number).lstrip("/"), "rows": rows, "first": first} for number, rows, first in parts
        ],
        "columns": [name for name, _ in job.metadata],
        "problems": dict(problems),
        "totals": {
            system: {metric.label: total.to_json() for metric, total in zip(metrics, sums, strict=True)}
            for system, sums in totals.items()
        },
    }
