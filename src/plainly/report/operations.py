"""What the systems do to the words: the section of a report on operations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from plainly.metrics import Metric
from plainly.operations import Label, Typology
from plainly.operations.correlation import Finding
from plainly.operations.profile import REFERENCES, Doing, Example, Profile
from plainly.report import specs
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


def section(profile: Profile, metrics: Sequence[Metric] = ()) -> Section:
    """All that the page says of a profile. `metrics` are those that it was made with."""
    titles = {metric.label: metric.title for metric in metrics}
    return Section(
        short=[_sentence(doing, profile) for doing in profile.doings if doing.origin != REFERENCES],
        charts=[*_doings(profile), *explained(profile.explained, titles)],
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
    listed = joined([f"{_title(profile.typology, name)} ({shares[name]:.0f} %)" for name in top])
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
    title = typology.get(name).title
    return title[0].lower() + title[1:]


def _doings(profile: Profile) -> Iterator[Chart]:
    if not profile.operations:
        return
    rows: list[list[Value]] = []
    origins = [doing.origin for doing in profile.doings]
    for doing in profile.doings:
        for name in profile.operations:
            share = doing.operations[name].pairs
            percent = share.percent
            rows.append([doing.origin, name, percent.value, percent.low, percent.high, share.count, doing.pairs])
    panels = []
    for part, start in enumerate(range(0, len(profile.operations), AT_ONCE)):
        names = profile.operations[start : start + AT_ONCE]
        told = "; ".join(
            f"{doing.origin}: "
            + ", ".join(f"{name} {doing.operations[name].pairs.percent.value:.0f} %" for name in names)
            for doing in profile.doings
        )
        spec = specs.share_grid(origins, names)
        title = "Common operations" if part == 0 else "Rarer operations"
        panels.append(Panel(title, f"Segments with each operation. {told}.", spec, 150 + 46 * len(names)))
    columns = ("system", "operation", "percent", "low", "high", "count", "pairs")
    note = (
        "Per cent of the segments in which the operation occurs at least once. A stronger colour is more often. "
        "Point at a cell for its interval."
    )
    yield Chart("operations", "Which operations does each system use?", "", note, columns, rows, panels)


def explained(
    findings: Sequence[Finding], titles: Mapping[str, str], name: str = "operations-scores"
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
            rows.append([label, finding.operation, kind, found_in.value, found_in.low, found_in.high, finding.pairs])
        for verdict in ("rewarded", "punished"):
            names = [finding.operation for finding in found if finding.verdict == verdict]
            if names:
                answers.append(f"{title}: {joined(names)} {'is' if len(names) == 1 else 'are'} {verdict}.")
        told = ", ".join(f"{f.operation} {number(f.correlation.value, 2)}" for f in found)
        order = [finding.operation for finding in found]
        spec = specs.correlations(order, f"correlation with {title}", {"metric": label})
        panels.append(Panel(title, f"How {title} goes with each operation: {told}.", spec))
    if panels:
        question = "Which operations go with a better score?"
        note = (
            "Over all outputs: does the score of a segment rise with the number of these operations in it? Lines are "
            "95 % intervals over segments. “Rewarded” and “punished” hold after correction for many tests. "
            "This is a correlation; it does not say that the operation is the cause."
        )
        columns = ("metric", "operation", "verdict", "correlation", "low", "high", "pairs")
        answer = " ".join(answers) or "No operation is surely rewarded or punished."
        yield Chart(name, question, answer, note, columns, rows, panels)
