"""The pairs of a new campaign: annotated files, or texts that are cut into words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plainly.base.errors import Place, PlainlyError
from plainly.corpus.readers.files import MAX_RECORD, LineFile, open_input, shown
from plainly.corpus.readers.jsonl import parse_object
from plainly.corpus.readers.problems import Problems
from plainly.corpus.readers.rows import Needed, cell_text, table_rows
from plainly.operations import AnnotatedPair, Group, Typology, check, read_jsonl, read_yawat
from plainly.operations.annotations import shared
from plainly.operations.reading_rules import NAMED, Notes, Rules
from plainly.operations.tagger import AUTO, Tagger, advice, tokens
from plainly.operations.typology import SIDES
from plainly.studio.kinds.base import FileSlot

SOURCE = ("source",)
TARGET = ("simplification", "target")
ORIGIN = ("origin", "system")
MOST_TOKENS = 1_000
"""On one side: what a person can still annotate, and a page can still show."""
NOTHING, FILE = "nothing", "file"
PAIRS = FileSlot(
    "pairs",
    (".jsonl", ".ndjson", ".csv", ".tsv", ".aln"),
    columns={
        "source": ("original", "complex", "src", "normal"),
        "simplification": ("target", "simplified", "output", "simple", "generation"),
        "id": ("key", "number", "nr"),
        "origin": ("system", "model"),
    },
    needed=("source", "simplification"),
    more=True,
)


@dataclass(frozen=True)
class Wanted:
    """What the owner chose for the reading of pairs."""

    lang: str
    """Empty where it was not said."""
    tokenized: bool
    start: str
    """nothing, file, or a kind of tagger."""
    typology: Typology
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other names in the file for labels."""
    leave_out: bool = False
    """Pairs with labels that nobody knows, in place of refusing the file."""
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    there: int = 0
    """Pairs that the campaign has already: those without ids are numbered after them."""


@dataclass(frozen=True)
class _Forgiving(Rules):
    """Unknown labels are no fault. Who reads so leaves their pairs out."""

    unknown: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """Labels by the id and the origin of their pair."""

    def accepted(self, pair: AnnotatedPair) -> AnnotatedPair:
        strange = {group.label for group in pair.groups} - set(self.typology.labels)
        if strange:
            self.unknown.setdefault((pair.id, pair.origin), set()).update(strange)
            return pair
        return super().accepted(pair)


def aliases_of(lines: Sequence[str]) -> dict[str, str]:
    """From lines as `literal = synonym`: what a file calls a label, and the label."""
    found: dict[str, str] = {}
    for line in lines:
        name, equals, label = (part.strip() for part in line.partition("="))
        if not (name and equals and label):
            raise PlainlyError(f"an alias is written as literal = synonym, not {shown(line)}")
        if found.setdefault(name, label) != label:
            raise PlainlyError(f"there are two aliases for {shown(name)}")
    return found


def read_pairs(files: Mapping[str, Path], wanted: Wanted) -> tuple[list[AnnotatedPair], list[str]]:
    """The pairs with the groups that work begins with, and what the owner should know."""
    path = files["pairs"]
    if not wanted.lang and wanted.start not in (NOTHING, FILE):
        raise PlainlyError("the tagger must know the language of the texts: choose it")
    rules = (_Forgiving if wanted.leave_out else Rules)(wanted.typology, wanted.aliases)
    if path.name.lower().removesuffix(".gz").endswith(".aln"):
        if "crp" not in files:
            raise PlainlyError(f"{shown(path.name)} holds no words; give the .crp file that belongs to it")
        pairs = read_yawat(path, crp=files["crp"], rules=rules)
    elif "crp" in files:
        raise PlainlyError(f"{shown(path.name)} brings its own words; leave the .crp file out")
    elif is_annotated(path):
        pairs = read_jsonl(path, rules=rules, passed_over=("why",))
    else:
        if wanted.start == FILE:
            raise PlainlyError(f"{shown(path.name)} holds texts without annotations; begin with something else")
        if not wanted.lang and not wanted.tokenized:
            raise PlainlyError("texts are cut into words by the rules of their language: choose it")
        pairs = list(_texts(path, wanted))
    notes = _said(rules.notes, wanted)
    if isinstance(rules, _Forgiving) and rules.unknown:
        pairs = [pair for pair in pairs if (pair.id, pair.origin) not in rules.unknown]
        labels = sorted(set().union(*rules.unknown.values()))
        named = ", ".join(map(shown, labels[:NAMED])) + (" ..." if len(labels) > NAMED else "")
        notes.append(f"pairs left out because they have unknown labels: {len(rules.unknown)}; labels: {named}")
    once = _once(pairs, wanted.start == FILE)
    if len(once) < len(pairs):
        notes.append(f"pairs that are there several times: {len(pairs) - len(once)}; each is annotated once")
    kept = [pair for pair in once if pair.source or pair.target]
    if len(kept) < len(once):
        notes.append(f"pairs left out because both sides are empty: {len(once) - len(kept)}")
    if not kept:
        raise PlainlyError(f"{shown(path.name)} holds no pair")
    problems = Problems()
    for pair in kept:
        with problems.caught():
            _check_length(pair)
    problems.refuse()
    if wanted.start == AUTO:
        notes += [note.message.text() for note in advice(wanted.lang)]
    return _begun(kept, wanted), notes


