"""What answers of readers tell, as every face prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plainly.base.groups import grouped
from plainly.comprehension.analysis import Analysis, TextRow
from plainly.comprehension.contrasts import Hypothesis
from plainly.comprehension.experiment import TYPES
from plainly.comprehension.hypotheses import Tested
from plainly.comprehension.items import Item
from plainly.comprehension.pictures import how_fast, who_took_part
from plainly.comprehension.plurals import counted
from plainly.comprehension.readers import GroupTested
from plainly.findings import Column, Findings, Message, Note, Table, joined, message, plain
from plainly.findings.shape import Row, Value

IN_FULL = ("participants", "items", "types", "distractors")
"""The tables that a brief result has not: who took part, and how good the questions are."""
ASKED: dict[Hypothesis, str] = {
    "correct": "more correct (%)",
    "faster": "faster (s, ratio)",
    "reading": "read faster (words per minute, ratio)",
}
SAID: dict[Hypothesis, str] = {
    "correct": "more correct answers",
    "faster": "faster correct answers",
    "reading": "faster reading",
}


def findings(found: Analysis, table: str | None = None, *, brief: bool = False) -> Findings:
    """All tables that have rows, or one alone; `brief`: without those of `IN_FULL`, and without pictures."""
    made = list(_tables(found))
    if table is None:
        made = [one for one in made if one.rows and not (brief and one.name in IN_FULL)]
    else:
        made = [one for one in made if one.name == table]
    return Findings(
        tables=made,
        verdict=list(_verdict(found)),
        charts=[] if brief or table is not None else [*how_fast(found.reading), *who_took_part(found.participants)],
        notes=[
            *map(Note, found.notes),
            Note(_drawn(found)),
            *(Note(_empty(one, found), aside=True) for one in made if not one.rows),
        ],
        signatures=(found.signature,),
        data=found.data,
    )


def _drawn(found: Analysis) -> Message:
    return message(
        "comprehension.drawn",
        "in brackets: {confidence:g} % intervals, {resamples} of participants",
        confidence=100 * found.settings["confidence"],
        resamples=counted(found.settings["resamples"], "resample"),
    )


def _empty(table: Table, found: Analysis) -> Message:
    if table.name in ("reading", "reading-tests") and not found.reading:
        english = "there is nothing to show in the table {name}: it takes a column reading_time, and the experiment"
        return message("comprehension.empty-reading", english, name=table.name)
    return message("comprehension.empty", "there is nothing to show in the table {name}", name=table.name)


def _verdict(found: Analysis) -> Iterator[Message]:
    """Hypotheses about all passages together, reading too, and groups about all texts together."""
    for test in (*found.hypotheses, *(test for test in found.reading_tests if test.passage is None)):
        asked = SAID[test.hypothesis]
        yield message(
            f"comprehension.said.{test.hypothesis}",
            f"{asked} with {{version}} than with {{baseline}}: {{verdict}}",
            version=test.version,
            baseline=test.baseline,
            verdict=test.verdict,
        )
    for one in (test for tests in found.group_tests.values() for test in tests if test.passage is None):
        asked = {"correct": "correct answers", "faster": "times of correct answers"}[one.hypothesis]
        yield message(
            f"comprehension.said.groups-{one.hypothesis}",
            f"{asked} of {{group}} against {{other}} ({{column}}): {{verdict}}",
            group=one.group,
            other=one.other,
            column=one.column,
            verdict=one.verdict,
        )


def _tables(found: Analysis) -> Iterator[Table]:
    yield Table(
        "texts",
        message("comprehension.texts", "How well is each text understood?"),
        _text_columns(found),
        [_text_cells(row, found) for row in found.texts],
    )
    yield _pairs(found)
    yield _hypotheses(found)
    yield from _reading(found)
    yield Table(
        "participants",
        message("comprehension.participants", "Who took part?"),
        [
            *(_column("column"), _column("group"), _count("participants")),
            *(_number("participants %", "participants-percent", 1), _count("answers")),
        ],
        [
            [one.column, group.name, group.participants, 100 * group.participants / one.people, group.answers]
            for one in found.participants
            for group in one.groups
        ],
    )
    yield Table(
        "groups",
        message("comprehension.groups", "What do groups of readers understand?"),
        [_column("column"), _column("group"), *_text_columns(found)],
        [[name, row.group, *_text_cells(row, found)] for name, rows in found.groups.items() for row in rows],
    )
    yield _group_tests(found)
    yield _items(found)
    yield _types(found)
    yield _distractors(found)
    yield _counts(found)
    yield Table(
        "apart",
        message("comprehension.apart", "Which rows were kept apart?"),
        [_column("file"), _count("row"), _column("user"), _column("kind"), _column("reason")],
        [[row.file, row.row, row.participant, row.kind, row.reason] for row in found.counts.apart],
    )


def _text_columns(found: Analysis) -> list[Column]:
    return [
        *(_column("pair"), _column("text")),
        *(_count(name) for name in ("participants", "questions", "answers")),
        _number("correct %", "correct-percent", 1),
        *([_number("corrected %", "corrected-percent", 1)] if found.settings["guessing"] else []),
        _number("seconds", "seconds", 1),
        *(Column(name, "estimate", better="higher") for name in found.formulas),
    ]


def _text_cells(row: TextRow, found: Analysis) -> list[Value]:
    return [
        *(row.passage, row.version, row.participants, row.questions, row.answers, row.correct),
        *([row.corrected] if found.settings["guessing"] else []),
        row.seconds,
        *(row.scores[name] for name in found.formulas),
    ]


def _pairs(found: Analysis) -> Table:
    return Table(
        "pairs",
        message("comprehension.pairs", "How do the scores of versions differ?"),
        [*map(_column, ("pair", "text", "less")), *(Column(name, "estimate") for name in found.formulas)],
        [
            [row.passage, row.version, row.baseline, *(row.differences[name] for name in found.formulas)]
            for row in found.pairs
        ],
    )


def _hypotheses(found: Analysis) -> Table:
    tests = [*(test for row in found.pairs for test in row.tests), *found.hypotheses]
    return Table(
        "hypotheses",
        message("comprehension.hypotheses", "More correct answers? Faster correct answers?"),
        [*map(_column, ("pair", "text", "than")), *_test_columns("text's", "of-text")],
        [
            [
                _or_all(test.passage),
                test.version,
                test.baseline,
                *_test_cells(test, test.of_version, test.of_baseline),
            ]
            for test in tests
        ],
    )


def _reading(found: Analysis) -> Iterator[Table]:
    """How fast each text is read, and whether versions differ; both empty without reading times."""
    yield Table(
        "reading",
        message("comprehension.reading", "How fast is each text read?"),
        [
            *(_column("pair"), _column("text"), _count("words"), _count("participants")),
            _number("seconds", "seconds", 1),
            Column("words per minute", "estimate", 0, _head("words-per-minute", "words per minute")),
        ],
        [
            [row.passage, row.version, row.words, row.participants, row.seconds, row.words_per_minute]
            for row in found.reading
        ],
    )
    yield Table(
        "reading-tests",
        message("comprehension.reading-tests", "Is a version read faster?"),
        [*map(_column, ("pair", "text", "than")), *_test_columns("text's", "of-text", "readings")],
        [
            [
                *(_or_all(test.passage), test.version, test.baseline),
                *_test_cells(test, test.of_version, test.of_baseline),
            ]
            for test in found.reading_tests
        ],
    )


def _group_tests(found: Analysis) -> Table:
    return Table(
        "group-tests",
        message("comprehension.group-tests", "Do groups of readers differ?"),
        [*map(_column, ("column", "pair", "text", "group", "than")), *_test_columns("group's", "of-group")],
        [
            [
                *(test.column, _or_all(test.passage), _or_all(test.version), test.group, test.other),
                *_test_cells(test, test.of_group, test.of_other),
            ]
            for tests in found.group_tests.values()
            for test in tests
        ],
    )


def _test_columns(one: str, key: str, counted: str = "answers") -> list[Column]:
    return [
        *(_column("hypothesis"), _count("participants"), _count(counted)),
        *(_number(one, key), _number("than's", "of-other")),
        Column("difference", "estimate", title=_head("difference", "difference")),
        *(_number("effect", "effect"), Column("p", "p"), Column("p (Holm)", "p"), _column("verdict")),
    ]


def _test_cells(test: Tested | GroupTested, one: float, other: float) -> list[Value]:
    asked = message(f"comprehension.hypothesis.{test.hypothesis}", ASKED[test.hypothesis])
    return [
        *(asked, test.participants, test.answers, one, other),
        *(test.difference, test.effect, test.p, test.p_holm, test.verdict),
    ]


def _items(found: Analysis) -> Table:
    typed = any(item.type for item in found.items)
    return Table(
        "items",
        message("comprehension.items", "How good are the questions?"),
        [
            *(_column("pair"), _column("text"), _column("question"), *([_column("type")] if typed else [])),
            *(_count("answers"), _number("correct %", "correct-percent", 1), _number("seconds", "seconds", 1)),
            Column("discrimination", "estimate", title=_head("discrimination", "discrimination")),
            _column("remarks"),
        ],
        [
            [
                *(item.passage, item.version, item.question, *([item.type] if typed else [])),
                *(item.answers, 100 * item.correct, item.seconds),
                *(item.discrimination, joined(item.remarks, "; ")),
            ]
            for item in found.items
        ],
    )


def _types(found: Analysis) -> Table:
    """Answers to all questions of a type together, for each version."""
    groups = grouped(found.items, lambda item: (item.type, item.version))
    places = {name: place for place, name in enumerate(TYPES)}
    return Table(
        "types",
        message("comprehension.types", "Which types of questions are understood?"),
        [
            *(_column("type"), _column("text"), _count("questions"), _count("answers")),
            *(_number("correct %", "correct-percent", 1), _number("seconds", "seconds", 1)),
        ],
        [
            [type_, version, len(own), *_pooled(own)]
            for (type_, version), own in sorted(groups.items(), key=lambda group: places.get(group[0][0], -1))
            if type_
        ],
    )


def _pooled(items: Sequence[Item]) -> list[Value]:
    answers = sum(item.answers for item in items)
    correct, seconds = (
        sum(item.answers * value for item, value in zip(items, values, strict=True)) / answers
        for values in ([item.correct for item in items], [item.seconds for item in items])
    )
    return [answers, 100 * correct, seconds]


def _distractors(found: Analysis) -> Table:
    yes = message("comprehension.yes", "yes")
    return Table(
        "distractors",
        message("comprehension.distractors", "Which answers were chosen?"),
        [
            *(_column("pair"), _column("text"), _column("question"), _count("answer"), _column("correct")),
            *(_count("chosen"), _number("chosen %", "chosen-percent", 1)),
        ],
        [
            [item.passage, item.version, item.question, number, yes if number == item.right else "", count, share]
            for item in found.items
            for number, count, share in item.shares
        ],
    )


def _counts(found: Analysis) -> Table:
    return Table(
        "counts",
        message("comprehension.counts", "What counts?"),
        [_column("which"), _count("answers"), _count("participants")],
        list(_count_rows(found)),
    )


def _count_rows(found: Analysis) -> Iterator[Row]:
    counts, rules = found.counts, found.settings
    yield [message("comprehension.count.read", "read"), counts.answers, counts.participants]
    for kind, count in counts.faulty.items():
        yield [message("comprehension.count.apart", "kept apart: {kind}", kind=kind), count, None]
    if "where" in rules:
        yield [
            message("comprehension.count.others", "of other participants, left out ({where})", where=rules["where"]),
            *(counts.others_answers, counts.others_participants),
        ]
    unfinished = {"drop": "left out", "keep": "kept"}[rules["unfinished"]]
    yield [
        message(
            f"comprehension.count.unfinished-{rules['unfinished']}", f"of unfinished participants ({unfinished})"
        ),
        counts.unfinished_answers,
        counts.unfinished_participants,
    ]
    unanswered = {"wrong": "wrong", "apart": "left out"}[rules["unanswered"]]
    yield [
        message(f"comprehension.count.unanswered-{rules['unanswered']}", f"no answer given ({unanswered})"),
        counts.unanswered,
        None,
    ]
    yield [
        message("comprehension.count.outliers", "times left out as outliers ({rule})", rule=rules["outliers"]),
        counts.outliers,
        None,
    ]
    yield [message("comprehension.count.counted", "counted"), counts.counted_answers, counts.counted_participants]


def _or_all(name: str | None) -> Message:
    return message("comprehension.all", "all") if name is None else plain(name)


def _column(name: str) -> Column:
    return Column(name, title=_head(name, name))


def _count(name: str) -> Column:
    return Column(name, "count", title=_head(name, name))


def _number(name: str, key: str, digits: int = 2) -> Column:
    return Column(name, "number", digits, _head(key, name))


def _head(key: str, english: str) -> Message:
    return message(f"comprehension.column.{key}", english)
