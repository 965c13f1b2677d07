"""How easily the metrics are fooled: the section of a report, and a page of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plainly.base.version import __version__
from plainly.corpus import Corpus
from plainly.gaming import Study, Verdict, cheapest, deceptions, post_hoc, table, undecided, verdicts
from plainly.gaming.verdicts import judged_metrics, rule_of
from plainly.metrics import Metric
from plainly.report import specs
from plainly.report.assets import chart_library, environment, script_json, scripts, stylesheet
from plainly.report.charts import Chart, Panel, Value
from plainly.report.tables import Grid
from plainly.report.words import ARROWS, BETTER, between, number, number_for, plural
from plainly.scoring import Evaluation
from plainly.scoring.results import range_in_words, reference_range

GROUPS = {
    "trivial": "Which trivial edits does {title} like?",
    "sanity": "What does {title} make of damaged and copied outputs?",
}
RULES = {
    "no better": "must not get better",
    "worse": "must get worse",
    "no worse": "must not get worse",
    "bottom": "must be the worst",
}
# The parts that tell why a score moves; other metrics show all their components, if these are few.
BREAKDOWN = {
    "sari": ("add_f1", "keep_f1", "delete_precision", "delete_f1"),
    "bleu": ("precision", "brevity_penalty"),
    "fkgl": ("words_per_sentence", "syllables_per_word"),
}
MOST_PARTS = 12


@dataclass(frozen=True)
class Section:
    """What the template shows of a study."""

    short: Sequence[str]
    verdicts: Grid | None
    deceived: Grid | None
    charts: Sequence[Chart]
    breakdowns: Sequence[tuple[str, Sequence[Grid]]]  # system -> one table a metric
    post_hoc: Grid | None
    setting: str
    signatures: Sequence[str]


def section(study: Study, corpus: Corpus, pair: tuple[str, str] | None = None) -> Section:
    """All that the page says of a study of this corpus; with a pair of systems, also how to flip their order."""
    judged = verdicts(study)
    counts = post_hoc(corpus.with_outputs({name: corpus.outputs[name] for name in study.systems}))
    references = range_in_words(reference_range(set(corpus.reference_counts.tolist())))
    return Section(
        short=[_sentence(study, label, judged) for label in judged_metrics(study)],
        verdicts=_verdict_grid(study, judged) if judged else None,
        deceived=_deceived(study, *pair) if pair else None,
        charts=list(_charts(study)),
        breakdowns=[(system, list(_breakdowns(study, system))) for system in study.systems],
        post_hoc=_post_hoc_grid(counts) if counts else None,
        setting=_setting(study),
        signatures=[metric.signature(references) for metric in study.metrics.values()],
    )


def _setting(study: Study) -> str:
    drawn = "hold the segments of lower ones" if study.nested else "are drawn independently"
    trials = f"{plural(study.size, 'segment')}, {plural(study.trials, 'trial')} a strength, seed {study.seed}"
    return f"{trials}; strengths {drawn}."


def gaming_page(
    study: Study,
    corpus: Corpus,
    date: str,
    title: str = "How easily are these metrics fooled?",
    pair: tuple[str, str] | None = None,
) -> str:
    """The study as one HTML page that needs no other file and no network."""
    found = section(study, corpus, pair)
    return (
        environment()
        .get_template("gaming.html")
        .render(
            title=title,
            date=date,
            version=__version__,
            gaming=found,
            chart_data=script_json([chart.data() for chart in found.charts]),
            stylesheet=stylesheet(),
            scripts=scripts(),
            library=chart_library(),
        )
    )


def _sentence(study: Study, label: str, judged: Sequence[Verdict]) -> str:
    """What the verdicts say of a metric, with its worst failure."""
    own = [verdict for verdict in judged if verdict.metric == label and verdict.passed is not None]
    metric = study.metrics[label]
    if not own:
        return f"{metric.title}: the edits changed nothing that it scores."
    kept = sum(verdict.passed is True for verdict in own)
    said = f"{metric.title} keeps the rules in {kept} of {plural(len(own), 'test')} (edit and system)."
    liked = [v for v in own if not v.passed and v.rule in ("no better", "worse", "bottom") and v.gain > 0]
    if not liked:
        return said
    worst = max(liked, key=lambda verdict: verdict.gain)
    return (
        f"{said} It likes “{worst.edit}” best: with all outputs of {worst.system} edited, the score goes from "
        f"{number_for(metric, worst.unedited)} to {number_for(metric, worst.edited.mean)} "
        f"({BETTER[metric.facts.direction]})."
    )


def _verdict_grid(study: Study, judged: list[Verdict]) -> Grid:
    tallies = table(judged)
    rows = []
    for edit in study.edits:
        cells = []
        for by_edit in tallies.values():
            tally = by_edit[edit]
            mark = "✓" if tally.passed == tally.judged else "✗"
            cells.append(f"{mark} {tally.passed} of {tally.judged}" if tally.judged else "– changed nothing")
        rows.append([edit, RULES[rule_of(edit)], *cells])
    headers = ["Edit of all outputs", "Rule", *(study.metrics[label].title for label in tallies)]
    return Grid("Which rules does each metric keep?", headers, rows, words=2)


def _deceived(study: Study, first: str, second: str) -> Grid:
    tried = deceptions(study, first, second)
    best = cheapest(tried)
    why = undecided(study, first, second)
    rows = []
    for label, metric in study.metrics.items():
        if label in best:
            found = best[label]
            share = f"{found.segments} of {study.size} ({found.share:.0%})"
            rows.append([metric.title, f"{found.edit} lifts {found.worse} above {found.better}", share])
        else:
            rows.append([metric.title, why.get(label, "no edit lifts the worse system above the better"), "–"])
    headers = ["Metric", "The cheapest deception", "Segments to edit"]
    return Grid(f"How cheaply can the order of {first} and {second} be flipped?", headers, rows, words=2)


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
    return f"{change} most downwards {told(lowest)}, most upwards {told(highest)}."


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


def _post_hoc_grid(counts: Evaluation) -> Grid:
    rows = []
    for system, results in counts.systems.items():
        cells = [system]
        for label, result in results.items():
            shown = number_for(counts.metrics[label], result.score)
            if result.estimate.has_interval:
                shown += f" ({between(result.estimate, counts.metrics[label].facts.decimals)})"
            cells.append(shown)
        rows.append(cells)
    headers = ["Texts", *(metric.title for metric in counts.metrics.values())]
    return Grid("What do the texts look like?", headers, rows)
