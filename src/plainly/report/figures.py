"""The charts of a report as files for a paper: each picture as SVG and as PDF, in light colours on white."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.files import check_writable, write_bytes
from plainly.report.charts import Chart, Panel
from plainly.report.pictures import pdf, svg
from plainly.report.specs import Spec

WIDTH = 320  # pixels of the drawing, without the names beside it: about a column of a paper
ACROSS = 52  # characters of a legend that fit below the drawing
LONGEST = 80  # characters of a file's name
TEXT: Mapping[str, Any] = {
    "labelColor": "var(--ink)",
    "titleColor": "var(--ink)",
    "titleFontWeight": "normal",
    "labelFontSize": 11,
    "titleFontSize": 11,
}
CONFIG: Mapping[str, Any] = {
    "aria": False,
    "background": "white",
    "font": "Arial, Helvetica, Liberation Sans, sans-serif",  # of one width: names fit wherever they are seen
    "padding": {"left": 16, "top": 14, "right": 6, "bottom": 6},  # or else a wider font needs room
    "view": {"stroke": None},
    "axis": {**TEXT, "gridColor": "var(--grid)", "domainColor": "var(--rule)", "tickColor": "var(--rule)"}
    | {"labelLimit": 190, "tickCount": 5},
    "legend": {**TEXT, "orient": "bottom", "columns": 4, "title": None, "symbolOpacity": 1, "labelLimit": 0},
}


def check_folder(folder: str | None) -> None:
    """Say before the work that figures cannot be written there; a folder that is not there is made."""
    if folder is None:
        return
    if not folder:
        raise PlainlyError("cannot write figures: the name of the folder is empty")
    if Path(folder).exists() and not Path(folder).is_dir():
        raise PlainlyError(f"cannot write figures to {folder}: it is a file, not a folder")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PlainlyError(f"cannot write figures to {folder}: {error.strerror}") from error
    check_writable(str(Path(folder) / "figure.svg"))


def write_figures(charts: Iterable[Chart], folder: str) -> list[str]:
    """Write every picture of the charts as NAME.svg and NAME.pdf, each as a whole or not at all; the names."""
    check_folder(folder)
    names = []
    for name, drawn in figures(charts):
        base = Path(folder) / name
        write_bytes(f"{base}.svg", drawn.encode())
        write_bytes(f"{base}.pdf", pdf(drawn))
        names.append(name)
    return names


def figures(charts: Iterable[Chart]) -> Iterator[tuple[str, str]]:
    """Every picture as SVG, with a name that says what it shows."""
    taken: set[str] = set()
    for chart in charts:
        data = chart.data()
        rows = [dict(zip(data["columns"], row, strict=True)) for row in data["rows"]]
        for panel in chart.panels:
            name = _free("-".join([chart.name, *map(_slug, _chosen(panel.spec).values())])[:LONGEST], taken)
            taken.add(name)
            yield name, _described(svg(_figure(panel, rows)), chart, panel)


def _figure(panel: Panel, rows: Sequence[Mapping[str, Any]]) -> Spec:
    spec = _with_legends(panel.spec, _shown(panel.spec, rows))
    return {**spec, "data": {"values": rows}, "width": max(WIDTH, panel.width), "config": CONFIG}


def _chosen(spec: Spec) -> dict[str, Any]:
    """Which rows a picture draws: a field -> the value that it has in them, as metric -> sari."""
    filters = [step["filter"] for step in spec.get("transform", ()) if isinstance(step.get("filter"), dict)]
    return {one["field"]: one["equal"] for one in filters if "equal" in one}


def _shown(spec: Spec, rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    chosen = _chosen(spec)
    return [row for row in rows if all(row[field] == value for field, value in chosen.items())]


def _with_legends(spec: Any, rows: Sequence[Mapping[str, Any]]) -> Any:
    """The page tells kinds apart in its own words; a picture of several kinds needs a legend of those that it has."""
    if isinstance(spec, list):
        return [_with_legends(part, rows) for part in spec]
    if not isinstance(spec, dict):
        return spec
    found = {key: _with_legends(value, rows) for key, value in spec.items()}
    if "legend" in spec and spec["legend"] is None and spec.get("type") == "nominal":
        there = {row.get(spec["field"]) for row in rows}
        values = [value for value in spec["scale"]["domain"] if value in there]
        if len(values) > 1:
            longest = max(len(str(value)) for value in values)
            found["legend"] = {"values": values, "columns": max(1, ACROSS // (longest + 4))}
    return found


def _described(drawn: str, chart: Chart, panel: Panel) -> str:
    """With words for those who cannot see it."""
    head, end, rest = drawn.partition(">")
    title = f"{chart.question} {panel.title}"
    return f"{head}{end}<title>{escape(title)}</title><desc>{escape(panel.alt)}</desc>{rest}"


def _slug(value: Any) -> str:
    return re.sub(r"[\W_]+", "-", str(value).lower()).strip("-")


def _free(name: str, taken: set[str]) -> str:
    """The name, or with a number where another picture has it."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free
