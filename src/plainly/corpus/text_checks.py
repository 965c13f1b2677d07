"""Texts that are not what they should be: blank ones, tokenised outputs, ids that were not cut off."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from plainly.base.errors import Remedy
from plainly.base.messages import Note, message
from plainly.corpus.corpus import Corpus

IF_EMPTY = (
    Remedy("empty_reference", "missing", "(no reference here)"),
    Remedy("empty_reference", "keep", "(the reference is an empty text)"),
)


ID_PREFIX = re.compile(r"[0-9]+\t")
SUSPICIOUS = 0.5  # of the texts: what so many of them have is no chance


def is_blank(text: str) -> bool:
    """Nothing but white space."""
    return not text or text.isspace()


def first_blank(lines: Sequence[str]) -> int | None:
    """The place of the first blank line, if there is one."""
    if all(lines) and not any(map(str.isspace, lines)):
        return None
    return next(place for place, line in enumerate(lines) if is_blank(line))


def with_id_prefix(texts: Iterable[str | None]) -> int:
    """How many texts begin with a number and a tab: an id that somebody forgot to cut off."""
    return sum(1 for text in texts if text and ID_PREFIX.match(text))


@dataclass
class TextChecks:
    """What was found in the texts of a run so far."""

    segments: int = 0
    tokenised: dict[str, int] = field(default_factory=dict)  # system -> outputs that look tokenised
    prefixed: dict[str, str] = field(default_factory=dict)  # which texts begin with an id -> the first of those
    blank_references: int = 0

    def watch(self, chunks: Iterable[Corpus]) -> Iterator[Corpus]:
        """The chunks as they are; each is looked at."""
        for chunk in chunks:
            self.add(chunk)
            yield chunk

    def add(self, chunk: Corpus) -> None:
        """Look at the next segments. Where half of the first texts begin with an id, the others will too."""
        if not self.segments:
            references = [text for group in chunk.references for text in group]
            columns: dict[str, Sequence[str | None]] = {"sources": chunk.sources, "references": references}
            columns |= {f"outputs of {system}": texts for system, texts in chunk.outputs.items()}
            self.prefixed = id_prefixes(columns)
        self.segments += len(chunk)
        for system, texts in chunk.outputs.items():
            marked = sum(1 for text in texts if text is not None and text.endswith(" ."))
            self.tokenised[system] = self.tokenised.get(system, 0) + marked
        self.blank_references += sum(1 for group in chunk.references for text in group if is_blank(text))

    def merge(self, later: TextChecks) -> None:
        """Add what was found in the segments after these."""
        if not self.segments:
            self.prefixed = later.prefixed
        self.segments += later.segments
        for system, count in later.tokenised.items():
            self.tokenised[system] = self.tokenised.get(system, 0) + count
        self.blank_references += later.blank_references

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
        return notes


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
