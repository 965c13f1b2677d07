"""Everything that ratings tell, in one result: systems, pairs of systems, agreement, raters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.messages import Message, message
from plainly.base.plain_data import plain_data, plain_fields
from plainly.base.signature import signed
from plainly.corpus.readers.files import shown
from plainly.findings.result import StudyResult
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import USUAL, Resampling
from plainly.inference.two_way_bootstrap import Drawn
from plainly.ratings.agreement import Choice, ScaleAgreement, scale_agreement
from plainly.ratings.audiences import Contrast, GroupScores, contrasts, group_scores, groups_of
from plainly.ratings.careless import Habits, flags, habits
from plainly.ratings.contested import Contested, contested
from plainly.ratings.records import Ratings
from plainly.ratings.scores import PairScore, SystemScore, score_scale, standardised

CheckRule = Literal["keep", "drop"]
"""Whether raters who failed checks count."""
Values = Literal["raw", "z"]
FEW_RATERS = 5
"""With fewer, intervals are too short where raters differ much: docs/ratings.md has the measurements."""
FEW_ITEMS = 20
"""With fewer, no bootstrap is reliable."""
NAMED = 5
CONTESTED = 10
"""Outputs of a scale that are listed."""


@dataclass(frozen=True)
class RaterRow:
    """One rater: habits, agreement with the others, and whether the ratings count."""

    rater: str
    kept: bool
    habits: Habits
    with_others: dict[str, Estimate]
    """By scale; nothing for a rater who was dropped."""
    flags: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        content = plain_fields(self)
        own = content.pop("habits")
        return {**content, **own}


@dataclass(frozen=True, repr=False)
class Analysis(StudyResult, findings="plainly.ratings.findings:findings", usual="systems"):
    """What ratings tell. Same signature, same ratings, same numbers."""

    systems: tuple[SystemScore, ...]
    pairs: tuple[PairScore, ...]
    agreement: tuple[ScaleAgreement, ...]
    raters: tuple[RaterRow, ...]
    contested: tuple[Contested, ...]
    """Outputs on which raters differ most, on each scale."""
    groups: tuple[GroupScores, ...]
    """What groups of raters say, where they were asked for."""
    contrasts: tuple[Contrast, ...]
    """Whether it depends on the group which of two systems is better."""
    signature: str
    notes: tuple[Message, ...]
    drawn: Drawn
    resampling: Resampling

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "signature": self.signature,
            "confidence": self.resampling.confidence,
            **{
                name: plain_data(getattr(self, name))
                for name in ("notes", "systems", "pairs", "agreement", "raters", "contested")
                + (("groups", "contrasts") if self.groups else ())
            },
        }


@checks_arguments
def analyse(
    ratings: Ratings,
    *,
    values: Values = "raw",
    checks: CheckRule = "keep",
    most_failed: int = 0,
    alpha: Choice = "auto",
    references: tuple[str, ...] = (),
    by: Sequence[str] = (),
    draw: Drawn = "both",
    resampling: Resampling = USUAL,
) -> Analysis:
    """Scores of systems, pairs, agreement and raters.

    With `checks` "drop", raters who failed more than `most_failed` checks do not count; they are still listed.
    `references` are systems whose outputs show the ceiling, beside those that the ratings mark so themselves.
    `by` names groups of raters, as they were read; each is told for itself.
    """
    for kind, choice, known in (("rule for checks", checks, CheckRule), ("kind of values", values, Values)):
        if choice not in get_args(known):
            raise UnknownName(kind, choice, get_args(known))
    if most_failed < 0:
        raise PlainlyError(f"the number of checks that may be failed must be 0 or more, not {most_failed}")
    ratings = _with_references(ratings, references)
    kept = habits(ratings)
    dropped = [name for name, own in kept.items() if checks == "drop" and own.failed > most_failed]
    counted = Ratings(tuple(entry for entry in ratings.entries if entry.rater not in dropped))
    if not counted.judged:
        why = "every rater failed attention checks" if dropped else "there is no value outside attention checks"
        raise PlainlyError(f"no rating counts: {why}")
    scored, without_z = standardised(counted) if values == "z" else (counted, [])
    if not scored.judged:
        raise PlainlyError("no rating counts: there are no z-scores, as every rater gave the same value throughout")
    made = [score_scale(scored, scale, draw, resampling) for scale in scored.scales]
    contrasted = tuple(contrasts(scored, by, draw, resampling))
    agreed = tuple(scale_agreement(counted, scale, resampling, alpha) for scale in counted.scales)
    rows = []
    for name, own in kept.items():
        beside = {part.scale: part.by_rater[name] for part in agreed if name in part.by_rater}
        with_others = {scale: figure for scale, (_, figure) in beside.items()}
        rows.append(RaterRow(name, name not in dropped, own, with_others, flags(name, kept, list(beside.values()))))
    settings = {
        "values": values,
        "checks": f"drop>{most_failed}" if checks == "drop" else checks,
        "alpha": alpha,
        **({"references": "+".join(references)} if references else {}),
        **({"by": "+".join(by)} if by else {}),
        "draw": draw,
        **{name: getattr(resampling, name) for name in ("confidence", "resamples", "seed")},
    }
    return Analysis(
        tuple(row for systems, _ in made for row in systems),
        tuple(row for _, pairs in made for row in pairs),
        agreed,
        tuple(rows),
        tuple(contested(counted, CONTESTED)),
        tuple(group_scores(scored, by, draw, resampling)),
        contrasted,
        signed("ratings", settings),
        (*ratings.notes, *_notes(ratings, counted, rows, without_z, draw), *_of_groups(counted, by, contrasted)),
        draw,
        resampling,
    )


def _with_references(ratings: Ratings, references: tuple[str, ...]) -> Ratings:
    for name in references:
        if name not in ratings.systems:
            raise UnknownName("system", name, ratings.systems)
    if not references:
        return ratings
    return Ratings(
        tuple(replace(entry, role="reference") if entry.system in references else entry for entry in ratings.entries)
    )


def _notes(
    ratings: Ratings, counted: Ratings, rows: list[RaterRow], without_z: list[str], draw: Drawn
) -> Iterator[Message]:
    judged = counted.judged
    raters = {entry.rater for entry in judged}
    items = {entry.item for entry in judged}
    yield message(
        "ratings.counts",
        "ratings: {ratings}, items: {items}, raters: {raters}",
        ratings=len(judged),
        items=len(items),
        raters=len(raters),
    )
    unjudged = sum(entry.value is None and entry.role != "check" for entry in counted.entries)
    if unjudged:
        yield message(
            "ratings.unjudged", "could not be judged: {count}; such ratings are missing, not low", count=unjudged
        )
    checks, failed = (sum(getattr(row.habits, name) for row in rows) for name in ("checks", "failed"))
    if checks:
        yield message("ratings.checks", "attention checks: {checks}, failed: {failed}", checks=checks, failed=failed)
    if who := [row.rater for row in rows if row.habits.failed]:
        yield message("ratings.failed", "attention checks failed by {raters}", raters=_named(who))
    if dropped := [row.rater for row in rows if not row.kept]:
        yield message(
            "ratings.dropped",
            "dropped for failed checks: {raters}, with {count} ratings",
            raters=_named(dropped),
            count=len(ratings.judged) - len(judged),
        )
    if without_z:
        yield message(
            "ratings.without-z",
            "no z-scores, as all ratings on the scale are the same: {raters}",
            raters=_named(without_z),
        )
    if draw != "items" and len(raters) == 1:
        yield message(
            "ratings.one-rater",
            "one rating an output: how far raters differ is not known, so intervals and p-values leave it out",
        )
    elif draw != "items" and len(raters) < FEW_RATERS:
        yield message(
            "ratings.few-raters",
            "only {count} raters: where they differ much, intervals and p-values are too hopeful",
            count=len(raters),
        )
    if draw != "raters" and len(items) < FEW_ITEMS:
        yield message(
            "ratings.few-items",
            "only {count} items: with fewer than {least}, intervals and p-values are rough",
            count=len(items),
            least=FEW_ITEMS,
        )


def _of_groups(counted: Ratings, by: Sequence[str], contrasted: Sequence[Contrast]) -> Iterator[Message]:
    """Ratings in no group, groups of so few raters that their intervals are too short, nothing to compare."""
    for column in by:
        without = sum(not entry.groups.get(column) for entry in counted.judged)
        if without:
            yield message(
                "ratings.in-no-group",
                "ratings without a value of {column}: {count}; they are in no group",
                column=shown(column),
                count=without,
            )
        raters = {group: {entry.rater for entry in part.judged} for group, part in groups_of(counted, column).items()}
        few = [group for group, own in raters.items() if len(own) < FEW_RATERS]
        if few:
            yield message(
                "ratings.few-in-group",
                "fewer than {least} raters of {column}: {groups}; their intervals and p-values are too hopeful",
                least=FEW_RATERS,
                column=shown(column),
                groups=_named(few),
            )
        if all(row.column != column for row in contrasted):
            yield message(
                "ratings.no-contrasts",
                "no two groups of {column} have rated the same two systems, so it is open whether they prefer others",
                column=shown(column),
            )


def _named(names: list[str]) -> str:
    listed = ", ".join(shown(name) for name in names[:NAMED])
    return listed + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
