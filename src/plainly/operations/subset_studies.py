"""Subsets of references as whole studies: how large they are, what systems score on them, and a table of a paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message, message
from plainly.base.plain_data import plain_data
from plainly.inference.resampling import USUAL, Resampling
from plainly.metrics import Metric
from plainly.operations.annotated_set import AnnotatedSet
from plainly.operations.expressions import Expression
from plainly.operations.replication import FORMS, Replicated, mean_changes, table_4
from plainly.operations.selection import Members, Outputs, Size, everything, select, size
from plainly.operations.subsets import DRAWS, Progress, SubsetScore, study, summaries
from plainly.operations.wording import drawn, signatures

Subsets = Mapping[str, Members]


@dataclass(frozen=True)
class Sizes:
    """How large subsets are."""

    sizes: Mapping[str, Size] = field(hash=False)

    @classmethod
    def of(cls, subsets: Subsets) -> Sizes:
        """Those of subsets; an empty one is refused."""
        for name, members in subsets.items():
            if not any(members):
                raise PlainlyError(f"subset {name!r} is empty: no reference is like that")
        return cls({name: size(members) for name, members in subsets.items()})

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {"sizes": [{"subset": name, **vars(found)} for name, found in self.sizes.items()], "notes": []}


@dataclass(frozen=True)
class Scored:
    """What systems score on subsets, beside all references and beside random ones."""

    sizes: Sizes
    scores: tuple[SubsetScore, ...]
    sources: int
    references: int
    within: str | None
    """From which references random ones are drawn; None: from all."""
    draws: int
    resampling: Resampling
    signatures: tuple[str, ...]

    @property
    def notes(self) -> list[Message]:
        """What a reader of the numbers should know."""
        return list(self._notes())

    def _notes(self) -> Iterator[Message]:
        yield message(
            "operations.whole",
            "all: {sources} sources, {references} references; change: subset less all",
            sources=self.sources,
            references=self.references,
        )
        pool = "from all references" if self.within is None else "from {within}"
        yield message(
            f"operations.random.{'all' if self.within is None else 'within'}",
            f"random: mean of {{draws}} draws {pool}, as many for each source as the subset has; in its brackets: "
            "where most of them fall; p: of the draws",
            draws=self.draws,
            within=repr(self.within),
        )
        yield from drawn(self.resampling)

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "scores": plain_data(self.scores),
            "summary": plain_data(summaries(self.scores)),
            **self.sizes.to_dict(),
            "draws": self.draws,
            "within": self.within,
            "seed": self.resampling.seed,
            "resampling": self.resampling.to_dict(),
            "notes": [*(note.text() for note in self.notes), *self.signatures],
        }


@dataclass(frozen=True)
class TableFour:
    """Table 4 of Cardon et al. 2022, as printed and mended."""

    sizes: Sizes
    cells: tuple[Replicated, ...]
    changes: tuple[Replicated, ...]

    @property
    def notes(self) -> list[Message]:
        """What the forms are."""
        return [message(f"operations.form.{form}", f"{form}: {about}") for form, about in FORMS.items()]

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "scores": [cell.to_dict() for cell in self.cells],
            "summary": [change.to_dict() for change in self.changes],
            **self.sizes.to_dict(),
            "forms": FORMS,
            "notes": [note.text() for note in self.notes],
        }


def scored(
    data: AnnotatedSet,
    outputs: Outputs,
    metrics: Sequence[Metric],
    subsets: Subsets,
    *,
    within: tuple[str, Expression] | None = None,
    draws: int = DRAWS,
    resampling: Resampling = USUAL,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Scored:
    """Every system by every metric on every subset; random references are drawn from those like `within`."""
    sizes = Sizes.of(subsets)
    scores = study(
        data,
        outputs,
        metrics,
        subsets,
        pool=everything(data) if within is None else select(data, within[1]),
        draws=draws,
        resampling=resampling,
        threads=threads,
        progress=progress,
    )
    counts = {len(chosen) for members in [everything(data), *subsets.values()] for chosen in members if chosen}
    return Scored(
        sizes=sizes,
        scores=tuple(scores),
        sources=len(data),
        references=sum(map(len, data.targets)),
        within=None if within is None else within[0],
        draws=draws,
        resampling=resampling,
        signatures=signatures(metrics, counts),
    )


def replicated(data: AnnotatedSet, outputs: Outputs, subsets: Subsets) -> TableFour:
    """Table 4 of the paper, on these outputs."""
    sizes = Sizes.of(subsets)
    cells = table_4(data, outputs, subsets)
    return TableFour(sizes, tuple(cells), tuple(mean_changes(cells)))
