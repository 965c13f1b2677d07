"""What came out so far: the files of an export, and the dashboard.

Files are those that `plainly operations` reads: JSONL with everything, YAWAT files for each annotator. All numbers
come from `plainly.operations`, and are those of the command line on the exported file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from statistics import median
from typing import Any

import yaml

from plainly.base.errors import PlainlyError
from plainly.base.groups import grouped
from plainly.base.records import as_text, safe, write_csv
from plainly.corpus.readers.left_out import LEFT_OUT
from plainly.findings import Findings, Note, Table, message
from plainly.inference.comparison import FEW_UNITS
from plainly.inference.estimates import Estimate, finite
from plainly.inference.proportions import share
from plainly.inference.resampling import USUAL
from plainly.operations import AnnotatedPair, Typology, write_jsonl, write_yawat
from plainly.operations.agreement import ALL, LABELS, agreement
from plainly.operations.agreement_results import Agreement
from plainly.operations.careless import Habits, Work, flags, habits
from plainly.operations.findings import agreement_findings, statistics_findings
from plainly.operations.findings.agreement import contested_table
from plainly.operations.findings.charts import matrix_chart
from plainly.operations.findings.columns import count, estimate, number, text
from plainly.operations.reading_rules import flag_not_alone
from plainly.operations.shares import Counts, Frequency, frequencies, source_key
from plainly.operations.statistics import counted as counted_pairs
from plainly.operations.statistics import statistics
from plainly.operations.typology import SIDES
from plainly.report import specs
from plainly.studio.kinds.base import JSON_LINES, Campaign, ExportFile, Given, Item, Person
from plainly.studio.kinds.dashboards import (
    Headline,
    Picture,
    Say,
    Summary,
    charted,
    counted,
    decimal,
    interval_values,
    summary_of,
)
from plainly.studio.kinds.operations.answers import annotated, draft
from plainly.studio.kinds.operations.labels import typology_of
from plainly.studio.kinds.reports import report_of

CONTESTED = 10
CONFUSED = 10
LABELLED = ("label", "first", "second", "commonest label")
"""Columns with names of labels: those of confusions are called first and second, as are those of people elsewhere."""


def exports(campaign: Campaign, people: Sequence[Person], given: Sequence[Given]) -> list[ExportFile]:
    """All annotations that are marked as done, the time that each took, and labels of one's own."""
    done = finished(campaign, given)
    left_out = {person.code: person.left_out for person in people if person.left_out}
    files = [
        ExportFile("annotations.jsonl", as_text(lambda out: write_jsonl(done, out, left_out)), JSON_LINES),
        ExportFile("work.csv", _times(campaign, given)),
    ]
    if not campaign.settings["bundled"]:
        text = yaml.safe_dump(dict(campaign.settings["typology"]), allow_unicode=True, sort_keys=False)
        files.append(ExportFile("typology.yaml", text, "application/yaml"))
    for person in people:
        own = [pair for pair in done if pair.annotator == person.code]
        # these files have no place for the reason
        files += yawat_files(f"left-out-{person.code}" if person.left_out else person.code, own)
    return files


def yawat_files(name: str, pairs: Sequence[AnnotatedPair]) -> list[ExportFile]:
    """The pairs of one annotator as YAWAT has them; none where it cannot."""
    return [file for each, own in _by_origin(name, pairs) for file in _yawat(each, own)]


def finished(campaign: Campaign, given: Sequence[Given]) -> list[AnnotatedPair]:
    """What people marked, pair by pair, where they say that they are done."""
    return [
        annotated(campaign.by_name[one.task["pair"]], one.answer, one.person.code)
        for one in given
        if one.answer["done"]
    ]


def yawat_notes(items: Sequence[Item]) -> list[str]:
    """What the owner of new pairs should know of exports: YAWAT files cannot hold everything."""
    try:
        for _, pairs in _by_origin("P001", [annotated(item, {"groups": [], "erroneous": False}) for item in items]):
            _written(pairs)
    except PlainlyError as error:
        return [f"there will be no YAWAT files, only JSONL: {error}"]
    return []


