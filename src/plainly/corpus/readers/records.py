"""From the fields of one record, in whatever format, to checked texts; and a file of such records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from plainly.base.errors import BadInput, Place, PlainlyError, Remedy
from plainly.corpus.corpus import Corpus
from plainly.corpus.readers.columns import Columns, layout, view
from plainly.corpus.readers.files import MAX_LINE, shown
from plainly.corpus.references import is_blank
from plainly.corpus.text_checks import IF_EMPTY

LOOK_AHEAD = 2048
"""The systems of a file are those of its first records, so that chunks of any size have the same systems."""

LeaveOut = Callable[[int, str, str], None]
"""Is told of a row that cannot be used: its number in its file, from 0 on, its place in words, and why."""

KINDS = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
    str: "text",
}


class Rules(NamedTuple):
    """What the run says about records."""

    lang: str
    empty_reference: str
    lenient: bool = False  # a record that cannot be used is not an error: it is marked as refused
    columns: Columns = ()  # what the file calls things


class Record(NamedTuple):
    """One segment of a file of records; `place` is where it stands, for messages."""

    place: Place
    source: str | None
    references: tuple[str, ...]
    outputs: dict[str, str | None]
    id: str | None
    document: str | None
    metadata: dict[str, Any]
    refusal: str | None = None  # why it cannot be used; then there is nothing in it


def check_record(record: Record, systems: Collection[str], has_ids: bool) -> None:
    """Refuses a record that does not fit the first ones of its file."""
    for new in record.outputs:
        if new not in systems:
            raise PlainlyError(
                f"system {shown(new)!r} is new here; every system must be named in the first {LOOK_AHEAD} records",
                place=record.place,
            )
    if (record.id is not None) != has_ids:
        here, before = ("no id", "have one") if has_ids else ("an id", "have none")
        raise PlainlyError(f"{here}, but the records before it {before}", place=record.place)


def as_corpus(records: Sequence[Record], systems: Iterable[str], has_ids: bool, lang: str) -> Corpus:
    """The segments of records."""
    documents = [record.document for record in records]
    metadata = [record.metadata for record in records]
    return Corpus(
        [record.source for record in records],
        [record.references for record in records],
        {system: [record.outputs.get(system) for record in records] for system in systems},
        [record.id or "" for record in records] if has_ids else None,
        documents if any(document is not None for document in documents) else None,
        metadata if any(metadata) else None,
        lang,
    )


def refused(place: Place, error: PlainlyError, lenient: bool) -> Record:
    """In the place of a record that cannot be used: one that says why. Where that is not asked for, the error."""
    if not lenient:
        raise BadInput.of(error.at(place)) from None
    return Record(place, None, (), {}, None, None, {}, error.message)


def make_record(place: Place, fields: Mapping[str, Any], rules: Rules) -> Record:
    """The record with these fields, which may be of any type until they are checked here."""
    if rules.columns:
        fields = {name: fields[own] for name, own in view(tuple(fields), rules.columns)}
    try:
        return _record(place, fields, rules)
    except PlainlyError as error:
        raise error.at(place) from None


def _record(place: Place, fields: Mapping[str, Any], rules: Rules) -> Record:
    plan = layout(tuple(fields))
    source = _text("source", fields.get("source"))
    if source is not None and is_blank(source):
        raise PlainlyError("empty source")
    _check_lang(fields.get("lang"), rules.lang)
    references: list[str] = []
    for name in plan.references:
        references.extend(_references(name, fields[name], rules.empty_reference))
    outputs = {system: _text(name, fields[name]) for system, name in plan.outputs}
    outputs.update(_outputs(fields.get("outputs"), outputs))
    return Record(
        place,
        source,
        tuple(references),
        outputs,
        label("id", fields.get("id")),
        label("document", fields.get("document")),
        {name: fields[name] for name in plan.metadata},
    )


def _references(name: str, value: Any, empty: str) -> Iterator[str]:
    values: Iterable[Any] = [value]
    if name == "references" and not isinstance(value, str | None):
        if not isinstance(value, list):
            raise PlainlyError(f"references must be a list of texts, not {_kind(value)}")
        values = value
    for number, item in enumerate(values):
        label = f"references[{number}]" if values is value else name
        text = _text(label, item)
        if text is None:
            continue
        if empty != "keep" and is_blank(text):
            if empty == "missing":
                continue
            raise PlainlyError(f"empty reference ({label})", remedy=IF_EMPTY)
        yield text


def _outputs(value: Any, others: Mapping[str, Any]) -> dict[str, str | None]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise PlainlyError(f"outputs must be texts by system, not {_kind(value)}; a lone text is an output")
    for system in value:
        if not system:
            raise PlainlyError("a system in outputs needs a name")
        if system in others:
            raise PlainlyError(f"system {shown(system)!r} is there twice")
    return {system: _text(f"the output of {shown(system)!r}", text) for system, text in value.items()}


def _check_lang(value: Any, expected: str) -> None:
    lang = _text("lang", value)
    if lang is not None and lang != expected:
        raise PlainlyError(
            f"lang is {shown(lang)!r}, but the run is in {expected!r}", remedy=Remedy("lang", shown(lang))
        )


def label(name: str, value: Any) -> str | None:
    """A name, which may be a whole number."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_number else _text(name, value)


def _text(name: str, value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise PlainlyError(f"{name} must be text, not {_kind(value)}")
    if len(value) > MAX_LINE:
        raise PlainlyError(f"{name} is longer than {MAX_LINE:,} characters; is this one segment?")
    if "\0" in value:
        raise PlainlyError(f"{name} has a NUL character")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            half = f"\\u{ord(value[error.start]):04x}"
            raise PlainlyError(f"{name} has half a character, {half}; its pair is missing") from None
    return value


def _kind(value: Any) -> str:
    return KINDS.get(type(value), type(value).__name__)
