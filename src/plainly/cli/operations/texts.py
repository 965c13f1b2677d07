"""Reads what `plainly operations correlate` and `subset` score: annotated texts, references, outputs, and metrics."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence

from plainly.base.errors import PlainlyError
from plainly.base.files import refuse_overwriting
from plainly.base.messages import Note, message
from plainly.cli.operations.inputs import annotations_of, named_files, rules_of
from plainly.cli.printing import tell
from plainly.cli.request import choose_metrics, language_of, listed_names
from plainly.corpus import Corpus
from plainly.corpus.readers import Inputs, read_corpus
from plainly.corpus.references import is_blank
from plainly.corpus.text_checks import id_prefix_notes, id_prefixes
from plainly.metrics import Metric
from plainly.operations.annotated_set import AnnotatedSet, annotated_set, in_order
from plainly.scoring.evaluation import left_out_notes


def check_threads(options: argparse.Namespace) -> None:
    """Refuses what no machine has."""
    if options.threads is not None and options.threads < 1:
        raise PlainlyError("--threads must be at least 1")


def annotated_texts(options: argparse.Namespace) -> AnnotatedSet:
    """The annotated pairs with the texts to be scored: untokenised where they are given."""
    lang = language_of(options, rules_of(options).typology.lang)
    pairs = annotations_of(options)
    refuse_overwriting(options.output, [options.raw_sources, *options.raw_targets])
    raw = _lines(options.raw_sources, options.raw_targets, {}, lang)
    columns = list(zip(*raw.references, strict=True)) if raw is not None and options.raw_targets else None
    if raw is not None:
        targets = [text for group in raw.references for text in group]
        tell_prefixes(options, {"untokenised sources": raw.sources, "untokenised targets": targets})
    data = annotated_set(
        pairs,
        raw_sources=[text or "" for text in raw.sources] if raw is not None and options.raw_sources else None,
        raw_targets=columns,
        lang=lang,
    )
    tell(_doubts(data), options.quiet)
    return data


def _doubts(data: AnnotatedSet) -> Iterator[Note]:
    """What may be wrong with the texts of annotations."""
    if unlike := data.unlike():
        yield Note(
            message(
                "operations.unlike",
                "{count} untokenised texts differ from the annotated ones in more than white space; "
                "are the files in the right order?",
                count=unlike,
            )
        )
    if blank := sum(1 for group in data.targets for text in group if is_blank(text)):
        english = "{count} targets are empty texts; as references they count as such"
        yield Note(message("operations.empty-targets", english, count=blank))


def tell_prefixes(options: argparse.Namespace, texts: Mapping[str, Sequence[str | None]]) -> None:
    """Say which texts begin with their ids; the keys name the texts."""
    tell(id_prefix_notes(id_prefixes(texts)), options.quiet)


def outputs_of(options: argparse.Namespace, data: AnnotatedSet) -> dict[str, list[str | None]]:
    """The outputs of --system, one for each source."""
    systems = dict(named_files("--system", options.system))
    refuse_overwriting(options.output, systems.values())
    corpus = _lines(None, [], systems, data.lang)
    if corpus is None:
        return {}
    tell_prefixes(options, {f"outputs of {name}": texts for name, texts in corpus.outputs.items()})
    return {name: in_order(data.ids, texts, f"the outputs of {name!r}") for name, texts in corpus.outputs.items()}


def references_of(options: argparse.Namespace, data: AnnotatedSet) -> list[Sequence[str]] | None:
    """The references of --references, a list for each source."""
    refuse_overwriting(options.output, options.references)
    corpus = _lines(None, options.references, {}, data.lang)
    if corpus is None:
        return None
    tell_prefixes(options, {"references": [text for group in corpus.references for text in group]})
    return in_order(data.ids, corpus.references, "the references")


def metrics_of(options: argparse.Namespace, data: AnnotatedSet, default: str) -> list[Metric]:
    """The metrics asked for."""
    requested = listed_names(options.metrics)
    if options.metrics is None and options.profile is None:
        requested = [default]
    if options.metrics is not None and not requested:
        raise PlainlyError("--metrics names no metric")

    def references() -> list[str]:
        return [text for group in data.targets for text in group]

    metrics, left_out = choose_metrics(options, requested or None, {"source", "references"}, data.lang, references)
    tell(left_out_notes(left_out), options.quiet)
    return metrics


def _lines(sources: str | None, references: Sequence[str], systems: Mapping[str, str], lang: str) -> Corpus | None:
    """Line files, read in step; None where there are none."""
    if not (sources or references or systems):
        return None
    if sources is None and not systems:
        # The reader wants sources or outputs; the first references stand in for them.
        systems = {"references": references[0]}
    return read_corpus(Inputs(sources=sources, references=tuple(references), systems=systems, lang=lang))
