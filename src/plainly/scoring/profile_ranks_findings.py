"""Ranks under several profiles, as every face prints them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from plainly.base.messages import joined
from plainly.findings import Column, Findings, Message, Note, Table, message, plain
from plainly.findings.shape import Row, Value, column
from plainly.inference.estimates import Estimate, finite
from plainly.scoring.comparison import words_of_test
from plainly.scoring.findings import SYSTEM, amount, signatures, unscored
from plainly.scoring.profile_ranks import Agreement, ProfileRanks, Turned

MOST_NAMED = 3
"""Of more pairs than this, the others are counted."""


def findings(found: ProfileRanks) -> Findings:
    """Whether the profiles agree, in a sentence; scores and ranks side by side; how far they agree; what turned."""
    first = next(iter(found.comparisons.values()))
    evaluations = [comparison.evaluation for comparison in found.comparisons.values()]
    below = [
        amount(
            first.evaluation.size,
            first.evaluation.documents,
            first.settings.resampling,
            words_of_test(first.settings),
        ),
        *dict.fromkeys(one for evaluation in evaluations for one in unscored(evaluation)),
        *(_no_better_end(metric) for metric in found.without_better_end),
    ]
    aside = dict.fromkeys(note for evaluation in evaluations for note in evaluation.notes)
    signed = [one for evaluation in evaluations for one in signatures(evaluation.metrics, evaluation.systems)]
    return Findings(
        tables=[_ranks(found), _agreement(found), _turned(found)],
        verdict=[sentence for one in found.agreements for sentence in _said(found, one)],
        notes=[*map(Note, below), *(Note(one.message, one.kind, aside=True) for one in aside)],
        signatures=list(dict.fromkeys(signed)),
        data=_data(found),
    )


def _said(found: ProfileRanks, one: Agreement) -> Iterator[Message]:
    first, second = one.profiles
    values: dict[str, Any] = {"metric": _title(found, one.metric), "first": first, "second": second}
    if one.systems < 2:
        yield message("scoring.nothing-to-rank", "{metric}: there are not two systems to rank.", **values)
        return
    if not one.turned and not math.isclose(one.tau, 1):  # systems with equal scores under one of them
        english = "{metric}: {first} and {second} contradict each other on none of {pairs} pairs of systems."
        yield message("scoring.no-contradiction", english, pairs=one.pairs, **values)
        return
    if not one.turned:
        english = "{metric}: {first} and {second} put the {systems} systems in the same order."
        yield message("scoring.same-order", english, systems=one.systems, **values)
        return
    english = (
        "{metric}: {first} and {second} disagree on the order of {turned} of {pairs} pairs of systems "
        "(Kendall's tau {tau:.2f}). {first} puts {named}; {second} has it the other way round."
    )
    values |= {"turned": len(one.turned), "pairs": one.pairs, "tau": one.tau, "named": _named(one.turned)}
    yield message("scoring.turned", english, **values)
    sure = [pair for pair in one.turned if pair.beyond_chance]
    if sure:
        english = "These differ beyond chance under both profiles: {named}. Here the settings decide who is better."
        yield message("scoring.turned-by-settings", english, named=_named(sure))
    else:
        english = "None of these pairs differs beyond chance under both profiles."
        yield message("scoring.turned-by-chance", english)


def _named(pairs: Sequence[Turned]) -> Message:
    named = [
        message("scoring.above", "{first} above {second}", first=pair.first, second=pair.second)
        for pair in pairs[:MOST_NAMED]
    ]
    if len(pairs) > MOST_NAMED:
        named.append(message("scoring.more-pairs", "{count} more", count=len(pairs) - MOST_NAMED))
    return joined(named)


def _ranks(found: ProfileRanks) -> Table:
    """One row a system, in the order of the first metric under the first profile."""
    question = message("scoring.ranks-by-profile", "Which ranks does each system have under each profile?")
    columns = [SYSTEM]
    for metric, labels in found.labels.items():
        for profile, label in labels.items():
            facts = found.comparisons[profile].evaluation.metrics[label].facts
            title = message("scoring.by-profile", "{metric}, {profile}", metric=facts.title, profile=profile)
            better = "" if facts.direction == "none" else facts.direction
            columns.append(Column(f"{metric} {profile}", "number", facts.decimals, title, better))
            columns.append(Column(f"{metric} {profile} rank", "count", title=message("scoring.column.rank", "rank")))
    rows: list[Row] = []
    for system in _order(found):
        row: list[Value] = [system]
        for metric, labels in found.labels.items():
            for profile in labels:
                row += [found.score(metric, profile, system), found.ranks[metric][profile][system]]
        rows.append(row)
    shared = message("scoring.shared-ranks", "1 is the best rank; equal scores share the better one")
    long = Table(
        "ranks",
        question,
        [SYSTEM, *map(Column, ("metric", "profile")), Column("score", "estimate"), Column("rank", "count"), _SIGNED],
        [
            [system, metric, profile, *_standing(found, metric, profile, system)]
            for system in _order(found)
            for metric, labels in found.labels.items()
            for profile in labels
        ],
    )
    return Table("ranks", question, columns, rows, legend=[shared], long=long)


def _order(found: ProfileRanks) -> list[str]:
    by_profile = next(iter(found.ranks.values()), {})
    first = next(iter(by_profile.values()), {})
    return sorted(first, key=lambda system: first[system] or len(first) + 1)


def _standing(found: ProfileRanks, metric: str, profile: str, system: str) -> list[Value]:
    comparison, label = found.comparisons[profile], found.labels[metric][profile]
    signature = comparison.evaluation[system][label].signature
    return [comparison[system][label].estimate, found.ranks[metric][profile][system], signature]


def _agreement(found: ProfileRanks) -> Table:
    return Table(
        "agreement",
        message("scoring.agreement", "How far do the profiles agree on the order of the systems?"),
        [
            *(_text("metric"), _text("profile"), _text("other profile")),
            *(column("scoring", name, "count") for name in ("systems", "pairs", "turned", "beyond chance")),
            column("scoring", "tau", "number"),
        ],
        [
            [
                *(one.metric, *one.profiles, one.systems, one.pairs, len(one.turned)),
                *(sum(pair.beyond_chance for pair in one.turned), one.tau),
            ]
            for one in found.agreements
        ],
        legend=[
            message(
                "scoring.beyond-chance",
                "turned: pairs of systems in opposite orders; beyond chance: those of them that differ under both "
                "profiles, p < {alpha:g} after Holm's correction; tau: Kendall's tau-b of the ranks",
                alpha=next(iter(found.comparisons.values())).settings.alpha,
            )
        ],
    )


def _turned(found: ProfileRanks) -> Table:
    return Table(
        "turned",
        message("scoring.turned-pairs", "Which pairs of systems turn round?"),
        [
            *(_text("metric"), _text("profile"), _text("other profile"), _text("first"), _text("second")),
            *(column("scoring", "difference", "estimate"), Column("p (Holm)", "p")),
            *(
                column("scoring", "other difference", "estimate"),
                Column("other p (Holm)", "p", title=plain("p (Holm)")),
            ),
        ],
        [
            [one.metric, *one.profiles, pair.first, pair.second, *_tested(pair, 0), *_tested(pair, 1)]
            for one in found.agreements
            for pair in one.turned
        ],
    )


def _tested(pair: Turned, place: int) -> tuple[Estimate, float | None]:
    test = pair.tests[place]
    return (Estimate(pair.differences[place]), None) if test is None else (test.estimate, test.p_holm)


def _text(name: str) -> Column:
    return column("scoring", name)


def _title(found: ProfileRanks, metric: str) -> str:
    profile, label = next(iter(found.labels[metric].items()))
    return found.comparisons[profile].evaluation.metrics[label].facts.title


def _no_better_end(metric: str) -> Message:
    return message("scoring.no-ranks", "{metric} has no better end, so nothing is ranked by it", metric=metric)


_SIGNED = Column("signature")


def _data(found: ProfileRanks) -> dict[str, Any]:
    return {
        "profiles": list(found.comparisons),
        "metrics": {
            metric: {
                profile: {
                    system: {
                        "score": found.comparisons[profile][system][label].estimate.to_dict(),
                        "rank": found.ranks[metric][profile][system],
                        "signature": found.comparisons[profile].evaluation[system][label].signature,
                    }
                    for system in found.ranks[metric][profile]
                }
                for profile, label in labels.items()
            }
            for metric, labels in found.labels.items()
        },
        "agreement": [
            {
                "metric": one.metric,
                "profiles": list(one.profiles),
                "systems": one.systems,
                "pairs": one.pairs,
                "kendall": finite(one.tau),
                "turned": [_pair(pair) for pair in one.turned],
            }
            for one in found.agreements
        ],
    }


def _pair(pair: Turned) -> dict[str, Any]:
    return {
        "first": pair.first,
        "second": pair.second,
        "beyond_chance": pair.beyond_chance,
        "differences": [_tested(pair, place)[0].to_dict() for place in (0, 1)],
        "p_holm": [finite(test.p_holm) if test is not None else None for test in pair.tests],
    }
