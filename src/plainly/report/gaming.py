"""How easily the metrics are fooled: the section of a report, and a page of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from plainly.corpus import Corpus
from plainly.findings import plain
from plainly.gaming import POST_HOC, Study, post_hoc
from plainly.gaming.findings import findings
from plainly.metrics import Metric
from plainly.report import specs
from plainly.report.assets import rendered
from plainly.report.charts import Chart, Panel, Value
from plainly.report.tables import Grid, grid
from plainly.report.words import ARROWS, BETTER, number, number_for, plural

GROUPS = {
    "trivial": "Which trivial edits does {title} like?",
    "sanity": "What does {title} make of damaged and copied outputs?",
}
# The parts that tell why a score moves; other metrics show all their components, if these are few.
BREAKDOWN = {
    "sari": ("add_f1", "keep_f1", "delete_precision", "delete_f1"),
    "bleu": ("precision", "brevity_penalty"),
    "fkgl": ("words_per_sentence", "syllables_per_word"),
}
MOST_PARTS = 12
TEXTS = plain("What do the texts look like?")


@dataclass(frozen=True)
class Section:
    """What the template shows of a study."""

    short: Sequence[str]
    verdicts: Grid | None
    deceived: Grid | None
    charts: Sequence[Chart]
    breakdowns: Sequence[tuple[str, Sequence[Grid]]]  # system -> one table a metric
    post_hoc: Grid | None
    notes: Sequence[str]
    signatures: Sequence[str]


def section(
    study: Study, corpus: Corpus, pair: tuple[str, str] | None = None, counts: Sequence[str | Metric] = POST_HOC
) -> Section:
    """All that the page says of a study of this corpus; with a pair of systems, also how to flip their order.

    `counts` are the metrics to report in the place of FKGL.
    """
    found = findings(study, pair)
    tables = {table.name: grid(table) for table in found.tables}
    shown = corpus.with_outputs({name: corpus.outputs[name] for name in study.systems})
    counted = post_hoc(shown, counts=counts)
    return Section(
        short=[said.text() for said in found.verdict],
        verdicts=tables["rules"] if found.verdict else None,
        deceived=tables.get("deceptions"),
        charts=list(_charts(study)),
        breakdowns=[(system, list(_breakdowns(study, system))) for system in study.systems],
        post_hoc=grid(replace(counted.findings(as_given=True).tables[0], question=TEXTS)) if counted else None,
        notes=[one.message.text() for one in found.notes],
        signatures=found.signatures,
    )


def gaming_page(
    study: Study,
    corpus: Corpus,
    date: str,
    title: str = "How easily are these metrics fooled?",
    pair: tuple[str, str] | None = None,
    counts: Sequence[str | Metric] = POST_HOC,
) -> str:
    """The study as one HTML page that needs no other file and no network."""
    found = section(study, corpus, pair, counts)
    return rendered("gaming.html", found.charts, title=title, date=date, gaming=found)


def _charts(study: Study) -> Iterator[Chart]:
    if len(study.strengths) < 2:
        return
    for label, metric in study.metrics.items():
        for kind, question in GROUPS.items():
            edits = [name for name, edit in study.edits.items() if edit.kind == kind]
            if edits:
                yield _curves(study, label, metric, kind, question.format(title=metric.title), edits)


def _curves(study: Study, label: str, metric: Metric, kind: str, question: str, edits: Sequence[str]) -> Chart:
    rows: list[list[Value]] = []
    panels = []
    axis = f"{metric.title} {ARROWS[metric.facts.direction]}".strip()
    for system in study.systems:
        told = []
        for edit in edits:
            spreads = study.curves[system][edit][label].spreads()
            for strength, found in zip(study.strengths, spreads, strict=True):
                rows.append([system, edit, strength, found.mean, found.estimate.low, found.estimate.high, found.sd])
            told.append(f"{edit} {number_for(metric, spreads[0].mean)} to {number_for(metric, spreads[-1].mean)}")
        alt = f"{metric.title} of {system} as more outputs are edited, first to last strength: {'; '.join(told)}."
        panels.append(Panel(system, alt, specs.curves(edits, axis, {"system": system})))
    safe = "".join(c if c.isalnum() else "-" for c in label)
    band = " The band holds 95 % of them." if study.trials > 1 else ""
    trials = f"One line an edit: the mean of {plural(study.trials, 'trial')}.{band}"
    note = f"{trials} For {metric.title}, {BETTER[metric.facts.direction]}."
    columns = ("system", "edit", "strength", "mean", "low", "high", "sd")
    legend = dict(zip(edits, specs.line_styles(len(edits)), strict=True))
    answer = _answer(study, label, metric, edits)
    return Chart(f"gaming-{kind}-{safe}", question, answer, note, columns, rows, panels, legend)


def _answer(study: Study, label: str, metric: Metric, edits: Sequence[str]) -> str:
    """Which edit moves the score most, over all systems."""
    moves = {}
    for edit in edits:
        values = [study.curves[system][edit][label].values for system in study.systems]
        moves[edit] = sum(float(own[-1].mean() - own[0].mean()) for own in values) / len(values)
    known = {edit: move for edit, move in moves.items() if math.isfinite(move)}
    if not known:
        return ""
    lowest, highest = min(known, key=lambda e: known[e]), max(known, key=lambda e: known[e])

    def told(edit: str) -> str:
        return f"{edit} ({'+' if known[edit] > 0 else ''}{number_for(metric, known[edit])})"

    change = f"From {study.strengths[0]:g} % to {study.strengths[-1]:g} % edited, mean over the systems:"
    if lowest == highest:
        return f"{change} {told(lowest)}."
    return f"{change} lowest with {told(lowest)}, highest with {told(highest)}."


def _breakdowns(study: Study, system: str) -> Iterator[Grid]:
    last = f"{study.strengths[-1]:g} % edited"
    for label, metric in study.metrics.items():
        curves = {edit: study.curves[system][edit][label] for edit in study.edits}
        parts = _parts(metric, list(next(iter(curves.values())).components))
        if not parts:
            continue
        none = study.unedited(system, label).components
        values = [[float(none[part]) for part in parts]]
        values += [[float(curve.components[part][-1].mean()) for part in parts] for curve in curves.values()]
        places = [4 if max(abs(row[i]) for row in values) < 2 else 2 for i in range(len(parts))]
        rows = [
            [edit, *(number(value, digits) for value, digits in zip(row, places, strict=True))]
            for edit, row in zip(["none", *curves], values, strict=True)
        ]
        yield Grid(f"{metric.title}, {last}", ["Edit", *(part.replace("_", " ") for part in parts)], rows)


def _parts(metric: Metric, components: Sequence[str]) -> list[str]:
    beginnings = next((parts for name, parts in BREAKDOWN.items() if metric.name.partition("-")[0] == name), None)
    if beginnings is None:
        return list(components) if len(components) <= MOST_PARTS else []
    return [part for beginning in beginnings for part in components if part.startswith(beginning)]