def _times(campaign: Campaign, given: Sequence[Given]) -> str:
    columns = ["annotator", "pair", "id", "origin", "done", "groups", "erroneous", "seconds", "server_seconds"]
    columns += ["impossible", "revisions", "time", LEFT_OUT]
    rows: list[list[Any]] = []
    for one in given:
        content = campaign.by_name[one.task["pair"]].content
        answer = one.answer
        place = [
            one.person.code,
            *(safe(text) for text in (one.task["pair"], content["id"], content["origin"])),
        ]
        done, faulty = (str(answer[mark]).lower() for mark in ("done", "erroneous"))
        clock = one.columns(columns)
        marked = [done, len(answer["groups"]), faulty, one.seconds, clock["server_seconds"], clock["impossible"]]
        rows.append([*place, *marked, one.revisions, one.time, safe(one.person.left_out)])
    return as_text(lambda out: write_csv(columns, rows, out))


def _by_origin(code: str, pairs: Sequence[AnnotatedPair]) -> Iterator[tuple[str, list[AnnotatedPair]]]:
    """One file an annotator; where a source has several simplifications, one for each origin."""
    if len({pair.id for pair in pairs}) == len(pairs):
        if pairs:
            yield code, list(pairs)
        return
    for place, origin in enumerate(dict.fromkeys(pair.origin for pair in pairs), 1):
        word = re.sub(r"[^A-Za-z0-9_.-]+", "-", origin).strip("-.") or "origin"
        yield f"{code}-{place}-{word[:40]}", [pair for pair in pairs if pair.origin == origin]


def _yawat(name: str, pairs: Sequence[AnnotatedPair]) -> list[ExportFile]:
    try:
        aln, crp = _written(pairs)
    except PlainlyError:
        return []  # the owner was told when the pairs were read
    return [ExportFile(f"{name}.aln", aln, "text/plain"), ExportFile(f"{name}.crp", crp, "text/plain")]


def _written(pairs: Sequence[AnnotatedPair]) -> tuple[str, str]:
    aln, crp = StringIO(), StringIO()
    write_yawat(pairs, aln, crp)
    return aln.getvalue(), crp.getvalue()


# --- The dashboard --------------------------------------------------------------------------------------------------


def summary(campaign: Campaign, people: Sequence[Person], given: Sequence[Given], say: Say) -> Summary:
    """For the owner; fine with no answers at all."""
    typology = typology_of(campaign.settings)
    done = [one for one in given if one.answer["done"]]
    pairs = finished(campaign, given)
    words = _labels(campaign, typology, say)
    common = _frequencies(pairs, typology)
    agreed = _agreement(pairs, typology)
    worked = {
        person.code: habits(_work(campaign, [one for one in done if one.person.code == person.code]))
        for person in people
    }
    told = summary_of(_findings(campaign, pairs, common, agreed, worked, words, say), say.lang)
    return replace(
        told,
        message=tuple(_message(done, common, agreed, words, say)),
        headlines=(*_progress(campaign, people, given, done, say), *_agreement_headlines(agreed, say)),
        pictures=(
            *_label_picture(common, words, say),
            *(_agreement_pictures(agreed, say) if agreed else ()),
            *told.pictures,
        ),
        suspicious=_suspicious(worked, words, say),
    )


def report(campaign: Campaign, given: Sequence[Given], date: str) -> str | None:
    """All tables of `plainly operations stats` and `agreement` on the exported annotations."""
    typology = typology_of(campaign.settings)
    pairs = finished(campaign, given)
    try:
        counts = statistics_findings(statistics(pairs, typology=typology))
    except PlainlyError:  # there is nothing to count yet
        return None
    agreed = _agreement(pairs, typology)
    return report_of(campaign, date, [counts, *([agreement_findings(agreed)] if agreed else [])])


def _labels(campaign: Campaign, typology: Typology, say: Say) -> dict[str, str]:
    """What each label is called in the reader's language; unchanged words have none."""
    bundled = campaign.settings["bundled"]
    titles = {
        name: say(f"operations.label.{name}") if bundled else typology.get(name).title for name in typology.labels
    }
    return {"": say("operations.summary.unchanged"), **titles}


def _message(
    done: Sequence[Given],
    common: Sequence[Frequency],
    agreed: Agreement | None,
    words: Mapping[str, str],
    say: Say,
) -> Iterator[str]:
    if not done:
        yield say("operations.summary.message.none")
        return
    if common:
        most = common[0]
        percent = decimal(most.pairs.percent.value, 0, say)
        yield say("operations.summary.message.common", label=words[most.name], percent=percent)
    if agreed is None:
        yield say("operations.summary.message.alone")
        return
    source, target = (_overall(agreed, side).davies_fleiss.value for side in SIDES)
    if math.isfinite(source) and math.isfinite(target):
        values = {"source": decimal(source, 2, say), "target": decimal(target, 2, say)}
        yield say("operations.summary.message.agreed", **values)


