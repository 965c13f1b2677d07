"""Annotations in files that `plainly operations` reads: JSONL with everything, YAWAT files for each annotator."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

import yaml

from plainly.base.errors import PlainlyError
from plainly.base.records import as_text, write_csv
from plainly.operations import AnnotatedPair, write_jsonl, write_yawat
from plainly.studio.cells import safe
from plainly.studio.kinds.base import Campaign, ExportFile, Given, Item, Person
from plainly.studio.kinds.operations.answers import annotated

ANNOTATIONS = "annotations.jsonl"
TIMES = "work.csv"
TYPOLOGY = "typology.yaml"


def exports(campaign: Campaign, people: Sequence[Person], given: Sequence[Given]) -> list[ExportFile]:
    """All annotations that are marked as done, the time that each took, and labels of one's own."""
    done = finished(campaign, given)
    files = [
        ExportFile(ANNOTATIONS, _jsonl(done), "application/x-ndjson"),
        ExportFile(TIMES, _work(campaign, given)),
    ]
    if not campaign.settings["bundled"]:
        text = yaml.safe_dump(dict(campaign.settings["typology"]), allow_unicode=True, sort_keys=False)
        files.append(ExportFile(TYPOLOGY, text, "application/yaml"))
    for person in people:
        own = [pair for pair in done if pair.annotator == person.code]
        for name, pairs in _by_origin(person.code, own):
            files += _yawat(name, pairs)
    return files


def finished(campaign: Campaign, given: Sequence[Given]) -> list[AnnotatedPair]:
    """What people marked, pair by pair, where they say that they are done."""
    return [
        annotated(campaign.by_name[one.task["pair"]], one.answer, one.person.code)
        for one in given
        if one.answer["done"]
    ]


def notes(items: Sequence[Item]) -> list[str]:
    """What the owner of new pairs should know of exports: YAWAT files cannot hold everything."""
    try:
        for _, pairs in _by_origin("P001", [annotated(item, {"groups": [], "erroneous": False}) for item in items]):
            _written(pairs)
    except PlainlyError as error:
        return [f"there will be no YAWAT files, only JSONL: {error}"]
    return []


def _jsonl(pairs: Sequence[AnnotatedPair]) -> str:
    return as_text(lambda out: write_jsonl(pairs, out))


def _work(campaign: Campaign, given: Sequence[Given]) -> str:
    columns = ["annotator", "pair", "id", "origin", "done", "groups", "erroneous", "seconds", "revisions", "time"]
    rows: list[list[Any]] = []
    for one in given:
        content = campaign.by_name[one.task["pair"]].content
        answer = one.answer
        place = [
            one.person.code,
            *(safe(text) for text in (one.task["pair"], content["id"], content["origin"])),
        ]
        done, faulty = (str(answer[mark]).lower() for mark in ("done", "erroneous"))
        rows.append([*place, done, len(answer["groups"]), faulty, answer["seconds"], one.revisions, one.time])
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
