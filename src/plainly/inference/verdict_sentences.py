"""The verdict in words: who is best, why, what speaks against it, and how much this test set can show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from plainly.base.messages import Message, joined, message, plain
from plainly.inference.comparison import FEW_UNITS, Pair
from plainly.inference.estimates import Estimate
from plainly.inference.paired import enough_units

if TYPE_CHECKING:
    from plainly.inference.verdict import Deception, Verdict

MOST_NAMED = 3
"""Of more systems or pairs than this, the others are counted."""
BASELINE_WORDS = {
    "identity": message("inference.copying", "copying the source"),
    "truncate": message("inference.cutting", "cutting the source short"),
}


def answer(verdict: Verdict) -> Iterator[Message]:
    """Who is best, by how much, and how sure that is."""
    title = _title(verdict)
    against = verdict.comparison.settings.baseline
    if not verdict.order:
        yield message("inference.no-score", "No system has a {metric} score.", metric=title)
    elif verdict.comparison.directions[verdict.metric] == "none":
        english = "{metric} has no better end, so it says which systems differ, not which is best."
        yield message("inference.no-better-end", english, metric=title)
    elif against is not None:
        yield from _against(verdict, against)
    elif len(verdict.order) == 1:
        english = "{system} has {metric} {score}. There is no other system to compare it with."
        system = verdict.order[0]
        yield message("inference.one-system", english, system=system, metric=title, score=_score(verdict, system))
    elif verdict.versus:
        yield from _best(verdict)
        yield from _better_scores(verdict)


def remarks(verdict: Verdict) -> Iterator[Message]:
    """Why, what speaks against it, and how much this test set can show."""
    yield from _why(verdict)
    yield from verdict.reasons
    yield from _others(verdict)
    yield from _limits(verdict)


# ---- who is best


def _best(verdict: Verdict) -> Iterator[Message]:
    title, top, margin = _title(verdict), verdict.order[0], verdict.margin
    values = {"system": top, "metric": title, "count": len(verdict.order), "next": verdict.order[1]}
    if verdict.best and margin is not None:
        values |= {"margin": _by_how_much(verdict, margin), "p": _corrected(margin)}
        if _behind_by_score(verdict):
            english = (
                "{system} is the best of {count} systems by {metric}, on the segments that they share: "
                "{margin} better than {next} ({p})."
            )
            yield message("inference.best-on-common", english, **values)
        else:
            english = "{system} has the best {metric} of {count} systems: {margin} better than {next} ({p})."
            yield message("inference.best", english, **values)
        return
    tied = [other for other, pair in verdict.versus.items() if pair.difference == 0]
    if tied and not _lacks(verdict, top):
        yield _tie(verdict, tied)
        return
    yield _none_best(verdict)
    yield from _not_told_apart(verdict)


def _tie(verdict: Verdict, tied: Sequence[str]) -> Message:
    """Several systems with one score; what comes next is behind, or cannot be told apart from them."""
    names = [plain(name) for name in (verdict.order[0], *tied)]
    *most, last = names[:MOST_NAMED] if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 1], _more(names)]
    both = message("inference.and", "{most} and {last}", most=joined(most), last=last)
    score = _score(verdict, verdict.order[0])
    values = {"systems": both, "metric": _title(verdict), "score": score, "count": len(verdict.order)}
    rest = [pair for other, pair in verdict.versus.items() if other not in tied]
    if not rest:
        return message("inference.all-same", "{systems} have the same {metric}, {score}.", **values)
    values |= {"next": rest[0].second, "margin": _by_how_much(verdict, rest[0]), "p": _corrected(rest[0])}
    if rest[0].significant:
        english = (
            "{systems} have the same {metric}, {score}, the best of {count} systems; "
            "next is {next}, by {margin} ({p})."
        )
        return message("inference.same-best", english, **values)
    english = (
        "{systems} have the same {metric}, {score}. {next} comes next, but cannot be told apart from them: "
        "{margin} behind ({p})."
    )
    return message("inference.same-not-best", english, **values)


def _more(names: Sequence[Message]) -> Message:
    return message("inference.more", "{count} more", count=len(names) - MOST_NAMED + 1)


def _none_best(verdict: Verdict) -> Message:
    top = verdict.order[0]
    standing = verdict.comparison[top][verdict.metric]
    values = {"metric": _title(verdict), "system": top, "score": _score(verdict, top)}
    if _behind_by_score(verdict):
        english = "No system is shown to be best by {metric}: some lack segments that others have."
        return message("inference.none-best-uneven", english, **values)
    if standing.lacking:
        english = (
            "No system is shown to be best by {metric}. {system} has the best score, {score}, "
            "but on {scored:,} of {segments:,} segments."
        )
        counts = {"scored": standing.scored, "segments": verdict.comparison.segments}
        return message("inference.none-best-lacking", english, **values, **counts)
    english = "No system is shown to be best by {metric}. {system} has the best score, {score}."
    return message("inference.none-best", english, **values)


def _not_told_apart(verdict: Verdict) -> Iterator[Message]:
    """How the first system stands to the others, where it is not shown to be best."""
    top, margin = verdict.order[0], verdict.margin
    equals = [other for other in verdict.equals if other not in verdict.strangers]
    named = _named([plain(name) for name in equals])
    values = {"system": top, "systems": named}
    if margin is not None:
        values |= {"next": margin.second, "margin": _by_how_much(verdict, margin), "p": _corrected(margin)}
    if equals and margin is not None and margin.better == top and margin.second in equals:
        english = "It cannot be told apart from {systems}: {margin} better than {next} ({p})."
        yield message("inference.not-told-apart", english, **values)
    elif equals and margin is not None and margin.better == top:
        english = "It is better than {next}, but cannot be told apart from {systems}."
        yield message("inference.told-apart-from-next", english, **values)
    elif equals:
        english = "{system} cannot be told apart from {systems}."
        yield message("inference.cannot-be-told-apart", english, **values)
    elif margin is not None and margin.better == top:
        english = "On the segments that both have, it is better than {next} by {margin} ({p})."
        yield message("inference.better-on-common", english, **values)
    for other, pair in verdict.versus.items():
        if pair.significant and pair.better == other:
            english = "On the segments that both have, {other} is better than {system} by {margin} ({p})."
            said = {"margin": _by_how_much(verdict, pair.flipped()), "p": _corrected(pair)}
            yield message("inference.worse-on-common", english, other=other, system=top, **said)
    yield from _strangers(top, verdict.strangers)


def _strangers(system: str, others: Sequence[str]) -> Iterator[Message]:
    if others:
        english = "{system} shares no segment with {systems}: no test is possible."
        yield message("inference.strangers", english, system=system, systems=_named([plain(name) for name in others]))


def _better_scores(verdict: Verdict) -> Iterator[Message]:
    """Systems with a better score than the first one, which is better where both can be compared."""
    comparison, top = verdict.comparison, verdict.order[0]
    for other in _behind_by_score(verdict)[:MOST_NAMED]:
        pair, standing = verdict.versus[other], comparison[other][verdict.metric]
        values = {"system": other, "score": _score(verdict, other), "top": top}
        if standing.scored < comparison.segments:
            english = "{system} has a better score, {score}, but on {scored:,} of {segments:,} segments; {rest}"
            values |= {"scored": standing.scored, "segments": comparison.segments}
            key = "better-score-on-fewer"
        else:
            english, key = "{system} has a better score, {score}; {rest}", "better-score"
        yield message(f"inference.{key}", english, **values, rest=_on_common(verdict, pair))


def _on_common(verdict: Verdict, pair: Pair) -> Message:
    values = {"common": pair.segments, "top": pair.first}
    if pair.better == pair.first:
        english = "on the {common:,} that both have, {top} is better by {margin}."
        return message("inference.on-common-better", english, **values, margin=_by_how_much(verdict, pair))
    return message("inference.on-common-not-better", "on the {common:,} that both have, it is not better.", **values)


def _behind_by_score(verdict: Verdict) -> list[str]:
    """Systems whose own score is better than that of the system that stands first, the best first."""
    if not verdict.versus:
        return []
    sign = 1 if verdict.comparison.directions[verdict.metric] == "higher" else -1
    scores = {system: sign * verdict.comparison[system][verdict.metric].score for system in verdict.order}
    top = scores[verdict.order[0]]
    better = [other for other, pair in verdict.versus.items() if scores[other] > top and pair.difference != 0]
    uneven = [other for other in better if verdict.comparison.uneven(verdict.versus[other])]
    return sorted(uneven, key=lambda other: -scores[other])


def _against(verdict: Verdict, baseline: str) -> Iterator[Message]:
    """All systems against one: which are better, which are worse, which cannot be told apart from it."""
    comparison = verdict.comparison
    pairs = [comparison.pair(system, baseline, verdict.metric) for system in verdict.order if system != baseline]
    better = [pair for pair in pairs if pair.significant and pair.better == pair.first]
    worse = [pair for pair in pairs if pair.significant and pair.better == baseline]
    strangers = [pair.first for pair in pairs if not pair.segments]
    apart = {*strangers, *(pair.first for pair in (*better, *worse))}
    values = {"baseline": baseline, "metric": _title(verdict)}
    for key, english, found in (
        ("better-than", "Better than {baseline} by {metric}: {systems}.", better),
        ("worse-than", "Worse than {baseline} by {metric}: {systems}.", worse),
    ):
        if found:
            said = _named([_by(verdict, pair) for pair in found])
            yield message(f"inference.{key}", english, **values, systems=said)
    if same := [plain(pair.first) for pair in pairs if pair.first not in apart]:
        english = "Not told apart from {baseline} by {metric}: {systems}."
        yield message("inference.same-as", english, **values, systems=_named(same))
    yield from _strangers(baseline, strangers)


def _by(verdict: Verdict, pair: Pair) -> Message:
    better = pair.estimate if pair.difference > 0 else -pair.estimate
    values = {"system": pair.first, "difference": _estimate(verdict, better), "p": _p(pair.p_holm)}
    if not verdict.comparison.uneven(pair):
        return message("inference.by", "{system} by {difference} (p = {p})", **values)
    english = "{system} by {difference} (p = {p}, on the {common:,} of {segments:,} segments that both have)"
    counts = {"common": pair.segments, "segments": verdict.comparison.segments}
    return message("inference.by-on-common", english, **values, **counts)


# ---- why


def _why(verdict: Verdict) -> Iterator[Message]:
    if not any(verdict.parts.values()):
        return
    digits = verdict.metrics[verdict.metric].facts.decimals
    ordered = sorted(verdict.parts.items(), key=lambda item: -item[1])
    said = joined(
        [
            message(f"inference.part-{name}", f"{name} {{value:+.{digits}f}}", value=float(value))
            for name, value in ordered
        ]
    )
    english = "Where the difference to {next} comes from: {parts}."
    yield message("inference.why", english, next=verdict.order[1], parts=said)


# ---- what speaks against it


def _others(verdict: Verdict) -> Iterator[Message]:
    first = _title(verdict)
    for one in verdict.disagreements:
        pairs = _named([_above(worse, better) for better, worse in one.pairs])
        english = "{other} disagrees with {metric} on {count} of {tested} pairs: it puts {pairs}."
        values = {"other": verdict.metrics[one.metric].title, "metric": first, "count": len(one.pairs)}
        yield message("inference.disagrees", english, **values, tested=one.tested, pairs=pairs)
    for label in dict.fromkeys(found.metric for found in verdict.deceptions):
        doings = [_above_all(verdict, found) for found in verdict.deceptions if found.metric == label]
        *most, last = doings
        done = message("inference.and", "{most} and {last}", most=joined(most), last=last) if most else last
        english = "By {metric}, {done}: do not trust {metric} alone here."
        yield message("inference.deceived", english, metric=verdict.metrics[label].title, done=done)


def _above_all(verdict: Verdict, found: Deception) -> Message:
    """What a baseline does to the systems by a metric."""
    everyone = message("inference.every-system", "every system")
    systems = plain(verdict.order[0]) if len(verdict.order) == 1 else everyone
    what = BASELINE_WORDS[found.baseline]
    if found.beats_all:
        return message("inference.beats-all", "{what} beats {systems}", what=what, systems=systems)
    return message(
        "inference.scores-above-all", "{what} has a better score than {systems}", what=what, systems=systems
    )


def _above(better: str, worse: str) -> Message:
    return message("inference.above", "{better} above {worse}", better=better, worse=worse)


# ---- how much this test set can show


def _limits(verdict: Verdict) -> Iterator[Message]:
    comparison, margin = verdict.comparison, verdict.margin
    told = [*_behind_by_score(verdict), *([verdict.order[1]] if _lacks(verdict, *verdict.order[:1]) else [])]
    if margin is not None and comparison.uneven(margin) and margin.second not in told:
        yield message(
            "inference.on-common",
            "{first} and {second} are compared on the {common:,} of {segments:,} segments that both have.",
            first=margin.first,
            second=margin.second,
            common=margin.segments,
            segments=comparison.segments,
        )
    yield from _few_units(verdict)
    facts = verdict.metrics[verdict.metric].facts
    possible = math.isfinite(verdict.detectable) and verdict.detectable <= facts.range[1] - facts.range[0]
    if len(verdict.order) > 1 and possible:  # of a handful of segments it may be more than the metric has room for
        yield message(
            "inference.detectable",
            "For a typical pair of systems, this test set finds a true difference of {difference} in {metric}"
            " in {power:.0%} of cases; smaller ones are often missed.",
            difference=_number(verdict.detectable, facts.decimals),
            metric=_title(verdict),
            power=comparison.settings.power,
        )


def _few_units(verdict: Verdict) -> Iterator[Message]:
    """A caveat where the answer rests on few units."""
    comparison, unit = verdict.comparison, verdict.comparison.settings.resampling.unit
    against = comparison.settings.baseline or next(iter(verdict.order), "")
    found = [comparison.find(system, against, verdict.metric) for system in verdict.order]
    pairs = [pair for pair in found if pair is not None and pair.segments]
    units = min((pair.units for pair in pairs), default=FEW_UNITS)
    if units >= FEW_UNITS:
        return
    if enough_units(units, comparison.settings.alpha):
        english = f"With only {{units}} {unit}s, a few unusual ones can decide a test."
        yield message(f"inference.only-few-{unit}s", english, units=units)
    elif units == 1:
        yield message(f"inference.no-test-of-1-{unit}", f"1 {unit} is too few for a test.")
    else:
        yield message(f"inference.no-test-of-{unit}s", f"{{units}} {unit}s are too few for a test.", units=units)


# ---- parts of sentences


def _title(verdict: Verdict) -> str:
    return verdict.metrics[verdict.metric].title


def _score(verdict: Verdict, system: str) -> Message:
    return _estimate(verdict, verdict.comparison[system][verdict.metric].estimate)


def _by_how_much(verdict: Verdict, pair: Pair) -> Message:
    """How much better the first of a pair is."""
    return _estimate(verdict, pair.estimate if pair.direction == "higher" else -pair.estimate)


def _estimate(verdict: Verdict, estimate: Estimate) -> Message:
    digits = verdict.metrics[verdict.metric].facts.decimals
    if math.isnan(estimate.low):
        return _number(estimate.value, digits)
    english = "{value} [{low}, {high}]"
    low, high = (_number(bound, digits) for bound in (estimate.low, estimate.high))
    return message("inference.with-interval", english, value=_number(estimate.value, digits), low=low, high=high)


def _lacks(verdict: Verdict, *systems: str) -> bool:
    return any(verdict.comparison[system][verdict.metric].lacking for system in systems)


def _named(parts: Sequence[Message]) -> Message:
    """The first few, and how many more."""
    shown = joined(parts[:MOST_NAMED])
    more = len(parts) - MOST_NAMED
    return shown if more <= 0 else message("inference.and-more", "{shown} and {more} more", shown=shown, more=more)


def _number(value: float, digits: int) -> Message:
    return message("", f"{{value:.{digits}f}}", value=float(value))


def _corrected(pair: Pair) -> Message:
    """The p-value, and whether it was corrected: an interval is of one pair alone, and may exclude 0 beside it."""
    if math.isnan(pair.p_holm):
        return message("inference.no-test", "no test possible")
    if pair.p_holm == pair.p:
        return message("inference.p", "p = {p}", p=_p(pair.p_holm))
    return message("inference.p-corrected", "p = {p} after correction", p=_p(pair.p_holm))


def _p(p: float) -> Message:
    return message("", "{value:.2g}", value=float(p))
