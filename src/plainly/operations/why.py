"""What the winner does: operations that the best system makes in more, or in fewer, segments than the next one.

Both are seen on the segments that both have, so the difference is a paired one. p-values are those of the paired
bootstrap over segments (and runs), calibrated for the number of segments, and corrected for that of operations by
Holm's method.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from plainly.base.errors import UnknownName
from plainly.base.messages import Message, joined, message
from plainly.corpus import Corpus
from plainly.inference.multiple import holm, resamples_for
from plainly.inference.paired import Difference, difference_of
from plainly.inference.resampling import Resampled, bootstrap_weights, weighted_totals
from plainly.inference.runs import members_of, over_runs
from plainly.metrics import Array
from plainly.operations.profile import Profile, tagged_outputs
from plainly.operations.profile import profile as profile_of
from plainly.operations.reference_tags import Watch
from plainly.operations.tagger import Tagger
from plainly.operations.typology import Label
from plainly.scoring.comparison import Comparison

MOST_NAMED = 3


@dataclass(frozen=True)
class OperationDifference:
    """How common an operation is in two systems, in per cent of the segments that both have."""

    label: Label
    first: float
    second: float
    difference: Difference
    p_holm: float


def differences(profile: Profile, first: str, second: str) -> list[OperationDifference]:
    """First less second, for every operation that occurs in one of them; the largest difference first."""
    doings = {doing.origin: doing for doing in profile.doings}
    runs = {system: list(profile.runs.get(system, [system])) for system in (first, second)}
    for run in (run for own in runs.values() for run in own):
        if run not in doings:
            raise UnknownName("system", run, doings)
    taking_part = [*runs[first], *runs[second]]
    both = sorted(set.intersection(*(set(doings[run].found) for run in taking_part)))
    if not both:
        return []
    names = list(profile.typology.operations)
    rows: dict[str, Array] = {
        run: np.array([[100.0 * (name in doings[run].found[i]) for name in names] for i in both])
        for run in taking_part
    }
    drawn = profile.resampling
    trials = resamples_for(len(names), 1 - drawn.confidence, len(both))
    more = max(0, trials - drawn.resamples)
    weights = bootstrap_weights(len(both), drawn.resamples, drawn.seed, more=more)
    totals = dict(zip(rows, weighted_totals(weights, list(rows.values())), strict=True))

    def share(system: str, column: int) -> Resampled:
        own = [
            Resampled(float(rows[run][:, column].mean()), totals[run][:, column] / len(both)) for run in runs[system]
        ]
        return over_runs(system, own, drawn.seed)

    found = []
    for column, name in enumerate(names):
        if not any(rows[run][:, column].any() for run in taking_part):
            continue
        one, other = share(first, column), share(second, column)
        difference = difference_of(
            *(one, other),
            direction="none",
            units=len(both),
            resampling=drawn,
            heavy_tails=max(map(len, runs.values())) > 1,
        )
        found.append((profile.typology.get(name), one.observed, other.observed, difference))
    corrected = holm(np.array([difference.p for *_, difference in found]))
    all_ = [OperationDifference(*one, float(p)) for one, p in zip(found, corrected, strict=True)]
    return sorted(all_, key=lambda one: -abs(one.difference.difference))


def explained(comparison: Comparison, profile: Profile, metric: str | None = None) -> Comparison:
    """The comparison, whose verdict now says which operations tell the best two systems apart.

    By the first metric, or the one asked for; where the comparison has a baseline, the best of the others and that
    one. Where one of them has no operations, as a baseline that nobody tagged, nothing is added.
    """
    pair = told_about(comparison, metric)
    tagged = {doing.origin for doing in profile.doings}
    if pair is None or not all(set(profile.runs.get(system, [system])) <= tagged for system in pair):
        return comparison
    return replace(comparison, reasons=(*comparison.reasons, *why(profile, *pair)))


def tag_and_explain(comparison: Comparison, corpus: Corpus, tagger: Tagger, watch: Watch | None = None) -> Comparison:
    """The same, where only these two systems need tags: their outputs are tagged here."""
    pair = told_about(comparison)
    members = members_of(corpus.outputs, corpus.runs)
    if pair is None or not {*pair} <= set(members):
        return comparison
    alone = corpus.with_outputs({run: corpus.outputs[run] for system in pair for run in members[system]})
    resampling = replace(comparison.settings.resampling, method="percentile", unit="source")
    return explained(comparison, profile_of(tagged_outputs(alone, tagger, watch), alone, resampling=resampling))


def told_about(comparison: Comparison, metric: str | None = None) -> tuple[str, str] | None:
    """The two systems whose difference a verdict is about; None where there is no such pair, or no better end."""
    label = metric or next(iter(comparison.evaluation.metrics))
    baseline = comparison.settings.baseline
    order = [system for system in comparison.order(label) if system != baseline]
    pair = [*order[:1], baseline] if baseline is not None else order[:2]
    if len(pair) < 2 or comparison.directions[label] == "none":
        return None
    return str(pair[0]), str(pair[1])


def why(profile: Profile, best: str, next_: str) -> list[Message]:
    """What the best system does more, and less, often than the next one, beyond chance; or that nothing is shown."""
    alpha = round(1 - profile.resampling.confidence, 12)
    sure = [one for one in differences(profile, best, next_) if one.p_holm < alpha]
    said = [
        *_said("more", "More often in {best} than in {next}: {operations}.", [s for s in sure if s.first > s.second]),
        *_said("less", "Less often in {best} than in {next}: {operations}.", [s for s in sure if s.first < s.second]),
    ]
    if not said:
        english = "No operation is shown to be more or less common in {best} than in {next}."
        said = [message("operations.why.none", english)]
    return [Message(one.key, one.english, {**one.values, "best": best, "next": next_}) for one in said]


def _said(way: str, english: str, sure: Sequence[OperationDifference]) -> Iterator[Message]:
    if not sure:
        return
    named = joined([_named(one) for one in sure[:MOST_NAMED]], "; ")
    if len(sure) > MOST_NAMED:
        rest = len(sure) - MOST_NAMED
        named = message("operations.why.and-more", "{named}; and {count} more", named=named, count=rest)
    yield message(f"operations.why.{way}", english, operations=named)


def _named(one: OperationDifference) -> Message:
    title = message(f"operations.label.{one.label.name}", one.label.title[0].lower() + one.label.title[1:])
    english = "{title} ({first:.0f} % against {second:.0f} % of the segments)"
    return message("operations.why.operation", english, title=title, first=one.first, second=one.second)
