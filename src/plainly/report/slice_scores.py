"""The scores of all systems on parts of the test set, as a table in colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from plainly.inference.estimates import Estimate
from plainly.inference.runs import intervals_of_systems
from plainly.report import grids
from plainly.report.charts import Chart, Panel, Value
from plainly.report.compared import Compared
from plainly.report.words import axis_title, joined, number_for
from plainly.scoring.slices import Grouping


def scores_by(compared: Compared, grouping: Grouping, name: str, what: str) -> Chart:
    """The metric that decides: the rows of each part added up and scored; the same statistics, another sum.

    `name` is that of the chart; `what` says in words what the parts differ in.
    """
    evaluation, label = compared.evaluation, compared.first
    metrics = {label: compared.metric}
    drawn = compared.comparison.settings.resampling
    scores: dict[tuple[str, str], Estimate] = {}
    for group, members in zip(grouping.names, grouping.members, strict=True):
        part = {run: {label: rows[label][members]} for run, rows in evaluation.kept_statistics.items()}
        documents = None
        if evaluation.documents:
            documents = [one for one, inside in zip(evaluation.documents, members, strict=True) if inside]
        unit = "document" if documents else "segment"
        found = intervals_of_systems(part, metrics, evaluation.runs, documents, replace(drawn, unit=unit))
        scores |= {(system, group): found[system][label] for system in compared.everyone}
    sizes = {group: int(members.sum()) for group, members in zip(grouping.names, grouping.members, strict=True)}
    rows: list[list[Value]] = [
        [label, system, group, one.value, one.low, one.high, sizes[group]] for (system, group), one in scores.items()
    ]
    listed = joined([f"{group} ({count:,})" for group, count in sizes.items()])
    answer = f"Parts by {grouping.title}, with their number of segments: {listed}."
    better = "higher" if compared.metric.facts.direction == "none" else "better"
    note = f"A stronger colour is a {better} score. Small parts have wide intervals: point at a cell to see them."
    columns = ("metric", "system", "group", "score", "low", "high", "segments")
    question = f"Does the score depend on {what}?"
    return Chart(name, question, answer, note, columns, rows, [_panel(compared, grouping, scores)])


def _panel(compared: Compared, grouping: Grouping, scores: Mapping[tuple[str, str], Estimate]) -> Panel:
    metric = compared.metric
    listed = "; ".join(
        f"{system}: "
        + ", ".join(f"{group} {number_for(metric, scores[system, group].value)}" for group in grouping.names)
        for system in compared.everyone
    )
    title = axis_title(compared.evaluation, compared.first)
    spec = grids.score_grid(
        compared.everyone,
        grouping.title,
        grouping.names,
        {"metric": compared.first},
        min(metric.facts.decimals, 2),
        metric.facts.direction,
    )
    return Panel(title, f"{title} by {grouping.field}. {listed}.", spec, 130 + grouping.width * len(grouping.names))
