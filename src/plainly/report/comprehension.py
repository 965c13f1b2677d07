"""Answers of readers as one HTML page: scores of texts, both hypotheses, groups of readers, and the questions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from plainly.comprehension.analysis import Analysis, TextRow
from plainly.comprehension.hypotheses import Tested
from plainly.ranking.results import Figure
from plainly.report import specs
from plainly.report.assets import chart_library, environment, script_json, scripts, stylesheet
from plainly.report.charts import Chart, Panel, Value
from plainly.report.tables import Grid
from plainly.report.words import number, p_text, plural
from plainly.version import __version__

ASKED = {"correct": "more correct answers", "faster": "faster correct answers"}


def comprehension_page(analysis: Analysis, date: str, title: str = "What did readers understand?") -> str:
    """The page of an analysis."""
    charts = [*_scores(analysis), _questions_chart(analysis)]
    return (
        environment()
        .get_template("comprehension.html")
        .render(
            title=title,
            date=date,
            version=__version__,
            short=list(_short(analysis)),
            charts=charts,
            texts=_texts("All readers", analysis.texts, analysis.formulas),
            tests=_tests(analysis),
            groups=[
                _texts(f"Readers by {name}", rows, analysis.formulas, "Readers")
                for name, rows in analysis.groups.items()
            ],
            questions=_questions(analysis),
            counts=_counts(analysis),
            notes=analysis.notes,
            signature=analysis.signature,
            chart_data=script_json([chart.data() for chart in charts]),
            stylesheet=stylesheet(),
            scripts=scripts(),
            library=chart_library(),
        )
    )


def _short(analysis: Analysis) -> Iterator[str]:
    counts = analysis.counts
    who = plural(counts.counted_participants, "participant")
    yield f"{plural(counts.counted_answers, 'answer')} of {who} about {plural(len(analysis.texts), 'text')}."
    for test in analysis.hypotheses:
        asked = ASKED[test.hypothesis]
        yield f"{asked.capitalize()} with {test.version} than with {test.baseline}: {test.verdict}."


def _scores(analysis: Analysis) -> Iterator[Chart]:
    for formula in analysis.formulas:
        rows: list[list[Value]] = []
        for row in analysis.texts:
            score = row.scores[formula]
            kind = "baseline" if row.version == analysis.settings["baseline"] else "system"
            rows.append([_name(row), kind, score.value, score.low, score.high])
        told = "; ".join(f"{_name(row)} {_figure(row.scores[formula])}" for row in analysis.texts)
        spec = specs.intervals([_name(row) for row in analysis.texts], f"{formula}, higher is better", {}, "text")
        note = f"Each line is an interval. Diamonds are texts of the version {analysis.settings['baseline']}."
        columns = ("text", "kind", "score", "low", "high")
        question = f"How well is each text understood, by {formula}?"
        yield Chart(formula, question, "", note, columns, rows, [Panel("", f"{formula} of each text: {told}.", spec)])


def _questions_chart(analysis: Analysis) -> Chart:
    rows: list[list[Value]] = [
        [item.seconds, 100 * item.correct, item.version, f"{item.passage}: {item.question}"]
        for item in analysis.items
    ]
    versions = list(dict.fromkeys(item.version for item in analysis.items))
    spec = specs.scatter(("mean seconds to answer", "correct answers, %"), versions)
    alt = (
        f"Correct answers and mean time of {plural(len(rows), 'question')}, by version; the table below has them all."
    )
    note = "Each point is a question about one version. Easy questions are at the top left: quick and correct."
    columns = ("x", "y", "series", "name")
    question = "Which questions are hard, and which slow?"
    return Chart("question-map", question, "", note, columns, rows, [Panel("", alt, spec)])


def _texts(title: str, rows: Sequence[TextRow], formulas: Sequence[str], group: str = "") -> Grid:
    headers = ["Passage", "Version", *([group] if group else []), "Participants", "Answers", "Correct, %", "Seconds"]
    cells = [
        [
            row.passage,
            row.version,
            *([row.group] if group else []),
            str(row.participants),
            str(row.answers),
            number(row.correct, 1),
            number(row.seconds, 1),
            *(_figure(row.scores[name]) for name in formulas),
        ]
        for row in rows
    ]
    return Grid(title, [*headers, *formulas], cells, words=3 if group else 2)


def _tests(analysis: Analysis) -> Grid:
    def row(test: Tested) -> list[str]:
        passage = "all" if test.passage is None else test.passage
        than = f"{test.version} than {test.baseline}"
        effect = number(test.effect, 2)
        return [
            passage, than, ASKED[test.hypothesis], test.verdict, _figure(test.difference), effect, p_text(test.p_holm)
        ]  # fmt: skip

    tests = [*analysis.hypotheses, *(test for pair in analysis.pairs for test in pair.tests)]
    headers = ["Passage", "Versions", "Hypothesis", "Verdict", "Difference", "Effect size", "Corrected (Holm)"]
    return Grid("Both hypotheses", headers, [row(test) for test in tests], words=4)


def _questions(analysis: Analysis) -> Grid:
    rows = [
        [
            item.passage,
            item.version,
            item.question,
            "; ".join(item.remarks) or "–",
            str(item.answers),
            number(100 * item.correct, 1),
            number(item.seconds, 1),
            number(item.discrimination, 2),
            ", ".join(
                f"{answer}: {count}{' (correct)' if answer == item.right else ''}" for answer, count in item.chosen
            ),
        ]
        for item in analysis.items
    ]
    headers = ["Passage", "Version", "Question", "Remarks", "Answers", "Correct, %", "Seconds", "Discrimination"]
    return Grid("All questions", [*headers, "Answers chosen"], rows, words=4)


def _counts(analysis: Analysis) -> Grid:
    counts, rules = analysis.counts, analysis.settings
    rows = [
        ["read", str(counts.answers)],
        *([f"kept apart: {kind}", str(count)] for kind, count in counts.faulty.items()),
        [f"of {plural(counts.unfinished_participants, 'unfinished participant')}, rule: {rules['unfinished']}",
         str(counts.unfinished_answers)],
        [f"no answer given, rule: {rules['unanswered']}", str(counts.unanswered)],
        [f"left out as outliers, rule: {rules['outliers']}", str(counts.outliers)],
        ["counted", str(counts.counted_answers)],
    ]  # fmt: skip
    return Grid("What counts", ["Which", "Answers"], rows)


def _name(row: TextRow) -> str:
    return f"{row.passage}, {row.version}"


def _figure(figure: Figure) -> str:
    if not math.isfinite(figure.low):
        return number(figure.value, 2)
    return f"{number(figure.value, 2)} ({number(figure.low, 2)} to {number(figure.high, 2)})"
