"""What the manifest of a statistics folder says: written, and checked when it is read, as it may come from anywhere.

{"plainly": "0.1.0", "kind": "statistics", "format": 1, "segments": 2000, "systems": ["mine"],
 "metrics": {"sari": {"name": "sari", "settings": {...}, "columns": ["segments", ...]}},
 "references": {"mine": [1, 1]}, "lang": "en", "columns": ["domain"], "problems": {},
 "parts": [{"file": "part-00000.parquet", "rows": 2000, "first": 0}],
 "totals": {"mine": {"sari": ["7d0p0", ...]}}}
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from plainly.base import places
from plainly.base.errors import PlainlyError
from plainly.base.version import __version__
from plainly.corpus.references import References
from plainly.metrics import Metric, get
from plainly.scoring.evaluator import RunTotals
from plainly.scoring.jobs import Job, built, part_name
from plainly.scoring.manifest import FORMAT, NAME
from plainly.scoring.parts import storable

LARGEST = 1 << 28  # bytes of a manifest: that of 10^9 segments has a tenth of it
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.parquet")


@dataclass(frozen=True)
class Part:
    """A file of the folder: how many rows it has, and the number of its first segment."""

    file: str
    rows: int
    first: int


@dataclass(frozen=True)
class Manifest:
    """What a statistics folder holds."""

    version: str
    """The plainly that measured."""
    segments: int
    systems: tuple[str, ...]
    metrics: Mapping[str, Metric]
    references: Mapping[str, References]
    lang: str
    columns: tuple[str, ...]
    """Metadata that were kept, by their names in the records."""
    problems: Mapping[str, int]
    """Reasons for which segments were left out, with their number."""
    parts: tuple[Part, ...]
    totals: Mapping[str, Mapping[str, tuple[str, ...]]]
    """The exact sums by system and metric, as `Totals` writes them."""


def manifest_of(
    job: Job,
    sums: RunTotals,
    parts: Sequence[tuple[int, int, int]],
    problems: Mapping[str, int],
) -> dict[str, Any]:
    """What stands beside the parts of statistics; `parts` are their number, rows and first segment."""
    metrics = built(job.metrics)
    return {
        "plainly": __version__,
        "kind": "statistics",
        "format": FORMAT,
        "segments": sums.segments,
        "systems": list(sums.totals),
        "metrics": {
            metric.label: {"name": metric.name, "settings": asdict(metric), "columns": list(metric.columns)}
            for metric in metrics
        },
        "references": {system: found.to_json() for system, found in sums.references.items()},
        "lang": job.rules.lang,
        "parts": [{"file": part_name(number), "rows": rows, "first": first} for number, rows, first in parts],
        "columns": [storable(name) for name, _ in job.metadata],
        "problems": dict(problems),
        "totals": {
            system: {metric.label: total.to_json() for metric, total in zip(metrics, totals, strict=True)}
            for system, totals in sums.totals.items()
        },
    }


def read_manifest(folder: str) -> Manifest:
    """The manifest of a folder; whatever is wrong with it is said in one line."""
    path = places.join(folder, NAME)
    if not places.exists(path):
        why = "it has no manifest.json" if places.exists(folder) else "there is no such folder"
        raise PlainlyError(f"{folder} is no statistics folder: {why}")
    with places.open_binary(path) as stream:
        content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise PlainlyError(f"{path} cannot be used: it is larger than {LARGEST >> 20} MB")
    try:
        return _manifest(json.loads(content))
    except PlainlyError as error:
        raise PlainlyError(f"{path} cannot be used: {error}") from error
    except RecursionError:
        raise PlainlyError(f"{path} cannot be used: it is nested too deep") from None
    except KeyError as error:
        raise PlainlyError(f"{path} cannot be used: it has no {error}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise PlainlyError(f"{path} cannot be used: {error}") from None


def _manifest(data: Any) -> Manifest:
    _insist(isinstance(data, dict) and data.get("kind") == "statistics", "it describes no statistics")
    _insist(
        data["format"] == FORMAT, f"it has format {data['format']!r}; plainly {__version__} reads format {FORMAT}"
    )
    systems = _texts(data["systems"], "systems")
    _insist(bool(systems) and bool(data["metrics"]), "it names no system or no metric")
    _insist(set(data["references"]) == set(systems), "its references are not those of its systems")
    parts = tuple(_part(entry) for entry in data["parts"])
    _insist(len({part.file for part in parts}) == len(parts), "it names a part twice")
    _insist(all(a.first < b.first for a, b in pairwise(parts)), "its parts are not in order")
    segments = _count(data["segments"], "segments")
    rows = sum(part.rows for part in parts)
    _insist(
        rows == segments * len(systems),
        f"{segments:,} segments of {len(systems)} systems are not {rows:,} rows, which its parts have",
    )
    _insist(segments > 0, "it has no segments")
    return Manifest(
        version=_text(data["plainly"], "plainly"),
        segments=segments,
        systems=systems,
        metrics={_text(label, "a label"): _metric(label, entry) for label, entry in data["metrics"].items()},
        references={system: _references(found) for system, found in data["references"].items()},
        lang=_text(data["lang"], "lang"),
        columns=_texts(data["columns"], "columns"),
        problems={reason: _count(number, "problems") for reason, number in data["problems"].items()},
        parts=parts,
        totals={
            system: {label: _sums(label, texts) for label, texts in by_label.items()}
            for system, by_label in data.get("totals", {}).items()
        },
    )


def _part(entry: Any) -> Part:
    part = Part(_text(entry["file"], "file"), _count(entry["rows"], "rows"), _count(entry["first"], "first"))
    # No other folder may be read through it.
    _insist(bool(_PART.fullmatch(part.file)), f"{part.file!r} is no name of a part")
    return part


def _metric(label: str, entry: Any) -> Metric:
    metric = get(_text(entry["name"], "name"), **entry["settings"])
    _insist(metric.label == label, f"{label!r} is called {metric.label!r} here")
    _insist(
        list(metric.columns) == entry["columns"],
        f"{label} was measured in other columns than those of plainly {__version__}; score the texts again",
    )
    return metric


def _sums(label: str, texts: Any) -> tuple[str, ...]:
    _insist(isinstance(texts, list), f"the totals of {label} must be a list")
    return tuple(_text(text, "totals") for text in texts)


def _references(found: Any) -> References:
    low, high, *empty = found
    return References(_count(low, "references"), _count(high, "references"), bool(empty))


def _texts(values: Any, what: str) -> tuple[str, ...]:
    _insist(isinstance(values, list), f"{what} must be a list")
    texts: Sequence[str] = [_text(value, what) for value in values]
    _insist(len(set(texts)) == len(texts), f"{what} has a name twice")
    return tuple(texts)


def _text(value: Any, what: str) -> str:
    _insist(isinstance(value, str), f"{what} must be a text, not {value!r:.40}")
    return str(value)


def _count(value: Any, what: str) -> int:
    whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 62
    _insist(whole, f"{what} must be a whole number from 0 on, not {value!r:.40}")
    return int(value)


def _insist(right: bool, complaint: str) -> None:
    if not right:
        raise PlainlyError(complaint)
