"""`plainly operations stats`: how common each operation is, and how two corpora differ."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.tables import Cell
from plainly.base.version import __version__
from plainly.cli.notes import note
from plainly.cli.operations.inputs import annotation_sets, rules_of
from plainly.cli.options import studied_resampling
from plainly.cli.study_tables import Table, estimate_cells, p_cell, printed
from plainly.inference.comparison import FEW_UNITS
from plainly.operations.shares import Contrast, Counts, Frequency, Share, contrasts
from plainly.operations.statistics import Description, counted, describe


def run(options: argparse.Namespace) -> None:
    sampling = studied_resampling(options, "source")
    if options.table == "comparison" and not options.against:
        raise PlainlyError("--table comparison needs --against")
    if options.format == "csv" and not options.table:
        raise PlainlyError("--format csv holds one table; say which, for example --table labels")
    rules = rules_of(options)
    first, second = annotation_sets(options, ["annotations", "against"], rules=rules)
    found = describe(first, rules.typology, sampling, erroneous=options.erroneous)
    differences: list[Contrast] | None = None
    if options.against:
        one, other = (counted(pairs, erroneous=options.erroneous) for pairs in (first, second))
        differences = contrasts(Counts(one, rules.typology), Counts(other, rules.typology), sampling)
    with writing(options.output) as out:
        out.write(_text(found, differences, options))
    if options.resamples and found.summary.sources < FEW_UNITS and not options.quiet:
        note(f"note: intervals from fewer than {FEW_UNITS} sources are too short")


def _text(found: Description, differences: list[Contrast] | None, options: argparse.Namespace) -> str:
    if options.format == "json":
        content = {
            "plainly": __version__,
            "erroneous_pairs_counted": options.erroneous,
            "resampling": studied_resampling(options, "source").to_dict(),
            **found.to_dict(),
            **({} if differences is None else {"comparison": [row.to_dict() for row in differences]}),
        }
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    line = f"pairs flagged as faulty are {'counted' if options.erroneous else 'left out'}"
    if options.resamples:
        drawn = f"bootstrap over sources, {options.resamples} resamples, seed {options.seed}"
        line += f"; low and high: {100 * options.confidence:g} % intervals, {drawn}"
    return printed(_tables(found, differences, options.format), options.table, options.format, [line])


def _tables(found: Description, differences: list[Contrast] | None, form: str) -> dict[str, Table]:
    tables = {
        "summary": Table("Size", ["what", "number", "low", "high"], list(_summary_rows(found)), 2),
        "labels": Table(
            "Operations",
            ["label", *_share_headers("pairs", "pairs with it"), *_share_headers("groups", "groups")],
            [[row.name, *_cells(row.pairs), *_cells(row.groups)] for row in found.labels],
        ),
        "classes": Table(
            "Classes of operations (moves are replacements too)",
            [
                "class",
                *_share_headers("pairs", "pairs with it"),
                *_share_headers("presences", "presences"),
                *_share_headers("groups", "groups"),
            ],
            [[row.name, *_class_cells(row)] for row in found.classes],
        ),
        "tokens": Table(
            "Tokens in a group",
            ["label", "groups", *_mean_headers("source"), *_mean_headers("target")],
            [
                [
                    row.label,
                    row.groups,
                    *estimate_cells(row.source_mean),
                    row.source_sd,
                    *estimate_cells(row.target_mean),
                    row.target_sd,
                ]
                for row in found.tokens
            ],
            3,
        ),
        "per-pair": Table(
            "Operations in a pair",
            ["n", "pairs with n labels", "% up to n labels", "pairs with n groups", "% up to n groups"],
            [list(asdict(row).values()) for row in found.per_pair],
        ),
        "length": Table(
            "Operations and length (rank correlation)",
            ["length of", "operations as", "rho", "low", "high", "p", "pairs"],
            list(_length_rows(found, form)),
            3,
        ),
    }
    if differences is not None:
        headers = ["label or class", "share of", "%", "% against", "difference", "low", "high"]
        rows = [list(_contrast_cells(row)) for row in differences]
        tables["comparison"] = Table("Comparison", headers, rows)
    return tables


def _share_headers(whole: str, count: str) -> list[str]:
    return [count, f"% of {whole}", f"{whole} low", f"{whole} high"]


def _cells(share: Share) -> list[Cell]:
    return [share.count, *estimate_cells(share.percent)]


def _class_cells(row: Frequency) -> list[Cell]:
    return [*_cells(row.pairs), *_cells(row.presences), *_cells(row.groups)]


def _contrast_cells(row: Contrast) -> Iterator[Cell]:
    yield from (row.name, row.share_of, row.first, row.second, *estimate_cells(row.difference))


def _mean_headers(side: str) -> list[str]:
    return [f"{side} tokens", f"{side} low", f"{side} high", f"{side} sd"]


def _summary_rows(found: Description) -> Iterator[list[Cell]]:
    summary = found.summary
    counts = {
        "pairs": summary.pairs,
        "sources": summary.sources,
        "faulty pairs": summary.erroneous_pairs,
        **{f"sources with {n} faulty": sources for n, sources in summary.erroneous_pairs_per_source.items()},
        "pairs counted below": summary.counted_pairs,
        "pairs without operations": summary.unchanged_pairs,
        "presences (labels in pairs)": summary.presences,
        "groups": summary.groups,
    }
    for what, number in counts.items():
        yield [what, number, None, None]
    yield ["labels per pair", *estimate_cells(summary.labels_per_pair)]
    yield ["groups per pair", *estimate_cells(summary.groups_per_pair)]
    yield ["groups per 100 source tokens", *estimate_cells(summary.groups_per_100_source_tokens)]


def _length_rows(found: Description, form: str) -> Iterator[list[Cell]]:
    for row in found.length:
        correlation = row.correlation
        cells = estimate_cells(correlation.estimate)
        yield [row.side, row.counted_as, *cells, p_cell(correlation.p, form), correlation.n]
