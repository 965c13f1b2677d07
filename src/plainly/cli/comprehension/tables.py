"""The tables of an analysis of answers."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence

from plainly.base.errors import PlainlyError
from plainly.base.tables import Cell
from plainly.base.version import __version__
from plainly.cli.study_tables import Table, printed
from plainly.comprehension.analysis import Analysis, PairRow, TextRow
from plainly.comprehension.hypotheses import Tested
from plainly.comprehension.items import Item
from plainly.comprehension.readers import GroupTested
from plainly.corpus.readers.checks import plural
from plainly.inference.estimates import Estimate


def text_of(found: Analysis, names: Sequence[str], options: argparse.Namespace) -> str:
    """The tables of these names in the format that was asked for."""
    if options.format == "json":
        return json.dumps({"plainly": __version__, **found.to_dict()}, ensure_ascii=False, indent=2) + "\n"
    if options.format == "csv" and not options.table:
        raise PlainlyError("--format csv holds one table; say which, for example --table texts")
    made = tables_of(found)
    tables = {name: made[name] for name in names if made[name].rows or name == options.table}
    if options.format == "csv":
        tables = {
            name: Table(table.title, [*table.headers, "signature"], [[*row, found.signature] for row in table.rows])
            for name, table in tables.items()
        }
    lines = [
        *(f"{_title(test)}: {test.verdict}" for test in found.hypotheses),
        *(
            f"{_group_title(test)}: {test.verdict}"
            for tests in found.group_tests.values()
            for test in tests
            if test.passage is None
        ),
        *found.notes,
        f"low and high: {100 * options.confidence:g} % intervals, "
        f"{plural(options.resamples, 'resample')} of participants",
        found.signature,
    ]
    return printed(tables, options.table, options.format, lines)


def tables_of(found: Analysis) -> Mapping[str, Table]:
    """Every table by its name."""
    formulas = found.formulas
    scores = [head for name in formulas for head in _bounded(name)]
    digits = [2] * len(scores)
    group_rows = [
        [name, row.group, *_text_cells(row, formulas)] for name, rows in found.groups.items() for row in rows
    ]
    corrected = ["corrected %"] if found.settings["guessing"] else []
    of_text = ["pair", "text", "participants", "questions", "answers", "correct %", *corrected, "seconds", *scores]
    of_text_digits = [0] * 5 + [1] * (2 + len(corrected)) + digits
    tests = [*(test for row in found.pairs for test in row.tests), *found.hypotheses]
    return {
        "texts": Table(
            "Texts",
            of_text,
            [_text_cells(row, formulas) for row in found.texts],
            of_text_digits,
        ),
        "pairs": Table(
            "Differences of versions",
            ["pair", "text", "less", *scores],
            [_pair_cells(row, formulas) for row in found.pairs],
            [0] * 3 + digits,
        ),
        "hypotheses": Table(
            "More correct answers? Faster correct answers?",
            ["pair", "text", "than", *_tested("text's")],
            [_test_cells(test) for test in tests],
            [0] * 6 + [2] * 6 + [4, 4, 0],
        ),
        "groups": Table("Groups of readers", ["column", "group", *of_text], group_rows, [0, 0, *of_text_digits]),
        "group-tests": Table(
            "Do groups of readers differ?",
            ["column", "pair", "text", "group", "than", *_tested("group's")],
            [_group_test_cells(test) for tests in found.group_tests.values() for test in tests],
            [0] * 8 + [2] * 6 + [4, 4, 0],
        ),
        "items": Table(
            "Questions",
            ["pair", "text", "question", "answers", "correct %", "seconds", *_bounded("discrimination"), "remarks"],
            [_item_cells(item) for item in found.items],
            [0] * 4 + [1, 1, 2, 2, 2, 0],
        ),
        "distractors": Table(
            "Answers chosen",
            ["pair", "text", "question", "answer", "correct", "chosen", "chosen %"],
            [cells for item in found.items for cells in _distractor_cells(item)],
            [0] * 6 + [1],
        ),
        "counts": Table("What counts", ["which", "answers", "participants"], _count_cells(found)),
        "apart": Table(
            "Rows kept apart",
            ["file", "row", "user", "kind", "reason"],
            [[row.file, row.row, row.participant, row.kind, row.reason] for row in found.counts.apart],
        ),
    }


def _count_cells(found: Analysis) -> list[list[Cell]]:
    counts, rules = found.counts, found.settings
    apart: list[list[Cell]] = [[f"kept apart: {kind}", count, None] for kind, count in counts.faulty.items()]
    return [
        ["read", counts.answers, counts.participants],
        *apart,
        [
            f"of unfinished participants ({'left out' if rules['unfinished'] == 'drop' else 'kept'})",
            counts.unfinished_answers,
            counts.unfinished_participants,
        ],
        [
            f"no answer given ({'wrong' if rules['unanswered'] == 'wrong' else 'left out'})",
            counts.unanswered,
            None,
        ],
        [f"times left out as outliers ({rules['outliers']})", counts.outliers, None],
        ["counted", counts.counted_answers, counts.counted_participants],
    ]


def _text_cells(row: TextRow, formulas: Sequence[str]) -> list[Cell]:
    return [
        row.passage,
        row.version,
        row.participants,
        row.questions,
        row.answers,
        row.correct,
        *([] if math.isnan(row.corrected) else [row.corrected]),
        row.seconds,
        *(cell for name in formulas for cell in _cells(row.scores[name])),
    ]


def _pair_cells(row: PairRow, formulas: Sequence[str]) -> list[Cell]:
    cells = [cell for name in formulas for cell in _cells(row.differences[name])]
    return [row.passage, row.version, row.baseline, *cells]


def _test_cells(test: Tested) -> list[Cell]:
    return [
        "all" if test.passage is None else test.passage,
        test.version,
        test.baseline,
        *_tested_cells(test, test.of_version, test.of_baseline),
    ]


def _group_test_cells(test: GroupTested) -> list[Cell]:
    return [
        test.column,
        "all" if test.passage is None else test.passage,
        "all" if test.version is None else test.version,
        test.group,
        test.other,
        *_tested_cells(test, test.of_group, test.of_other),
    ]


def _tested(one: str) -> list[str]:
    """The headers of what `_tested_cells` gives."""
    numbers = ["participants", "answers", one, "than's", *_bounded("difference"), "effect", "p", "p (Holm)"]
    return ["hypothesis", *numbers, "verdict"]


def _tested_cells(test: Tested | GroupTested, one: float, other: float) -> list[Cell]:
    return [
        "more correct (%)" if test.hypothesis == "correct" else "faster (s, ratio)",
        test.participants,
        test.answers,
        one,
        other,
        *_cells(test.difference),
        test.effect,
        test.p,
        test.p_holm,
        test.verdict,
    ]


def _item_cells(item: Item) -> list[Cell]:
    return [
        item.passage,
        item.version,
        item.question,
        item.answers,
        100 * item.correct,
        item.seconds,
        *_cells(item.discrimination),
        "; ".join(item.remarks),
    ]


def _distractor_cells(item: Item) -> list[list[Cell]]:
    return [
        [item.passage, item.version, item.question, number, "yes" if number == item.right else "", count, share]
        for number, count, share in item.shares
    ]


def _title(test: Tested) -> str:
    asked = "more correct answers" if test.hypothesis == "correct" else "faster correct answers"
    return f"{asked} with {test.version} than with {test.baseline}"


def _group_title(test: GroupTested) -> str:
    asked = "correct answers" if test.hypothesis == "correct" else "times of correct answers"
    return f"{asked} of {test.group} against {test.other} ({test.column})"


def _bounded(name: str) -> list[str]:
    return [name, f"{name} low", f"{name} high"]


def _cells(figure: Estimate) -> list[Cell]:
    return [figure.value, figure.low, figure.high]
