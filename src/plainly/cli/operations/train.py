"""`plainly operations train`: weights for a tagger that learns, from annotations."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from plainly.base.errors import MissingResource, PlainlyError
from plainly.base.files import write_bytes
from plainly.base.messages import Note, message
from plainly.cli.operations.inputs import annotations_of
from plainly.cli.printing import ProgressLine, tell
from plainly.models.parsers import DEPENDENCIES, LEMMAS, TAGS, missing_parser
from plainly.operations import AnnotatedPair, write_jsonl
from plainly.operations.formats import JSONL
from plainly.operations.tagger import encoder, encoder_training, learned, training
from plainly.operations.tagger.labeller import Labeller
from plainly.operations.tagger.lexicon import words_of
from plainly.operations.tagger.training import Progress
from plainly.operations.tagger.validation import cross_validate
from plainly.text.languages import get_language

Model = learned.Model | encoder.Model
Train = Callable[[Sequence[AnnotatedPair], Progress], Model]
WEIGHTS = {"learned": ".npz", "encoder": ".safetensors"}


def run(options: argparse.Namespace) -> None:
    lang = get_language(options.lang or "en").code
    for name, least in (("networks", 1), ("epochs", 1), ("folds", 2)):
        if (value := getattr(options, name)) is not None and value < least:
            raise PlainlyError(f"--{name} must be at least {least}")
    _check_ending(options)
    pairs = annotations_of(options)
    if options.annotator_changes:
        pairs = encoder_training.with_annotators(pairs, _numbers(options.annotator_changes))
    given = len(pairs)
    pairs = _chosen(pairs, options.leave_out)
    train = {"encoder": _encoder, "learned": _learned}[options.tagger](options, lang)
    line = ProgressLine(options.quiet)
    try:
        if options.cross_validate:

            def trained(known: Sequence[AnnotatedPair], progress: Progress) -> Labeller:
                return _labeller(train(known, progress), lang)

            tagged = cross_validate(pairs, lang, options.folds, trained, seed=options.seed, progress=line.show)
        else:
            model = train(pairs, line.show)
    finally:
        line.end()
    gone = message("operations.train.left-out", "; {count:,} pairs left out", count=given - len(pairs))
    said = {"left_out": gone if options.leave_out else "", "seed": options.seed}
    if options.cross_validate:
        write_jsonl(tagged, options.output)
        english = "{pairs:,} pairs tagged in {folds} folds{left_out}; seed {seed}"
        done = message("operations.train.folds", english, pairs=len(tagged), folds=options.folds, **said)
    else:
        content = model.save()
        write_bytes(options.output, content)
        english = "learned from {pairs:,} pairs of {sources:,} sources{left_out}; {size:.1f} MB; seed {seed}"
        counts = {name: model.about[name] for name in ("pairs", "sources")}
        done = message("operations.train.learned", english, **counts, size=len(content) / 1e6, **said)
    tell([Note(done)], options.quiet)


def _check_ending(options: argparse.Namespace) -> None:
    """Refuse names that say another format than the file will have."""
    what, endings = ("pairs", JSONL) if options.cross_validate else ("weights", (WEIGHTS[options.tagger],))
    if not options.output.endswith(endings):
        raise PlainlyError(f"--output {options.output}: {what} are written to files that end in {', '.join(endings)}")


def _learned(options: argparse.Namespace, lang: str) -> Train:
    parsed = not options.without_parser
    if parsed and (why := missing_parser(lang, {TAGS, LEMMAS, DEPENDENCIES})):
        parsed = False
        english = "learning as with --without-parser: {why}"
        tell([Note(message("operations.train.unparsed", english, why=why))], options.quiet)
    settings = training.Settings(**_given(options))

    def train(pairs: Sequence[AnnotatedPair], progress: Progress) -> Model:
        about = _about(options, pairs)
        return training.train(pairs, lang, parsed=parsed, settings=settings, about=about, progress=progress)

    return train


def _encoder(options: argparse.Namespace, lang: str) -> Train:
    if options.without_parser:
        raise PlainlyError("--without-parser is for --tagger learned: the encoder takes no parser")
    if why := encoder.missing_model(lang):
        raise MissingResource(f"the tagger 'encoder' cannot be trained: {why}")
    encoder_training.check_torch()
    settings = encoder_training.Settings(**_given(options))

    def train(pairs: Sequence[AnnotatedPair], progress: Progress) -> Model:
        return encoder_training.train(pairs, settings=settings, about=_about(options, pairs), progress=progress)

    return train


def _labeller(model: Model, lang: str) -> Labeller:
    if isinstance(model, learned.Model):
        return learned.Learned(model, "learned")
    return encoder.EncoderLabeller(model, "encoder", words_of(lang))


def _given(options: argparse.Namespace) -> dict[str, int]:
    """The settings that the options name; the tagger knows the others."""
    found = {"networks": options.networks, "epochs": options.epochs, "seed": options.seed}
    return {name: value for name, value in found.items() if value is not None}


def _about(options: argparse.Namespace, pairs: Sequence[AnnotatedPair]) -> dict[str, object]:
    return {"annotations": len(pairs), "left out": options.leave_out}


def _numbers(text: str) -> list[int]:
    parts = text.split(",")
    numbers = [int(part) for part in parts if _is_number(part)]
    if len(numbers) < len(parts) or sorted(set(numbers)) != numbers:
        raise PlainlyError(f"--annotator-changes takes rising numbers, as 600,900, not {text!r}")
    return numbers


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def _chosen(pairs: list[AnnotatedPair], leave_out: str) -> list[AnnotatedPair]:
    """The pairs of all sources but those left out."""
    ids: set[str] = set()
    for part in filter(None, (part.strip() for part in leave_out.split(","))):
        first, dash, last = part.partition("-")
        if dash and _is_number(first) and _is_number(last):
            if int(first) > int(last):
                raise PlainlyError(
                    f"--leave-out: the range {part} ends before it begins; did you mean {last}-{first}?"
                )
            ids |= {pair.id for pair in pairs if _is_number(pair.id) and int(first) <= int(pair.id) <= int(last)}
        else:
            ids.add(part)
    unknown = ids - {pair.id for pair in pairs}
    if unknown:
        raise PlainlyError(f"--leave-out names {min(unknown)!r}, which is the id of no pair")
    return [pair for pair in pairs if pair.id not in ids]