def is_annotated(path: Path) -> bool:
    """Whether JSONL brings tokens: a list where others have a text."""
    if not path.name.lower().removesuffix(".gz").endswith((".jsonl", ".ndjson")):
        return False
    with open_input(str(path)) as file:
        first = next(iter(LineFile(file, MAX_RECORD)))
        return isinstance(parse_object(Place(file.name, 1), first).get("source"), list)


def _texts(path: Path, wanted: Wanted) -> Iterator[AnnotatedPair]:
    needed = Needed.of(SOURCE[0], TARGET[0], also=(*SOURCE, *TARGET))
    for number, (where, row) in enumerate(table_rows(path, needed, wanted.columns.get(PAIRS.name)), wanted.there + 1):
        source, target = (_cell(row, names, where, needed=True) for names in (SOURCE, TARGET))
        cut = [tokens(text, wanted.lang, tokenized=wanted.tokenized) for text in (source, target)]
        identity = _cell(row, ("id",), where) or str(number)
        yield AnnotatedPair(identity, cut[0], cut[1], (), _cell(row, ORIGIN, where))


def _cell(row: Mapping[str, Any], names: tuple[str, ...], where: Place, *, needed: bool = False) -> str:
    name = next((name for name in names if name in row), None)
    if name is None:
        if needed:
            raise PlainlyError(f"the column {' or '.join(names)} is missing", place=where)
        return ""
    return cell_text(row[name], where, name)


def _once(pairs: list[AnnotatedPair], annotated: bool) -> list[AnnotatedPair]:
    """Each pair once: files of several annotators have it several times."""
    found: dict[tuple[str, str], AnnotatedPair] = {}
    problems = Problems()
    for pair in pairs:
        first = found.setdefault((pair.id, pair.origin), pair)
        if first is not pair:
            with problems.caught():
                _check_twice(first, pair, annotated)
    problems.refuse()
    return list(found.values())


def _check_twice(first: AnnotatedPair, pair: AnnotatedPair, annotated: bool) -> None:
    if annotated:
        by = f"by {shown(first.annotator)!r} and {shown(pair.annotator)!r}"
        raise PlainlyError(f"pair {shown(pair.id)} is there twice, {by}; work can begin with one of them only")
    if (first.source, first.target) != (pair.source, pair.target):
        raise PlainlyError(f"pair {shown(pair.id)} is there twice, with different words")


def _check_length(pair: AnnotatedPair) -> None:
    for side in SIDES:
        if len(pair.tokens(side)) > MOST_TOKENS:
            raise PlainlyError(
                f"pair {shown(pair.id)}: the {side} has {len(pair.tokens(side)):,} words; "
                f"at most {MOST_TOKENS:,} can be shown"
            )


def _begun(pairs: list[AnnotatedPair], wanted: Wanted) -> list[AnnotatedPair]:
    """The pairs with the groups that work begins with."""
    if wanted.start == NOTHING:
        return [replace(pair, groups=()) for pair in pairs]
    if wanted.start == FILE:
        return [_separate(pair, wanted.typology) for pair in pairs]
    tagged = list(Tagger(wanted.start, wanted.lang).annotate(pairs, processes=1))
    for pair in tagged:
        try:
            check(pair, wanted.typology)
        except PlainlyError as error:
            raise PlainlyError(f"the tagger's labels are not those of {wanted.typology.name}: {error}") from None
    return tagged


def _separate(pair: AnnotatedPair, typology: Typology) -> AnnotatedPair:
    """No token in two groups: the last group keeps it. A group that can no longer stand is dropped."""
    if not any(True for _ in shared(pair)):
        return pair
    taken: set[tuple[str, int]] = set()
    kept: list[Group] = []
    for group in reversed(pair.operations):
        left = {side: tuple(p for p in group.positions(side) if (side, p) not in taken) for side in SIDES}
        taken.update((side, position) for side in SIDES for position in left[side])
        smaller = Group(left["source"], left["target"], group.label)
        if (smaller.source or smaller.target) and smaller.shape in typology.labels[group.label].shapes:
            kept.append(smaller)
    flag = [group for group in pair.groups if group not in pair.operations]
    return replace(pair, groups=(*reversed(kept), *flag))


def _said(notes: Notes, wanted: Wanted) -> list[str]:
    """What the reader accepted; about groups only where they are used."""
    if wanted.start != FILE:
        notes = replace(notes, shared_tokens=0, not_alone=[])
    return [one.message.text() for one in notes.told()]
