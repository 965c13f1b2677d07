"""A few segments that tell most: where the best system wins and loses most against the second best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plainly.report.compared import Compared
from plainly.report.texts import first_runs, has_texts, outputs_of
from plainly.report.words import number_for

WINS, LOSSES = 3, 2


@dataclass(frozen=True)
class Output:
    system: str
    text: str | None
    score: str


@dataclass(frozen=True)
class Segment:
    """One segment, and what the systems made of it."""

    number: int
    name: str
    won: bool
    """Whether the best system wins here; of a system alone, whether it scores high here."""
    source: str | None
    outputs: Sequence[Output]
    reference: str | None


@dataclass(frozen=True)
class Telling:
    """A question, and the segments that answer it."""

    question: str
    note: str
    segments: Sequence[Segment]


def telling(compared: Compared) -> Telling | None:
    """Of the two best systems by the metric that decides; of a system alone, its best and its worst segments."""
    evaluation, corpus, metric = compared.evaluation, compared.corpus, compared.metric
    shown = compared.verdict.order[:2]
    if not shown or evaluation.statistics is None or not has_texts(corpus) or metric.facts.direction == "none":
        return None
    runs = first_runs(evaluation)
    scores = [evaluation.segment_scores(runs[system], compared.first) for system in shown]
    sign = 1 if metric.facts.direction == "higher" else -1
    alone = len(shown) == 1
    gains = sign * (scores[0] - (np.nanmean(scores[0]) if alone else scores[1]))
    outputs = outputs_of(corpus, evaluation)
    chosen = extremes(gains)
    if not chosen:
        return None

    def segment(i: int) -> Segment:
        said = [
            Output(system, outputs[system][i], number_for(metric, float(values[i])))
            for system, values in zip(shown, scores, strict=True)
        ]
        name = corpus.ids[i] if corpus.ids else ""
        references = corpus.references[i]
        return Segment(
            i + 1, name, bool(gains[i] > 0), corpus.sources[i], said, references[0] if references else None
        )

    if alone:
        question = f"Where does {shown[0]} score best and worst?"
        note = f"The segments with the best and the worst {metric.title}."
    else:
        question = f"Where does {shown[0]} win and lose most against {shown[1]}?"
        note = f"Where their {metric.title} differs most: first where {shown[0]} wins, then where it loses."
    note += " A score of one sentence is rough."
    if any(system in evaluation.runs for system in shown):
        note += " Of a system with several runs, these are texts of the first run."
    return Telling(question, note, [segment(i) for i in chosen])


def extremes(gains: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[int]:
    """The places of the largest wins, then of the largest losses; where one kind is rare, more of the other."""
    won = [int(i) for i in np.argsort(-gains, kind="stable") if gains[i] > 0]
    lost = [int(i) for i in np.argsort(gains, kind="stable") if gains[i] < 0]
    wins = max(WINS, WINS + LOSSES - len(lost))
    losses = max(LOSSES, WINS + LOSSES - len(won))
    return [*won[:wins], *lost[:losses]]
