"""What the systems do to the words: the section of a report on operations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from plainly.metrics import Metric
from plainly.operations import Label, Typology
from plainly.operations.correlation import Finding
from plainly.operations.profile import REFERENCES, Doing, Example, Profile
from plainly.report import grids, specs
from plainly.report.charts import Chart, Panel, Value
from plainly.report.words import joined, number

# What to know of the kinds of tagger; people need no such note.
_MODEL = (
    "The tagger was made for English Wikipedia sentences. Read its counts as a profile of many segments: rare "
    "operations are hardly ever found, and single marks are often wrong. Its weights are for non-commercial use."
)
TRUST = {
    "rules": "Rules know no meaning: read their counts as a rough profile of many segments.",
    "learned": _MODEL,
    "learned-parsed": _MODEL,
    "encoder": _MODEL,
}
AT_ONCE = 13  # operations side by side in a table in colour


@dataclass(frozen=True)
class Section:
    """What the template shows of a profile."""

    short: Sequence[str]
    charts: Sequence[Chart]
    operations: Sequence[tuple[Label, Sequence[Example]]]
    """Each operation, and some of it in the texts."""
    annotators: str
    trust: str
    erroneous: Sequence[str]


def section(profile: Profile, metrics: Sequence[Metric] = (), systems: Sequence[str] = ()) -> Section:
    """All that the page says of a profile, made with these metrics; these systems come first, in this order."""
    places = {run: place for place, system in enumerate(systems) for run in profile.runs.get(system, [system])}
    doings = sorted(profile.doings, key=lambda doing: places.get(doing.origin, len(systems)))
    profile = replace(profile, doings=doings)
    titles = {metric.label: metric.title for metric in metrics}
    return Section(
        short=[_sentence(doing, profile) for doing in profile.doings if doing.origin != REFERENCES],
        charts=[*_doings(profile), *explained(profile.explained, titles, profile.typology)],
        operations=[
            (profile.typology.get(name), profile.examples[name])
            for name in profile.operations
            if profile.examples[name]
        ],
        annotators=joined([name or "people" for name in profile.annotators]),
        trust=" ".join(TRUST[name] for name in profile.annotators if name in TRUST),
        erroneous=[
            f"{doing.origin}: {doing.erroneous} of {doing.pairs:,}" for doing in profile.doings if doing.erroneous
        ],
    )


def _sentence(doing: Doing, profile: Profile) -> str:
    """The three most common operations of a system, and where it is furthest from the references."""
    shares = {name: found.pairs.percent.value for name, found in doing.operations.items() if found.pairs.count}
    if not shares:
        return f"{doing.origin} changes nothing."
    top = sorted(shares, key=lambda name: -shares[name])[:3]
    listed = "; ".join(f"{_title(profile.typology, name)} ({shares[name]:.0f} %)" for name in top)
    said = f"{doing.origin} most often does: {listed} of the segments."
    references = next((other for other in profile.doings if other.origin == REFERENCES), None)
    if references is None:
        return said
    gaps = {
        name: found.pairs.percent.value - references.operations[name].pairs.percent.value
        for name, found in doing.operations.items()
    }
    furthest = max(gaps, key=lambda name: abs(gaps[name]))
    if round(abs(gaps[furthest])) == 0:
        return f"{said} It does all of them about as often as the references."
    way = "more" if gaps[furthest] > 0 else "less"
    return (
        f"{said} Furthest from the references: {_title(profile.typology, furthest)}, "
        f"{abs(gaps[furthest]):.0f} percentage points {way} often."
    )


def _title(typology: Typology, name: str) -> str:
    """In a sentence."""
    title = _named(typology, name)
    return title[0].lower() + title[1:]


def _named(typology: Typology, name: str) -> str:
    """An operation in words; a class of operations is called by its name."""
    return typology.labels[name].title if name in typology.labels else name


def _doings(profile: Profile) -> Iterator[Chart]:
    if not profile.operations:
        return
    rows: list[list[Value]] = []
    origins = [doing.origin for doing in profile.doings]
    for doing in profile.doings:
        for name in profile.operations:
            share = doing.operations[name].pairs
            percent = share.percent
            numbers = [percent.value, percent.low, percent.high, share.count, doing.pairs]
            rows.append([doing.origin, _named(profile.typology, name), name, *numbers])
    panels = []
    for part, start in enumerate(range(0, len(profile.operations), AT_ONCE)):
        names = profile.operations[start : start + AT_ONCE]
        told = "; ".join(
            f"{doing.origin}: "
            + ", ".join(
                f"{_title(profile.typology, name)} {doing.operations[name].pairs.percent.value:.0f} %"
                for name in names
            )
            for doing in profile.doings
        )
        spec = grids.share_grid(origins, [_named(profile.typology, name) for name in names])
        title = "Common operations" if part == 0 else "Rarer operations"
        panels.append(Panel(title, f"Segments with each operation. {told}.", spec, 150 + 46 * len(names)))
    columns = ("system", "operation", "label", "percent", "low", "high", "count", "pairs")
    note = (
        "Per cent of the segments in which the operation occurs at least once. A stronger colour is more often. "
        "Point at a cell for its interval."
    )
    yield Chart("operations", "Which operations does each system use?", "", note, columns, rows, panels)


def explained(
    findings: Sequence[Finding], titles: Mapping[str, str], typology: Typology, name: str = "operations-scores"
) -> Iterator[Chart]:
    """How scores go with operations, one panel a score; `titles` says which, and how they are called."""
    rows: list[list[Value]] = []
    panels, answers = [], []
    for label, title in titles.items():
        found = [f for f in findings if f.score == label and math.isfinite(f.correlation.value)]
        if not found:
            continue
        found.sort(key=lambda finding: -finding.correlation.value)
        for finding in found:
            found_in = finding.correlation.estimate
            kind = finding.verdict or "not sure"
            named = _named(typology, finding.operation)
            numbers = [found_in.value, found_in.low, found_in.high, finding.pairs]
            rows.append([label, named, finding.operation, kind, *numbers])
        for verdict in ("rewarded", "punished"):
            names = [_title(typology, finding.operation) for finding in found if finding.verdict == verdict]
            if names:
                answers.append(f"{verdict.capitalize()} by {title}: {'; '.join(names)}.")
        told = ", ".join(f"{_title(typology, f.operation)} {number(f.correlation.value, 2)}" for f in found)
        order = [_named(typology, finding.operation) for finding in found]
        verdicts = {finding.verdict or "not sure" for finding in found}
        spec = specs.correlations(order, f"correlation with {title}", {"metric": label}, verdicts)
        panels.append(Panel(title, f"How {title} goes with each operation: {told}.", spec))
    if panels:
        question = "Which operations go with a better score?"
        note = (
            "Over all outputs: does the score of a segment rise with the number of these operations in it? Lines are "
            "95 % intervals over segments. “Rewarded” and “punished” hold after correction for many tests. "
            "This is a correlation; it does not say that the operation is the cause."
        )
        columns = ("metric", "operation", "label", "verdict", "correlation", "low", "high", "pairs")
        answer = " ".join(answers) or "No operation is surely rewarded or punished."
        yield Chart(name, question, answer, note, columns, rows, panels)
