"""Ratings from a file, joined to the texts that were rated.

A rating names its segment by the id of the record; where records have no ids, as in line files, by its number.
Numbers count from 0, as `plainly score --per-segment` prints them, or from 1 if the caller says so. `1.0` is 1: some
programs write whole numbers so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plainly.base.errors import PlainlyError, Remedy, UnknownName
from plainly.base.messages import Message, message
from plainly.corpus import Corpus
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.releases import release_of
from plainly.corpus.readers.rows import table_rows
from plainly.metaeval.judged_set import JudgedSet, Values, many, rated
from plainly.ratings import Ratings, read_ratings
from plainly.ratings.records import Rating

OTHER_NAMES = {"item": "segment", "scale": "dimension"}  # what two columns of `plainly ratings` are called here
NAMED = 3


def read_judgements(
    paths: Sequence[str], scales: Sequence[str] = (), columns: Mapping[str, str] | None = None
) -> Ratings:
    """Ratings with segment, system, rater, dimension and value; `item` and `scale` are other words for two of them.

    With `scales`, these columns hold the values, one row an output. `columns` says what columns are called in the
    files, as {"segment": "id"}.
    """
    words = {own: name for name, own in OTHER_NAMES.items()}
    headers = [_header(path) for path in paths]
    if not columns and all(release_of(shown(path), one, "ratings") for path, one in zip(paths, headers, strict=True)):
        return read_ratings(paths, scales=scales)
    named = {words.get(name, name): column for name, column in (columns or {}).items()}
    return read_ratings(paths, scales=scales, columns=_called(headers) | named)


def _header(path: str) -> tuple[str, ...]:
    """The names of the columns of a file, as its first row has them."""
    if path == "-":
        raise PlainlyError("ratings are read from a file, not from standard input")
    first = next(table_rows(path), None)
    return () if first is None else tuple(first[1])


def _called(headers: Sequence[Sequence[str]]) -> dict[str, str]:
    """The words of this room, except those for which the files have the other ones."""
    called = dict(OTHER_NAMES)
    for header in headers:
        names = {column.strip().casefold() for column in header}
        called |= {name: name for name, own in OTHER_NAMES.items() if name in names and own not in names}
    return called


def texts_of(ratings: Ratings, lang: str = "en") -> Corpus | None:
    """The texts that were rated, if the files of ratings have them: a segment an item, without references."""
    counted = [entry for entry in ratings.entries if entry.role != "check"]
    if not all(entry.output for entry in counted):
        return None
    places = {item: place for place, item in enumerate(dict.fromkeys(entry.item for entry in counted))}
    sources: list[str | None] = [None] * len(places)
    outputs: dict[str, list[str | None]] = {}
    for entry in counted:
        place = places[entry.item]
        own = outputs.setdefault(entry.system, [None] * len(places))
        if own[place] not in (None, entry.output):
            raise PlainlyError(
                f"{entry.place}: segment {shown(entry.item)} has another output of {shown(entry.system)} above"
            )
        own[place] = entry.output
        sources[place] = sources[place] or entry.source or None
    return Corpus(sources, outputs=outputs, ids=list(places), lang=lang)


@dataclass(frozen=True)
class _Places:
    """Where each segment of a corpus stands."""

    corpus: Corpus
    first: int
    ratings: Sequence[Rating]

    def of(self, entry: Rating) -> int:
        ids = self.corpus.ids
        if ids is not None:
            found = self._by_id().get(entry.item)
            if found is None:
                raise PlainlyError(f"{entry.place}: there is no segment with the id {shown(entry.item)} in the texts")
            return found
        last = self.first + len(self.corpus) - 1
        number = _number(entry.item)
        if number is None or not self.first <= number <= last:
            from_1 = Remedy("first_segment", 1, condition="if the ratings count from 1")
            raise PlainlyError(
                f"{entry.place}: there is no segment {shown(entry.item)}; the texts have {self.first} to {last}",
                remedy=from_1 if self._fit_from_1() else None,
            )
        return number - self.first

    def _fit_from_1(self) -> bool:
        """Whether all segments would be there if the first one were 1."""
        numbers = [_number(entry.item) for entry in self.ratings]
        return self.first == 0 and all(number and number <= len(self.corpus) for number in numbers)

    def _by_id(self) -> dict[str, int]:
        known: dict[str, int] = self.corpus.prepared(
            "metaeval ids", lambda: {identity: i for i, identity in enumerate(self.corpus.ids or ())}
        )
        return known


def _number(text: str) -> int | None:
    """A whole number from 0 on; None for anything else."""
    found = re.fullmatch(r"([0-9]{1,9})(\.0+)?", text)
    return int(found[1]) if found else None


def joined(
    ratings: Ratings, corpus: Corpus, *, name: str = "ratings", values: Values = "raw", first: int = 0
) -> JudgedSet:
    """One row for each output that was rated. A rating of a segment or system that is not there is an error.

    Outputs of one document are not independent; without documents, those of one source text.
    """
    counted = [entry for entry in ratings.entries if entry.role != "check"]
    places = _Places(corpus, first, counted)
    rows: dict[tuple[int, str], int] = {}
    entries: dict[str, list[tuple[int, str, float]]] = {}
    seen: dict[tuple[int, str, str], Rating] = {}
    for entry in counted:
        place = places.of(entry)
        if entry.system not in corpus.outputs:
            raise PlainlyError(f"{entry.place}: {UnknownName('system', entry.system, corpus.outputs)}")
        if corpus.outputs[entry.system][place] is None:
            raise PlainlyError(f"{entry.place}: {shown(entry.system)} has no output for segment {shown(entry.item)}")
        row = rows.setdefault((place, entry.system), len(rows))
        before = seen.setdefault((row, entry.rater, entry.scale), entry)
        if before is not entry:  # 7 and 07 are one segment
            raise PlainlyError(
                f"{entry.place}: rater {shown(entry.rater)} rated {shown(entry.scale)} of this output before, "
                f"at {before.place}"
            )
        if entry.value is not None:
            entries.setdefault(entry.scale, []).append((row, entry.rater, entry.value))
    if not entries:
        raise PlainlyError("no rating counts: there is no value outside attention checks")
    means, tables, remarks = rated(entries, len(rows), values)
    notes = [*ratings.notes, *_notes(corpus, list(rows), first), *remarks, *_left_out(counted, entries, values)]
    positions = tuple(place for place, _ in rows)
    clusters = tuple(_cluster(corpus, place, first) for place in positions)
    if len(set(clusters)) < len(set(positions)):
        what = "documents" if corpus.documents else "sources that several segments have"
        said = f"{what} are drawn anew as wholes: {{wholes}} in place of {{segments}} segments"
        key = f"metaeval.note.whole-{'documents' if corpus.documents else 'sources'}"
        notes.append(message(key, said, wholes=len(set(clusters)), segments=len(set(positions))))
    return JudgedSet(
        name=name,
        lang=corpus.lang,
        segments=tuple(_identity(corpus, place, first) for place in positions),
        systems=tuple(system for _, system in rows),
        sources=tuple(corpus.sources[place] for place in positions),
        outputs=tuple(str(corpus.outputs[system][place]) for place, system in rows),
        references=tuple(tuple(corpus.references[place]) for place in positions),
        values=means,
        fields=_fields(corpus, positions),
        ratings=tables,
        scale=dict.fromkeys(means, values),
        clusters=clusters,
        positions=positions,
        lines=len(corpus),
        notes=tuple(notes),
    )


def _identity(corpus: Corpus, place: int, first: int) -> str:
    return str(place + first) if corpus.ids is None else str(corpus.ids[place])


def _cluster(corpus: Corpus, place: int, first: int) -> str:
    """What outputs that are not independent share: the document, else the text of the source, else the segment."""
    document = corpus.documents[place] if corpus.documents else None
    source = corpus.sources[place]
    if document is not None:
        return f"document {document}"
    return f"segment {_identity(corpus, place, first)}" if source is None else f"source {source}"


def _fields(corpus: Corpus, positions: Sequence[int]) -> dict[str, tuple[str, ...]]:
    """What the records say of themselves, as texts."""
    if corpus.metadata is None:
        return {}
    names = dict.fromkeys(name for row in corpus.metadata for name in row)
    return {name: tuple(str(corpus.metadata[place].get(name, "")) for place in positions) for name in names}


def _left_out(
    counted: Sequence[Rating], entries: Mapping[str, Sequence[tuple[int, str, float]]], values: Values
) -> Iterator[Message]:
    """Which ratings do not count."""
    if empty := sum(entry.value is None for entry in counted):
        yield message("metaeval.note.empty", "{ratings} without a value: left out", ratings=many(empty, "rating"))
    for scale, listed in entries.items() if values == "z" else ():
        given: dict[str, set[float]] = {}
        for _, rater, value in listed:
            given.setdefault(rater, set()).add(value)
        if constant := [rater for rater, own in given.items() if len(own) == 1]:
            said = "left out of {scale}, as they have no z-scores: the ratings of {raters}"
            yield message("metaeval.note.constant-raters", said, scale=scale, raters=_some(constant))


def _some(names: Sequence[str]) -> Message | str:
    first, more = ", ".join(names[:NAMED]), len(names) - NAMED
    if more <= 0:
        return first
    return message("metaeval.note.and-others", "{first} and {more} others", first=first, more=more)


def _notes(corpus: Corpus, rows: Sequence[tuple[int, str]], first: int) -> list[Message]:
    notes = []
    silent = [name for name in corpus.outputs if name not in {system for _, system in rows}]
    if silent:
        notes.append(message("metaeval.note.unrated", "nobody rated {systems}", systems=_some(silent)))
    if corpus.ids is None and first == 0 and 0 not in {place for place, _ in rows}:
        said = "segment 0 has no rating; do the ratings count from 1? Then say that the first segment is 1"
        notes.append(message("metaeval.note.from-1", said))
    own: dict[str, int] = {}
    for place, system in rows:
        own[system] = own.get(system, 0) + (corpus.outputs[system][place] in corpus.references[place])
    for system, count in own.items():
        if count:
            which = "is among its" if count == 1 else "are among their"
            said = f"{{outputs}} of {{system}} {which} own references"
            key = f"metaeval.note.own-reference{'s' * (count != 1)}"
            notes.append(message(key, said, outputs=many(count, "output"), system=system))
    return notes


def file_name(paths: Sequence[str]) -> str:
    """What a set of ratings is called after its files."""
    return "+".join(Path(path.removesuffix(".gz")).stem for path in paths)
