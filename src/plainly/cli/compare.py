"""`plainly compare`: which system is better, and how sure are we?"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from plainly.base.errors import PlainlyError
from plainly.base.files import check_writable
from plainly.cli.gates import not_worse_of, status
from plainly.cli.printing import WorkLine, note, print_findings, tell
from plainly.cli.request import Request, comparing_of
from plainly.cli.statistics_inputs import statistics_of
from plainly.corpus import Corpus, catalogue
from plainly.corpus.catalogue import Entry
from plainly.corpus.corpus import concatenate, possible_baselines
from plainly.findings import Findings
from plainly.operations.sliced import findings_with_slices
from plainly.operations.tagger import AUTO, Tagger, advice
from plainly.scoring import evaluate_stream
from plainly.scoring.comparison import Comparison
from plainly.scoring.evaluator import CHUNK
from plainly.scoring.gates import NotWorse
from plainly.scoring.profile_ranks import ProfileRanks, among, common_language
from plainly.scoring.statistics import compare_folder
from plainly.text.languages import get_language

MISSING = {
    "runs": "there are no runs: give a system several files, as --system 'NAME=seed*.txt'",
    "slices": "there are no slices: say --by length, operation, or a column of the records",
}
REPORTED = ("table", "markdown", "latex", "json")
"""The forms that have room for how to report this."""


ALONE = {
    "profile": "--profile",
    "baseline": "--baseline",
    "by": "--by",
    "statistics": "--statistics",
    "how_to_report": "--how-to-report",
    "fail_if_worse": "--fail-if-worse",
}
"""What has no meaning under several profiles."""
UNDER_PROFILES = ("ranks", "agreement", "turned")


def run(options: argparse.Namespace) -> int | None:
    if options.table in UNDER_PROFILES and not options.profiles:
        raise PlainlyError(f"--table {options.table} goes with --profiles")
    if options.profiles:
        _under_profiles(options)
        return None
    options.table = options.table or "systems"
    if options.how_to_report and options.format not in REPORTED:
        *most, last = REPORTED
        raise PlainlyError(f"--how-to-report goes with --format {', '.join(most)} or {last}, not {options.format}")
    check_writable(options.output)
    comparison, gate = _measured_before(options) if options.statistics else _measured(options)
    if options.table == "pairs" and not comparison.pairs:
        raise PlainlyError("there is only one system: nothing to compare it with")
    findings = comparison.findings() if not options.by else _with_slices(comparison, options)
    if options.table not in findings.names:
        raise PlainlyError(MISSING[options.table])
    below = ""
    if options.how_to_report:
        from plainly.report.citing import how_to_report  # only here: the report brings much along

        how = how_to_report(comparison, _test_set(options))
        findings = replace(findings, data={**findings.data, "how_to_report": how.to_dict()})
        below = "" if options.format == "json" else how.text(options.format)
    shown = [options.table] if not options.by else dict.fromkeys([options.table, "slices"])
    print_findings(options, findings, list(shown), below)
    if not options.quiet and options.table == "systems" and len(comparison.ranked) > 2:
        note("note: --table pairs shows the test of every pair; --baseline NAME tests all systems against one")
    return status(gate.failures(comparison))


def _measured_before(options: argparse.Namespace) -> tuple[Comparison, NotWorse]:
    with statistics_of(options) as folder:
        gate = not_worse_of(options, folder.metrics)
        return compare_folder(folder, baseline=options.baseline, **comparing_of(options)), gate


def _measured(options: argparse.Namespace) -> tuple[Comparison, NotWorse]:
    request = Request(options)
    metrics = request.metrics()
    gate = not_worse_of(options, {metric.label: metric for metric in metrics})
    chunks: Iterable[Corpus] = request.chunks
    corpus = None
    if options.by:
        corpus = concatenate(list(chunks))
        chunks = corpus.chunks(CHUNK)
    baselines = request.baselines
    if options.baselines is None:
        baselines, chunks = _copying(chunks)
    evaluation = evaluate_stream(chunks, metrics, baselines=baselines, threads=options.threads, keep=sys.maxsize)
    evaluation = replace(request.finish(evaluation), corpus=corpus)
    return evaluation.compare(baseline=options.baseline, **comparing_of(options)), gate


def _under_profiles(options: argparse.Namespace) -> None:
    """The ranks of the systems under each profile."""
    for name, option in ALONE.items():
        if getattr(options, name) not in (None, False, []):
            raise PlainlyError(f"--profiles compares ranks; leave {option} out")
    options.table = options.table or "ranks"
    if options.table not in UNDER_PROFILES:
        raise PlainlyError(f"--table {options.table} does not go with --profiles; it has {', '.join(UNDER_PROFILES)}")
    if "-" in (
        options.sources,
        options.data,
        *options.references,
        *(one.partition("=")[2] for one in options.system),
    ):
        raise PlainlyError("texts are read once a profile; standard input (-) can be read only once")
    check_writable(options.output)
    asked = [name.strip() for several in options.profiles for name in several.split(",") if name.strip()]
    profiles = among(asked, usual=options.metrics is None)
    if not options.test_set:
        options.lang = common_language(profiles, None if options.lang is None else get_language(options.lang).code)
    options.baselines = options.baselines or ""
    under = [argparse.Namespace(**{**vars(options), "profile": profile}) for profile in profiles]
    found = ProfileRanks({profile.name: _measured(one)[0] for profile, one in zip(profiles, under, strict=True)})
    print_findings(options, found.findings(), [options.table])


def _with_slices(comparison: Comparison, options: argparse.Namespace) -> Findings:
    corpus = comparison.evaluation.corpus
    if corpus is None:
        raise PlainlyError("--by needs the texts and columns, which so many segments in --statistics do not have")

    def tagger() -> Tagger:
        if options.tagger == AUTO:
            tell(advice(corpus.lang), options.quiet)
        return Tagger(options.tagger, corpus.lang)

    watch = WorkLine(options.quiet)
    try:
        by = list(dict.fromkeys(options.by))
        return findings_with_slices(comparison, by, tagger, in_catalogue=bool(options.test_set), watch=watch)
    finally:
        watch.end()


def _copying(chunks: Iterable[Corpus]) -> tuple[list[str], Iterable[Corpus]]:
    """The baseline that tells whether copying the source would win, where there are sources."""
    first = next(iter(chunks := iter(chunks)), None)
    if first is None:
        return [], ()
    return [name for name in possible_baselines(first) if name == "identity"], chain([first], chunks)


def _test_set(options: argparse.Namespace) -> Entry | str | None:
    """What a paper calls the data."""
    if options.test_set:
        return catalogue.info(options.test_set)
    return "the demo set of plainly" if options.demo else None
