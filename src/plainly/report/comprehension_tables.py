"""The tables of the page of readers' answers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plainly.comprehension.analysis import Analysis, PairRow, TextRow
from plainly.comprehension.contrasts import Contrast
from plainly.comprehension.hypotheses import Tested
from plainly.comprehension.readers import GroupTested
from plainly.ranking.results import Figure
from plainly.report.tables import Bounded, Grid
from plainly.report.words import NOTHING, number, p_text, plural

ASKED = {"correct": "more correct answers", "faster": "faster correct answers"}
MOST_APART = 100
"""Rows kept apart that the page lists; JSON lists all."""

Cells = list[str | Bounded]


def texts_grid(title: str, rows: Sequence[TextRow], analysis: Analysis, group: str = "") -> Grid:
    """Scores of texts, of all readers or of groups of them."""
    formulas = analysis.formulas
    corrected = ["Corrected, %"] if analysis.settings["guessing"] else []
    asked = [] if group else ["Questions"]
    counts = ["Correct, %", *corrected, "Seconds", "Participants", *asked, "Answers"]
    cells: list[Cells] = [
        [
            text_name(row),
            *([row.group] if group else []),
            *(bounded(row.scores[name]) for name in formulas),
            number(row.correct, 1),
            *([number(row.corrected, 1)] if corrected else []),
            number(row.seconds, 1),
            str(row.participants),
            *([str(row.questions)] if asked else []),
            str(row.answers),
        ]
        for row in rows
    ]
    return Grid(title, ["Text", *([group] if group else []), *formulas, *counts], cells, words=2 if group else 1)


def pairs_grid(analysis: Analysis) -> Grid:
    """Each version against the baseline: what differs, between which bounds, and whether chance could do it."""
    tests = ["Correct, points", "p, correct", "Time, ratio", "p, time"]
    rows = [_pair_cells(pair, analysis.formulas) for pair in analysis.pairs]
    return Grid(
        f"Each text less its {analysis.settings['baseline']} version", ["Text", *analysis.formulas, *tests], rows
    )


def _pair_cells(pair: PairRow, formulas: Sequence[str]) -> Cells:
    differences = [bounded(pair.differences[name]) for name in formulas]
    tests = [cell for test in pair.tests for cell in (bounded(test.difference), p_text(test.p_holm))]
    return [f"{pair.passage}, {pair.version}", *differences, *tests]


def tests_grid(analysis: Analysis) -> Grid:
    """Both hypotheses, about all passages and about each."""

    def row(test: Tested) -> Cells:
        passage = "all" if test.passage is None else test.passage
        return [f"{passage}, {test.version}", *_tested(test, test.verdict)]

    tests = [*analysis.hypotheses, *(test for pair in analysis.pairs for test in pair.tests)]
    title = f"Both hypotheses: each text against its {analysis.settings['baseline']} version"
    return Grid(title, ["Text", *_TESTED], [row(test) for test in tests], words=3, sentences=(2,))


def group_tests_grid(title: str, tests: Sequence[GroupTested]) -> Grid:
    """Groups of readers, two by two."""

    def row(test: GroupTested) -> Cells:
        text = "all" if test.passage is None else f"{test.passage}, {test.version}"
        return [text, f"{test.group} than {test.other}", *_tested(test, test.verdict)]

    return Grid(title, ["Text", "Readers", *_TESTED], [row(test) for test in tests], words=4, sentences=(3,))


_TESTED = ["Hypothesis", "Verdict", "Difference", "Effect size", "p", "Corrected (Holm)"]


def _tested(test: Contrast, verdict: str) -> Cells:
    return [
        ASKED[test.hypothesis],
        verdict,
        bounded(test.difference),
        number(test.effect, 2),
        p_text(test.p),
        p_text(test.p_holm),
    ]


def questions_grid(analysis: Analysis) -> Grid:
    """Every question about every version."""
    rows: list[Cells] = [
        [
            f"{item.passage}, {item.version}",
            item.question,
            str(item.answers),
            number(100 * item.correct, 1),
            number(item.seconds, 1),
            number(item.discrimination, 2),
            ", ".join(
                f"{answer}:\N{NO-BREAK SPACE}{count}{' ✓' if answer == item.right else ''}"
                for answer, count in item.chosen
            ),
            "; ".join(item.remarks) or NOTHING,
        ]
        for item in analysis.items
    ]
    headers = ["Text", "Question", "Answers", "Correct, %", "Seconds", "Discrimination", "Answers chosen", "Remarks"]
    return Grid("All questions", headers, rows, words=2, sentences=(6, 7))


def counts_grid(analysis: Analysis) -> Grid:
    """What was read, what was left out, and by which rule."""
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


def apart_grid(analysis: Analysis) -> Grid:
    """The rows that were kept apart, and why."""
    apart = analysis.counts.apart
    title = "Rows kept apart"
    if len(apart) > MOST_APART:
        title = f"The first {MOST_APART} of {len(apart):,} rows kept apart"
    rows = [
        [f"{row.file}:{row.row}" if row.file else str(row.row), row.participant, row.kind, row.reason]
        for row in apart[:MOST_APART]
    ]
    return Grid(title, ["Row", "Participant", "Kind", "Reason"], rows, words=3, sentences=(3,))


def text_name(row: TextRow) -> str:
    """A version of a passage, in charts and tables."""
    return f"{row.passage}, {row.version}"


def bounded(figure: Figure) -> str | Bounded:
    """A number with its interval, where it has one."""
    digits = 2 if not abs(figure.value) >= 100 else 1 if abs(figure.value) < 1000 else 0
    value = number(figure.value, digits)
    if not (math.isfinite(figure.low) and math.isfinite(figure.high)):
        return value
    return Bounded(value, f"{number(figure.low, digits)} to {number(figure.high, digits)}")