def _findings(
    campaign: Campaign,
    pairs: Sequence[AnnotatedPair],
    common: Sequence[Frequency],
    agreed: Agreement | None,
    worked: Mapping[str, Habits],
    words: Mapping[str, str],
    say: Say,
) -> Findings:
    """How common operations are, how people work, how far they agree; labels and sides in the reader's language."""
    told = agreement_findings(agreed, top=CONFUSED) if agreed else Findings()
    # A picture of the matrix is easier to read, and contested pairs have names of their own here.
    shown = [table for table in told.tables if table.name not in ("matrix", "contested")]
    tables = [_label_table(common), _people_table(worked), *shown]
    if agreed:
        tables.append(contested_table(agreed, CONTESTED, lambda pair: _item(campaign, pair.id, pair.origin).name))
    variants = {row.variant for row in agreed.overall} if agreed else set()
    spoken: dict[str, Mapping[str, str]] = {
        "annotator": {ALL: message("operations.all-annotators", ALL).text(say.lang)},
        "side": {str(side): say(f"operations.summary.side.{side}") for side in SIDES},
        "labels read as": {variant: say(f"operations.summary.reading.{variant}") for variant in variants},
        **dict.fromkeys(LABELLED, words),
    }
    few = 0 < len({source_key(pair) for pair in pairs}) < FEW_UNITS
    short = message("operations.few-sources", "intervals from fewer than {few} sources are too short", few=FEW_UNITS)
    axes = say("operations.summary.confused.one"), say("operations.summary.confused.other")
    charts = [matrix_chart(agreed.matrices, axes, words, spoken["side"])] if agreed else []
    labelled = [pair for pair in pairs if pair.erroneous and pair.operations]
    notes = [*([short] if few else []), *([flag_not_alone(labelled)] if labelled else [])]
    in_words = [_in_words(table, spoken) for table in tables]
    return Findings(in_words, charts=charts, notes=[*told.notes, *map(Note, notes)])


def _in_words(table: Table, spoken: Mapping[str, Mapping[str, str]]) -> Table:
    """The table with names in the reader's words, by the column they stand in; others, as of people, stay."""
    known = [spoken.get(column.name, {}) for column in table.columns]
    rows = [
        [own.get(cell, cell) if isinstance(cell, str) else cell for own, cell in zip(known, row, strict=True)]
        for row in table.rows
    ]
    return replace(table, rows=rows)


def _progress(
    campaign: Campaign, people: Sequence[Person], given: Sequence[Given], done: Sequence[Given], say: Say
) -> Iterator[Headline]:
    by_pair = grouped(done, lambda one: one.task["pair"])  # each person has a pair once
    total, begun = sum(person.tasks for person in people), len(given) - len(done)
    note = say("operations.summary.done.note", total=total, begun=begun)
    yield counted(say("operations.summary.done"), len(done), note)
    shared = sum(len(answers) > 1 for answers in by_pair.values())
    note = say("operations.summary.pairs.note", total=len(campaign.items), shared=shared)
    yield counted(say("operations.summary.pairs"), len(by_pair), note)
    times = [one.seconds for one in done if one.seconds is not None]
    yield Headline(say("operations.summary.seconds"), Estimate(median(times) if times else math.nan))
    if done:
        faulty = share(sum(one.answer["erroneous"] for one in done), len(done))
        percent = Estimate(100 * faulty.value, 100 * faulty.low, 100 * faulty.high)
        yield Headline(say("operations.summary.faulty"), percent)


def _frequencies(pairs: Sequence[AnnotatedPair], typology: Typology) -> list[Frequency]:
    """Of the operations that occur, the most common first; none where there is nothing to count yet."""
    try:
        counts = Counts(counted_pairs(pairs), typology)
    except PlainlyError:
        return []
    found = frequencies(counts, counts.labels, USUAL)
    return sorted((row for row in found if row.pairs.count), key=lambda row: -row.pairs.count)


def _label_table(common: Sequence[Frequency]) -> Table:
    return Table(
        "labels",
        message("operations.frequencies", "How common is each operation?"),
        [text("label"), count("groups"), count("pairs with it"), estimate("% of pairs", 1)],
        [[row.name, row.groups.count, row.pairs.count, row.pairs.percent] for row in common],
        legend=[message("operations.faulty.left-out", "pairs flagged as faulty are left out")],
    )


