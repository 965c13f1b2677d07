"""How common each operation is, and how two corpora differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple

from plainly.findings import Column, Findings, Message, Note, Table, message
from plainly.findings.shape import Row, Value
from plainly.inference.comparison import FEW_UNITS
from plainly.operations.findings.charts import by_length_chart
from plainly.operations.findings.columns import count, estimate, number, p, text
from plainly.operations.resampling_note import drawn
from plainly.operations.shares import Contrast, Share
from plainly.operations.statistics import Description, Statistics, Summary


def statistics_findings(found: Statistics) -> Findings:
    """All tables of a corpus, and its comparison with another."""
    few = found.resampling.resamples and found.description.summary.sources < FEW_UNITS
    short = message("operations.few-sources", "intervals from fewer than {few} sources are too short", few=FEW_UNITS)
    return Findings(
        tables=list(_tables(found)),
        notes=[
            Note(_faulty(found.erroneous)),
            *map(Note, drawn(found.resampling)),
            *([Note(short, aside=True)] if few else []),
        ],
        charts=[by_length_chart(found.description.by_length)],
        data=found.data,
    )


def _faulty(erroneous: bool) -> Message:
    if erroneous:
        return message("operations.faulty.counted", "pairs flagged as faulty are counted")
    return message("operations.faulty.left-out", "pairs flagged as faulty are left out")


def _tables(found: Statistics) -> Iterator[Table]:
    described = found.description
    yield Table(
        "summary",
        message("operations.summary", "How large is the corpus, and how much is done?"),
        [text("what"), estimate("number", 2)],
        _summary_rows(described.summary),
    )
    yield Table(
        "labels",
        message("operations.frequencies", "How common is each operation?"),
        [text("label"), *_share_columns("pairs", "pairs with it"), *_share_columns("groups", "groups")],
        [[row.name, *_shares(row.pairs, row.groups)] for row in described.labels],
    )
    yield Table(
        "classes",
        message("operations.classes", "How common are classes of operations? (moves are replacements too)"),
        [
            *(text("class"), *_share_columns("pairs", "pairs with it")),
            *(*_share_columns("presences", "presences"), *_share_columns("groups", "groups")),
        ],
        [[row.name, *_shares(row.pairs, row.presences, row.groups)] for row in described.classes],
    )
    yield Table(
        "tokens",
        message("operations.tokens", "How many tokens does a group have?"),
        [text("label"), count("groups"), *_mean_columns("source"), *_mean_columns("target"), p("p")],
        [
            [row.label, row.groups, row.source_mean, row.source_sd, row.target_mean, row.target_sd, row.p]
            for row in described.tokens
        ],
        legend=[
            message("operations.t-test", "p: as many tokens before as after? Paired t-test, groups as independent")
        ],
    )
    yield _per_pair(described)
    yield Table(
        "length",
        message("operations.length", "Do longer sentences have more operations? (rank correlation)"),
        [text("length of"), text("operations as"), estimate("rho", 3), Column("p", "p"), count("pairs")],
        [
            [row.side, row.counted_as, row.correlation.estimate, row.correlation.p, row.correlation.n]
            for row in described.length
        ],
    )
    yield Table(
        "by-length",
        message("operations.by-length", "How many operations do sources of a length have?"),
        [
            *map(count, ("shortest", "longest", "sources", "pairs")),
            estimate("labels per pair", 2),
            estimate("groups per pair", 2),
        ],
        [[row.shortest, row.longest, row.sources, row.pairs, row.labels, row.groups] for row in described.by_length],
    )
    yield Table(
        "reported",
        message("operations.reported", "What do papers report of a corpus?"),
        [text("class"), *_share_columns("presences", "presences"), *_share_columns("groups", "groups")],
        [[row.name, *_shares(row.presences, row.groups)] for row in described.reported],
    )
    if found.comparison is not None:
        yield _comparison(found.comparison)


def _per_pair(described: Description) -> Table:
    return Table(
        "per-pair",
        message("operations.per-pair", "How many operations does a pair have?"),
        [
            *(count("n"), count("pairs with n labels"), number("% up to n labels", 1)),
            *(count("pairs with n groups"), number("% up to n groups", 1)),
        ],
        [astuple(row) for row in described.per_pair],
    )


def _comparison(rows: Sequence[Contrast]) -> Table:
    return Table(
        "comparison",
        message("operations.comparison", "How do the two corpora differ?"),
        [
            *(text("label or class"), text("share of"), number("%", 1), number("% against", 1)),
            estimate("difference", 1),
        ],
        [[row.name, row.share_of, row.first, row.second, row.difference] for row in rows],
    )


def _share_columns(whole: str, counted: str) -> list[Column]:
    return [count(counted), estimate(f"% of {whole}", 1)]


def _shares(*shares: Share) -> list[Value]:
    return [value for share in shares for value in (share.count, share.percent)]


def _mean_columns(side: str) -> list[Column]:
    return [estimate(f"{side} tokens", 3), number(f"{side} sd", 3)]


def _summary_rows(summary: Summary) -> list[Row]:
    per_source: list[Row] = [
        [message("operations.size.faulty-of-source", "sources with {n} faulty", n=n), sources]
        for n, sources in summary.erroneous_pairs_per_source.items()
    ]
    return [
        [_what("pairs", "pairs"), summary.pairs],
        [_what("sources", "sources"), summary.sources],
        [_what("faulty-pairs", "faulty pairs"), summary.erroneous_pairs],
        *per_source,
        [_what("counted", "pairs counted below"), summary.counted_pairs],
        [_what("unchanged", "pairs without operations"), summary.unchanged_pairs],
        [_what("presences", "presences (labels in pairs)"), summary.presences],
        [_what("groups", "groups"), summary.groups],
        [_what("labels-per-pair", "labels per pair"), summary.labels_per_pair],
        [_what("groups-per-pair", "groups per pair"), summary.groups_per_pair],
        [_what("groups-per-100", "groups per 100 source tokens"), summary.groups_per_100_source_tokens],
    ]


def _what(key: str, english: str) -> Message:
    return message(f"operations.size.{key}", english)
