"""`plainly gaming`: how easily is a metric fooled, by which edits, at what cost?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import check_writable, writing
from plainly.cli.options import form_for
from plainly.cli.printing import ProgressLine, note, note_aside, print_findings
from plainly.cli.request import Request, asked_profile, refuse_profile
from plainly.corpus import Corpus
from plainly.corpus.corpus import concatenate
from plainly.gaming import POST_HOC, Study, get, names, possible, post_hoc, study
from plainly.gaming.findings import edits_found, findings
from plainly.gaming.study import ALL
from plainly.metrics import Metric
from plainly.metrics import get as get_metric
from plainly.report.assets import chart_library
from plainly.report.gaming import gaming_page
from plainly.scoring import Evaluation
from plainly.text.languages import get_language

PAGES = {"html": gaming_page}
"""Forms that show the whole study; all others print a table of it."""
WITH_STATISTICS = {"json": Evaluation.to_json}
"""Forms that hold what the counts in place of FKGL were made of."""


def run(options: argparse.Namespace) -> None:
    ending = form_for(options.output)
    options.format = options.format or ending
    page = PAGES.get(options.format)
    if ending in PAGES and not page:
        raise PlainlyError(f"{options.output} becomes a page; for --format {options.format} choose another ending")
    if options.list:
        refuse_profile(options, "--list has all edits")
        print_findings(options, edits_found(_listed(options.lang), options.lang or "en"))
        return
    if page:
        chart_library()  # if it is missing, say so before the work
    request = Request(options)
    check_writable(options.output)
    strengths = _strengths(options.strengths)
    post_hoc_alone = options.post_hoc and not page
    counts = _counts(options, request.lang)
    metrics = [] if post_hoc_alone else request.metrics()
    edits = _edits(options.edits)
    chunks = list(request.chunks)
    if not chunks:
        raise PlainlyError("there is nothing to edit: no segments")
    if request.baselines:
        raise PlainlyError("--baselines are not edited; the edits copy-source and copy-reference take their place")
    corpus = concatenate(chunks)
    if post_hoc_alone:
        with writing(options.output) as out:
            out.write(_post_hoc(corpus, counts, options.format))
        return
    pair = _pair(options.deceive, list(corpus.outputs)) if options.deceive else None
    if options.table == "deceptions" and not pair:
        raise PlainlyError("--table deceptions needs two systems: --deceive A,B")
    found = _study(corpus, metrics, edits, strengths, options)
    told = findings(found, pair, options.components)
    if page:
        with writing(options.output) as out:
            out.write(page(found, corpus, date.today().isoformat(), pair=pair, counts=counts))
        note_aside(options, told)
        if options.output and not options.quiet:
            note(f"wrote {options.output}")
    else:
        print_findings(options, told, [options.table or ("deceptions" if pair else "curves")])


def _listed(lang: str | None) -> list[str]:
    return names() if lang is None else possible(get_language(lang).code, ["source", "references"])[0]


def _study(
    corpus: Corpus, metrics: list[Metric], edits: list[str], strengths: list[float], options: argparse.Namespace
) -> Study:
    line = ProgressLine(options.quiet)
    try:
        return study(
            corpus,
            metrics=metrics,
            edits=edits,
            strengths=strengths,
            trials=options.trials,
            seed=options.seed,
            nested=not options.independent_strengths,
            threads=options.threads,
            progress=line.bar,
        )
    finally:
        line.end()


def _post_hoc(corpus: Corpus, counts: Sequence[str | Metric], form: str) -> str:
    found = post_hoc(corpus, counts=counts)
    if found is None:
        raise PlainlyError(f"for language {corpus.lang!r}, none of these can be counted: {', '.join(POST_HOC)}")
    write = WITH_STATISTICS.get(form)
    return write(found) if write else found.table(form, as_given=True)


def _pair(text: str, systems: list[str]) -> tuple[str, str]:
    """The two systems of A,B; a name may hold a comma itself."""
    for first in systems:
        for second in systems:
            if f"{first},{second}" == text and first != second:
                return first, second
    first, comma, second = text.partition(",")
    if not comma or first == second:
        raise PlainlyError(f"--deceive takes two systems, as A,B, not {text!r}")
    raise UnknownName("system", first if first not in systems else second, systems)


def _counts(options: argparse.Namespace, lang: str) -> Sequence[str | Metric]:
    """What to report in the place of FKGL."""
    if options.post_hoc and options.metrics:
        raise PlainlyError("--post-hoc has counts of its own; leave --metrics out")
    profile = asked_profile(options)
    if profile is None:
        return POST_HOC
    if options.post_hoc and not profile.counts:
        raise PlainlyError(f"the profile {profile.name} has no counts for --post-hoc; leave one of the two out")
    return [get_metric(name, lang=profile.language(lang), **profile.of(name)) for name in profile.counts]


def _edits(text: str) -> list[str]:
    chosen = [name.strip() for name in text.split(",") if name.strip()]
    if not chosen:
        raise PlainlyError("--edits names no edit")
    for name in chosen:
        if name != ALL:
            get(name)
    return chosen


def _strengths(text: str) -> list[float]:
    try:
        strengths = [float(part) for part in text.split(",")]
    except ValueError:
        raise PlainlyError(f"--strengths takes numbers from 0 to 100, as 0,10,50,100, not {text!r}") from None
    return strengths
