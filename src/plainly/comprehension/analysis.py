"""All that answers tell: scores of texts, pairs of versions, hypotheses, reading, groups of readers, questions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from plainly.base.arguments import checks_arguments
from plainly.base.errors import UnknownName
from plainly.base.messages import Message
from plainly.base.plain_data import plain_fields
from plainly.base.signature import signed
from plainly.comprehension.analysis_notes import notes_on, past_the_limit
from plainly.comprehension.contrasts import PERMUTATIONS, corrected
from plainly.comprehension.hypotheses import Tested, both_hypotheses
from plainly.comprehension.intervals import METHOD, bounded
from plainly.comprehension.items import Item, items
from plainly.comprehension.participants import Participants, took_part
from plainly.comprehension.reader_groups import groups_of
from plainly.comprehension.readers import GroupTested, compared
from plainly.comprehension.reading import Reading, ReadingRow, read_rows, reading_tested, readings_of
from plainly.comprehension.records import Answer, Records
from plainly.comprehension.scores import (
    AS_PRINTED,
    FORMULAS,
    Settings,
    TextAnswers,
    by_number,
    by_text,
    resampled_scores,
)
from plainly.comprehension.selection import EVERYTHING, Counts, Rules, select
from plainly.findings.result import StudyResult
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import USUAL, Resampling, check_at_least
from plainly.metrics import Array

if TYPE_CHECKING:
    from plainly.comprehension.experiment import Experiment

BASELINE = "complex"


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
    corrected: float
    """The same less what guessing gains, as the scores have it; NaN where no correction is asked for."""
    seconds: float
    """The mean time of an answer."""
    scores: Mapping[str, Estimate] = field(hash=False)


@dataclass(frozen=True)
class PairRow:
    """One passage in two versions. Differences are `version` minus `baseline`."""

    passage: str
    version: str
    baseline: str
    differences: Mapping[str, Estimate] = field(hash=False)
    tests: tuple[Tested, ...]


@dataclass(frozen=True, repr=False)
class Analysis(StudyResult, findings="plainly.comprehension.findings:findings"):
    """The whole result; `notes` say in plain words what its reader should know."""

    counts: Counts
    texts: tuple[TextRow, ...]
    pairs: tuple[PairRow, ...]
    hypotheses: tuple[Tested, ...]
    groups: Mapping[str, tuple[TextRow, ...]] = field(hash=False)
    group_tests: Mapping[str, tuple[GroupTested, ...]] = field(hash=False)
    items: tuple[Item, ...]
    participants: tuple[Participants, ...]
    reading: tuple[ReadingRow, ...]
    """How fast texts were read; empty where nobody knows."""
    reading_tests: tuple[Tested, ...]
    """Whether versions are read faster: all passages together, then each."""
    notes: tuple[Message, ...]
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

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON; numbers that do not exist are None."""
        return {"signature": self.signature, **plain_fields(self)}


@checks_arguments
def analyse(
    records: Records,
    experiment: Experiment | None = None,
    *,
    settings: Settings = AS_PRINTED,
    rules: Rules = EVERYTHING,
    baseline: str | None = None,
    by: Sequence[str] = (),
    resampling: Resampling = USUAL,
    permutations: int = PERMUTATIONS,
) -> Analysis:
    """Score every text, compare every two versions, and readers by the columns of `by`.

    With a `baseline`, versions are compared with that one only. `by` names columns, or a column and numbers
    (`age:45`, `age:25:45`) that part its values.
    """
    check_at_least("resamples", resampling.resamples, 1)
    check_at_least("permutations", permutations, 1)
    selection = select(records, rules)
    # Sorted, so that the order of the rows in a file decides nothing: random draws go by the place of a participant.
    answers = sorted(selection.answers, key=_by_participant)
    sampling = _Sampling(settings, experiment, resampling, permutations)
    texts, drawn = sampling.scored(answers)
    versions = list(dict.fromkeys(text.version for text in texts))
    chosen = _baseline(baseline, versions)
    several = baseline is None
    pairs, hypotheses = _compared(texts, drawn, answers, list(_pairs(versions, chosen, several)), sampling)
    readers = {name: groups_of(answers, name) for name in by}
    places = [(text.passage, text.version) for text in texts]
    read = readings_of(answers, experiment)
    tests = {
        name: tuple(compared(name, groups, places, resampling, permutations)) for name, groups in readers.items()
    }
    found = Analysis(
        counts=selection.counts,
        texts=tuple(_row(text, scores, "", sampling) for text, scores in zip(texts, drawn, strict=True)),
        pairs=tuple(pairs),
        hypotheses=tuple(hypotheses),
        groups={name: _by_group(groups, sampling) for name, groups in readers.items()},
        group_tests=tests,
        items=tuple(items(answers, experiment, resampling.confidence)),
        participants=tuple(took_part(answers, by, experiment)),
        reading=tuple(read_rows(read.all, places, resampling)),
        reading_tests=tuple(_read_faster(read.all, pairs, hypotheses, resampling, permutations)),
        notes=(*selection.notes, *past_the_limit(answers, experiment), *read.notes),
        settings={
            "unit": f"{settings.unit:g}s",
            "scale": settings.scale,
            "guessing": settings.guessing,
            "outliers": str(rules.outliers),
            "unfinished": rules.unfinished,
            "unanswered": rules.unanswered,
            "faults": records.faults,
            **({"where": " and ".join(map(str, rules.where))} if rules.where else {}),
            "baseline": chosen,
            "pairs": "all" if several else "baseline",
            "resamples": resampling.resamples,
            "permutations": permutations,
            "seed": resampling.seed,
            "intervals": METHOD,
            "confidence": resampling.confidence,
        },
    )
    return replace(found, notes=(*found.notes, *notes_on(found, experiment)))


