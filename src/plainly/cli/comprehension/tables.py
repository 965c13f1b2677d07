"""The tables of an analysis of answers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence

from plainly.cli.operations.tables import Table, printed
from plainly.comprehension.analysis import Analysis, PairRow, TextRow
from plainly.comprehension.hypotheses import Tested
from plainly.comprehension.items import Item
from plainly.errors import PlainlyError
from plainly.ranking.results import Figure
from plainly.tables import Cell
from plainly.version import __version__


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
        *found.notes,
        f"low and high: {options.level:.0%} intervals, {options.resamples} resamples of participants",
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
    of_text = ["pair", "text", "participants", "questions", "answers", "correct %", "seconds", *scores]
    tests = [*(test for row in found.pairs for test in row.tests), *found.hypotheses]
    return {
        "texts": Table(
            "Texts",
            of_text,
            [_text_cells(row, formulas) for row in found.texts],
            [0] * 5 + [1, 1] + digits,
        ),
        "pairs": Table(
            "Differences of versions",
            ["pair", "text", "less", *scores],
            [_pair_cells(row, formulas) for row in found.pairs],
            [0] * 3 + digits,
        ),
        "hypotheses": Table(
            "More correct answers? Faster correct answers?",
            [
                "pair",
                "text",
                "than",
                "hypothesis",
                "participants",
                "answers",
                "text's",
                "than's",
                *_bounded("difference"),
                "effect",
                "p",
                "p (Holm)",
                "verdict",
            ],
            [_test_cells(test) for test in tests],
            [0] * 6 + [2] * 6 + [4, 4, 0],
        ),
        "groups": Table("Groups of readers", ["column", "group", *of_text], group_rows, [0] * 7 + [1, 1] + digits),
        "items": Table(
            "Questions",
            ["pair", "text", "question", "answers", "correct %", "seconds", "discrimination", "remarks"],
            [_item_cells(item) for item in found.items],
            [0] * 4 + [1, 1, 2, 0],
        ),
        "distractors": Table(
            "Answers chosen",
            ["pair", "text", "question", "answer", "correct", "chosen", "chosen %"],
            [cells for item in found.items for cells in _distractor_cells(item)],
            [0] * 6 + [1],
        ),
        "counts": Table("What counts", ["which", "answers", "participants"], _count_cells(found)),
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
        "more correct (%)" if test.hypothesis == "correct" else "faster (s, ratio)",
        test.participants,
        test.answers,
        test.of_version,
        test.of_baseline,
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
        item.discrimination,
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


def _bounded(name: str) -> list[str]:
    return [name, f"{name} low", f"{name} high"]


def _cells(figure: Figure) -> list[Cell]:
    return [figure.value, figure.low, figure.high]
