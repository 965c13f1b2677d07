"""The tables of the page of readers' answers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plainly.comprehension.analysis import Analysis, PairRow, TextRow
from plainly.comprehension.contrasts import Contrast
from plainly.comprehension.hypotheses import Tested
from plainly.comprehension.items import Item
from plainly.comprehension.readers import GroupTested
from plainly.inference.estimates import Estimate
from plainly.report.tables import Bounded, Grid
from plainly.report.words import NOTHING, number, p_text

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
    rows = [_pair_cells(pair, analysis) for pair in analysis.pairs]
    return Grid(f"Each text less {_than(analysis)}", ["Text", *tests, *analysis.formulas], rows)


def _pair_cells(pair: PairRow, analysis: Analysis) -> Cells:
    differences = [bounded(pair.differences[name]) for name in analysis.formulas]
    tests = [cell for test in pair.tests for cell in (bounded(test.difference), p_text(test.p_holm))]
    less = f" less {pair.baseline}" if _baselines(analysis) > 1 else ""
    return [f"{pair.passage}, {pair.version}{less}", *tests, *differences]


def _baselines(analysis: Analysis) -> int:
    return len({pair.baseline for pair in analysis.pairs})


def _than(analysis: Analysis) -> str:
    """What versions are compared with, for titles."""
    return "another version" if _baselines(analysis) > 1 else f"its {analysis.settings['baseline']} version"


def tests_grid(analysis: Analysis) -> Grid:
    """Both hypotheses, about all passages and about each."""

    def row(test: Tested) -> Cells:
        passage = "all" if test.passage is None else test.passage
        than = f" than {test.baseline}" if _baselines(analysis) > 1 else ""
        return [f"{passage}, {test.version}{than}", _verdict(test), *_tested(test)]

    tests = [*analysis.hypotheses, *(test for pair in analysis.pairs for test in pair.tests)]
    title = f"Both hypotheses: each text against {_than(analysis)}"
    return Grid(title, ["Text", "Verdict", *_TESTED], [row(test) for test in tests], words=3, sentences=(1,))


def group_tests_grid(title: str, tests: Sequence[GroupTested]) -> Grid:
    """Groups of readers, two by two."""

    def row(test: GroupTested) -> Cells:
        text = "all" if test.passage is None else f"{test.passage}, {test.version}"
        return [text, _verdict(test), f"{test.group} than {test.other}", *_tested(test)]

    headers = ["Text", "Verdict", "Readers", *_TESTED]
    return Grid(title, headers, [row(test) for test in tests], words=4, sentences=(1,))


_TESTED = ["Hypothesis", "Difference", "Effect size", "p", "Corrected (Holm)"]


def _verdict(test: Tested | GroupTested) -> str:
    """With p, so that a narrow screen shows what matters without scrolling."""
    return f"{test.verdict}" if math.isnan(test.p_holm) else f"{test.verdict} ({p_text(test.p_holm)})"


def _tested(test: Contrast) -> Cells:
    return [
        ASKED[test.hypothesis],
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
            f"{item.question}: {item.wording}" if item.wording else item.question,
            Bounded(number(100 * item.correct, 1), f"of {item.answers}"),
            number(item.seconds, 1),
            bounded(item.discrimination),
            "; ".join(_chosen(item, answer, count) for answer, count in item.chosen),
            "; ".join(map(str, item.remarks)) or NOTHING,
        ]
        for item in analysis.items
    ]
    headers = ["Text", "Question", "Correct, %", "Seconds", "Discrimination", "Answers chosen", "Remarks"]
    return Grid("All questions", headers, rows, words=2, sentences=(1, 5, 6))


def _chosen(item: Item, answer: int, count: int) -> str:
    """How often an answer was chosen, and its text; remarks name answers by their numbers."""
    text = f" ({item.options[answer]})" if item.options else ""
    return f"{answer}:\N{NO-BREAK SPACE}{count}{' ✓' if answer == item.right else ''}{text}"


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


def bounded(figure: Estimate) -> str | Bounded:
    """A number with its interval, where it has one."""
    digits = 2 if not abs(figure.value) >= 100 else 1 if abs(figure.value) < 1000 else 0
    value = number(figure.value, digits)
    if not (math.isfinite(figure.low) and math.isfinite(figure.high)):
        return value
    return Bounded(value, f"{number(figure.low, digits)} to {number(figure.high, digits)}")
