"""Annotations as JSON, one pair a line, with all that is known of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from plainly.base.errors import Place, PlainlyError, UnknownName
from plainly.base.records import Target, opened, write_lines
from plainly.corpus.readers.files import MAX_RECORD, LineFile, open_input, shown
from plainly.corpus.readers.jsonl import parse_object
from plainly.corpus.readers.left_out import LEFT_OUT, is_left_out, tell
from plainly.operations.annotations import AnnotatedPair, Group
from plainly.operations.reading_rules import Rules, at, check_texts

OF_PAIR = {field.name for field in fields(AnnotatedPair)}
OF_GROUP = {field.name for field in fields(Group)}


def read_jsonl(
    path: Path | str,
    origin: str = "",
    annotator: str = "",
    rules: Rules | None = None,
    passed_over: Collection[str] = (),
) -> list[AnnotatedPair]:
    """The pairs of a file, without those of annotators who were left out.

    `origin` and `annotator` are for pairs that do not name their own. Keys that are `passed_over` are not read.
    """
    rules = rules or Rules()
    pairs = []
    seen = set()
    left = 0
    with open_input(str(path)) as file:
        for number, line in enumerate(LineFile(file, MAX_RECORD), 1):
            place = Place(file.name, number)
            content = {"origin": origin, "annotator": annotator} | parse_object(place, line)
            if is_left_out(content.pop(LEFT_OUT, None)):
                left += 1
                continue
            for name in passed_over:
                content.pop(name, None)
            with at(place):
                pair = _pair(content, rules)
                if (key := (pair.id, pair.origin, pair.annotator)) in seen:
                    raise PlainlyError(f"pair {shown(pair.id)} is there twice, with the same origin and annotator")
                seen.add(key)
                pairs.append(rules.accepted(pair))
        tell(file.name, left)
    return pairs


def write_jsonl(pairs: Iterable[AnnotatedPair], target: Target, left_out: Mapping[str, str] | None = None) -> None:
    """Write pairs to a file, as a whole or not at all; None is standard output.

    `left_out` says which annotators do not count, and why: pairs of theirs are written, but `read_jsonl` passes over
    them.
    """
    with opened(target) as out:
        write_lines((_checked_content(pair, left_out or {}) for pair in pairs), out)


def _checked_content(pair: AnnotatedPair, left_out: Mapping[str, str]) -> dict[str, Any]:
    with at(f"pair {shown(pair.id)}"):
        check_texts(pair)
    content = _content(pair)
    reason = left_out.get(pair.annotator)
    return {**content, LEFT_OUT: reason} if reason else content


def _content(pair: AnnotatedPair) -> dict[str, Any]:
    groups = [
        {"source": list(group.source), "target": list(group.target), "label": group.label}
        | ({} if group.confidence is None else {"confidence": group.confidence})
        for group in pair.groups
    ]
    named = {"origin": pair.origin, "annotator": pair.annotator}
    tokens = {"source": list(pair.source), "target": list(pair.target)}
    return {"id": pair.id} | {key: name for key, name in named.items() if name} | tokens | {"groups": groups}


def _pair(content: Mapping[str, Any], rules: Rules) -> AnnotatedPair:
    _check_keys(content, OF_PAIR, OF_PAIR)
    identity = content["id"]
    if isinstance(identity, int) and not isinstance(identity, bool):
        identity = str(identity)
    for key, value in (("id", identity), ("origin", content["origin"]), ("annotator", content["annotator"])):
        if not isinstance(value, str):
            raise PlainlyError(f"{key} must be text")
    if not identity.strip():
        raise PlainlyError("id is empty")
    with at(f"pair {shown(identity)}"):
        pair = AnnotatedPair(
            identity,
            _tokens(content, "source"),
            _tokens(content, "target"),
            tuple(_group(group, rules) for group in _list(content, "groups")),
            content["origin"],
            content["annotator"],
        )
        check_texts(pair)
    return pair


def _group(content: Any, rules: Rules) -> Group:
    if not isinstance(content, dict):
        raise PlainlyError("a group must be an object with source, target and label")
    _check_keys(content, OF_GROUP, OF_GROUP - {"confidence"})
    if not isinstance(content["label"], str):
        raise PlainlyError("the label of a group must be text")
    return Group(
        _positions(content, "source"),
        _positions(content, "target"),
        rules.label(content["label"]),
        _confidence(content.get("confidence")),
    )


def _check_keys(content: Mapping[str, Any], known: set[str], needed: set[str]) -> None:
    for key in content:
        if key not in known:
            raise UnknownName("name", shown(key), known)
    for key in sorted(needed - content.keys()):
        raise PlainlyError(f"{key} is missing")


def _list(content: Mapping[str, Any], key: str) -> list[Any]:
    value = content[key]
    if not isinstance(value, list):
        raise PlainlyError(f"{key} must be a list")
    return value


def _tokens(content: Mapping[str, Any], key: str) -> tuple[str, ...]:
    tokens = _list(content, key)
    for number, token in enumerate(tokens):
        if not isinstance(token, str) or not token:
            raise PlainlyError(f"{key} token {number} must be a text that is not empty")
    return tuple(tokens)


def _positions(content: Mapping[str, Any], key: str) -> tuple[int, ...]:
    positions = _list(content, key)
    for position in positions:
        if not isinstance(position, int) or isinstance(position, bool):
            raise PlainlyError(f"{key} of a group must hold whole numbers, not {shown(json.dumps(position))}")
    return tuple(sorted(positions))


def _confidence(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise PlainlyError(f"confidence must be a number from 0 to 1, not {shown(json.dumps(value))}")
    return float(value)
