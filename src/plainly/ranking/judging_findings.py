"""What a run of a judge will take, and what it gave, as every face prints it."""

from __future__ import annotations

from collections.abc import Mapping

from plainly.findings import Column, Findings, Message, Table, message
from plainly.inference.estimates import Estimate
from plainly.judges import Forecast
from plainly.ranking.findings import column
from plainly.ranking.judging import Judged, Plan


def forecast_findings(expected: Forecast) -> Findings:
    """What a run would take."""
    figures = {
        "questions": expected.questions,
        "with a reply already": expected.kept,
        "calls": expected.calls,
        "tokens read, about": expected.read,
        "tokens written, at most": expected.written,
        "cost, at most": expected.cost,
    }
    table = Table(
        "forecast",
        message("ranking.forecast", "What will the judge take?"),
        [column("before the start"), column("value", "number", 4)],
        [[_named(name), value] for name, value in figures.items()],
    )
    return Findings(tables=(table,), data=figures)


def judging_findings(plan: Plan, found: Judged, *, priced: bool = False) -> Findings:
    """What the judge said in numbers; with the cost where prices are known."""
    counts, shares = _counts(plan, found, priced), _shares(found)
    rows = [(name, value) for name, value in {**counts, **shares}.items() if value is not None]
    table = Table(
        "judge",
        message("ranking.judge", "What did the judge answer, and does the side decide?"),
        [column("figure"), Column("value", "estimate", 4, message("ranking.column.value", "value"))],
        [[_named(name), value] for name, value in rows],
    )
    return Findings(
        tables=(table,),
        signatures=(found.signature,),
        data={
            **counts,
            **{name: share and share.to_dict() for name, share in shares.items()},
            "unscored items": [{"what": item.what, "why": item.why} for item in found.unscored],
            "stopped": found.answers.stopped,
            "signature": found.signature,
        },
    )


def _counts(plan: Plan, found: Judged, priced: bool) -> Mapping[str, float | int]:
    spent, sides, judgements = found.answers.spent, found.sides, found.judgements
    counts: dict[str, float | int] = {}
    if plan.pairs:
        counts["judgements"] = len(judgements) if judgements else 0
    if plan.pairs and plan.asked.ways != 1:
        counts["ties"] = judgements.ties if judgements else 0
    if found.scores:
        counts["texts with a score"] = len(found.scores)
    counts |= {"unscored": len(found.unscored), "calls": spent.calls}
    counts |= {"tokens read": spent.read, "tokens written": spent.written}
    if priced:
        counts["cost"] = spent.cost
    if sides and sides.compared:
        counts |= {"pairs both ways": sides.compared, "flips": sides.flips, "flips to first": sides.flips_to_first}
    return counts


def _shares(found: Judged) -> Mapping[str, Estimate | None]:
    sides = found.sides
    if sides is None:
        return {}
    return {"first text chosen": sides.first_share, **({"flip rate": sides.flip_rate} if sides.compared else {})}


def _named(figure: str) -> Message:
    return message(f"ranking.figure.{figure.replace(',', '').replace(' ', '-')}", figure)
