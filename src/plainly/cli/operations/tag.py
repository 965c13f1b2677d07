"""`plainly operations tag`: what was done to each source, found automatically."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import islice

from plainly.base.errors import PlainlyError
from plainly.base.files import refuse_overwriting
from plainly.base.messages import Note, message
from plainly.cli.operations.inputs import crp_of_output
from plainly.cli.operations.texts import tell_prefixes
from plainly.cli.printing import ProgressLine, tell
from plainly.cli.request import inputs_of
from plainly.corpus.readers import Inputs, read_corpus
from plainly.operations import AnnotatedPair, write_jsonl, write_yawat
from plainly.operations.tag_texts import pairs_to_tag
from plainly.operations.tagger import AUTO, Tagger, advice, strongest
from plainly.text.languages import get_language

STEP = 256
MANY = 1_000  # pairs: the encoder takes longer than a person likes to wait without a word


def run(options: argparse.Namespace) -> None:
    if options.lang is not None:
        options.lang = get_language(options.lang).code
    inputs = inputs_of(options)
    files = [inputs.sources, inputs.data, *inputs.references, *inputs.systems.values()]
    refuse_overwriting(options.output, files)
    crp = crp_of_output(options.output)
    if crp is not None:
        refuse_overwriting(crp, files)
    lang = inputs.lang
    if options.workers is not None and options.workers < 1:
        raise PlainlyError("--workers must be at least 1")
    tagger = Tagger(options.tagger, lang, options.commercial, options.model)
    pairs = _pairs(options, inputs)
    if not pairs:
        raise PlainlyError("there is nothing to tag: give --system, --references, or --data with either")
    if len(pairs) > MANY and not options.quiet and _takes_encoder(options, lang):
        english = (
            "the tagger 'encoder' is slow on so many pairs; --tagger learned is faster, --tagger rules the fastest"
        )
        tell([Note(message("operations.slow", english))], options.quiet)
    if options.tagger == AUTO and not (options.model or options.commercial):
        tell(advice(lang), options.quiet)
    line = ProgressLine(options.quiet)
    tagged: list[AnnotatedPair] = []
    try:
        found = tagger.annotate(pairs, options.workers)
        while part := list(islice(found, STEP)):
            tagged += part
            line.show(f"tagged {len(tagged):,} of {len(pairs):,} pairs")
    finally:
        line.end()
    if crp is not None:
        write_yawat(tagged, options.output, crp)
    else:
        write_jsonl(tagged, options.output)
    tell([_done(tagged)], options.quiet)


def _takes_encoder(options: argparse.Namespace, lang: str) -> bool:
    """Whether nobody asked for the encoder, and it serves all the same."""
    ours = options.tagger == AUTO and options.model is None
    return ours and strongest(lang, commercial=options.commercial) == "encoder"


def _pairs(options: argparse.Namespace, inputs: Inputs) -> list[AnnotatedPair]:
    """Every output and every reference, beside its source; groups are still to come."""
    if not (inputs.sources or inputs.data):
        raise PlainlyError("give --sources with --system or --references, --data or --test-set (see --help)")
    corpus = read_corpus(inputs)
    columns: dict[str, Sequence[str | None]] = {
        "sources": corpus.sources,
        "references": [text for group in corpus.references for text in group],
    }
    tell_prefixes(options, columns | {f"outputs of {name}": texts for name, texts in corpus.outputs.items()})
    pairs, notes = pairs_to_tag(corpus, tokenized=options.tokenized)
    tell(notes, options.quiet)
    return pairs


def _done(tagged: list[AnnotatedPair]) -> Note:
    return Note(
        message(
            "operations.tagged",
            "{groups:,} operations in {pairs:,} pairs, {faulty:,} pairs flagged as faulty; by {tagger}",
            groups=sum(len(pair.operations) for pair in tagged),
            pairs=len(tagged),
            faulty=sum(pair.erroneous for pair in tagged),
            tagger=tagged[0].annotator,
        )
    )
