"""Charts of a run: each system on each metric; and of a comparison: each metric over time, a run after the other."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from plainly.report.specs import Spec, intervals, line_styles
from plainly.studio.kinds.base import Json
from plainly.studio.kinds.dashboards import Picture, Say, charted, decimal
from plainly.studio.scoring.comparing import Row, SameSet
from plainly.studio.scoring.sets import facts_of

HEIGHT = 220
CHARTS = 4
"""Of a run: its table has all metrics, its report all charts."""
LONGEST_NAME = 24


def of_run(evaluation: Json, baselines: Sequence[str], say: Say) -> list[Picture]:
    """One chart a metric, the first few: every system with its interval, the best one on top."""
    systems = evaluation.get("systems", {})
    labels = list(dict.fromkeys(label for results in systems.values() for label in results))
    return [_scores(systems, label, f"scores-{place}", baselines, say) for place, label in enumerate(labels[:CHARTS])]


def _scores(systems: Json, label: str, name: str, baselines: Sequence[str], say: Say) -> Picture:
    facts = facts_of(label)
    title, decimals, direction = str(facts["title"]), facts["decimals"], str(facts["direction"])
    values = []
    for system, results in systems.items():
        result = results.get(label)
        if result and result["score"]["value"] is not None:
            score, low, high = (result["score"][name] for name in ("value", "low", "high"))
            kind = "baseline" if system in baselines else "system"
            values.append({"system": system, "kind": kind, "score": score, "low": low, "high": high})
    values.sort(key=lambda value: value["score"], reverse=direction != "lower")
    told = "; ".join(f"{value['system']} {decimal(value['score'], decimals, say)}" for value in values)
    axis = title if direction == "none" else f"{title}, {say(f'scoring.better.{direction}')}"
    spec = intervals([value["system"] for value in values], axis, {})
    words = say("scoring.chart.words", metric=title, values=told)
    return charted(name, say("scoring.chart", metric=title), words, spec, values)


def pictures(same: SameSet, set_number: int, say: Say) -> list[Picture]:
    """One chart a row that has scores of two runs or more; `set_number` is the place of the test set."""
    found = []
    for place, row in enumerate(same.rows):
        runs = {column.run for column, cell in zip(same.columns, row.cells, strict=True) if cell is not None}
        if len(runs) > 1:
            found.append(_picture(same, row, f"{set_number}-{place}", say))
    return found


def _picture(same: SameSet, row: Row, name: str, say: Say) -> Picture:
    facts = facts_of(row.metric)
    title, decimals = str(facts["title"]), facts["decimals"]
    labels = [f"{place + 1} · {_cut(run.name)}" for place, run in enumerate(same.runs)]
    one_each = len({column.run for column in same.columns}) == len(same.columns)
    shown: dict[str, None] = {}
    values, told = [], []
    for column, cell in zip(same.columns, row.cells, strict=True):
        if cell is not None and not isnan(cell.score.value):
            series = title if one_each else column.system
            shown[series] = None
            score, low, high = cell.score.to_dict().values()
            values.append({"run": labels[column.run], "series": series, "score": score, "low": low, "high": high})
            told.append(f"{labels[column.run]}, {column.system}: {score:.{decimals}f}")
    spec = _timeline(labels, list(shown), title)
    words = say("scoring.picture.words", metric=title, values="; ".join(told))
    return charted(name, say("scoring.picture", metric=title), words, spec, values)


def _timeline(runs: list[str], series: list[str], title: str) -> Spec:
    """A line a series through the runs, with intervals. Columns: run, series, score, low, high."""
    styles = line_styles(len(series))
    named: Spec = {"field": "series", "type": "nominal", "title": None, "sort": series}
    if len(series) == 1:
        named["legend"] = None
    color = {**named, "scale": {"domain": series, "range": [style.color for style in styles]}}
    shape = {**named, "scale": {"domain": series, "range": [style.shape for style in styles]}}
    axis = {
        "title": None,
        "labelAngle": 0 if len(runs) < 5 else -35,
        "labelLimit": 160 if len(runs) < 5 else 110,
        "labelFlush": False,
    }
    x = {"field": "run", "type": "nominal", "sort": runs, "axis": axis, "scale": {"domain": runs}}
    y = {"field": "score", "type": "quantitative", "title": title, "scale": {"zero": False, "padding": 8}}
    return {
        "height": HEIGHT,
        "encoding": {"x": x, "color": color},
        "layer": [
            {
                "transform": [{"filter": "isValid(datum.low) && isValid(datum.high)"}],
                "mark": {"type": "rule", "strokeWidth": 2, "strokeCap": "round", "opacity": 0.6},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {"mark": {"type": "line", "strokeWidth": 1.5}, "encoding": {"y": y}},
            {
                "mark": {"type": "point", "filled": True, "size": 80, "opacity": 1},
                "encoding": {"y": y, "shape": shape},
            },
        ],
    }


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
