"""All that answers tell: scores of texts, pairs of versions, both hypotheses, groups of readers, and questions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from plainly.comprehension.hypotheses import Tested, both_hypotheses, corrected
from plainly.comprehension.items import Item, items
from plainly.comprehension.records import Answer, Records
from plainly.comprehension.scores import (
    AS_PRINTED,
    FORMULAS,
    Settings,
    TextAnswers,
    by_text,
    resampled_scores,
)
from plainly.comprehension.selection import EVERYTHING, Counts, Rules, select
from plainly.errors import PlainlyError, UnknownName
from plainly.inference.intervals import check_interval
from plainly.metrics import Array
from plainly.ranking.results import Figure, figures, signed

if TYPE_CHECKING:
    from plainly.comprehension.experiment import Experiment

BASELINE = "complex"
FEW = 20
"""With fewer participants than this, bootstrap intervals are known to be too short."""


@dataclass(frozen=True)
class TextRow:
    """What a group of readers understood of one text."""

    passage: str
    version: str
    group: str
    """Empty: all readers."""
    participants: int
    questions: int
    answers: int
    correct: float
    """Percentage, without correction for guessing."""
    seconds: float
    """The mean time of an answer."""
    scores: Mapping[str, Figure] = field(hash=False)


@dataclass(frozen=True)
class PairRow:
    """One passage in two versions. Differences are `version` minus `baseline`."""

    passage: str
    version: str
    baseline: str
    differences: Mapping[str, Figure] = field(hash=False)
    tests: tuple[Tested, ...]


@dataclass(frozen=True)
class Analysis:
    """The whole result; `notes` say in plain words what its reader should know."""

    counts: Counts
    texts: tuple[TextRow, ...]
    pairs: tuple[PairRow, ...]
    hypotheses: tuple[Tested, ...]
    groups: Mapping[str, tuple[TextRow, ...]] = field(hash=False)
    items: tuple[Item, ...]
    notes: tuple[str, ...]
    settings: Mapping[str, Any] = field(hash=False)

    @property
    def signature(self) -> str:
        """Settings in one line: same signature, same answers, same numbers."""
        return signed("c-score", self.settings)

    @property
    def formulas(self) -> tuple[str, ...]:
        """Those that could be computed: without the experiment only the first."""
        there = {name for row in self.texts for name, score in row.scores.items() if not math.isnan(score.value)}
        return tuple(name for name in FORMULAS if name in there)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; numbers that do not exist are None."""
        content: dict[str, Any] = _plain(asdict(self))
        for test, found in zip(content["hypotheses"], self.hypotheses, strict=True):
            test["verdict"] = found.verdict
        for row, pair in zip(content["pairs"], self.pairs, strict=True):
            for test, found in zip(row["tests"], pair.tests, strict=True):
                test["verdict"] = found.verdict
        return {"signature": self.signature, **content}


def analyse(
    records: Records,
    experiment: Experiment | None = None,
    *,
    settings: Settings = AS_PRINTED,
    rules: Rules = EVERYTHING,
    baseline: str | None = None,
    by: Sequence[str] = (),
    resamples: int = 1000,
    seed: int = 12345,
    level: float = 0.95,
) -> Analysis:
    """Score every text, compare each version with the baseline, and readers by the columns of `by`.

    `by` names columns, or a column and a number (`age:45`) that parts its values in two.
    """
    check_interval("percentile", level)
    selection = select(records, rules)
    answers = selection.answers
    sampling = _Sampling(settings, experiment, resamples, seed, level)
    texts, drawn = sampling.scored(answers)
    versions = list(dict.fromkeys(text.version for text in texts))
    chosen = _baseline(baseline, versions)
    pairs, hypotheses = _compared(answers, texts, drawn, chosen, sampling)
    groups = {name: _by_group(answers, name, sampling) for name in by}
    return Analysis(
        counts=selection.counts,
        texts=tuple(_row(text, scores, "", sampling) for text, scores in zip(texts, drawn, strict=True)),
        pairs=tuple(pairs),
        hypotheses=tuple(hypotheses),
        groups=groups,
        items=tuple(items(answers, experiment)),
        notes=tuple(_notes(selection.counts, texts, pairs, chosen, experiment)),
        settings={
            "unit": f"{settings.unit:g}s",
            "scale": settings.scale,
            "guessing": settings.guessing,
            "outliers": str(rules.outliers),
            "unfinished": rules.unfinished,
            "unanswered": rules.unanswered,
            "baseline": chosen,
            "resamples": resamples,
            "seed": seed,
            "level": level,
        },
    )


@dataclass(frozen=True)
class _Sampling:
    """How scores and intervals are made, the same for everything in an analysis."""

    settings: Settings
    experiment: Experiment | None
    resamples: int
    seed: int
    level: float

    def scored(self, answers: Sequence[Answer]) -> tuple[list[TextAnswers], list[Array]]:
        """The texts and their resampled scores."""
        texts = by_text(answers, self.settings, self.experiment)
        return texts, resampled_scores(texts, self.settings, self.resamples, self.seed)

    def observed(self, text: TextAnswers) -> Array:
        return text.scores(text.observed, self.settings)

    def tested(self, answers: Sequence[Answer], version: str, baseline: str, passage: str | None) -> list[Tested]:
        return both_hypotheses(
            answers, version, baseline, passage, resamples=self.resamples, seed=self.seed, level=self.level
        )


