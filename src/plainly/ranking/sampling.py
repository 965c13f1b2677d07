"""Draws texts to be ranked from parallel corpora, as section 4 of Engelmann et al. (2024) does.

Half of the texts are sources, half simplifications, never both sides of one pair. The next text always comes from the
side, then the domain, then the corpus that has given fewest so far. Where one runs out of texts, the others make up
for it. Within a corpus, pairs come in random order.

Two texts are duplicates if they have the same words in the same order, and near-duplicates if the Jaccard similarity
of their sets of words is high: words in both, as a share of the words in either. Words are runs of letters and
digits without regard to case; in scripts without blanks, each character counts as a word.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.ranking.repair import Repaired

Label = Literal["source", "simplified"]
Mend = Callable[[str], Repaired]

LABELS: tuple[Label, Label] = ("source", "simplified")
NEAR = 0.5
"""From this similarity on, two texts are near-duplicates."""
_WITHOUT_BLANKS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_WITHOUT_BLANKS}]|[^\W{_WITHOUT_BLANKS}]+")


@dataclass(frozen=True)
class TextPair:
    """A source and its simplifications, of which at most one text is drawn."""

    source: str
    simplified: tuple[str, ...]
    domain: str = ""
    place: str = ""
    """Where it stands, for the record: corpus and line."""


@dataclass(frozen=True)
class Drawn:
    """A text to be ranked."""

    id: str
    text: str
    label: Label
    corpus: str
    domain: str
    place: str
    original: str
    """As it stood in its corpus."""
    rules: tuple[str, ...]
    """Which repairs changed it."""


@dataclass(frozen=True)
class Sample:
    """The texts, and what was passed over on the way."""

    texts: tuple[Drawn, ...]
    passed_over: Mapping[str, int] = field(hash=False)
    limit: int | None
    """Characters of the longest text that was allowed."""
    near: float
    seed: int


def draw_texts(
    corpora: Mapping[str, Sequence[TextPair]],
    count: int,
    *,
    limit: int | None = None,
    cut_longest: float = 0.0,
    near: float = NEAR,
    exclude: Iterable[str] = (),
    mend: Mend | None = None,
    seed: int = 12345,
) -> Sample:
    """Draw `count` texts; an odd one more is a source.

    `limit` is the longest length in characters. `cut_longest` leaves out this share of the longest texts, where each
    corpus weighs the same. `exclude` are texts that must not come again, such as those of an earlier dataset.
    """
    _check(corpora, count, limit, cut_longest, near)
    if cut_longest:
        shortest_cut = _quantile(corpora, 1 - cut_longest)
        limit = shortest_cut if limit is None else min(limit, shortest_cut)
    draw = np.random.default_rng(seed)
    mender = mend or (lambda text: Repaired(text, ()))
    filters = _Filters(limit, near, exclude)
    sources = _Sources(corpora, draw)
    drawn: list[tuple[str, TextPair, Label, str, Repaired]] = []
    sides: Counter[Label] = Counter()
    while len(drawn) < count:
        label: Label = LABELS[sides["source"] > sides["simplified"]]
        found = next(
            (
                (name, pair, text, mended)
                for name, pair, text in sources.candidates(label)
                if filters.admits(mended := mender(text))
            ),
            None,
        )
        if found is None:
            raise PlainlyError(_exhausted(count, len(drawn), label, corpora, filters))
        name, pair, text, mended = found
        sources.take(name, pair, label)
        sides[label] += 1
        drawn.append((name, pair, label, text, mended))
    width = len(str(count - 1))
    texts = []
    for number, place in enumerate(draw.permutation(count).tolist()):  # the id tells nothing about the text
        name, pair, label, text, mended = drawn[place]
        texts.append(
            Drawn(f"t{number:0{width}}", mended.text, label, name, pair.domain, pair.place, text, mended.rules)
        )
    return Sample(tuple(texts), filters.counts, limit, near, seed)


def words(text: str) -> list[str]:
    """The words that decide whether two texts are duplicates."""
    return _WORD.findall(text.casefold())


class _Sources:
    """The pairs of all corpora that are left, in random order, and how many texts each part has given."""

    def __init__(self, corpora: Mapping[str, Sequence[TextPair]], draw: np.random.Generator) -> None:
        parts: dict[tuple[str, str], list[TextPair]] = defaultdict(list)
        for name, pairs in corpora.items():
            for place in draw.permutation(len(pairs)).tolist():
                parts[pairs[place].domain, name].append(pairs[place])
        self._left = {(part, label): list(reversed(pairs)) for part, pairs in parts.items() for label in LABELS}
        self._order = dict(zip(parts, draw.permutation(len(parts)).tolist(), strict=True))
        self._choice = draw
        self._used: set[int] = set()
        self._given: Counter[tuple[str, Label]] = Counter()

    def candidates(self, label: Label) -> Iterator[tuple[str, TextPair, str]]:
        """Texts of one side, from the part whose turn it is; what is handed out does not come again."""
        parts = sorted(self._order, key=lambda part: self._turn(part, label))
        for part in parts:
            left = self._left[part, label]
            while left:
                pair = left.pop()
                if id(pair) in self._used:
                    continue
                texts = [pair.source] if label == "source" else pair.simplified
                texts = [text for text in texts if text.strip()]
                if label == "simplified":  # a text that nobody simplified belongs to neither side
                    texts = [text for text in texts if words(text) != words(pair.source)]
                if texts:
                    yield part[1], pair, texts[int(self._choice.integers(len(texts)))]

    def take(self, name: str, pair: TextPair, label: Label) -> None:
        """This text is drawn: its pair gives no other."""
        self._used.add(id(pair))
        self._given[f"domain {pair.domain}", label] += 1
        self._given[f"corpus {name}", label] += 1

    def _turn(self, part: tuple[str, str], label: Label) -> tuple[int, int, int]:
        domain, name = part
        return self._given[f"domain {domain}", label], self._given[f"corpus {name}", label], self._order[part]


class _Filters:
    """Refuses texts that are too long or were there before, and counts why."""

    def __init__(self, limit: int | None, near: float, exclude: Iterable[str]) -> None:
        self._limit, self._near = limit, near
        self._exact: set[tuple[str, ...]] = set()
        self._sets: list[frozenset[str]] = []
        self._holders: dict[str, list[int]] = defaultdict(list)
        self.counts = {"too long": 0, "without words": 0, "duplicate": 0, "near-duplicate": 0}
        for text in exclude:
            self._remember(words(text))

    def admits(self, mended: Repaired) -> bool:
        """Whether the text is new; if so, it is remembered."""
        found = words(mended.text)
        reason = self._reason(mended.text, found)
        if reason:
            self.counts[reason] += 1
            return False
        self._remember(found)
        return True

    def _reason(self, text: str, found: list[str]) -> str | None:
        if self._limit is not None and len(text) > self._limit:
            return "too long"
        if not found:
            return "without words"
        if tuple(found) in self._exact:
            return "duplicate"
        here = frozenset(found)
        # A near-duplicate shares at least this part of the words, hence one of the rarest that make up the rest.
        must_share = math.ceil(self._near * len(here))
        rarest = sorted(here, key=lambda word: (len(self._holders.get(word, ())), word))
        for number in {n for word in rarest[: len(here) - must_share + 1] for n in self._holders.get(word, ())}:
            both = len(here & self._sets[number])
            if both >= self._near * (len(here) + len(self._sets[number]) - both):
                return "near-duplicate"
        return None

    def _remember(self, found: list[str]) -> None:
        self._exact.add(tuple(found))
        for word in set(found):
            self._holders[word].append(len(self._sets))
        self._sets.append(frozenset(found))


def _quantile(corpora: Mapping[str, Sequence[TextPair]], share: float) -> int:
    """The length in characters up to which this share of the texts goes, each corpus with the same weight."""
    lengths, weights = [], []
    for pairs in corpora.values():
        own = [len(text) for pair in pairs for text in (pair.source, *pair.simplified) if text.strip()]
        lengths += own
        weights += [1 / len(own)] * len(own)
    if not lengths:
        return 0
    order = np.argsort(lengths, kind="stable")
    up_to = np.cumsum(np.asarray(weights)[order])
    place = int(np.searchsorted(up_to, share * up_to[-1] - 1e-9))
    return int(np.asarray(lengths)[order][place])


def _exhausted(
    count: int, found: int, label: Label, corpora: Mapping[str, Sequence[TextPair]], filters: _Filters
) -> str:
    reasons = ", ".join(f"{number} {reason}" for reason, number in filters.counts.items() if number)
    pairs = sum(map(len, corpora.values()))
    kind = "source texts" if label == "source" else "simplified texts"
    return (
        f"{count} texts cannot be drawn: no {kind} are left after {found}; there are {pairs} pairs in "
        f"{len(corpora)} {'corpus' if len(corpora) == 1 else 'corpora'}"
        + (f" (passed over: {reasons})" if reasons else "")
    )


def _check(
    corpora: Mapping[str, Sequence[TextPair]], count: int, limit: int | None, cut_longest: float, near: float
) -> None:
    if count < 2:
        raise PlainlyError(f"a ranking needs at least 2 texts, not {count}")
    if not corpora:
        raise PlainlyError("there is no corpus to draw from")
    if limit is not None and limit < 1:
        raise PlainlyError(f"the longest text must have at least 1 character, not {limit}")
    if not 0 <= cut_longest < 1:
        raise PlainlyError(f"the share of the longest texts must lie from 0 to below 1, not {cut_longest:g}")
    if not 0 < near <= 1:
        raise PlainlyError(f"the similarity of near-duplicates must lie above 0 and not above 1, not {near:g}")
