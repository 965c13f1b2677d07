"""`plainly operations tag`: what was done to each source, found automatically."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from plainly.cli.notes import ProgressLine, note
from plainly.cli.operations.inputs import named_files, protect
from plainly.corpus.readers import Inputs, read_corpus
from plainly.errors import PlainlyError
from plainly.operations import AnnotatedPair, write_jsonl, write_yawat
from plainly.operations.tagger import Tagger, tokens
from plainly.text.languages import get_language

STEP = 256


def run(options: argparse.Namespace) -> None:
    systems = dict(named_files("--system", options.system))
    inputs = [options.sources, options.data, *options.references, *systems.values()]
    protect([path for path in inputs if path not in (None, "-")], options.output)
    yawat = options.output is not None and Path(options.output).suffix == ".aln"
    if yawat:
        crp = str(Path(options.output).with_suffix(".crp"))
        protect([path for path in inputs if path not in (None, "-")], crp)
    lang = get_language(options.lang).code
    if options.processes is not None and options.processes < 1:
        raise PlainlyError("--processes must be at least 1")
    tagger = Tagger(options.level, lang, options.commercial, options.model)
    pairs = list(_pairs(options, systems, lang))
    if not pairs:
        raise PlainlyError("there is nothing to tag: give --system, --references, or --data with either")
    line = ProgressLine(options.quiet)
    tagged: list[AnnotatedPair] = []
    try:
        found = tagger.annotate(pairs, options.processes)
        while part := list(islice(found, STEP)):
            tagged += part
            line.show(f"tagged {len(tagged):,} of {len(pairs):,} pairs")
    finally:
        line.end()
    if yawat:
        write_yawat(tagged, options.output, crp)
    else:
        write_jsonl(tagged, options.output)
    if not options.quiet:
        _tell(tagged)


def _pairs(options: argparse.Namespace, systems: dict[str, str], lang: str) -> Iterator[AnnotatedPair]:
    """Every output and every reference, beside its source; groups are still to come."""
    if not (options.sources or options.data):
        raise PlainlyError("give --sources with --system or --references, or --data (see --help)")
    corpus = read_corpus(
        Inputs(
            sources=options.sources,
            references=tuple(options.references),
            systems=systems,
            data=options.data,
            data_format=options.data_format,
            empty_reference="missing",
            lang=lang,
        )
    )
    missing: Counter[str] = Counter()
    for number, source in enumerate(corpus.sources):
        identity = corpus.ids[number] if corpus.ids else str(number)
        outputs = {name: texts[number] for name, texts in corpus.outputs.items()}
        references = {str(column): text for column, text in enumerate(corpus.references[number])}
        for origin, target in (outputs | references).items():
            if source is None or target is None:
                missing[origin] += 1
                continue
            first, second = (tokens(text, lang, tokenized=options.tokenized) for text in (source, target))
            yield AnnotatedPair(identity, first, second, (), origin)
    if missing and not options.quiet:
        for origin, count in missing.items():
            note(f"note: {count} pairs of {origin} are left out: source or output is missing")


def _tell(tagged: list[AnnotatedPair]) -> None:
    groups = sum(len(pair.operations) for pair in tagged)
    faulty = sum(pair.erroneous for pair in tagged)
    by = tagged[0].annotator
    note(f"note: {groups:,} operations in {len(tagged):,} pairs, {faulty:,} pairs flagged as faulty; by {by}")
