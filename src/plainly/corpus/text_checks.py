"""Texts that are not what they should be, as a run meets them.

Tokenised outputs, ids that were not cut off, blank references, references that are the source or given twice, outputs
and references beside the wrong sources, and two systems with the same outputs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, zip_longest
from typing import Any, TypeVar

from plainly.base.errors import Remedy
from plainly.base.messages import Note, message
from plainly.corpus.corpus import Corpus
from plainly.corpus.misalignment import LOOKED_AT, Fit, fits
from plainly.corpus.references import blanks, is_blank

T = TypeVar("T")
IF_EMPTY = (
    Remedy("empty_reference", "missing", "(no reference here)"),
    Remedy("empty_reference", "keep", "(the reference is an empty text)"),
)


ID_PREFIX = re.compile(r"[0-9]+\t")
SUSPICIOUS = 0.5  # of the texts: what so many of them have is no chance
NO_COPIES = "corpus.no-copies"  # the warning that a system called identity is none
EMPTY = 0.05  # of the outputs of a system: so many empty ones are no answer of a system
FEW = 5  # segments: of fewer, two people may have written the same references


def first_blank(lines: Sequence[str]) -> int | None:
    """The place of the first blank line, if there is one."""
    if not blanks(lines):
        return None
    return next(place for place, line in enumerate(lines) if is_blank(line))


def with_id_prefix(texts: Iterable[str | None]) -> int:
    """How many texts begin with a number and a tab: an id that somebody forgot to cut off."""
    there = list(filter(None, texts))
    if "\t" not in "".join(there):
        return 0
    return sum(1 for text in there if ID_PREFIX.match(text))


@dataclass
class TextChecks:
    """What was found in the texts of a run so far."""

    segments: int = 0
    before: int = 0  # segments of the run that come before these, where its parts are looked at one by one
    tokenised: dict[str, int] = field(default_factory=dict)  # system -> outputs that look tokenised
    prefixed: dict[str, str] = field(default_factory=dict)  # which texts begin with an id -> the first of those
    blank_references: int = 0
    references: list[int] = field(default_factory=list)  # of each place of references: segments that have one
    copied_references: list[int] = field(default_factory=list)  # of each place: segments where it is the source
    fits: dict[str, Fit] = field(default_factory=dict)  # system -> how its outputs fit their sources
    reference_fits: dict[str, Fit] = field(default_factory=dict)  # place of references, from 1 -> the same
    same: list[list[str]] | None = None  # pairs of systems whose outputs are all the same
    same_references: list[list[int]] | None = None  # places of references that are the same in all segments
    empty: dict[str, int] = field(default_factory=dict)  # system -> outputs with nothing in them
    no_copies: int = 0  # outputs of a system called identity that are not the source

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TextChecks:
        """From what `asdict` gave, and JSON kept."""
        fits = {
            name: {column: Fit(**fit) for column, fit in data[name].items()} for name in ("fits", "reference_fits")
        }
        return cls(**{**data, **fits})

    def watch(self, chunks: Iterable[Corpus]) -> Iterator[Corpus]:
        """The chunks as they are; each is looked at."""
        for chunk in chunks:
            self.add(chunk)
            yield chunk

    def add(self, chunk: Corpus) -> None:
        """Look at the next segments. Where half of the first texts begin with an id, the others will too."""
        given = list(chain.from_iterable(chunk.references))
        if not self.segments:
            outputs = {f"outputs of {system}": texts for system, texts in chunk.outputs.items()}
            self.prefixed = id_prefixes({"sources": chunk.sources, "references": given, **outputs})
        references = _reference_columns(chunk)
        numbered = {str(number): texts for number, texts in enumerate(references, start=1)}
        sides = ((self.fits, chunk.outputs), (self.reference_fits, numbered))
        if self.before + self.segments < LOOKED_AT:
            columns = {(side, name): texts for side, (_, named) in enumerate(sides) for name, texts in named.items()}
            for (side, name), fit in fits(chunk.sources, columns):
                self._add_fits(sides[side][0], {name: fit})
        self.same = _kept(self.same, [list(pair) for pair in combinations(chunk.outputs, 2) if _equal(chunk, *pair)])
        self.same_references = _kept(self.same_references, _same_references(chunk))
        self.segments += len(chunk)
        for system, texts in chunk.outputs.items():
            there = [text for text in texts if text is not None]
            marked = sum([text.endswith(" .") for text in there])
            self.tokenised[system] = self.tokenised.get(system, 0) + marked
            self.empty[system] = self.empty.get(system, 0) + blanks(there)
        self.blank_references += blanks(given)
        numbers = [int((chunk.reference_counts > place).sum()) for place in range(len(references))]
        self.references = _added(self.references, numbers)
        copies = zip(chunk.outputs.get("identity", ()), chunk.sources, strict=False)
        self.no_copies += sum(output != source for output, source in copies)
        copied = Counter(
            place
            for source, group in zip(chunk.sources, chunk.references, strict=True)
            if source in group
            for place, text in enumerate(group)
            if text == source
        )
        self.copied_references = _added(self.copied_references, [copied[place] for place in range(len(references))])

    def merge(self, later: TextChecks) -> None:
        """Add what was found in the segments after these."""
        if not self.segments:
            self.prefixed = later.prefixed
        self._add_fits(self.fits, later.fits)
        self._add_fits(self.reference_fits, later.reference_fits)
        self.same = _kept(self.same, later.same)
        self.same_references = _kept(self.same_references, later.same_references)
        self.segments += later.segments
        for mine, theirs in ((self.tokenised, later.tokenised), (self.empty, later.empty)):
            for system, count in theirs.items():
                mine[system] = mine.get(system, 0) + count
        self.blank_references += later.blank_references
        self.references = _added(self.references, later.references)
        self.no_copies += later.no_copies
        self.copied_references = _added(self.copied_references, later.copied_references)

    def _add_fits(self, known: dict[str, Fit], later: Mapping[str, Fit]) -> None:
        for column, found in later.items():
            known.setdefault(column, Fit()).add(found, self.segments)

    def notes(self) -> list[Note]:
        """What to say of the texts."""
        notes = [
            Note(
                message(
                    "corpus.tokenised",
                    "{outputs} of {segments} outputs of {system} end in ' .': they look tokenised; "
                    "scores are not comparable with those of detokenised text",
                    system=system,
                    outputs=count,
                    segments=self.segments,
                )
            )
            for system, count in self.tokenised.items()
            if count >= SUSPICIOUS * self.segments
        ]
        notes += id_prefix_notes(self.prefixed)
        if self.blank_references:
            english = "{references} blank references count as references"
            notes.append(Note(message("corpus.blank-references", english, references=self.blank_references)))
        return [*notes, *self._warnings()]

    def _warnings(self) -> Iterator[Note]:
        for system, fit in self.fits.items():
            if fit.misplaced and fit.example is not None:
                english = (
                    "{outputs} of {segments} outputs of {system} fit another source better than their own, "
                    "as output {output} fits source {source}: were lines shifted, doubled or sorted?"
                )
                output, source = (place + 1 for place in fit.example)
                values = {"outputs": fit.near + fit.far, "segments": fit.looked_at, "system": system}
                yield _warning("corpus.misplaced", english, **values, output=output, source=source)
        for number, fit in self.reference_fits.items():
            if fit.misplaced and fit.example is not None:
                english = (
                    "{texts} of {segments} texts of reference {number} fit another source better than their own, "
                    "as text {text} fits source {source}: were lines shifted, doubled or sorted?"
                )
                text, source = (place + 1 for place in fit.example)
                values = {"texts": fit.near + fit.far, "segments": fit.looked_at, "number": number}
                yield _warning("corpus.misplaced-references", english, **values, text=text, source=source)
        for system, count in self.empty.items():
            if count > max(1, EMPTY * self.segments):
                english = "{outputs} of {segments} outputs of {system} are empty"
                yield _warning("corpus.empty", english, outputs=count, segments=self.segments, system=system)
        if self.no_copies > SUSPICIOUS * self.segments:
            english = (
                "a system called identity is taken for the copy of the source, but {outputs} of its outputs are not: "
                "give it another name"
            )
            yield _warning(NO_COPIES, english, outputs=self.no_copies)
        for first, second in self.same or ():
            english = "{first} and {second} have the same outputs: is one file given twice?"
            yield _warning("corpus.same-outputs", english, first=first, second=second)
        if max(self.references, default=0) >= FEW:
            for one, other in self.same_references or ():
                english = "references {first} and {second} are the same in all segments: is one file given twice?"
                yield _warning("corpus.same-references", english, first=one + 1, second=other + 1)
        counts = zip(self.copied_references, self.references, strict=True)
        for place, (copies, there) in enumerate(counts, start=1):
            if copies > SUSPICIOUS * there:
                english = (
                    "reference {number} is the source itself in {copies} of {segments} segments: "
                    "were sources given as references?"
                )
                yield _warning("corpus.copied-references", english, number=place, copies=copies, segments=there)


def _warning(key: str, english: str, **values: object) -> Note:
    return Note(message(key, english, **values), "warning")


def _kept(found: list[T] | None, later: list[T] | None) -> list[T] | None:
    """What holds of these segments and of later ones; None where none were looked at."""
    if found is None or later is None:
        return later if found is None else found
    return [pair for pair in found if pair in later]


def _added(counts: Sequence[int], more: Sequence[int]) -> list[int]:
    """Counts of places, added up; one of them may have more places."""
    return [one + other for one, other in zip_longest(counts, more, fillvalue=0)]


def _reference_columns(chunk: Corpus) -> list[list[str | None]]:
    """References by their place, as the files have them; None where a segment has fewer."""
    return [list(column) for column in zip_longest(*chunk.references)] if any(chunk.references) else []


def _same_references(chunk: Corpus) -> list[list[int]] | None:
    groups = [group for group in chunk.references if group]
    if not groups:
        return None
    places = combinations(range(min(map(len, groups))), 2)
    return [[i, j] for i, j in places if all(group[i] == group[j] for group in groups)]


def _equal(chunk: Corpus, first: str, second: str) -> bool:
    return chunk.outputs[first] == chunk.outputs[second]


def id_prefixes(columns: Mapping[str, Sequence[str | None]]) -> dict[str, str]:
    """Which texts, half of them at least, begin with an id; with how the first of those begins."""
    found = {}
    for name, texts in columns.items():
        if texts and with_id_prefix(texts) >= SUSPICIOUS * len(texts):
            found[name] = next(text for text in texts if text and with_id_prefix([text]))[:20]
    return found


def id_prefix_notes(prefixed: Mapping[str, str]) -> list[Note]:
    """What to say of ids that somebody forgot to cut off, as `id_prefixes` found them."""
    return [
        Note(
            message(
                "corpus.ids",
                "{texts} begin with a number and a tab, as {example}: such an id counts as a word; "
                "cut it off (cut -f2-)",
                texts=texts,
                example=repr(example),
            )
        )
        for texts, example in prefixed.items()
    ]
