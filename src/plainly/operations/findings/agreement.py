"""Do annotators find the same operations, and do they find those of gold?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from plainly.base.errors import PlainlyError, UnknownName
from plainly.findings import Column, Findings, Message, Note, Table, message
from plainly.findings.kappa_words import BOUNDS, IN_WORDS, in_words
from plainly.findings.printing import printable
from plainly.findings.shape import Row
from plainly.operations.agreement import ALL, LABELS, MEAN
from plainly.operations.agreement_results import Agreement, LabelScore
from plainly.operations.contested import Contested, contested
from plainly.operations.findings.charts import UNCHANGED_TOKENS, matrix_chart
from plainly.operations.findings.columns import count, estimate, number, text
from plainly.operations.ratings import GOLD, Errors
from plainly.operations.resampling_note import drawn

ERRORS_IN_WORDS: dict[Errors, str] = {
    "as-written": "faulty pairs: the flag counts as a label of the tokens that its group names",
    "whole-pair": "faulty pairs: all tokens of a flagged pair carry the flag",
    "left-out": "faulty pairs: pairs that gold flags (without gold: that anyone flags) are left out ({count})",
}


AXES = {True: ("gold", "found"), False: ("one annotator", "another annotator")}
"""What the rows and columns of the picture of confusions are, with gold and without."""


def agreement_findings(found: Agreement, annotator: str | None = None, top: int = 10) -> Findings:
    """All tables; labels and confusions are those of one annotator, or of all together.

    `top` is how many confusions of a side are shown, and how many contested pairs.
    """
    if annotator is not None and annotator not in found.annotators:
        raise UnknownName("annotator", annotator, found.annotators)
    if annotator is not None and not found.ratings.has_gold:
        raise PlainlyError("one annotator is compared with gold: without it, all annotators are taken together")
    matrices = [matrix for matrix in found.matrices if matrix.annotator == _whose(found, annotator, ALL)]
    return Findings(
        tables=list(_tables(found, annotator, top)),
        charts=[matrix_chart(matrices, AXES[found.ratings.has_gold])],
        notes=list(map(Note, _notes(found))),
        data=found.data,
    )


def _tables(found: Agreement, annotator: str | None, top: int) -> Iterator[Table]:
    if found.overall:
        yield Table(
            "overall",
            message("operations.overall", "How far do all annotators agree, token by token?"),
            [
                *(text("labels read as"), text("side"), estimate("Davies & Fleiss", 3), IN_WORDS),
                *(estimate("alpha", 3), number("same label", 3), count("tokens")),
            ],
            [
                [
                    *(row.variant, row.side, row.davies_fleiss, in_words(row.davies_fleiss), row.alpha),
                    *(row.observed.value, row.davies_fleiss.n),
                ]
                for row in found.overall
            ],
            legend=[BOUNDS],
        )
    yield Table(
        "kappas",
        message("operations.kappas", "How far do two annotators agree, token by token? (Cohen's kappa)"),
        [
            *(text("first"), text("second"), text("labels read as"), text("side")),
            *(estimate("kappa", 3), IN_WORDS, count("tokens")),
        ],
        list(_kappa_rows(found)),
        legend=[BOUNDS],
    )
    if found.spreads:
        yield Table(
            "spread",
            message(
                "operations.spread", "How far apart are annotators in their agreement with gold? (Cohen's kappa)"
            ),
            [
                *(text("labels read as"), text("side"), count("annotators"), estimate("mean", 3)),
                *(number("sd", 3), number("lowest", 3), number("highest", 3)),
            ],
            [
                [row.variant, row.side, row.annotators, row.mean, row.sd, row.lowest, row.highest]
                for row in found.spreads
            ],
            legend=[message("operations.spread.sd", "sd: of these annotators, with their number in the denominator")],
        )
    yield Table(
        "groups",
        message("operations.groups", "Do two annotators find the same groups?"),
        [
            *(text("first"), text("second"), estimate("groups", 3), estimate("spans", 3), estimate("r", 3)),
            count("pairs"),
        ],
        [[row.first, row.second, row.groups, row.spans, row.operations, row.pairs] for row in found.matching],
        legend=[
            message(
                "operations.groups.legend",
                "groups: F1 of the same tokens and label; spans: F1 of the same tokens; r: of their number in a pair",
            )
        ],
    )
    yield _labels(found, annotator)
    yield _confusions(found, annotator, top)
    yield from _matrices(found, _whose(found, annotator, ALL))
    yield contested_table(found, top)


def contested_table(found: Agreement, top: int, called: Callable[[Contested], str] | None = None) -> Table:
    """The pairs to look at together, or to decide for a gold annotation; `called` names them in place of ids."""
    ratings = found.ratings
    differing = [pair for pair in contested(ratings) if pair.differing][:top]
    origins = called is None and any(pair.origin for pair in differing)
    rows: list[Row] = []
    for pair in differing:
        key = pair.id, pair.origin
        texts = next(table[key] for table in ratings.annotations if key in table)
        name = [called(pair)] if called else [pair.id, *([pair.origin] if origins else [])]
        rows.append([*name, pair.annotators, 100 * pair.share, " ".join(texts.source), " ".join(texts.target)])
    return Table(
        "contested",
        message("operations.contested", "On which pairs do annotators disagree most?"),
        [
            *(text("pair"), *([text("origin")] if origins else []), count("annotators")),
            *(number("% of tokens that differ", 1), text("source"), text("target")),
        ],
        rows,
    )


def _labels(found: Agreement, annotator: str | None) -> Table:
    whose = _whose(found, annotator, MEAN)
    against = found.ratings.has_gold
    mean = message(
        "operations.label-scores.mean",
        "{mean}: {gold} and found are sums; a precision, recall or F1 that is undefined is left out",
        mean=MEAN,
        gold=GOLD,
    )
    return Table(
        "labels",
        message("operations.label-scores", "On which labels do they agree, token by token?"),
        [
            *(text("annotator"), text("side"), text("label"), *map(count, _two(found))),
            *([number("precision", 3), number("recall", 3)] if against else []),
            estimate("F1", 3),
        ],
        [_label_cells(row) for row in found.labels if row.annotator == whose],
        legend=[mean] if whose == MEAN else [],
    )


def _label_cells(row: LabelScore) -> Row:
    scores = [score.value for score in (row.precision, row.recall) if score is not None]
    return [row.annotator, row.side, row.label, row.gold, row.found, *scores, row.f1]


def _confusions(found: Agreement, annotator: str | None, top: int) -> Table:
    return Table(
        "confusions",
        message("operations.confusions", "Which labels are confused? The {top} most frequent of each side", top=top),
        [
            *(text("annotator"), text("side"), *map(text, _two(found)), count("tokens")),
            number("% of differing tokens", 1),
        ],
        list(_confusion_rows(found, _whose(found, annotator, ALL), top)),
    )


def _matrices(found: Agreement, annotator: str) -> Iterator[Table]:
    """A table a side with a column a label; for programs a row a cell."""
    first, second = _two(found)
    for matrix in found.matrices:
        if matrix.annotator != annotator:
            continue
        names = [label or UNCHANGED_TOKENS for label in matrix.labels]
        asked = message(
            "operations.matrix",
            "Which labels stand in each other's place? Tokens of the {side}; rows: {first}, columns: {second}",
            side=matrix.side,
            first=first,
            second=second,
        )
        cells = [
            [annotator, matrix.side, names[a], names[b], matrix.tokens[a][b]]
            for a, b in product(range(len(names)), repeat=2)
        ]
        long = [*(text("annotator"), text("side"), text(first), text(second)), count("tokens")]
        yield Table(
            "matrix",
            asked,
            [
                text(first),
                *(
                    Column(str(label), "count", title=label if isinstance(label, Message) else None)
                    for label in names
                ),
            ],
            [[name, *row] for name, row in zip(names, matrix.tokens, strict=True)],
            long=Table("matrix", asked, long, cells),
        )


def _confusion_rows(found: Agreement, annotator: str, top: int) -> Iterator[Row]:
    for side in found.ratings.codes:
        rows = [row for row in found.confusions if row.side == side and row.annotator == annotator]
        for row in rows[:top]:
            yield [
                annotator,
                side,
                row.label or UNCHANGED_TOKENS,
                row.other or UNCHANGED_TOKENS,
                row.tokens,
                100 * row.share,
            ]


def _kappa_rows(found: Agreement) -> Iterator[Row]:
    """Against gold in every reading; annotators with each other by their labels only."""
    for row in found.kappas:
        if row.first == GOLD or row.variant == LABELS or len(found.annotators) == 2:
            yield [row.first, row.second, row.variant, row.side, row.kappa, in_words(row.kappa), row.kappa.n]


def _two(found: Agreement) -> tuple[str, str]:
    return (GOLD, "found") if found.ratings.has_gold else ("first", "second")


def _whose(found: Agreement, asked: str | None, several: str) -> str:
    """Whose labels and confusions are shown: the one asked for, the only one, or all together."""
    if not found.ratings.has_gold:
        return ALL
    return asked or (several if len(found.annotators) > 1 else found.annotators[0])


def _notes(found: Agreement) -> Iterator[Message]:
    ratings = found.ratings
    pairs = len(ratings.keys)
    yield message(
        "operations.done",
        "{pairs} pairs; done by {done}",
        pairs=pairs,
        done=", ".join(f"{printable(name)} {ratings.done(i)}" for i, name in enumerate(ratings.raters)),
    )
    if any(ratings.done(i) < pairs for i in range(len(ratings.raters))):
        yield message(
            "operations.not-all-done",
            "not everyone has done every pair; two annotators are compared on the pairs that both have done",
        )
    if ratings.alone:
        yield message(
            "operations.alone",
            "{count} more pairs were done by one annotator alone and do not count",
            count=ratings.alone,
        )
    yield message(f"operations.errors.{found.errors}", ERRORS_IN_WORDS[found.errors], count=ratings.left_out)
    yield from drawn(found.resampling)
