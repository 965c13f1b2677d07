"""`plainly ranking sample`: draw texts from parallel corpora and make a dataset folder of them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import refuse_overwriting
from plainly.cli.printing import ProgressLine, note
from plainly.corpus import Corpus
from plainly.corpus.catalogue import load
from plainly.corpus.readers import Inputs, read_corpus
from plainly.judges import Endpoint, Limits, Store, ask, usual_store
from plainly.judges.endpoint import parse_settings
from plainly.ranking import read_texts
from plainly.ranking.dataset import SCORES, add_scores, write_dataset
from plainly.ranking.judged_repair import repair_questions, with_repairs
from plainly.ranking.pairing import balanced_pairs, count_repeats, with_sides
from plainly.ranking.repair import repaired
from plainly.ranking.sampling import Sample, TextPair, draw_texts

ROUNDS = 8
RECORDS = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")


def run(options: argparse.Namespace) -> None:
    options.lang = options.lang or "en"
    options.rounds = ROUNDS if options.rounds is None else options.rounds
    lang, rounds = options.lang, options.rounds
    if options.add_scores:
        _add_scores(options)
        return
    if options.count is None:
        raise PlainlyError("say how many texts to draw: --count N")
    if not options.licence:
        raise PlainlyError("say under which terms the texts stand: --licence 'CC BY-SA 4.0, see the corpora'")
    if options.mend == "judge" and not (options.url and options.model):
        raise PlainlyError("--mend judge needs --url and --model")
    if rounds < 1:
        raise PlainlyError(f"--rounds must be at least 1, not {rounds}")
    corpora = _corpora(options)
    sample = draw_texts(
        corpora,
        options.count,
        limit=options.longest,
        cut_longest=options.cut_longest / 100,
        near=options.near_duplicates,
        exclude=[text.text for path in options.exclude for text in read_texts(path)],
        mend=None if options.mend == "none" else lambda text: repaired(text, lang),
        seed=options.seed,
    )
    if options.mend == "judge":
        sample = _mended_by_judge(sample, options)
    draw = np.random.default_rng([options.seed, 1])  # other numbers than those that drew the texts
    matches = rounds * (options.count // 2)
    there = options.count * (options.count - 1) // 2
    pairs = balanced_pairs(options.count, matches, draw, repeats=matches > there)
    pairs = with_sides(pairs, options.count, draw)
    write_dataset(options.output, sample, pairs, licence=options.licence, settings=_settings(options))
    if not options.quiet:
        passed = ", ".join(f"{number} {reason}" for reason, number in sample.passed_over.items())
        note(f"wrote {options.output}: {len(sample.texts)} texts, {len(pairs)} matches; passed over: {passed}")
        if options.count % 2:
            note("note: the number of texts is odd: there is one source more, and one text rests in every round")
        if repeats := count_repeats(pairs):
            note(f"note: {options.count} texts make {there} pairs; {repeats} of {matches} matches repeat one of them")


def _mended_by_judge(sample: Sample, options: argparse.Namespace) -> Sample:
    endpoint = Endpoint(options.url, options.model, options.key_variable, parse_settings(options.setting))
    line = ProgressLine(options.quiet)
    try:
        with Store(Path(options.store or usual_store())) as store:
            answers = ask(
                repair_questions(sample.texts),
                endpoint,
                store,
                Limits(most_calls=options.max_calls),
                lambda done, all_, _: line.show(f"mended {done} of {all_} texts"),
            )
    finally:
        line.end()
    found = with_repairs(sample, answers.items)
    if not options.quiet:
        note(f"{options.model} mended {found.changed} texts; {found.refused} stay as the rules left them")
    return found.sample


def _add_scores(options: argparse.Namespace) -> None:
    if options.corpus or options.test_set or options.count is not None:
        raise PlainlyError("--add-scores fills a folder that is there; nothing is drawn then")
    refuse_overwriting(str(Path(options.output) / SCORES), [options.add_scores])
    found = add_scores(options.output, options.add_scores)
    if not options.quiet and found is not None:
        note(
            f"mean score: source {found.source.mean:.4f}, simplified {found.simplified.mean:.4f}; "
            f"Mann-Whitney p = {found.test.p:.3g}"
        )


def _corpora(options: argparse.Namespace) -> dict[str, list[TextPair]]:
    domains = dict(_named(item, "--domain", "CORPUS=DOMAIN") for item in options.domain)
    found: dict[str, list[TextPair]] = {}
    for item in options.corpus:
        name, files = _named(item, "--corpus", "NAME=FILE or NAME=SOURCES,SIMPLIFIED")
        _add(found, name, files, read_corpus(_inputs(name, files, options.lang)), domains)
    for name in options.test_set:
        _add(found, name, name, load(name), domains)
    if not found:
        raise PlainlyError("there is nothing to draw from: give --corpus or --test-set")
    for name in domains:
        if name not in found:
            raise UnknownName("corpus (--domain)", name, found)
    return found


def _add(found: dict[str, list[TextPair]], name: str, files: str, corpus: Corpus, domains: dict[str, str]) -> None:
    if name in found:
        raise PlainlyError(f"corpus {name} is given twice")
    pairs = []
    for number, (source, simplified) in enumerate(zip(corpus.sources, corpus.references, strict=True), 1):
        known = corpus.metadata[number - 1] if corpus.metadata else {}
        domain = domains.get(name) or str(known.get("domain") or "")
        pairs.append(TextPair(source or "", tuple(simplified), domain, f"{name}:{number}"))
    if not any(pair.simplified for pair in pairs):
        raise PlainlyError(f"{files}: corpus {name} has no simplified texts")
    found[name] = pairs


def _inputs(name: str, files: str, lang: str) -> Inputs:
    """Records in one file; or line files, the sources first."""
    paths = files.split(",")
    if len(paths) == 1:
        if not paths[0].lower().removesuffix(".gz").endswith(RECORDS):
            raise PlainlyError(
                f"--corpus {name}: give a file of records, or two line files: {name}=SOURCES,SIMPLIFIED"
            )
        return Inputs(data=files, empty_reference="missing", lang=lang)
    return Inputs(sources=paths[0], references=tuple(paths[1:]), empty_reference="missing", lang=lang)


def _named(item: str, option: str, form: str) -> tuple[str, str]:
    name, equals, value = item.partition("=")
    if not equals or not name or not value:
        raise PlainlyError(f"{option} takes {form}, not {item!r}")
    return name, value


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    names = ("corpus", "test_set", "domain", "count", "longest", "cut_longest", "near_duplicates", "exclude")
    chosen = {name: getattr(options, name) for name in (*names, "mend", "url", "model", "lang", "rounds", "seed")}
    # Where files lie on this machine is nobody's business.
    named = (_named(item, "--corpus", "NAME=FILE") for item in options.corpus)
    chosen["corpus"] = [f"{name}={','.join(Path(file).name for file in files.split(','))}" for name, files in named]
    chosen["exclude"] = [Path(file).name for file in options.exclude]
    return {name.replace("_", "-"): value for name, value in chosen.items() if value not in (None, [], 0)}
