"""What is known so far: progress, how common operations are, how far annotators agree, who works oddly.

All numbers come from `plainly.operations`, and are those of the command line on the exported file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from plainly.base.errors import PlainlyError
from plainly.inference.comparison import FEW_UNITS
from plainly.inference.estimates import Estimate, finite
from plainly.inference.proportions import share
from plainly.inference.resampling import USUAL
from plainly.operations import AnnotatedPair, Typology
from plainly.operations.agreement import LABELS, agreement
from plainly.operations.agreement_results import Agreement
from plainly.operations.careless import Habits, Work, flags, habits
from plainly.operations.contested import contested
from plainly.operations.shares import Counts, Frequency, frequencies, source_key
from plainly.operations.statistics import counted
from plainly.operations.typology import SIDES
from plainly.report import specs
from plainly.studio.kinds.base import Campaign, Figure, Given, Grid, Item, Person, Picture, Say, Summary
from plainly.studio.kinds.operations.answers import annotated, draft
from plainly.studio.kinds.operations.exports import finished
from plainly.studio.kinds.operations.labels import typology_of
from plainly.studio.kinds.words import number

CONTESTED = 10
CONFUSED = 10


def summarise(campaign: Campaign, people: Sequence[Person], given: Sequence[Given], say: Say) -> Summary:
    """For the owner; fine with no answers at all."""
    typology = typology_of(campaign.settings)
    done = [one for one in given if one.answer["done"]]
    pairs = finished(campaign, given)
    named = _Names(campaign, typology, say)
    common = _frequencies(pairs, typology)
    agreed = _agreement(pairs, typology)
    worked = {
        person.code: habits(_work(campaign, [one for one in done if one.person.code == person.code]))
        for person in people
    }
    tables = [*_label_table(common, named), *_people_table(worked, named)]
    pictures = list(_label_picture(common, named))
    signatures: tuple[str, ...] = ()
    if agreed is not None:
        tables += _agreement_tables(agreed, named, campaign)
        pictures += _agreement_pictures(agreed, say)
        drawn = agreed.resampling
        settings = {"resamples": drawn.resamples, "seed": drawn.seed, "confidence": f"{drawn.confidence:.0%}"}
        signatures = (say("operations.summary.signature", **settings),)
    return Summary(
        message=tuple(_message(done, common, agreed, named)),
        figures=(*_progress(campaign, people, given, done, say), *_agreement_figures(agreed, say)),
        tables=tuple(tables),
        pictures=tuple(pictures),
        suspicious=_suspicious(worked, named),
        notes=tuple(_few(pairs, say)),
        signatures=signatures,
    )


def _message(
    done: Sequence[Given], common: Sequence[Frequency], agreed: Agreement | None, named: _Names
) -> Iterator[str]:
    say = named.say
    if not done:
        yield say("operations.summary.message.none")
        return
    if common:
        most = common[0]
        share = number(most.pairs.percent.value, 0, say)
        yield say("operations.summary.message.common", label=named.label(most.name), percent=share)
    if agreed is None:
        yield say("operations.summary.message.alone")
        return
    both = [next(row for row in agreed.overall if (row.variant, row.side) == (LABELS, side)) for side in SIDES]
    source, target = (row.davies_fleiss.value for row in both)
    if finite(source) is not None and finite(target) is not None:
        values = {"source": number(source, 2, say), "target": number(target, 2, say)}
        yield say("operations.summary.message.agreed", **values)


def _few(pairs: Sequence[AnnotatedPair], say: Say) -> Iterator[str]:
    sources = len({source_key(pair) for pair in pairs})
    if 0 < sources < FEW_UNITS:
        yield say("operations.summary.few", sources=sources, few=FEW_UNITS)


class _Names:
    """Labels and columns in the reader's language."""

    def __init__(self, campaign: Campaign, typology: Typology, say: Say) -> None:
        self.say = say
        self._bundled = campaign.settings["bundled"]
        self._typology = typology

    def label(self, name: str) -> str:
        """What the label is called; unchanged words have none."""
        if not name:
            return self.say("operations.summary.unchanged")
        return self.say(f"operations.label.{name}") if self._bundled else self._typology.get(name).title

    def columns(self, table: str) -> tuple[str, ...]:
        return tuple(self.say(f"operations.summary.{table}.columns").split(", "))

    def side(self, side: str) -> str:
        return self.say(f"operations.summary.side.{side}")


