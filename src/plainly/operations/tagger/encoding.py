"""From pairs of texts to what the network reads: columns put on one scale, sequences filled up to one length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from plainly.operations.tagger.alignment import Alignment, aligned
from plainly.operations.tagger.features import Columns, features
from plainly.operations.tagger.flat import Flat, Trees, connect, flatten, plant
from plainly.operations.tagger.labeller import Pair
from plainly.operations.tagger.lexicon import words_of
from plainly.operations.tagger.network import Array, Ints, Padded
from plainly.operations.tagger.syntax import analyse

CLIP = 4.0  # standard deviations: what is farther out is as far as this


@dataclass(frozen=True)
class Scale:
    """How columns become inputs: numbers by mean and spread, categories as one input for each value."""

    means: dict[str, float]
    spreads: dict[str, float]
    sizes: dict[str, int]

    @classmethod
    def of(cls, columns: Columns) -> Scale:
        """The scale on which these columns have mean 0 and spread 1."""
        return cls(
            {name: float(np.mean(values)) for name, values in columns.numbers.items()},
            {name: float(np.std(values)) or 1.0 for name, values in columns.numbers.items()},
            dict(columns.sizes),
        )

    @property
    def width(self) -> int:
        return len(self.means) + sum(self.sizes.values())

    def __call__(self, columns: Columns) -> Array:
        """One row a token."""
        names = list(self.means)
        rows = len(columns.numbers[names[0]])
        inputs = np.zeros((rows, self.width), np.float32)
        for place, name in enumerate(names):
            inputs[:, place] = (columns.numbers[name] - self.means[name]) / self.spreads[name]
        np.clip(inputs, -CLIP, CLIP, out=inputs)
        start = len(names)
        every = np.arange(rows)
        for name, size in self.sizes.items():
            inputs[every, start + columns.categories[name]] = 1
            start += size
        return inputs


class Prepared(NamedTuple):
    """Pairs with their alignments and the columns of both sides."""

    alignments: list[Alignment]
    flats: tuple[Flat, Flat]
    columns: tuple[Columns, Columns]


def prepare(pairs: Sequence[Pair], lang: str, *, parsed: bool) -> Prepared:
    """Everything that is known of the pairs; `parsed` says whether a parser reads them."""
    words = words_of(lang)
    alignments = [aligned(source, target, lang) for source, target in pairs]
    source, target = (flatten([pair[side] for pair in pairs], words) for side in (0, 1))
    gaps = connect(source, target, alignments)
    trees: tuple[Trees | None, Trees | None] = (None, None)
    if parsed:
        read = analyse([text for pair in pairs for text in pair], lang)
        trees = plant(source, read[::2]), plant(target, read[1::2])
    columns = features(source, target, gaps, *trees), features(target, source, gaps, *trees[::-1])
    return Prepared(alignments, (source, target), columns)


def padded(inputs: Array, side: Flat, other: Flat, chosen: Sequence[int], styles: Ints | None = None) -> Padded:
    """Some texts of a side as a batch; `styles` says whose annotation each text is, where that matters."""
    lengths = side.lengths[list(chosen)]
    places = max(1, int(lengths.max()))
    features = np.zeros((places, len(chosen), inputs.shape[1]), np.float32)
    mask = np.zeros((places, len(chosen)), np.float32)
    partner = np.full((places, len(chosen)), -1, np.int64)
    for column, text in enumerate(chosen):
        start, end = int(side.offsets[text]), int(side.offsets[text + 1])
        features[: end - start, column] = inputs[start:end]
        mask[: end - start, column] = 1
        there = side.partner[start:end]
        partner[: end - start, column] = np.where(there >= 0, there - other.offsets[text], -1)
    style = np.zeros(len(chosen), np.int64) if styles is None else styles[list(chosen)]
    return Padded(features, mask, partner, style)


def batches(lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """All texts, those of about the same length together."""
    order = sorted(range(len(lengths)), key=lambda i: lengths[i])
    for start in range(0, len(order), size):
        yield order[start : start + size]