def _row(text: TextAnswers, drawn: Array, group: str, sampling: _Sampling) -> TextRow:
    count = text.given.sum()
    return TextRow(
        passage=text.passage,
        version=text.version,
        group=group,
        participants=text.participants,
        questions=len(text.questions),
        answers=int(count),
        correct=float(100 * text.correct.sum() / count),
        seconds=float(text.seconds.sum() / count),
        scores=dict(zip(FORMULAS, figures(sampling.observed(text), drawn, sampling.level), strict=True)),
    )


def _compared(
    answers: Sequence[Answer],
    texts: Sequence[TextAnswers],
    drawn: Sequence[Array],
    baseline: str,
    sampling: _Sampling,
) -> tuple[list[PairRow], list[Tested]]:
    """Each passage, its versions against the baseline; and all passages together."""
    place = {(text.passage, text.version): number for number, text in enumerate(texts)}
    keys = [key for key in place if key[1] != baseline and (key[0], baseline) in place]
    tests = corrected([found for key in keys for found in sampling.tested(answers, key[1], baseline, key[0])])
    rows = []
    for number, (passage, version) in enumerate(keys):
        one, other = place[passage, version], place[passage, baseline]
        observed = sampling.observed(texts[one]) - sampling.observed(texts[other])
        differences = figures(observed, drawn[one] - drawn[other], sampling.level)
        named = dict(zip(FORMULAS, differences, strict=True))
        rows.append(PairRow(passage, version, baseline, named, tuple(tests[2 * number : 2 * number + 2])))
    whole = [
        found
        for version in dict.fromkeys(key[1] for key in keys)
        for found in sampling.tested(answers, version, baseline, None)
    ]
    return rows, corrected(whole)


def _by_group(answers: Sequence[Answer], name: str, sampling: _Sampling) -> tuple[TextRow, ...]:
    rows = []
    for value, group in _groups(answers, name).items():
        texts, drawn = sampling.scored(group)
        rows += [_row(text, scores, value, sampling) for text, scores in zip(texts, drawn, strict=True)]
    order = {key: number for number, key in enumerate(dict.fromkeys((row.passage, row.version) for row in rows))}
    return tuple(sorted(rows, key=lambda row: order[row.passage, row.version]))


def _groups(answers: Sequence[Answer], name: str) -> dict[str, list[Answer]]:
    """Answers by a field of their participants, or by a number in it. Empty values are a group of their own."""
    column, parted, bound = name.rpartition(":") if ":" in name else (name, "", "")
    known = sorted({key for answer in answers for key in answer.fields})
    if name in known:
        column, parted = name, ""
    if column not in known:
        raise UnknownName("column", column, known) if known else PlainlyError(f"there is no column {column!r}")
    groups: dict[str, list[Answer]] = {}
    for answer in answers:
        value = answer.fields.get(column, "")
        label = _side(value, bound, answer, column) if parted and value else value or "not said"
        groups.setdefault(label, []).append(answer)
    return dict(sorted(groups.items(), key=lambda item: (not item[0].startswith("under "), item[0])))


def _side(value: str, bound: str, answer: Answer, column: str) -> str:
    """On which side of the bound a number lies; the bound itself is not under it."""
    try:
        limit = float(bound)
    except ValueError:
        raise PlainlyError(f"expected a column and a number, as age:45, not {column}:{bound}") from None
    try:
        number = float(value)
    except ValueError:
        raise PlainlyError(f"{answer.place}: {column} is no number: {value!r}") from None
    return f"under {bound}" if number < limit else f"{bound} and over"


def _baseline(asked: str | None, versions: Sequence[str]) -> str:
    if asked is not None and asked not in versions:
        raise UnknownName("version", asked, versions)
    return asked or (BASELINE if BASELINE in versions else versions[0])


def _notes(
    counts: Counts,
    texts: Sequence[TextAnswers],
    pairs: Sequence[PairRow],
    baseline: str,
    experiment: Experiment | None,
) -> list[str]:
    notes = []
    if experiment is None:
        notes.append("without the experiment only c-score-simple can be computed: the others need the wording")
    if counts.counted_participants < FEW:
        notes.append(f"intervals of fewer than {FEW} participants are too short")
    if not pairs:
        notes.append(f"no passage was read in version {baseline!r} and in another one: there is nothing to compare")
    elif alone := [text.passage for text in texts if text.passage not in {pair.passage for pair in pairs}]:
        notes.append(f"read in one version only, so not compared: passage {', '.join(dict.fromkeys(alone))}")
    if experiment is not None:
        for text in texts:
            missing = len(experiment.passage(text.passage).questions) - len(text.questions)
            if missing:
                notes.append(f"passage {text.passage}, {text.version}: {missing} of its questions have no answers")
    return notes


def _plain(content: Any) -> Any:
    """Without NaN, which JSON cannot hold, and with lists for tuples."""
    if isinstance(content, dict):
        return {key: _plain(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [_plain(value) for value in content]
    if isinstance(content, (float, np.floating)):
        return float(content) if math.isfinite(content) else None
    return content
