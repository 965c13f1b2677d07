"""What studies of several test sets found, in the one shape that every face prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plainly.findings import Findings, Message, Table, column, message
from plainly.findings.shape import Value

ROOM = "studyfile"
SET = "test set"
"""The key column of tables of several test sets."""


@dataclass(frozen=True)
class Written:
    """A file or folder that a study wrote, and what it holds."""

    file: str
    what: Message


@dataclass(frozen=True)
class Planned:
    """What a system on a test set would need by a metric: segments whose rows are kept, and those that are not."""

    test_set: str
    system: str
    metric: str
    kept: int
    new: int


def of_all(found: Sequence[tuple[str, Findings]]) -> Findings:
    """The findings of all test sets as one; those of a single one are as they are."""
    if len(found) == 1:
        return found[0][1]
    return Findings(
        tables=[
            _keyed(table, name)
            for order in dict.fromkeys(table.name for _, one in found for table in one.tables)
            for name, one in found
            for table in one.tables
            if table.name == order
        ],
        verdict=[_said_of(name, sentence) for name, one in found for sentence in one.verdict],
        notes=[replace(note, message=_said_of(name, note.message)) for name, one in found for note in one.notes],
        signatures=list(dict.fromkeys(signature for _, one in found for signature in one.signatures)),
        data={"test_sets": {name: one.data for name, one in found}},
    )


def files_table(written: Sequence[Written]) -> Table:
    """Which files were written."""
    return Table(
        "files",
        message("studyfile.files", "What was written?"),
        [column(ROOM, "file"), column(ROOM, "what")],
        [[one.file, one.what] for one in written],
    )


def plan_findings(planned: Sequence[Planned], files: Sequence[str]) -> Findings:
    """What a run would do."""
    new = sum(one.new for one in planned)
    kept = sum(one.kept for one in planned)
    if new:
        english = "{new:,} rows would be measured, {kept:,} are kept (one a segment, system and metric)."
        verdict = message("studyfile.plan", english, new=new, kept=kept)
    else:
        verdict = message("studyfile.plan-all-kept", "All {kept:,} rows are kept; nothing is measured.", kept=kept)
    several = any(one.test_set for one in planned)
    head = [column(ROOM, SET)] if several else []
    columns = [*head, column(ROOM, "system"), column(ROOM, "metric")]
    tables = [
        Table(
            "measured",
            message("studyfile.what-is-new", "What is new, in segments?"),
            [*columns, column(ROOM, "new", "count"), column(ROOM, "kept", "count")],
            [[*([one.test_set] if several else []), one.system, one.metric, one.new, one.kept] for one in planned],
        ),
        Table(
            "files",
            message("studyfile.would-be-written", "What would be written?"),
            [column(ROOM, "file")],
            [[file] for file in files],
        ),
    ]
    data = {
        "new": new,
        "kept": kept,
        "measured": [
            {"test_set": one.test_set, "system": one.system, "metric": one.metric, "new": one.new, "kept": one.kept}
            for one in planned
        ],
        "files": list(files),
    }
    return Findings(tables=tables, verdict=[verdict], data=data)


def _keyed(table: Table, name: str) -> Table:
    """The table of one test set among several: programs get its name in a column, people in the question."""
    keys: Mapping[str, Value] = {SET: name, **table.keys}
    long = table.long and replace(table.long, keys={SET: name, **table.long.keys})
    return replace(table, question=_said_of(name, table.question), keys=keys, long=long)


def _said_of(name: str, said: Message) -> Message:
    return message("studyfile.said-of", "{test_set}: {said}", test_set=name, said=said)
