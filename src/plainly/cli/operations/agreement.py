"""`plainly operations agreement`: do annotators find the same operations, and do they find those of gold?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import writing
from plainly.base.tables import Cell, shown
from plainly.base.version import __version__
from plainly.cli.operations.inputs import annotation_sets, rules_of
from plainly.cli.options import studied_resampling
from plainly.cli.study_tables import Table, estimate_cells, printed
from plainly.operations import AnnotatedPair
from plainly.operations.agreement import ALL, LABELS, MEAN, agreement
from plainly.operations.agreement_results import Agreement, LabelScore, Matching, Overall
from plainly.operations.ratings import GOLD

ERRORS_IN_WORDS = {
    "as-written": "the flag counts as a label of the tokens that its group names",
    "whole-pair": "all tokens of a flagged pair carry the flag",
    "left-out": "pairs that gold flags (without gold: that anyone flags) are left out",
}


def run(options: argparse.Namespace) -> None:
    if options.format == "csv" and not options.table:
        raise PlainlyError("--format csv holds one table; say which, for example --table kappas")
    if options.top < 1:
        raise PlainlyError(f"--top must be at least 1, not {options.top}")
    if options.annotator is not None and not options.gold:
        raise PlainlyError(
            "--annotator needs --gold: without it, labels and confusions are of all annotators together"
        )
    merge = _merge(options.merge)
    rules = rules_of(options)
    pairs, gold = annotation_sets(options, ["annotations", "gold"], "annotator", rules)
    found = agreement(
        _by_annotator(pairs),
        gold if options.gold else None,
        typology=rules.typology,
        errors=options.errors,
        merge=merge,
        resampling=studied_resampling(options, "source"),
    )
    if options.annotator is not None and options.annotator not in found.annotators:
        raise UnknownName("annotator", options.annotator, found.annotators)
    with writing(options.output) as out:
        out.write(_text(found, options))


def _text(found: Agreement, options: argparse.Namespace) -> str:
    if options.format == "json":
        content = {"plainly": __version__, **found.to_dict()}
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    tables = _tables(found, options)
    if options.table and options.table not in tables:
        raise PlainlyError(f"--table {options.table} needs two annotators besides gold")
    lines = list(_lines(found))
    if options.table in (None, "labels") and _shown_annotator(found, options, MEAN) == MEAN:
        lines.append(f"{MEAN}: {GOLD} and found are sums; a precision, recall or F1 that is undefined is left out")
    return printed(tables, options.table, options.format, lines)


def _tables(found: Agreement, options: argparse.Namespace) -> dict[str, Table]:
    against = found.ratings.has_gold
    two = [GOLD, "found"] if against else ["first", "second"]
    tables = {
        "overall": Table(
            "All annotators, token by token",
            ["labels read as", "side", *_bounded("Davies & Fleiss"), *_bounded("alpha"), "same label", "tokens"],
            [_overall_cells(row) for row in found.overall],
            3,
        ),
        "kappas": Table(
            "Cohen's kappa, token by token",
            ["first", "second", "labels read as", "side", *_bounded("kappa"), "tokens"],
            list(_kappa_rows(found)),
            3,
        ),
        "groups": Table(
            "Groups: F1 of the same tokens and label, F1 of the same tokens, r of their number in a pair",
            ["first", "second", *_bounded("groups"), *_bounded("spans"), *_bounded("r"), "pairs"],
            [_group_cells(row) for row in found.matching],
            3,
        ),
        "labels": Table(
            "Labels, token by token",
            ["annotator", "side", "label", *two, *(["precision", "recall"] if against else []), *_bounded("F1")],
            [_label_cells(row) for row in found.labels if row.annotator == _shown_annotator(found, options, MEAN)],
            3,
        ),
        "confusions": Table(
            f"Confusions, the {options.top} most frequent of each side",
            ["annotator", "side", *two, "tokens", "% of differing tokens"],
            list(_confusion_rows(found, _shown_annotator(found, options, ALL), options.top)),
        ),
    }
    if not found.overall:
        del tables["overall"]
    return tables


def _shown_annotator(found: Agreement, options: argparse.Namespace, several: str) -> str:
    """Whose labels and confusions are shown: the one asked for, the only one, or all together."""
    if not found.ratings.has_gold:
        return ALL
    asked: str | None = options.annotator
    return asked or (several if len(found.annotators) > 1 else found.annotators[0])


def _overall_cells(row: Overall) -> list[Cell]:
    figures = [*estimate_cells(row.davies_fleiss), *estimate_cells(row.alpha), row.observed.value]
    return [row.variant, row.side, *figures, row.davies_fleiss.n]


def _group_cells(row: Matching) -> list[Cell]:
    return [
        row.first,
        row.second,
        *estimate_cells(row.groups),
        *estimate_cells(row.spans),
        *estimate_cells(row.operations),
        row.pairs,
    ]


def _kappa_rows(found: Agreement) -> Iterator[list[Cell]]:
    """Against gold in every reading; annotators with each other by their labels only."""
    for row in found.kappas:
        if row.first == GOLD or row.variant == LABELS or len(found.annotators) == 2:
            yield [row.first, row.second, row.variant, row.side, *estimate_cells(row.kappa), row.kappa.n]


def _label_cells(row: LabelScore) -> list[Cell]:
    scores: list[Cell] = [score.value for score in (row.precision, row.recall) if score is not None]
    return [row.annotator, row.side, row.label, row.gold, row.found, *scores, *estimate_cells(row.f1)]


def _confusion_rows(found: Agreement, annotator: str, top: int) -> Iterator[list[Cell]]:
    for side in found.ratings.codes:
        rows = [row for row in found.confusions if row.side == side and row.annotator == annotator]
        for row in rows[:top]:
            labels = [label or "unchanged" for label in (row.label, row.other)]
            yield [annotator, side, *labels, row.tokens, 100 * row.share]


def _lines(found: Agreement) -> Iterator[str]:
    ratings = found.ratings
    pairs = len(ratings.keys)
    done = ", ".join(f"{shown(name, 0)} {ratings.done(i)}" for i, name in enumerate(ratings.raters))
    yield f"{pairs} pairs; done by {done}"
    if any(ratings.done(i) < pairs for i in range(len(ratings.raters))):
        yield "not everyone has done every pair; two annotators are compared on the pairs that both have done"
    if ratings.alone:
        yield f"{ratings.alone} more pairs were done by one annotator alone and do not count"
    left_out = f" ({ratings.left_out})" if found.errors == "left-out" else ""
    yield f"faulty pairs: {ERRORS_IN_WORDS[found.errors]}{left_out}"
    drawn = found.resampling
    if drawn.resamples:
        yield (
            f"low and high: {drawn.confidence:.0%} intervals, bootstrap over sources, "
            f"{drawn.resamples} resamples, seed {drawn.seed}"
        )


def _bounded(name: str) -> list[str]:
    return [name, f"{name} low", f"{name} high"]


def _by_annotator(pairs: list[AnnotatedPair]) -> dict[str, list[AnnotatedPair]]:
    annotators: dict[str, list[AnnotatedPair]] = {}
    for pair in pairs:
        annotators.setdefault(pair.annotator, []).append(pair)
    return annotators


def _merge(items: list[str]) -> dict[str, list[str]]:
    merge: dict[str, list[str]] = {}
    for item in items:
        name, _, text = item.partition("=")
        labels = [label.strip() for label in text.split(",") if label.strip()]
        if not name or not labels:
            raise PlainlyError(f"--merge takes NAME=LABEL,LABEL, not {item!r}")
        merge.setdefault(name, []).extend(labels)
    return merge
