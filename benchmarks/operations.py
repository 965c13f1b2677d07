"""The tagger on 1,000 pairs, with the kinds that need no torch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import cycle, islice

from benchmarks.data import Data
from benchmarks.rows import Row, timed
from plainly.operations import AnnotatedPair
from plainly.operations.tagger import Tagger, tokens

PAIRS = 1_000


def run(data: Data) -> list[Row]:
    texts = [
        (source, output)
        for outputs in data.systems.values()
        for source, output in zip(data.sources, outputs, strict=True)
    ]
    cut = [(tokens(source, "en"), tokens(output, "en")) for source, output in texts]
    pairs = [AnnotatedPair(str(i), *pair, groups=()) for i, pair in enumerate(islice(cycle(cut), PAIRS))]
    taggers = [Tagger(level, "en") for level in ("rules", "learned")]
    return [
        Row(
            f"tagging {PAIRS:,} pairs by {tagger.load().name}",
            timed(partial(_tag, tagger, pairs)),
        )
        for tagger in taggers
    ]


def _tag(tagger: Tagger, pairs: Sequence[AnnotatedPair]) -> list[AnnotatedPair]:
    return list(tagger.annotate(pairs))
