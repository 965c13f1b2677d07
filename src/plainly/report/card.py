"""What was measured, and how: the facts about the test set, the settings and the signatures."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from plainly.base.version import __version__
from plainly.corpus import Corpus
from plainly.inference import Comparison
from plainly.report.groups import fields, source_words
from plainly.report.texts import has_texts
from plainly.report.words import plural, title_of
from plainly.scoring import Evaluation
from plainly.scoring.results import range_in_words
from plainly.text.languages import LANGUAGES

METHODS = {
    "bootstrap": "paired bootstrap",
    "randomisation": "paired approximate randomisation",
    "percentile": "percentiles of bootstrap resamples",
    "bca": "bias-corrected and accelerated bootstrap (BCa)",
}


@dataclass(frozen=True)
class Signed:
    """A metric with the signatures of its numbers; the reference baseline has one of its own."""

    title: str
    about: str
    paper: str
    caution: str
    signatures: Sequence[str]
    long_signatures: Sequence[str]


def test_set(evaluation: Evaluation, corpus: Corpus) -> dict[str, str]:
    """The test set in a few numbers: name of the fact -> value."""
    words = source_words(corpus)[[text is not None for text in corpus.sources]]
    baselines = [system for system in evaluation.systems if system not in corpus.outputs]
    facts = {
        "Segments": f"{evaluation.size:,}",
        "Systems": f"{len(evaluation.systems) - len(baselines)}",
        "Baselines": str(len(baselines)) if baselines else "none",
        "References a segment": range_in_words(next(iter(evaluation.references.values()))).replace("-", "–"),
        **({"Words a source": _spread(words)} if has_texts(corpus) else {}),
        "Language": LANGUAGES[corpus.lang].name if corpus.lang in LANGUAGES else corpus.lang,
    }
    if corpus.documents is not None and any(corpus.documents):
        facts["Documents"] = f"{len({document for document in corpus.documents if document is not None}):,}"
    return facts


def settings(
    evaluation: Evaluation,
    corpus: Corpus,
    comparison: Comparison,
    sample_seed: int,
    against: str | None,
    files: Mapping[str, str],
) -> dict[str, str]:
    """What the numbers depend on."""
    chosen, drawn = comparison.settings, comparison.settings.resampling
    shown = {
        **files,
        "Interval": f"{drawn.confidence:.0%}, {METHODS[drawn.method]}",
        "Test": f"{METHODS[chosen.method]}, two-sided, p corrected by Holm's method over all pairs of a metric",
        "Resamples": f"{drawn.resamples:,}"
        + (f"; {chosen.trials:,} for tests" if chosen.trials > drawn.resamples else ""),
        "Seed": f"{drawn.seed} for resamples"
        + (f", {sample_seed} for random samples of segments" if has_texts(corpus) else ""),
        "Drawn at random": f"{drawn.unit}s ({comparison.units:,})",
    }
    if against is not None:
        shown["Tested against"] = against
    if names := list(fields(corpus)):
        shown["Fields of the records"] = ", ".join(names)
    shown["Versions"] = f"plainly {__version__}, Python {platform.python_version()}, numpy {version('numpy')}"
    return shown


def signatures(evaluation: Evaluation, labels: Sequence[str]) -> list[Signed]:
    """The signatures of all metrics."""
    signed = []
    for label in labels:
        facts = evaluation.metrics[label].facts
        results = [results[label] for results in evaluation.systems.values()]
        signed.append(
            Signed(
                title_of(evaluation, label),
                facts.about,
                facts.paper,
                facts.caution,
                list(dict.fromkeys(result.signature for result in results)),
                list(dict.fromkeys(result.long_signature for result in results)),
            )
        )
    return signed


def unscored(evaluation: Evaluation, labels: Sequence[str]) -> list[str]:
    """What could not be scored, in words."""
    notes: dict[tuple[str, int], list[str]] = {}
    for system, results in evaluation.systems.items():
        for label in labels:
            if results[label].unscored:
                notes.setdefault((system, results[label].unscored), []).append(title_of(evaluation, label))
    return [
        f"{system}: {plural(count, 'segment')} of {evaluation.size:,} could not be scored by {', '.join(titles)}."
        for (system, count), titles in notes.items()
    ]


def _spread(words: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    if not len(words):
        return "no sources"
    return f"{words.mean():.1f} on average, {words.min()} to {words.max()}"
