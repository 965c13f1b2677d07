"""Cross-validation by source: every pair is tagged by a model that saw no pair of its source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from plainly.base.errors import PlainlyError
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.tagger.labeller import Labeller
from plainly.operations.tagger.tagging import annotate
from plainly.operations.tagger.training import Progress, folds

Train = Callable[[Sequence[AnnotatedPair], Progress], Labeller]


def cross_validate(
    pairs: Sequence[AnnotatedPair],
    lang: str,
    count: int,
    train: Train,
    *,
    seed: int = 0,
    progress: Progress = lambda _: None,
) -> list[AnnotatedPair]:
    """The pairs as the models tagged them, in order; `plainly operations agreement` compares them with the truth."""
    sources = len({pair.id for pair in pairs})
    if count > sources:
        raise PlainlyError(f"{count} folds need as many sources, but there are {sources}")
    fold_of = folds(pairs, count, seed)
    found: list[AnnotatedPair] = list(pairs)
    for fold in range(count):
        inside = [place for place, number in enumerate(fold_of) if number == fold]
        known = [pair for pair, number in zip(pairs, fold_of, strict=True) if number != fold]

        def told(message: str, fold: int = fold) -> None:
            progress(f"fold {fold + 1} of {count}: {message}")

        labeller = train(known, told)
        tagged = annotate([pairs[place] for place in inside], labeller, lang)
        for place, pair in zip(inside, tagged, strict=True):
            found[place] = replace(pair, annotator=labeller.name)
    return found
