"""The tables of the page of readers' answers that say more than the findings do, or the same in less room."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plainly.comprehension.analysis import Analysis, TextRow
from plainly.comprehension.contrasts import Contrast
from plainly.comprehension.hypotheses import Tested
from plainly.comprehension.items import Item
from plainly.comprehension.readers import GroupTested
from plainly.inference.estimates import Estimate
from plainly.report.tables import Bounded, Grid
from plainly.report.words import NOTHING, number, p_text

ASKED = {"correct": "more correct answers", "faster": "faster correct answers", "reading": "faster reading"}

Cells = list[str | Bounded]


def _baselines(analysis: Analysis) -> int:
    return len({pair.baseline for pair in analysis.pairs})


def _than(analysis: Analysis) -> str:
    """What versions are compared with, for titles."""
    return "another version" if _baselines(analysis) > 1 else f"its {analysis.settings['baseline']} version"


def tests_grid(analysis: Analysis) -> Grid:
    """Both hypotheses, about all passages and about each."""
    tests = [*analysis.hypotheses, *(test for pair in analysis.pairs for test in pair.tests)]
    return _versions_grid(f"Both hypotheses: each text against {_than(analysis)}", tests, analysis)


def reading_tests_grid(analysis: Analysis) -> Grid:
    """Which version is read faster, about all passages and about each."""
    return _versions_grid(f"Reading speed: each text against {_than(analysis)}", analysis.reading_tests, analysis)


def _versions_grid(title: str, tests: Sequence[Tested], analysis: Analysis) -> Grid:
    def row(test: Tested) -> Cells:
        passage = "all" if test.passage is None else test.passage
        than = f" than {test.baseline}" if _baselines(analysis) > 1 else ""
        return [f"{passage}, {test.version}{than}", _verdict(test), *_tested(test)]

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
