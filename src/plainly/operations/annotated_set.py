"""Which texts do annotations speak of? Pairs gathered by source, with the texts that metrics are to score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from plainly.base.errors import PlainlyError
from plainly.base.groups import grouped
from plainly.operations.annotations import AnnotatedPair

T = TypeVar("T")


@dataclass(frozen=True)
class AnnotatedSet:
    """Sources, each with the texts that were made of it: `targets[i][k]` is what `pairs[i][k]` annotates."""

    ids: tuple[str, ...]
    sources: tuple[str, ...]
    targets: tuple[tuple[str, ...], ...]
    pairs: tuple[tuple[AnnotatedPair, ...], ...]
    lang: str = "en"

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def origins(self) -> tuple[str, ...]:
        """Where the targets come from: which reference, or which system."""
        return tuple(dict.fromkeys(pair.origin for group in self.pairs for pair in group))

    def unlike(self) -> int:
        """How many texts differ from their annotated tokens in more than white space: are files mixed up?"""
        count = 0
        for source, targets, pairs in zip(self.sources, self.targets, self.pairs, strict=True):
            count += "".join(source.split()) != "".join(pairs[0].source)
            count += sum("".join(t.split()) != "".join(p.target) for t, p in zip(targets, pairs, strict=True))
        return count


def annotated_set(
    pairs: Sequence[AnnotatedPair],
    *,
    raw_sources: Sequence[str] | None = None,
    raw_targets: Sequence[Sequence[str]] | None = None,
    lang: str = "en",
) -> AnnotatedSet:
    """The pairs by source, in the order in which sources first appear.

    The texts are the tokens with blanks between them, unless they are given: lines of sources, and lines of targets
    for each origin, in the order in which origins first appear. `in_order` says which line belongs to which source.
    """
    _check_distinct(pairs)
    together = grouped(pairs, lambda pair: pair.id)
    ids = tuple(together)
    sources = [" ".join(group[0].source) for group in together.values()]
    if raw_sources is not None:
        sources = in_order(ids, raw_sources, "the untokenised sources")
    targets = [[" ".join(pair.target) for pair in group] for group in together.values()]
    if raw_targets is not None:
        texts = _by_origin(ids, list(dict.fromkeys(pair.origin for pair in pairs)), raw_targets)
        targets = [[texts[pair.origin][i] for pair in group] for i, group in enumerate(together.values())]
    return AnnotatedSet(ids, tuple(sources), tuple(map(tuple, targets)), tuple(map(tuple, together.values())), lang)


def in_order(ids: Sequence[str], lines: Sequence[T], what: str) -> list[T]:
    """The line of each source: that of its number, counted from 0, where all ids are numbers of lines.

    Else there must be as many lines as sources, in their order.
    """
    if _numbers_of_lines(ids, len(lines)):
        return [lines[int(identity)] for identity in ids]
    if len(lines) != len(ids):
        raise PlainlyError(f"the annotations have {len(ids)} sources, but {what} have {len(lines)} lines")
    return list(lines)


def _numbers_of_lines(ids: Sequence[str], lines: int) -> bool:
    return all(identity.isdecimal() and len(identity) < 10 for identity in ids) and all(
        str(int(identity)) == identity and int(identity) < lines for identity in ids
    )


def _by_origin(
    ids: Sequence[str], origins: Sequence[str], raw_targets: Sequence[Sequence[str]]
) -> Mapping[str, list[str]]:
    if len(raw_targets) != len(origins):
        raise PlainlyError(
            f"the annotations have {len(origins)} origins ({', '.join(origins)}), but untokenised targets are given "
            f"for {len(raw_targets)}"
        )
    return {
        origin: in_order(ids, lines, f"the untokenised targets of {origin!r}")
        for origin, lines in zip(origins, raw_targets, strict=True)
    }


def _check_distinct(pairs: Sequence[AnnotatedPair]) -> None:
    """Refuses two annotations of one text, which would stand among its own references."""
    if not pairs:
        raise PlainlyError("there are no annotated pairs")
    seen: set[tuple[str, str]] = set()
    for pair in pairs:
        if (pair.id, pair.origin) in seen:
            origin = f" of {pair.origin!r}" if pair.origin else ""
            raise PlainlyError(f"pair {pair.id!r}{origin} is there twice; one annotation is needed, not two")
        seen.add((pair.id, pair.origin))
