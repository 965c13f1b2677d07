"""The texts of an evaluation: the outputs of all systems, baselines too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.corpus import BASELINES, with_baselines
from plainly.scoring import Evaluation


def has_texts(corpus: Corpus) -> bool:
    """Whether there is anything to read: an evaluation that comes from a statistics folder has no texts."""
    columns = [corpus.sources, *corpus.outputs.values()]
    return any(text is not None for column in columns for text in column)


def first_runs(evaluation: Evaluation) -> dict[str, str]:
    """For every system the run whose texts are shown: the first, where it ran several times."""
    return {system: evaluation.runs.get(system, (system,))[0] for system in evaluation.systems}


def corpora_of(corpus: Corpus, runs: Iterable[str]) -> dict[str, Corpus]:
    """For every run the corpus that has its outputs: `reference` is measured on one of its own."""
    wanted = list(runs)
    added = [name for name in wanted if name not in corpus.outputs]
    for name in added:
        if name not in BASELINES:
            raise PlainlyError(f"system {name!r} was scored, but the corpus has no outputs of it")
    homes = {name: part for part in with_baselines(corpus, added) for name in part.outputs}
    return {name: homes[name] for name in wanted}


def outputs_of(corpus: Corpus, evaluation: Evaluation) -> dict[str, Sequence[str | None]]:
    """The outputs of the first run of every system; texts of baselines are made here again."""
    runs = first_runs(evaluation)
    homes = corpora_of(corpus, runs.values())
    return {system: homes[run].output(run) for system, run in runs.items()}
