"""C-Scores in the place of ratings: which metric goes with what readers understood?

A row is a text: one version of one passage. Beside the metrics stand other measures of the same texts: how fast they
were read, and, if there are ratings, their means. Texts of one passage share their questions, so passages are drawn
anew as wholes, and pairs of versions of one passage are those "of one source".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from plainly.base.messages import Message, message
from plainly.base.signature import signed
from plainly.comprehension import Analysis, Experiment
from plainly.corpus import Corpus
from plainly.metaeval.judged_set import Beside, JudgedSet, Values, many
from plainly.metaeval.rated_texts import joined
from plainly.metrics import Array
from plainly.ratings import Ratings

FEW = 20
"""Passages; of fewer, correlations say little, whatever their intervals."""
RATE = "words-per-minute"
SETTINGS = ("unit", "scale", "guessing", "outliers", "unfinished", "unanswered", "faults", "where")
"""What C-Scores depend on, besides answers and texts."""
OF_ANSWERS = ("comprehension.times.", "comprehension.reading.", "comprehension.past-the-limit")
"""How the keys of notes begin that say something of the answers. All others are about intervals and tests."""
RATED = "rated "
"""Before the name of what people rated."""


def from_answers(
    analysis: Analysis,
    experiment: Experiment,
    ratings: Ratings | None = None,
    *,
    name: str = "answers",
    values: Values = "raw",
    less_is_better: tuple[str, ...] = (),
) -> JudgedSet:
    """The C-Scores of texts, to hold metrics against.

    `ratings` stand beside the metrics. Their segments are passages, and their systems versions.
    """
    texts = {
        (passage.id, version.id): version.text for passage in experiment.passages for version in passage.versions
    }
    places = [(row.passage, row.version) for row in analysis.texts]
    passages = tuple(passage for passage, _ in places)
    judged = JudgedSet(
        name=name,
        lang=experiment.lang,
        segments=passages,
        systems=tuple(version for _, version in places),
        sources=(None,) * len(places),
        outputs=tuple(texts[place] for place in places),
        references=((),) * len(places),
        values={
            formula: np.array([row.scores[formula].value for row in analysis.texts]) for formula in analysis.formulas
        },
        scale=dict.fromkeys(analysis.formulas, "raw"),
        beside=dict(_reading(analysis, places)),
        no_ceiling=message("metaeval.why.readers", "a C-Score is made of all its readers together"),
        notes=tuple(_notes(analysis, len(set(passages)))),
    )
    if ratings is None:
        return judged
    rated = joined(ratings, _corpus(experiment), values=values)
    rated = rated.less_is_better(less_is_better)
    return replace(
        judged, beside={**judged.beside, **dict(_rated(rated, places))}, notes=(*judged.notes, *rated.notes)
    )


def _reading(analysis: Analysis, places: list[tuple[str, str]]) -> Iterator[tuple[str, Beside]]:
    if analysis.reading:
        found = {(row.passage, row.version): row.words_per_minute.value for row in analysis.reading}
        yield RATE, Beside(_in_order(found, places), signature=signed(RATE, {"mean": "geometric"}))


def _rated(rated: JudgedSet, places: list[tuple[str, str]]) -> Iterator[tuple[str, Beside]]:
    rows = list(zip(rated.segments, rated.systems, strict=True))
    for dimension, means in rated.values.items():
        scores = _in_order(dict(zip(rows, means.tolist(), strict=True)), places)
        signature = signed(f"{RATED}{dimension}", {"values": rated.scale[dimension]})
        yield f"{RATED}{dimension}", Beside(scores, rated.direction(dimension), signature)


def _in_order(found: Mapping[tuple[str, str], float], places: list[tuple[str, str]]) -> Array:
    return np.array([found.get(place, np.nan) for place in places])


def _corpus(experiment: Experiment) -> Corpus:
    """The texts by the names that ratings have: a passage is a segment, a version a system."""
    versions = dict.fromkeys(version.id for passage in experiment.passages for version in passage.versions)
    texts = [{version.id: version.text for version in passage.versions} for passage in experiment.passages]
    outputs = {name: [own.get(name) for own in texts] for name in versions}
    ids = [passage.id for passage in experiment.passages]
    return Corpus([None] * len(ids), outputs=outputs, ids=ids, lang=experiment.lang)


def _notes(analysis: Analysis, passages: int) -> Iterator[Message]:
    yield from (note for note in analysis.notes if note.key.startswith(OF_ANSWERS))
    if analysis.counts.apart:
        yield message(
            "metaeval.note.answers-apart",
            "kept apart, as they cannot be right: {answers}; table apart of plainly comprehension score lists them",
            answers=many(len(analysis.counts.apart), "answer"),
        )
    yield message(
        "metaeval.note.c-scores",
        "intervals draw passages, not readers: how sure each C-Score is, plainly comprehension score says",
    )
    if passages < FEW:
        yield message(
            "metaeval.note.few-passages",
            "only {passages}: texts of one passage share its questions, so these correlations are a hint, "
            "and no proof",
            passages=many(passages, "passage"),
        )
    made = {name: analysis.settings[name] for name in SETTINGS if name in analysis.settings}
    yield message("metaeval.note.made-of", "C-Scores: {signature}", signature=signed("c-score", made))
