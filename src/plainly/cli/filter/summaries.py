"""How the summary of a filter looks."""

from __future__ import annotations

import json
from collections.abc import Iterator

from plainly.base.tables import Cell, render, shown, with_lines
from plainly.filtering import QUANTILES, Summary

HEADS = [f"{100 * q:g} %" for q in QUANTILES]
LONGEST = 300  # characters of a text that is shown


def text_of(summary: Summary, form: str) -> str:
    """The summary in one of the formats; in CSV, one figure a line."""
    if form == "json":
        return json.dumps(summary.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if form == "csv":
        return render(["what", "of", "figure", "value"], list(_figures(summary)), form)
    counts = render(["rows", "", "%"], list(_rows(summary)), form)
    parts = [counts, render(["condition", "fails", "cannot be computed", "drops alone"], _conditions(summary), form)]
    if summary.quantiles:
        parts.append(render(["score", "rows", *HEADS], list(_quantiles(summary)), form, decimals=3))
    parts[-1] = with_lines(parts[-1], [*summary.signatures.values(), *_examples(summary)], form)
    return "\n".join(parts)


def _rows(summary: Summary) -> Iterator[list[Cell]]:
    whole = max(summary.rows, 1)
    yield ["in", summary.rows, 100.0 if summary.rows else None]
    yield ["kept", summary.kept, 100 * summary.kept / whole]
    yield ["dropped", summary.dropped, 100 * summary.dropped / whole]
    if summary.left_out:
        yield ["left out", summary.left_out, 100 * summary.left_out / whole]


def _conditions(summary: Summary) -> list[list[Cell]]:
    return [[_one_line(count.condition), count.failed, count.unknown, count.alone] for count in summary.conditions]


def _quantiles(summary: Summary) -> Iterator[list[Cell]]:
    for found in summary.quantiles:
        for when, values in (("in", found.before), ("kept", found.after)):
            yield [found.name, when, *(values or [None] * len(QUANTILES))]


def _examples(summary: Summary) -> Iterator[str]:
    """Dropped pairs, each in three lines."""
    for example in summary.examples:
        by = example.condition + (" (cannot be computed)" if example.unknown else "")
        scores = ", ".join(f"{name} {shown(value, 3)}" for name, value in example.scores.items())
        yield f"dropped by {_one_line(by)}: row {example.row}{f', {scores}' if scores else ''}"
        yield f"  source: {_one_line(example.source)}"
        yield f"  output: {_one_line(example.output)}"


def _one_line(text: str | None) -> str:
    """As a terminal may show it: no line breaks, nothing that steers it, not too long."""
    if text is None:
        return "-"
    line = "".join(character if character.isprintable() else " " for character in text)
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."


def _figures(summary: Summary) -> Iterator[list[Cell]]:
    for name in ("rows", "kept", "dropped", "left_out"):
        yield ["rows", None, name, getattr(summary, name)]
    for count in summary.conditions:
        for figure in ("failed", "unknown", "alone"):
            yield ["condition", count.condition, figure, getattr(count, figure)]
    for found in summary.quantiles:
        for when, values in (("in", found.before), ("kept", found.after)):
            for head, value in zip(HEADS, values, strict=False):
                yield ["quantile", found.name, f"{head} {when}", value]
    for example in summary.examples:
        yield ["example", example.condition, "row", example.row]