def _progress(
    campaign: Campaign, people: Sequence[Person], given: Sequence[Given], done: Sequence[Given], say: Say
) -> Iterator[Figure]:
    by_pair: dict[str, set[str]] = {}
    for one in done:
        by_pair.setdefault(one.task["pair"], set()).add(one.person.code)
    total, begun = sum(person.tasks for person in people), len(given) - len(done)
    note = say("operations.summary.done.note", total=total, begun=begun)
    yield Figure(say("operations.summary.done"), len(done), note=note)
    shared = sum(len(codes) > 1 for codes in by_pair.values())
    note = say("operations.summary.pairs.note", total=len(campaign.items), shared=shared)
    yield Figure(say("operations.summary.pairs"), len(by_pair), note=note)
    times = [one.answer["seconds"] for one in done]
    yield Figure(say("operations.summary.seconds"), median(times) if times else None)
    if done:
        faulty = share(sum(one.answer["erroneous"] for one in done), len(done))
        yield Figure(say("operations.summary.faulty"), 100 * faulty.value, 100 * faulty.low, 100 * faulty.high)


# --- How common operations are --------------------------------------------------------------------------------------


def _frequencies(pairs: Sequence[AnnotatedPair], typology: Typology) -> list[Frequency]:
    """Of the operations that occur, the most common first; none where there is nothing to count yet."""
    try:
        counts = Counts(counted(pairs), typology)
    except PlainlyError:
        return []
    found = frequencies(counts, counts.labels, USUAL)
    return sorted((row for row in found if row.pairs.count), key=lambda row: -row.pairs.count)


def _label_table(common: Sequence[Frequency], named: _Names) -> Iterator[Grid]:
    if common:
        rows = tuple(
            (row.name, named.label(row.name), row.groups.count, row.pairs.count, *_bounded(row)) for row in common
        )
        say = named.say
        note = say("operations.summary.labels.note")
        yield Grid(say("operations.summary.labels"), named.columns("labels"), rows, note)


def _label_picture(common: Sequence[Frequency], named: _Names) -> Iterator[Picture]:
    if not common:
        return
    say = named.say
    rows = [
        {
            "operation": named.label(row.name),
            "kind": "system",
            **dict(zip(("score", "low", "high"), _bounded(row), strict=True)),
        }
        for row in common
    ]
    listed = "; ".join(f"{named.label(row.name)} {row.pairs.percent.value:.0f}" for row in common)
    spec = specs.intervals(
        [named.label(row.name) for row in common], say("operations.summary.labels.axis"), {}, "operation"
    )
    words = say("operations.summary.labels.words", listed=listed)
    yield Picture("labels", say("operations.summary.labels"), words, {**spec, "data": {"values": rows}})


def _bounded(row: Frequency) -> tuple[float | None, ...]:
    return _cells(row.pairs.percent)


# --- How far annotators agree ---------------------------------------------------------------------------------------


def _agreement(pairs: Sequence[AnnotatedPair], typology: Typology) -> Agreement | None:
    """None where no pair was done by two people yet."""
    by_annotator: dict[str, list[AnnotatedPair]] = {}
    for pair in pairs:
        by_annotator.setdefault(pair.annotator, []).append(pair)
    try:
        return agreement(by_annotator, typology=typology)
    except PlainlyError:
        return None


def _agreement_figures(agreed: Agreement | None, say: Say) -> Iterator[Figure]:
    for key in ("fleiss", "alpha"):
        for side in SIDES:
            label = say(f"operations.summary.{key}", side=say(f"operations.summary.side.{side}"))
            if agreed is None:
                yield Figure(label, None, note=say("operations.summary.agreement.none"))
                continue
            row = next(row for row in agreed.overall if (row.variant, row.side) == (LABELS, side))
            estimate = row.davies_fleiss if key == "fleiss" else row.alpha
            yield Figure(label, *_cells(estimate), note=say("operations.summary.agreement.note", tokens=estimate.n))


