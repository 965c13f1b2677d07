"""How annotation files are read: what a name in a file means, what is refused, and what is accepted but counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from plainly.base.errors import Place, PlainlyError, Remedy, UnknownName
from plainly.base.messages import Message, Note, message
from plainly.corpus.readers.files import shown
from plainly.operations.annotations import AnnotatedPair, check, repair, shared
from plainly.operations.typology import Typology, assetann

NAMED = 5


@dataclass
class Notes:
    """What a reader accepted although it is not quite right, with counts."""

    shared_tokens: int = 0
    blank_lines: int = 0
    not_alone: list[AnnotatedPair] = field(default_factory=list)
    """Pairs that are flagged as faulty and have other labels too."""
    aliases: Counter[str] = field(default_factory=Counter)
    repaired: Counter[str] = field(default_factory=Counter)

    def told(self) -> Iterator[Note]:
        """One sentence for each kind of thing, none if all was right."""
        if self.shared_tokens:
            english = "tokens in two groups: {count}; the last group counts"
            yield Note(message("operations.read.shared", english, count=self.shared_tokens))
        if self.blank_lines:
            yield Note(message("operations.read.blank", "blank lines left out: {count}", count=self.blank_lines))
        if self.not_alone:
            yield Note(flag_not_alone(self.not_alone))
        for key, english, counts in (
            ("operations.read.aliases", "labels read as another: {what}, {count} times", self.aliases),
            ("operations.read.repaired", "labels repaired: {what}, {count} times", self.repaired),
        ):
            for what, count in counts.items():
                yield Note(message(key, english, what=what, count=count))


@dataclass(frozen=True)
class Rules:
    """How files are read: which labels there are, other names for them, and whether wrong sides are repaired."""

    typology: Typology = field(default_factory=assetann)
    aliases: Mapping[str, str] = field(default_factory=dict)
    repair: bool = False
    notes: Notes = field(default_factory=Notes)

    def __post_init__(self) -> None:
        for name, label in self.aliases.items():
            self.typology.get(label)
            if name in self.typology.labels:
                raise PlainlyError(f"{name!r} is a label of its own; it cannot stand for {label!r}")

    def label(self, name: str) -> str:
        """The label that a name in a file means: itself, what YAWAT shows for it, or an alias (which is counted)."""
        if name in self.typology.labels:
            return name
        if name in self.aliases:
            self.notes.aliases[f"{name} as {self.aliases[name]}"] += 1
            return self.aliases[name]
        return self.typology.abbreviations.get(name, name)

    def accepted(self, pair: AnnotatedPair) -> AnnotatedPair:
        """The pair, repaired if that was asked for, and checked."""
        for group in pair.groups:
            if group.label not in self.typology.labels:
                raise self._unknown(pair, shown(group.label))
        if self.repair:
            (pair,), counts = repair([pair], self.typology)
            self.notes.repaired.update(counts)
        check(pair, self.typology, shared_tokens=True)
        if pair.erroneous and pair.operations:
            self.notes.not_alone.append(pair)
        self.notes.shared_tokens += sum(1 for _ in shared(pair))
        return pair

    def _unknown(self, pair: AnnotatedPair, label: str) -> PlainlyError:
        fault = UnknownName("label", label, self.typology.labels, self.typology.abbreviations)
        alias = Remedy("alias", f"{label}=LABEL", "to read it as another")
        return PlainlyError(f"pair {shown(pair.id)}: {fault}", remedy=alias)


def flag_not_alone(pairs: Sequence[AnnotatedPair]) -> Message:
    """Which faulty pairs have other labels: by the rules of ASSETann (appendix A, 3.2), the flag stands alone."""
    of_whom = [(pair, pair.annotator or pair.origin) for pair in pairs]
    named = [f"{shown(pair.id)} ({shown(who)})" if who else shown(pair.id) for pair, who in of_whom[:NAMED]]
    return message(
        "operations.read.not-alone",
        "faulty pairs that have other labels too: {count}; the flag stands alone; see pair {named}{more}",
        count=len(pairs),
        named=", ".join(named),
        more=" ..." if len(pairs) > NAMED else "",
    )


@contextmanager
def at(place: Place | str) -> Iterator[None]:
    """Faults inside name the place."""
    try:
        yield
    except PlainlyError as fault:
        raise PlainlyError(f"{place}: {fault.located}", remedy=fault.remedies) from None


def check_texts(pair: AnnotatedPair) -> None:
    """Refuse text that no file can hold."""
    for text in (pair.id, pair.origin, pair.annotator, *pair.source, *pair.target):
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise PlainlyError(f"half a character in {shown(text)}; was it cut in two?") from None