@dataclass(frozen=True)
class _Sampling:
    """How scores and intervals are made, the same for everything in an analysis."""

    settings: Settings
    experiment: Experiment | None
    resampling: Resampling
    permutations: int

    def scored(self, answers: Sequence[Answer]) -> tuple[list[TextAnswers], list[Array]]:
        """The texts and their resampled scores."""
        texts = by_text(answers, self.settings, self.experiment)
        return texts, resampled_scores(texts, self.settings, self.resampling.resamples, self.resampling.seed)

    def scores(self, text: TextAnswers, drawn: Array) -> dict[str, Estimate]:
        """Those of one text."""
        observed, without = (text.scores(sums, self.settings) for sums in (text.observed, text.left_out))
        return self._named(bounded(observed, drawn, without, text.participants, self.resampling))

    def differences(self, texts: tuple[TextAnswers, TextAnswers], drawn: Array) -> dict[str, Estimate]:
        """Those of the first text less those of the second."""
        one, other = texts
        observed = one.scores(one.observed, self.settings) - other.scores(other.observed, self.settings)
        without = one.scores(one.left_out, self.settings) - other.scores(other.left_out, self.settings)
        fewest = min(one.participants, other.participants)
        return self._named(bounded(observed, drawn, without, fewest, self.resampling))

    def tested(self, answers: Sequence[Answer], version: str, baseline: str, passage: str | None) -> list[Tested]:
        return both_hypotheses(
            answers, version, baseline, passage, resampling=self.resampling, permutations=self.permutations
        )

    def _named(self, found: Sequence[Estimate]) -> dict[str, Estimate]:
        return dict(zip(FORMULAS, found, strict=True))


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
        corrected=float(100 * text.credit.sum() / count) if sampling.settings.guessing else math.nan,
        seconds=float(text.seconds.sum() / count),
        scores=sampling.scores(text, drawn),
    )


def _compared(
    texts: Sequence[TextAnswers],
    drawn: Sequence[Array],
    answers: Sequence[Answer],
    pairs: Sequence[tuple[str, str]],
    sampling: _Sampling,
) -> tuple[list[PairRow], list[Tested]]:
    """Each passage by pairs of versions; and all passages together. Each of the two is a family of tests."""
    place = {(text.passage, text.version): number for number, text in enumerate(texts)}
    keys = [
        (passage, version, baseline)
        for passage in dict.fromkeys(text.passage for text in texts)
        for version, baseline in pairs
        if (passage, version) in place and (passage, baseline) in place
    ]
    tests = corrected(
        [found for passage, one, other in keys for found in sampling.tested(answers, one, other, passage)]
    )
    rows = []
    for number, (passage, version, baseline) in enumerate(keys):
        one, other = place[passage, version], place[passage, baseline]
        differences = sampling.differences((texts[one], texts[other]), drawn[one] - drawn[other])
        rows.append(PairRow(passage, version, baseline, differences, tuple(tests[2 * number : 2 * number + 2])))
    whole = [
        found
        for pair in pairs
        if pair in {key[1:] for key in keys}
        for found in sampling.tested(answers, *pair, None)
    ]
    return rows, corrected(whole)


def _read_faster(
    readings: Sequence[Reading],
    pairs: Sequence[PairRow],
    hypotheses: Sequence[Tested],
    resampling: Resampling,
    permutations: int,
) -> Iterator[Tested]:
    """The same comparisons as those of answers; all passages together are a family of tests, single ones another."""
    if not readings:
        return
    whole = dict.fromkeys((test.version, test.baseline, test.passage) for test in hypotheses)
    single = [(pair.version, pair.baseline, pair.passage) for pair in pairs]
    for family in (whole, single):
        yield from corrected([reading_tested(readings, *compared, resampling, permutations) for compared in family])


def _by_group(groups: Mapping[str, Sequence[Answer]], sampling: _Sampling) -> tuple[TextRow, ...]:
    rows = []
    for name, answers in groups.items():
        texts, drawn = sampling.scored(answers)
        rows += [_row(text, scores, name, sampling) for text, scores in zip(texts, drawn, strict=True)]
    order = {key: number for number, key in enumerate(dict.fromkeys((row.passage, row.version) for row in rows))}
    return tuple(sorted(rows, key=lambda row: order[row.passage, row.version]))


def _by_participant(answer: Answer) -> tuple[Any, ...]:
    return (by_number(answer.participant), answer.passage, answer.version, answer.question)


def _baseline(asked: str | None, versions: Sequence[str]) -> str:
    if asked is not None and asked not in versions:
        raise UnknownName("version", asked, versions)
    return asked or (BASELINE if BASELINE in versions else versions[0])


def _pairs(versions: Sequence[str], baseline: str, several: bool) -> Iterator[tuple[str, str]]:
    """Versions with what each is compared with: the baseline, and if asked for, those that are listed before it."""
    others = [version for version in versions if version != baseline]
    yield from ((version, baseline) for version in others)
    if several:
        yield from ((version, before) for before, version in combinations(others, 2))
