"""Tags many pairs in several processes: most of the work is Python's own, which threads cannot share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from plainly.base.signature import Signature
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.tagger import kinds
from plainly.operations.tagger.labeller import Labeller
from plainly.operations.tagger.tagging import BATCH, annotate
from plainly.scoring.engines.processes import Processes
from plainly.scoring.evaluator import cores

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

    @cached_property
    def signature(self) -> Signature:
        """Which tagger it is here, with checksums of what its answers depend on."""
        labeller = self.load()
        return Signature("tagger", {"kind": labeller.name, "lang": self.lang, **labeller.signed})

    def annotate(self, pairs: Sequence[AnnotatedPair], processes: int | None = None) -> Iterator[AnnotatedPair]:
        """The pairs with the tagger's groups, in order. Results do not depend on the number of processes."""
        labeller = self.load()  # what is wrong with it is said here, not in another process
        count = min(processes or cores(), -(-len(pairs) // BATCH))
        if count <= 1 or (processes is None and (labeller.on_device or len(pairs) < WORTH_IT)):
            yield from annotate(pairs, labeller, self.lang)
            return
        batches = ((start, pairs[start : start + BATCH]) for start in range(0, len(pairs), BATCH))
        waiting: dict[int, list[AnnotatedPair]] = {}
        place = 0
        with Processes(count) as others:
            for start, done in others.run(_Work(self), batches):  # as they come, in any order
                waiting[start] = done
                while place in waiting:
                    yield from waiting.pop(place)
                    place += BATCH


@dataclass
class _Work:
    """What each of the other processes does; it loads its labeller once."""

    tagger: Tagger

    @cached_property
    def labeller(self) -> Labeller:
        return self.tagger.load()

    def __call__(self, batch: tuple[int, Sequence[AnnotatedPair]]) -> tuple[int, list[AnnotatedPair]]:
        return batch[0], list(annotate(batch[1], self.labeller, self.tagger.lang))
