"""What an evaluation found, as every face prints it: one row a system for people, one a score for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from plainly.base.messages import joined
from plainly.corpus.corpus import BASELINES
from plainly.findings import Column, Findings, Message, Note, Table, message, plain
from plainly.findings.shape import Value
from plainly.inference import Resampling
from plainly.metrics import Metric

if TYPE_CHECKING:
    from plainly.scoring.evaluation import Evaluation
    from plainly.scoring.results import Result

SYSTEM = Column("system", title=message("scoring.column.system", "system"))
COUNTS = (Column("scored", "count"), Column("unscored", "count"), Column("signature"))
LONG = (SYSTEM, Column("metric"), Column("score", "estimate"), *COUNTS)


def findings(evaluation: Evaluation, components: bool = False, as_given: bool = False) -> Findings:
    """The scores of all systems, with what a table needs to be read; `components` shows the parts of scores, too.

    People read the best system first, unless the order `as_given` says more.
    """
    much = amount(evaluation.size, evaluation.documents, evaluation.intervals)
    below = [much, *_means_of_runs(evaluation), *unscored(evaluation), *in_words(evaluation)]
    return Findings(
        tables=[_scores(evaluation, components, as_given)],
        notes=[*map(Note, below), *(replace(note, aside=True) for note in evaluation.notes)],
        signatures=signatures(evaluation.metrics, evaluation.systems),
        data=evaluation.data,
    )


def _scores(evaluation: Evaluation, components: bool, as_given: bool) -> Table:
    question = message("scoring.scores", "How well does each system do?")
    parts = {label: _component_names(evaluation, label) if components else [] for label in evaluation.metrics}
    columns = [SYSTEM]
    for label, metric in evaluation.metrics.items():
        digits = metric.facts.decimals
        columns += [
            score_column(label, metric),
            *(Column(f"{label}.{part}", "number", digits) for part in parts[label]),
        ]
    rows = [
        [
            system,
            *(
                cell
                for label, result in results.items()
                for cell in (result.estimate, *(result.components.get(part) for part in parts[label]))
            ),
        ]
        for system, results in (evaluation.systems.items() if as_given else _in_order(evaluation))
    ]
    long = [row for system, results in evaluation.systems.items() for row in long_rows(system, results, components)]
    return Table("scores", question, columns, rows, long=Table("scores", question, LONG, long))


def _in_order(evaluation: Evaluation) -> list[tuple[str, Mapping[str, Result]]]:
    """As people read them: the best by the first metric on top, baselines below. Programs keep the order given."""
    label, metric = next(iter(evaluation.metrics.items()))
    worse = {"higher": -1.0, "lower": 1.0, "none": 0.0}[metric.facts.direction]

    def place(item: tuple[str, Mapping[str, Result]]) -> tuple[bool, bool, float]:
        system, results = item
        score = results[label].score
        return system in BASELINES, score != score, 0.0 if score != score else worse * score

    return sorted(evaluation.systems.items(), key=place)


def long_rows(system: str, results: Mapping[str, Result], components: bool = False) -> Iterator[list[Value]]:
    """The scores of a system for programs, under `LONG`."""
    for label, result in results.items():
        counts: list[Value] = [result.scored, result.unscored, result.signature]
        yield [system, label, result.estimate, *counts]
        if components:
            for name, value in result.components.items():
                yield [system, f"{label}.{name}", value, *counts]


def _means_of_runs(evaluation: Evaluation) -> Iterator[Message]:
    """Which rows are means, and of how many runs."""
    for system, runs in evaluation.runs.items():
        english = "{system} is the mean of {runs} runs"
        yield message("scoring.mean-of-runs", english, system=system, runs=len(runs))


def score_column(label: str, metric: Metric) -> Column:
    """The column of a metric: under its title, with as many digits as it has, and which way is better."""
    direction = metric.facts.direction
    better = "" if direction == "none" else direction
    return Column(label, "estimate", metric.facts.decimals, plain(metric.title), better)


def amount(
    size: int, documents: Sequence[str] | None, drawn: Resampling | None, tested: Message | None = None
) -> Message:
    """How much was scored, in how many documents if they are drawn as wholes, and how intervals were made."""
    much = counted_segments(size)
    if documents:
        count = len(set(documents))
        english = "{segments} in {count} document" + ("" if count == 1 else "s")
        much = message(f"scoring.{'document' if count == 1 else 'documents'}", english, segments=much, count=count)
    if drawn is None:
        return much
    return message(
        "scoring.tested" if tested else "scoring.drawn",
        "{much}, {resamples} resamples, seed {seed}"
        + (", {tested}" if tested else "")
        + "; {confidence:.0%} intervals",
        much=much,
        resamples=drawn.resamples,
        seed=drawn.seed,
        tested=tested,
        confidence=drawn.confidence,
    )


def counted_segments(count: int) -> Message:
    """So many segments, in words."""
    if count == 1:
        return message("scoring.segment", "1 segment")
    return message("scoring.segments", "{count} segments", count=count)


def unscored(evaluation: Evaluation) -> list[Message]:
    """Which systems have segments without a score, and by which metrics."""
    labels: dict[tuple[str, int], list[str]] = {}
    for system, results in evaluation.systems.items():
        for label, result in results.items():
            if result.unscored:
                labels.setdefault((system, result.unscored), []).append(label)
    return [unscored_by(names, count, evaluation.size, system) for (system, count), names in labels.items()]


def in_words(evaluation: Evaluation) -> list[Message]:
    """What scores are called, the easiest first. An interval may reach into other words."""
    found = []
    for label, metric in evaluation.metrics.items():
        systems: dict[str, list[str]] = {}
        for system, words in words_of(evaluation).items():
            if label in words:
                systems.setdefault(words[label], []).append(system)
        if metric.scale is None or not systems:
            continue
        named = [
            message("scoring.called", "{word}: {systems}", word=_word(word), systems=", ".join(systems[word]))
            for _, word in reversed(metric.scale.bands)
            if word in systems
        ]
        english = "{metric} in words ({source}): {named}"
        source = metric.scale.source
        found.append(
            message("scoring.in-words", english, metric=metric.title, source=source, named=joined(named, "; "))
        )
    return found


def words_of(evaluation: Evaluation) -> dict[str, dict[str, str]]:
    """System -> metric -> what its score is called, for metrics that have words for it."""
    return {
        system: {
            label: word
            for label, metric in evaluation.metrics.items()
            if metric.scale is not None and (word := metric.scale.word(results[label].score))
        }
        for system, results in evaluation.systems.items()
        if any(metric.scale is not None for metric in evaluation.metrics.values())
    }


def _word(word: str) -> Message:
    return message(f"scoring.scale.{word.replace(' ', '-')}", word)


def unscored_by(metrics: Iterable[str], count: int, size: int, system: str) -> Message:
    """Metrics left some segments of a system without a score."""
    return message(
        "scoring.unscored",
        "{metrics} left {count} of {segments} of {system} unscored",
        metrics=", ".join(metrics),
        count=count,
        segments=counted_segments(size),
        system=system,
    )


def signatures(metrics: Iterable[str], systems: Mapping[str, Mapping[str, Result]]) -> list[str]:
    """The signatures of all scores, each once, metric by metric."""
    return list(dict.fromkeys(results[label].signature for label in metrics for results in systems.values()))


def _component_names(evaluation: Evaluation, label: str) -> list[str]:
    return list(next(iter(evaluation.systems.values()))[label].components)
