"""Annotations as YAWAT has them: an .aln file with the groups, and the tokens in a .crp file or in line files.

A line of an .aln file is `ID SOURCE:TARGET:LABEL ...`. SOURCE and TARGET are token positions, from 0 on, with commas
between them; either may be empty. Tokens are what `str.split` gives. A .crp file has three lines a pair: its id, the
source, the target. With line files, the id of a pair is the number of its line, from 0 on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from plainly.base.errors import PlainlyError
from plainly.base.records import Target, opened
from plainly.corpus.readers.files import LineFile, open_input, shown
from plainly.operations.annotations import AnnotatedPair, Group
from plainly.operations.reading_rules import Rules, at, check_texts
from plainly.operations.typology import SIDES, Side

MOST_DIGITS = 9  # no text has more tokens than that
Texts = dict[str, tuple[tuple[str, ...], tuple[str, ...]]]  # id -> tokens of source and target


class _Line(NamedTuple):
    place: str
    id: str
    groups: tuple[Group, ...]


def read_yawat(
    aln: Path | str,
    sources: Path | str | None = None,
    targets: Path | str | None = None,
    crp: Path | str | None = None,
    origin: str = "",
    annotator: str = "",
    rules: Rules | None = None,
) -> list[AnnotatedPair]:
    """The pairs of an .aln file, with the tokens of a .crp file or of two line files."""
    rules = rules or Rules()
    lines = _lines(str(aln), rules)
    if crp is not None and sources is None and targets is None:
        texts, home = _crp_texts(str(crp)), shown(str(crp))
    elif crp is None and sources is not None and targets is not None:
        texts, home = _line_texts(str(sources), str(targets)), shown(str(sources))
    else:
        raise PlainlyError(f"{shown(str(aln))} holds no tokens; give sources and targets, or a crp file")
    pairs = []
    for line in lines:
        with at(line.place):
            if line.id not in texts:
                raise PlainlyError(f"pair {line.id} is not in {home}, which has {len(texts)} pairs")
            pairs.append(rules.accepted(AnnotatedPair(line.id, *texts[line.id], line.groups, origin, annotator)))
    there = {line.id for line in lines}
    for identity in texts:
        if identity not in there:
            sizes = f"{shown(str(aln))} has {len(lines)} pairs, but {home} has {len(texts)}"
            raise PlainlyError(f"{sizes}; pair {shown(identity)} has no line")
    return pairs


def _lines(path: str, rules: Rules) -> list[_Line]:
    lines: dict[str, _Line] = {}
    with open_input(path) as file:
        for number, text in enumerate(LineFile(file), 1):
            parts = text.split()
            if not parts:
                rules.notes.blank_lines += 1
                continue
            place = f"{file.name}:{number}"
            with at(place):
                identity = _id(parts[0])
                if identity in lines:
                    raise PlainlyError(f"pair {identity} is there twice, also in {lines[identity].place}")
                with at(f"pair {identity}"):
                    lines[identity] = _Line(place, identity, tuple(_group(part, rules) for part in parts[1:]))
    return list(lines.values())


def _id(text: str) -> str:
    if ":" in text or not text.isprintable():
        raise PlainlyError(f"a line begins with the id of its pair, not with {shown(text)}")
    return text


def _group(text: str, rules: Rules) -> Group:
    parts = text.split(":")
    if len(parts) != 3 or not parts[2]:
        raise PlainlyError(f"a group is SOURCE:TARGET:LABEL, such as 3,4:2:synonym or 5::delcst, not {shown(text)}")
    source, target, label = parts
    return Group(_positions(source, text), _positions(target, text), rules.label(label))


def _positions(text: str, whole: str) -> tuple[int, ...]:
    numbers = text.split(",") if text else []
    for number in numbers:
        if not (number.isascii() and number.isdecimal() and len(number) <= MOST_DIGITS):
            raise PlainlyError(f"{shown(number)!r} in {shown(whole)} is no token position")
    return tuple(sorted(map(int, numbers)))


def _crp_texts(path: str) -> Texts:
    texts: Texts = {}
    with open_input(path) as file:
        lines = list(LineFile(file))
    if len(lines) % 3:
        raise PlainlyError(f"{file.name} has {len(lines)} lines; a crp file has three a pair: id, source, target")
    for start in range(0, len(lines), 3):
        identity = lines[start].strip()
        place = f"{file.name}:{start + 1}"
        if not identity or len(identity.split()) > 1 or not identity.isprintable():
            raise PlainlyError(f"{place}: here must be the id of a pair, one word, not {shown(identity)!r}")
        if identity in texts:
            raise PlainlyError(f"{place}: pair {identity} is there twice")
        texts[identity] = (tuple(lines[start + 1].split()), tuple(lines[start + 2].split()))
    return texts


def _line_texts(sources: str, targets: str) -> Texts:
    sides = []
    for path in (sources, targets):
        with open_input(path) as file:
            sides.append([tuple(line.split()) for line in LineFile(file)])
    first, second = (len(side) for side in sides)
    if first != second:
        raise PlainlyError(f"{shown(targets)} has {second} lines, but {shown(sources)} has {first}")
    return {str(number): pair for number, pair in enumerate(zip(*sides, strict=True))}


def write_yawat(pairs: Sequence[AnnotatedPair], aln: Target, crp: Target = None) -> None:
    """Write pairs to an .aln file and their tokens to a .crp file, each as a whole or not at all.

    YAWAT has no place for confidence, origin and annotator, and none for tokens with white space: those are refused.
    """
    _check_writable(pairs)
    with opened(aln) as out:
        for pair in pairs:
            out.write(" ".join([pair.id, *(_written(group) for group in pair.groups)]) + "\n")
    if crp is not None:
        with opened(crp) as out:
            for pair in pairs:
                out.write(f"{pair.id}\n{' '.join(pair.source)}\n{' '.join(pair.target)}\n")


def _written(group: Group) -> str:
    return f"{','.join(map(str, group.source))}:{','.join(map(str, group.target))}:{group.label}"


def _check_writable(pairs: Iterable[AnnotatedPair]) -> None:
    seen = set()
    for pair in pairs:
        if len(pair.id.split()) != 1 or pair.id.strip() != pair.id or ":" in pair.id or not pair.id.isprintable():
            raise PlainlyError(f"YAWAT ids are one word without a colon, not {shown(pair.id)!r}")
        if pair.id in seen:
            raise PlainlyError(f"pair {pair.id} is there twice; a YAWAT file has one simplification of each source")
        seen.add(pair.id)
        with at(f"pair {pair.id}"):
            check_texts(pair)
            for side in SIDES:
                _check_tokens(side, pair.tokens(side))


def _check_tokens(side: Side, tokens: Sequence[str]) -> None:
    for number, token in enumerate(tokens):
        if token.split() != [token] or "\0" in token:
            what = f"{side} token {number} ({shown(token)!r}) is empty or has white space"
            raise PlainlyError(f"{what}, which YAWAT files cannot hold; write JSONL")
