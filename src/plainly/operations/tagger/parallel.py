"""Tags many pairs in several processes: most of the work is Python's own, which threads cannot share."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from plainly.operations.annotations import AnnotatedPair
from plainly.operations.tagger import kinds
from plainly.operations.tagger.labeller import Labeller
from plainly.operations.tagger.tagging import BATCH, annotate

WORTH_IT = 8 * BATCH  # pairs: a process takes some seconds to begin


@dataclass(frozen=True)
class Tagger:
    """Which labeller is to be loaded, in this process or in others."""

    kind: str
    lang: str
    commercial: bool = False
    path: str | None = None

    def load(self) -> Labeller:
        return kinds.load(self.kind, self.lang, commercial=self.commercial, path=self.path)

    def annotate(self, pairs: Sequence[AnnotatedPair], processes: int | None = None) -> Iterator[AnnotatedPair]:
        """The pairs with the tagger's groups, in order. Results do not depend on the number of processes."""
        labeller = self.load()  # what is wrong with it is said here, not in another process
        count = min(processes or _cores(), -(-len(pairs) // BATCH))
        if count <= 1 or (processes is None and len(pairs) < WORTH_IT):
            yield from annotate(pairs, labeller, self.lang)
            return
        batches = [pairs[start : start + BATCH] for start in range(0, len(pairs), BATCH)]
        with ProcessPoolExecutor(count, get_context("spawn"), _Work.begin, (self,)) as pool:
            for done in pool.map(_Work.annotate, batches):
                yield from done


class _Work:
    """What each of the other processes keeps."""

    tagger: Tagger
    labeller: Labeller

    @classmethod
    def begin(cls, tagger: Tagger) -> None:
        cls.tagger, cls.labeller = tagger, tagger.load()

    @classmethod
    def annotate(cls, pairs: Sequence[AnnotatedPair]) -> list[AnnotatedPair]:
        return list(annotate(pairs, cls.labeller, cls.tagger.lang))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
