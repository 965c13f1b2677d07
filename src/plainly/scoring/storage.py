"""Evaluations on disk: what `Evaluation.to_json` writes beside the scores, and how it is read again."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.messages import Note, plain
from plainly.corpus.references import References
from plainly.inference.estimates import CONFIDENCE, Estimate
from plainly.inference.resampling import Resampling
from plainly.metrics import Array, Metric, get
from plainly.scoring.results import Result

if TYPE_CHECKING:
    from plainly.scoring.evaluation import Evaluation


def behind(evaluation: Evaluation) -> dict[str, Any]:
    """What scores rest on: the settings of the metrics, and the statistics if they were kept."""
    statistics = evaluation.statistics
    return {
        "references": {system: found.to_json() for system, found in evaluation.references.items()},
        "metrics": {label: _described(metric) for label, metric in evaluation.metrics.items()},
        "ids": evaluation.ids and list(evaluation.ids),
        "documents": evaluation.documents and list(evaluation.documents),
        "runs": {system: list(runs) for system, runs in evaluation.runs.items()},
        "statistics": statistics
        and {
            system: {label: rows.tolist() for label, rows in by_label.items()}
            for system, by_label in statistics.items()
        },
    }


def restored(source: str | Path) -> dict[str, Any]:
    """The fields of an evaluation, from JSON text or the path of a file that holds it."""
    text, name = _text_of(source)
    try:
        data = json.loads(text)
        return _fields(data)
    except PlainlyError as error:
        raise PlainlyError(f"{name} cannot be used: {error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise PlainlyError(f"{name} is not what Evaluation.to_json writes: {what}") from error


def _text_of(source: str | Path) -> tuple[str, str]:
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return source, "this text"
    try:
        return Path(source).read_text(encoding="utf-8"), str(source)
    except (OSError, ValueError) as error:
        raise PlainlyError(f"cannot read {source}: {getattr(error, 'strerror', None) or error}") from error


def _fields(data: dict[str, Any]) -> dict[str, Any]:
    metrics = {label: get(entry["name"], **entry["settings"]) for label, entry in data["metrics"].items()}
    size = int(data["segments"])
    statistics = data["statistics"]
    confidence = (data["resampling"] or {}).get("confidence", CONFIDENCE)
    for name in ("ids", "documents"):
        if data[name] is not None and len(data[name]) != size:
            raise PlainlyError(f"it has {size} segments, but {len(data[name])} {name}")
    return {
        "size": size,
        "references": {system: References(*found) for system, found in data["references"].items()},
        "metrics": metrics,
        "systems": {
            system: {label: _result(results[label], confidence) for label in metrics}
            for system, results in data["systems"].items()
        },
        "statistics": statistics
        and {
            system: {label: _rows(statistics[system][label], metric, size) for label, metric in metrics.items()}
            for system in statistics
        },
        "runs": {str(system): tuple(map(str, runs)) for system, runs in data["runs"].items()},
        "ids": data["ids"],
        "documents": data["documents"],
        "intervals": data["resampling"] and Resampling(**data["resampling"]),
        "more_notes": tuple(Note(plain(text), "warning") for text in data.get("warnings", ())),
    }


def _described(metric: Metric) -> dict[str, Any]:
    return {"name": metric.name, "settings": dataclasses.asdict(metric), "columns": list(metric.columns)}


def _result(data: dict[str, Any], confidence: float) -> Result:
    value, low, high = (_number(data["score"][name]) for name in ("value", "low", "high"))
    return Result(
        estimate=Estimate(value, low, high, confidence),
        components={name: _number(value) for name, value in data["components"].items()},
        signature=str(data["signature"]),
        long_signature=str(data["long_signature"]),
        scored=int(data["scored"]),
        unscored=int(data["unscored"]),
        runs={run: _number(score) for run, score in data.get("runs", {}).items()},
    )


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _rows(rows: list[list[float]], metric: Metric, size: int) -> Array:
    array = np.asarray(rows, dtype=np.float64).reshape(len(rows), -1)
    if array.shape != (size, len(metric.columns)):
        raise PlainlyError(
            f"the statistics of {metric.label} have the shape {array.shape}, not {(size, len(metric.columns))}"
        )
    return array