def _agreement_tables(agreed: Agreement, named: _Names, campaign: Campaign) -> Iterator[Grid]:
    say = named.say
    overall = tuple(
        (
            say(f"operations.summary.reading.{row.variant}"),
            named.side(row.side),
            *_cells(row.davies_fleiss),
            *_cells(row.alpha),
            finite(100 * row.observed.value),
            row.davies_fleiss.n,
        )
        for row in agreed.overall
    )
    yield Grid(
        say("operations.summary.overall"), named.columns("overall"), overall, say("operations.summary.overall.note")
    )
    kappas = tuple(
        (row.first, row.second, named.side(row.side), *_cells(row.kappa), row.kappa.n)
        for row in agreed.kappas
        if row.variant == LABELS
    )
    yield Grid(say("operations.summary.kappas"), named.columns("kappas"), kappas)
    groups = tuple(
        (row.first, row.second, *_cells(row.groups), *_cells(row.spans), row.pairs) for row in agreed.matching
    )
    yield Grid(say("operations.summary.groups"), named.columns("groups"), groups)
    confused = tuple(
        (named.side(row.side), named.label(row.label), named.label(row.other), row.tokens)
        for row in sorted(agreed.confusions, key=lambda row: -row.tokens)[:CONFUSED]
    )
    if confused:
        yield Grid(say("operations.summary.confused"), named.columns("confused"), confused)
    differing = tuple(
        (
            item.name,
            pair.annotators,
            100 * pair.share,
            " ".join(item.content["source"]),
            " ".join(item.content["target"]),
        )
        for pair in contested(agreed.ratings)[:CONTESTED]
        if pair.differing
        for item in [_item(campaign, pair.id, pair.origin)]
    )
    if differing:
        yield Grid(say("operations.summary.contested"), named.columns("contested"), differing)


def _agreement_pictures(agreed: Agreement, say: Say) -> Iterator[Picture]:
    for side in SIDES:
        rows = []
        for row in agreed.overall:
            value, low, high = _cells(row.davies_fleiss)
            if row.side == side and value is not None:
                reading = say(f"operations.summary.reading.{row.variant}")
                rows.append({"reading": reading, "kind": "system", "score": value, "low": low, "high": high})
        if not rows:
            continue
        listed = "; ".join(f"{row['reading']} {row['score']:.2f}" for row in rows)
        order = [str(row["reading"]) for row in rows]
        spec = specs.intervals(order, say("operations.summary.agreement.axis"), {}, "reading")
        words = say("operations.summary.agreement.words", listed=listed)
        title = say("operations.summary.agreement.picture", side=say(f"operations.summary.side.{side}"))
        yield Picture(f"agreement-{side}", title, words, {**spec, "data": {"values": rows}})


def _cells(estimate: Estimate) -> tuple[float | None, float | None, float | None]:
    return finite(estimate.value), finite(estimate.low), finite(estimate.high)


def _item(campaign: Campaign, identity: str, origin: str) -> Item:
    """Origins are empty in ratings where not all pairs have one; then ids tell pairs apart."""
    return next(
        item for item in campaign.items if item.content["id"] == identity and origin in ("", item.content["origin"])
    )


# --- How people work ------------------------------------------------------------------------------------------------


def _work(campaign: Campaign, done: Sequence[Given]) -> list[Work]:
    items = [campaign.by_name[one.task["pair"]] for one in done]
    return [
        Work(annotated(item, one.answer), annotated(item, draft(item)), one.answer["seconds"])
        for item, one in zip(items, done, strict=True)
    ]


def _people_table(worked: Mapping[str, Habits], named: _Names) -> Iterator[Grid]:
    rows = tuple(
        (
            code,
            own.pairs,
            finite(own.seconds),
            own.groups,
            named.label(own.commonest) if own.commonest else None,
            finite(100 * own.commonest_share),
            own.drafts,
            own.kept,
        )
        for code, own in worked.items()
        if own.pairs
    )
    if rows:
        yield Grid(named.say("operations.summary.people"), named.columns("people"), rows)


def _suspicious(worked: Mapping[str, Habits], named: _Names) -> dict[str, tuple[str, ...]]:
    found = {}
    for code, own in worked.items():
        others = [other for name, other in worked.items() if name != code]
        reasons = flags(own, others)
        if reasons:
            found[code] = tuple(
                named.say(
                    f"operations.summary.{reason}",
                    seconds=round(own.seconds, 1) if own.seconds == own.seconds else "",
                    kept=own.kept,
                    drafts=own.drafts,
                    label=named.label(own.commonest),
                    percent=round(100 * own.commonest_share) if own.groups else 0,
                    groups=own.groups,
                    pairs=own.changed_texts,
                )
                for reason in reasons
            )
    return found
