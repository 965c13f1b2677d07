"""Which references count? Ways to choose among the annotated references of each source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.readers.files import LineFile, open_input, shown
from plainly.operations.annotated_set import AnnotatedSet
from plainly.operations.expressions import Expression

Members = tuple[tuple[int, ...], ...]  # for each source, which of its references are chosen
Outputs = Mapping[str, Sequence[str | None]]


def everything(data: AnnotatedSet) -> Members:
    """All references."""
    return tuple(tuple(range(len(group))) for group in data.pairs)


def select(data: AnnotatedSet, expression: Expression, within: Expression | None = None) -> Members:
    """The references for which the expression holds, and `within` too."""
    return tuple(
        tuple(k for k, pair in enumerate(group) if expression(pair) and (within is None or within(pair)))
        for group in data.pairs
    )


def corpus_of(data: AnnotatedSet, members: Members, outputs: Outputs) -> Corpus:
    """The sources that keep a reference, with those references and the outputs."""
    kept = [i for i, chosen in enumerate(members) if chosen]
    return Corpus(
        [data.sources[i] for i in kept],
        [[data.targets[i][k] for k in members[i]] for i in kept],
        {system: [texts[i] for i in kept] for system, texts in outputs.items()},
        [data.ids[i] for i in kept],
        lang=data.lang,
    )


@dataclass(frozen=True)
class Size:
    """How many sources and references a subset has."""

    sources: int
    references: int
    fewest: int
    most: int


Sizes = Mapping[str, Size]  # of subsets by name


def sizes(subsets: Mapping[str, Members]) -> Sizes:
    """What subsets leave of the test set; an empty one is refused."""
    found = {}
    for name, members in subsets.items():
        counts = [len(chosen) for chosen in members if chosen]
        if not counts:
            raise PlainlyError(f"subset {name!r} is empty: no reference is like that")
        found[name] = Size(len(counts), sum(counts), min(counts), max(counts))
    return found


def sizes_data(found: Sizes) -> list[dict[str, Any]]:
    """As they stand in JSON."""
    return [{"subset": name, **vars(size)} for name, size in found.items()]


def random_members(members: Members, pool: Members, draw: int, seed: int) -> Members:
    """For each source as many references of the pool as the subset has.

    A draw depends on its number and the seed alone, so that all subsets of a run meet the same order of references.
    """
    most = max((chosen[-1] + 1 for chosen in pool if chosen), default=0)
    keys = np.random.default_rng([seed, draw]).random((len(pool), most))
    return tuple(
        tuple(sorted(sorted(allowed, key=row.__getitem__)[: len(chosen)]))
        for chosen, allowed, row in zip(members, pool, keys, strict=True)
    )


def members_table(data: AnnotatedSet, subsets: Mapping[str, Members]) -> str:
    """Which reference is in which subset, as `read_members` reads it."""
    lines = [["id", "origin", *subsets]]
    for i, group in enumerate(data.pairs):
        for k, pair in enumerate(group):
            lines.append([pair.id, pair.origin, *(str(int(k in members[i])) for members in subsets.values())])
    for value in (cell for line in lines for cell in line if not cell.isprintable()):
        raise PlainlyError(f"{value!r} cannot stand in a table of members: it has a tab or another control character")
    return "".join("\t".join(line) + "\n" for line in lines)


def read_members(path: str, data: AnnotatedSet) -> dict[str, Members]:
    """Subsets from a table, tabs between its columns: id, origin, and for each subset a column of 0 and 1.

    Other columns do not count. Every reference must have a line.
    """
    with open_input(path) as file:
        lines = [line.split("\t") for line in LineFile(file)]
    name = shown(path)
    header = lines[0]
    if len(header) < 3:
        raise PlainlyError(f"{name}:1: the columns are id, origin and at least one subset, with tabs between them")
    place = {(pair.id, pair.origin): (i, k) for i, group in enumerate(data.pairs) for k, pair in enumerate(group)}
    cells: dict[tuple[int, int], list[str]] = {}
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(header):
            raise PlainlyError(f"{name}:{number}: it has {len(line)} columns, the first line {len(header)}")
        if (line[0], line[1]) not in place:
            raise PlainlyError(
                f"{name}:{number}: no annotation of {shown(line[0])!r} has the origin {shown(line[1])!r}"
            )
        if place[line[0], line[1]] in cells:
            raise PlainlyError(f"{name}:{number}: {shown(line[0])!r} of {shown(line[1])!r} is there twice")
        cells[place[line[0], line[1]]] = line
    for (identity, origin), at in place.items():
        if at not in cells:
            raise PlainlyError(f"{name}: {shown(identity)!r} of {shown(origin)!r} is missing")
    found = {}
    for column, subset in enumerate(header[2:], 2):
        if {line[column] for line in cells.values()} <= {"0", "1"}:
            found[subset] = tuple(
                tuple(k for k in range(len(group)) if cells[i, k][column] == "1")
                for i, group in enumerate(data.pairs)
            )
    if not found:
        raise PlainlyError(f"{name}: no column holds only 0 and 1")
    return found
