"""The tagger on 10,000 pairs, with the kinds that need no torch, beside the minute that it may take."""

from __future__ import annotations

from itertools import cycle, islice

from benchmarks.data import Data
from benchmarks.speed import Rows, best
from plainly.operations import AnnotatedPair
from plainly.operations.tagger import Tagger, tokens

PAIRS = 10_000
ALLOWED = 60.0


def run(data: Data) -> Rows:
    texts = [
        (source, output)
        for outputs in data.systems.values()
        for source, output in zip(data.sources, outputs, strict=True)
    ]
    cut = [(tokens(source, "en"), tokens(output, "en")) for source, output in texts]
    pairs = [AnnotatedPair(str(i), *pair, groups=()) for i, pair in enumerate(islice(cycle(cut), PAIRS))]
    rows: Rows = []
    for level in ("rules", "learned"):
        tagger = Tagger(level, "en")
        seconds = best(lambda tagger=tagger: list(tagger.annotate(pairs)), 1)
        rows.append([f"tagging {PAIRS:,} pairs by {tagger.load().name}", ALLOWED, seconds, ALLOWED / seconds])
    return rows
