"""The tables and charts of docs/speed.md, from the figures that `make bench` wrote, and those of GPUs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from plainly.report.pictures import svg
from plainly.report.specs import Spec, line_styles, named_rows

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
RESULTS = json.loads((BENCHMARKS / "results.json").read_text("utf-8"))
DEVICES = json.loads((BENCHMARKS / "devices.json").read_text("utf-8"))
SECTIONS = {
    "scores": "One test set",
    "intervals": "Intervals and tests",
    "report": "The report, whole processes",
    "gaming": "Gaming",
    "metaeval": "Meta-evaluation, a whole process",
    "operations": "Operations",
    "ranking": "Ranking",
    "models": "Models",
    "start-up": "Start-up, whole processes",
}
SHAPES = {"small": "6 layers of 384", "large": "24 layers of 1024"}
RECORDED = "°"
Row = Mapping[str, Any]


def speed_tables() -> list[str]:
    """What stands between the comments of the page, in order: the run, its figures, growth, and those of GPUs."""
    return [_run(), _figures(), _growth(), gpu_table()]


def _run() -> str:
    machine, sections = RESULTS["machine"], RESULTS["sections"].values()
    commits = dict.fromkeys(f"`{section['commit']}`" for section in sections)
    busy = any("busy" in section["clock"] for section in sections)
    lines = [
        f"These figures come from {machine['cores']} cores of {machine['processor']}, Python {machine['python']}.",
        f"The data are {RESULTS['data']}.",
        f"Commit: {', '.join(commits)}; a + says that files differed from it.",
        "Seconds are of **processor time**; where a head says so, of **wall-clock time**.",
        *(["The machine was busy, so wall-clock times were not kept."] if busy else []),
    ]
    return "".join(f"{line}\n" for line in lines)


def _figures() -> str:
    parts = [f"\n### {title}\n\n{_rows(rows)}" for name, title in SECTIONS.items() if (rows := _section(name))]
    return "".join(parts) + "\n"


def _growth() -> str:
    rows = _section("growth")
    sizes = sorted((row for row in rows if "segments" in row), key=lambda row: str(row["what"]))
    return f"\n{_rows(sizes)}\n{_rows([row for row in rows if 'segments' not in row])}\n"


def _section(name: str) -> list[Row]:
    found: list[Row] = RESULTS["sections"].get(name, {"rows": []})["rows"]
    return found


def gpu_table() -> str:
    shapes = [shape for shape in SHAPES if shape in DEVICES]
    names = {f"plainly, `{name}`": name for name in ("exact", "tf32", "bf16")}
    lines = [["tool", *(SHAPES[shape] for shape in shapes)], ["---", *(["---:"] * len(shapes))]]
    for title, name in {"bert-score 0.3.13, best batch": "bert-score, best batch", **names}.items():
        lines.append([title, *(f"{DEVICES[shape][name]:,.0f}" for shape in shapes)])
    return _table(lines)


def _rows(rows: Sequence[Row]) -> str:
    """A column for what at least one of the rows has."""
    columns: dict[str, Callable[[Row], str]] = {"what": lambda row: row["what"]}
    columns["segments"] = lambda row: f"{row['segments']:,}" if "segments" in row else ""
    columns["other tool"] = lambda row: row.get("peer", "") + (RECORDED if row.get("recorded") else "")
    columns["its processor time"] = lambda row: seconds(row.get("theirs", {}).get("processor"))
    columns["processor time"] = lambda row: seconds(row["ours"]["processor"])
    columns["ratio"] = lambda row: _ratio(row.get("ratio"))
    columns["wall-clock time"] = lambda row: seconds(row["ours"].get("wall"))
    columns["peak memory"] = lambda row: f"{row['megabytes']} MB" if "megabytes" in row else ""
    kept = {head: cell for head, cell in columns.items() if any(cell(row) for row in rows)}
    ends = ["---" if head in ("what", "other tool") else "---:" for head in kept]
    return _table([list(kept), ends, *([cell(row) for cell in kept.values()] for row in rows)])


def _table(lines: Sequence[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def seconds(value: float | None) -> str:
    if value is None:
        return ""
    return f"{1000 * value:.3g} ms" if value < 0.9995 else f"{value:,.3g} s" if value < 1000 else f"{value:,.0f} s"


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2g}" if value < 100 else f"{value:,.0f}"


def ratios_picture() -> str:
    """How many times as fast as other tools, as SVG."""
    rows = [
        {
            "system": f"{row['what']}: {row['peer']}" if row["what"] != "the same" else row["peer"],
            "ratio": row["ratio"],
        }
        for name in SECTIONS
        for row in _section(name)
        if row.get("ratio")
    ]
    return svg(ratios_chart(rows))


def ratios_chart(rows: Sequence[Row]) -> Spec:
    labels = [{**row, "label": f"{_ratio(row['ratio'])} ×"} for row in sorted(rows, key=lambda row: -row["ratio"])]
    x = {"field": "ratio", "type": "quantitative", "title": "times as fast, by processor time (logarithmic)"}
    x["scale"] = {"type": "log", "domainMin": 1}
    bar = {"mark": {"type": "bar", "color": "var(--accent)", "height": 14}, "encoding": {"x": x, "x2": {"datum": 1}}}
    said = {"mark": {"type": "text", "align": "left", "dx": 4}, "encoding": {"x": x, "text": {"field": "label"}}}
    y = named_rows([row["system"] for row in labels], grid=False, beside=800)
    y["axis"] |= {"labelExpr": "split(datum.label, ': ')", "labelAlign": "right"}  # the other tool below
    return {
        "data": {"values": labels},
        "padding": {"left": 50, "top": 5, "right": 5, "bottom": 5},  # letters are wider in some browsers
        "width": 420,
        "height": 32 * len(labels),
        "encoding": {"y": y},
        "layer": [bar, said],
        "config": CONFIG,
    }


def growth_picture() -> str:
    """Time and memory against segments, on logarithmic axes, as SVG."""
    rows = [
        {
            "what": row["what"],
            "segments": row["segments"],
            "seconds": row["ours"]["processor"],
            "MB": row["megabytes"],
        }
        for row in _section("growth")
        if "segments" in row
    ]
    return svg(growth_chart(rows))


def growth_chart(rows: Sequence[Row]) -> Spec:
    series = list(dict.fromkeys(row["what"] for row in rows))
    styles = line_styles(len(series))
    named = {"field": "what", "type": "nominal", "title": None, "sort": series}
    color = {**named, "scale": {"domain": series, "range": [style.color for style in styles]}}
    shape = {**named, "scale": {"domain": series, "range": [style.shape for style in styles]}}
    x = {"field": "segments", "type": "quantitative", "scale": {"type": "log"}}
    x["axis"] = {"values": sorted({row["segments"] for row in rows}), "format": "~s"}
    panels = []
    for field, title in {"seconds": "seconds of processor time", "MB": "peak memory in MB"}.items():
        y = {"field": field, "type": "quantitative", "title": title, "scale": {"type": "log"}}
        if field == "MB":
            y["scale"] = {"type": "log", "domain": [10, 10_000]}  # as wide as the other, so that flat looks flat
        layer = [
            {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"color": color}},
            {"mark": {"type": "point", "filled": True, "size": 60}, "encoding": {"color": color, "shape": shape}},
        ]
        panels.append({"width": 300, "height": 240, "encoding": {"x": x, "y": y}, "layer": layer})
    return {"data": {"values": list(rows)}, "hconcat": panels, "config": CONFIG}


CONFIG = {"background": "white", "legend": {"orient": "bottom", "columns": 1, "title": None, "labelLimit": 600}}
PICTURES = {"speed-ratios": ratios_picture, "speed-growth": growth_picture}