def _label_picture(common: Sequence[Frequency], words: Mapping[str, str], say: Say) -> Iterator[Picture]:
    if common:
        rows = [interval_values(words[row.name], row.pairs.percent, field="operation") for row in common]
        listed = "; ".join(f"{words[row.name]} {row.pairs.percent.value:.0f}" for row in common)
        order = [words[row.name] for row in common]
        spec = specs.intervals(order, say("operations.summary.labels.axis"), {}, "operation")
        told = say("operations.summary.labels.words", listed=listed)
        yield charted("labels", say("operations.summary.labels"), told, spec, rows)


def _agreement(pairs: Sequence[AnnotatedPair], typology: Typology) -> Agreement | None:
    """None where no pair was done by two people yet."""
    try:
        return agreement(grouped(pairs, lambda pair: pair.annotator), typology=typology)
    except PlainlyError:
        return None


def _overall(agreed: Agreement, side: str) -> Any:
    return next(row for row in agreed.overall if (row.variant, row.side) == (LABELS, side))


def _agreement_headlines(agreed: Agreement | None, say: Say) -> Iterator[Headline]:
    for key, name in (("fleiss", "davies_fleiss"), ("alpha", "alpha")):
        for side in SIDES:
            label = say(f"operations.summary.{key}", side=say(f"operations.summary.side.{side}"))
            if agreed is None:
                yield Headline(label, Estimate(math.nan), say("operations.summary.agreement.none"))
                continue
            found: Estimate = getattr(_overall(agreed, side), name)
            yield Headline(label, found, say("operations.summary.agreement.note", tokens=found.n))


def _agreement_pictures(agreed: Agreement, say: Say) -> Iterator[Picture]:
    for side in SIDES:
        rows = [
            interval_values(say(f"operations.summary.reading.{row.variant}"), row.davies_fleiss, field="reading")
            for row in agreed.overall
            if row.side == side and math.isfinite(row.davies_fleiss.value)
        ]
        if not rows:
            continue
        listed = "; ".join(f"{row['reading']} {row['score']:.2f}" for row in rows)
        order = [row["reading"] for row in rows]
        spec = specs.intervals(order, say("operations.summary.agreement.axis"), {}, "reading")
        words = say("operations.summary.agreement.words", listed=listed)
        title = say("operations.summary.agreement.picture", side=say(f"operations.summary.side.{side}"))
        yield charted(f"agreement-{side}", title, words, spec, rows)


def _item(campaign: Campaign, identity: str, origin: str) -> Item:
    """Origins are empty in ratings where not all pairs have one; then ids tell pairs apart."""
    return next(
        item for item in campaign.items if item.content["id"] == identity and origin in ("", item.content["origin"])
    )


def _work(campaign: Campaign, done: Sequence[Given]) -> list[Work]:
    items = [campaign.by_name[one.task["pair"]] for one in done]
    return [
        Work(annotated(item, one.answer), annotated(item, draft(item)), one.seconds)
        for item, one in zip(items, done, strict=True)
    ]


def _people_table(worked: Mapping[str, Habits]) -> Table:
    return Table(
        "people",
        message("operations.people", "How do people work?"),
        [
            *(text("annotator"), count("pairs"), number("median seconds", 1), count("groups")),
            *(text("commonest label"), number("% of groups", 0), count("drafts"), count("drafts kept")),
        ],
        [
            [
                *(code, own.pairs, finite(own.seconds), own.groups, own.commonest or None),
                *(finite(100 * own.commonest_share), own.drafts, own.kept),
            ]
            for code, own in worked.items()
            if own.pairs
        ],
    )


def _suspicious(worked: Mapping[str, Habits], words: Mapping[str, str], say: Say) -> dict[str, tuple[str, ...]]:
    found = {}
    for code, own in worked.items():
        values = {
            "seconds": round(own.seconds, 1) if math.isfinite(own.seconds) else "",
            "kept": own.kept,
            "drafts": own.drafts,
            "label": words[own.commonest],
            "percent": round(100 * own.commonest_share) if own.groups else 0,
            "groups": own.groups,
            "pairs": own.changed_texts,
        }
        reasons = flags(own, [other for name, other in worked.items() if name != code])
        if reasons:
            found[code] = tuple(say(f"operations.summary.{reason}", **values) for reason in reasons)
    return found
