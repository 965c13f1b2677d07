"""`plainly simplicity compare`: which learner foresees a ranking best?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.cli.judgement_inputs import judgements_of, protect_inputs
from plainly.cli.options import studied_resampling
from plainly.cli.printing import ProgressLine, print_findings, tell
from plainly.metrics import Array
from plainly.ranking import Text, read_texts
from plainly.ranking.formats import read_scores
from plainly.ranking.judgements import opposed
from plainly.simplicity import Examples, compare_learners, encoded, read_embeddings, targets
from plainly.simplicity.findings import left_out_notes


def run(options: argparse.Namespace) -> None:
    for name in ("texts", "test_texts", "scores", "high"):
        if not getattr(options, name):
            raise PlainlyError(f"--{name.replace('_', '-')} is missing: {MISSING[name]}")
    inputs = (options.texts, *options.test_texts, options.scores, options.embeddings, options.test_embeddings)
    protect_inputs(options.output, options.judgements, *inputs)
    if bool(options.embeddings) != bool(options.test_embeddings):
        raise PlainlyError("--embeddings and --test-embeddings go together: both kinds of texts need some")
    if options.embeddings and options.encoder:
        raise PlainlyError("--embeddings and --encoder are two kinds of embeddings; give one of them")
    judgements, texts = judgements_of(options)
    goal = targets(judgements)
    learned = [text for text in texts if text.id in goal]
    others = [text for path in options.test_texts for text in read_texts(path)]
    scores = read_scores(options.scores, [text.id for text in others])
    foreseen = [text for text in others if text.id in scores]
    tell(left_out_notes(len(texts) - len(learned), len(others) - len(foreseen)), options.quiet)
    line = ProgressLine(options.quiet)
    try:
        found = compare_learners(
            Examples(
                _texts(learned),
                np.array([goal[text.id] for text in learned]),
                _vectors(options, learned, options.embeddings),
            ),
            Examples(
                _texts(foreseen),
                _simplicity(np.array([scores[text.id] for text in foreseen]), options.high),
                _vectors(options, foreseen, options.test_embeddings),
            ),
            [name.strip() for name in options.learners.split(",")] if options.learners else (),
            options.lang or "en",
            studied_resampling(options, "text"),
            lambda name: line.show(f"learning: {name:<30}"),
        )
    finally:
        line.end()
    print_findings(options, found.findings())


MISSING = {
    "texts": "the texts that were judged (id, text)",
    "test_texts": "the texts to be foreseen (id, text)",
    "scores": "how hard or easy these are (id, score), from 0 to 1",
    "high": "harder or easier, what a high score means",
}


def _texts(texts: Sequence[Text]) -> list[str]:
    return [text.text for text in texts]


def _simplicity(scores: Array, high: str) -> Array:
    if len(scores) and not (scores.min() >= 0 and scores.max() <= 1):
        raise PlainlyError("--scores must lie from 0 to 1, as 'plainly ranking rate' has them")
    turned: Array = 1 - scores if opposed(high, "easier") else scores
    return turned


def _vectors(options: argparse.Namespace, texts: Sequence[Text], path: str | None) -> Array | None:
    if path:
        return read_embeddings(path, [text.id for text in texts])
    return encoded(_texts(texts), options.encoder) if options.encoder else None
