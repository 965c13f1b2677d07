"""A study file is run: all texts are read and checked first, then measured, compared, written."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import check_writable, writing
from plainly.base.messages import Message, message, plain
from plainly.corpus import Corpus
from plainly.findings import Findings, Note, form_of, printed
from plainly.gaming import study as gaming_study
from plainly.inference import RESAMPLES, Resampling
from plainly.metrics import Metric
from plainly.operations.profile import Profile, profile_of
from plainly.operations.sliced import findings_with_slices
from plainly.operations.tagger import Tagger
from plainly.report import headline_of, report_of
from plainly.report.assets import chart_library
from plainly.report.figures import check_folder, write_figures
from plainly.report.read_files import files_read, test_set_title
from plainly.scoring import Evaluation, evaluate_stream
from plainly.scoring.comparison import Comparison
from plainly.scoring.evaluator import CHUNK, Measured, Measuring, scorable
from plainly.scoring.gates import OVER, UNDER, WORSE, Bounds, Failure, NotWorse
from plainly.scoring.segment_rows import SEGMENTS, segment_writer
from plainly.scoring.slices import OPERATION, groupings
from plainly.studyfile.definition import TEST_SET, Export, Page, Study
from plainly.studyfile.findings import Written, of_all
from plainly.studyfile.reading import place_of
from plainly.studyfile.statistics_store import StatisticsStore
from plainly.studyfile.texts import Texts, files_of, placed, texts_of

SEGMENT_FORMS = {".csv": "csv", ".json": "json", ".jsonl": "json"}
"""How scores of segments are written, by the ending of the file."""


TABLES: Mapping[str, Message] = {
    "systems": message("studyfile.table.systems", "systems compared"),
    "pairs": message("studyfile.table.pairs", "pairs of systems"),
    "runs": message("studyfile.table.runs", "runs of systems"),
    "slices": message("studyfile.table.slices", "systems on slices"),
    "scores": message("studyfile.table.scores", "scores of systems"),
    "segments": message("studyfile.table.segments", "scores of single segments"),
}
"""What files hold, by the name of their table."""


class Watch(Protocol):
    """Who is told how the work goes."""

    def stage(self, what: Message) -> None:
        """What begins now."""

    def progress(self, done: int, all_: int) -> None:
        """How much of it is done."""


@dataclass(frozen=True)
class Found:
    """What came out on one test set."""

    texts: Texts
    evaluation: Evaluation
    comparison: Comparison
    findings: Findings
    rows: Sequence[Measured] = field(repr=False)


@dataclass(frozen=True)
class Outcome:
    """What came out of a study."""

    findings: Findings
    """Of all test sets."""
    written: Sequence[Written]
    failures: Sequence[Failure]
    """Why gates say no."""
    measured: int
    """Rows that were measured; all others were kept."""


def run(study: Study, watch: Watch, threads: int | None = None) -> Outcome:
    """Do all that the study file asks for. What was measured before is not measured again."""
    every = check(study)
    gates = {texts.name: _gates(study, texts) for texts in every}
    _prepare_places(study)
    store = StatisticsStore(Path(study.place(study.kept)))
    store.prepare()
    try:
        found = [_compared(study, texts, store, watch, threads) for texts in every]
        written = [file for one in found for file in _written_for(study, one, store, watch, threads)]
        whole = of_all([(one.texts.name, one.findings) for one in found])
        written += _written_for_all(study, found, whole)
    finally:
        store.close()
    failures = [
        failure if not one.texts.name else replace(failure, reason=f"{one.texts.name}: {failure.reason}")
        for one in found
        for failure in (
            *gates[one.texts.name][0].failures(one.evaluation),
            *gates[one.texts.name][1].failures(one.comparison),
        )
    ]
    return Outcome(whole, written, failures, store.measured)


# ---- before the work


def check(study: Study) -> list[Texts]:
    """Read all texts; refuse what cannot be done before any of it is begun."""
    _check_files(study)
    every = [texts_of(study, name) for name in study.test_sets]
    read = {Path(file).resolve() for texts in every for file in files_of(texts.inputs)} | {study.path.resolve()}
    for file, at in _files(study):
        if Path(file).resolve() in read:
            complaint = f"{file} is an input of this study; choose another file"
            raise PlainlyError(complaint, place=place_of(study.path, study.lines, at))
    for texts in every:
        _check_names(study, texts)
        _gates(study, texts)
    return every


def _files(study: Study) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The files that will be written, and where the study file names them."""
    named: list[tuple[str, tuple[str, ...]]] = [
        (export.file, ("exports", str(number), "file")) for number, export in enumerate(study.exports)
    ]
    if study.report is not None:
        named.append((study.report.file, ("report", "file")))
    for file, at in named:
        yield from ((study.place(file, name), at) for name in study.test_sets)


def _check_files(study: Study) -> None:
    """Refuse endings that cannot be written, and two files in one place."""
    taken: dict[str, tuple[str, ...]] = {}
    for file, at in _files(study):
        if taken.setdefault(file, at) != at:
            raise PlainlyError(f"{file} is written twice", place=place_of(study.path, study.lines, at))
    for number, export in enumerate(study.exports):
        with placed(study, ("exports", str(number), "file")):
            _form(export)
    if study.report is not None:
        with placed(study, ("report", "file")):
            if Path(study.report.file).suffix.lower() not in (".html", ".htm"):
                raise PlainlyError(f"the report is an HTML page; for {study.report.file} choose the ending .html")
        with placed(study, ("report",)):
            chart_library()


def _prepare_places(study: Study) -> None:
    """Make the folders of the files; say before the work where a file cannot be written."""
    for file, at in _files(study):
        with placed(study, at):
            try:
                Path(file).parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise PlainlyError(f"cannot write {file}: {error.strerror}") from error
            check_writable(file)
    figures = study.report.figures if study.report is not None else ""
    for name in study.test_sets if figures else ():
        with placed(study, ("report", "figures")):
            check_folder(study.place(figures, name))


def _check_names(study: Study, texts: Texts) -> None:
    """Systems and slices that the study names must be there."""
    baseline = study.comparison.baseline
    known = [*texts.systems, *texts.baselines]
    if baseline and baseline not in known:
        with placed(study, ("comparison", "baseline")):
            raise UnknownName("system", baseline, known)
    with placed(study, ("comparison",)):
        resampling_of(study)
    with placed(study, ("comparison", "by")):
        groupings(texts.corpus, [name for name in study.comparison.by if name != OPERATION])
    if "runs" in study.comparison.tables and not texts.corpus.runs:
        with placed(study, ("comparison", "tables")):
            raise PlainlyError("there are no runs: give a system several files, as NAME = 'seed*.txt'")


def _gates(study: Study, texts: Texts) -> tuple[Bounds, NotWorse]:
    given = [
        *((UNDER, name, bound) for name, bound in study.gates.fail_under.items()),
        *((OVER, name, bound) for name, bound in study.gates.fail_over.items()),
    ]
    at = next((at for at in (("gates", name) for name in (UNDER, OVER, WORSE)) if at in study.lines), ("gates",))
    with placed(study, at):
        bounds = Bounds(given, texts.metrics)
        by_label = {metric.label: metric for metric in texts.metrics}
        return bounds, NotWorse(study.gates.fail_if_worse, study.comparison.baseline or None, by_label)


def _form(export: Export) -> str:
    """The form that the ending of a file says."""
    ending = Path(export.file).suffix.lower()
    if export.table == "segments":
        if ending not in SEGMENT_FORMS:
            raise PlainlyError(f"scores of segments are written as {', '.join(SEGMENT_FORMS)}, not {export.file}")
        return SEGMENT_FORMS[ending]
    return form_of(export.file) if ending else "table"


def resampling_of(study: Study) -> Resampling:
    """How intervals are made."""
    asked = study.comparison
    return Resampling(asked.resamples or RESAMPLES, asked.seed, asked.confidence, asked.interval)


def comparing_of(study: Study) -> dict[str, Any]:
    """What `Evaluation.compare` takes."""
    asked = study.comparison
    return {
        "resamples": asked.resamples,
        "seed": asked.seed,
        "confidence": asked.confidence,
        "interval": asked.interval,
        "method": asked.test,
    }


# ---- the work


@contextmanager
def measuring(
    texts: Texts, baselines: int, metrics: int, store: StatisticsStore, watch: Watch, what: Message
) -> Iterator[Measuring]:
    """What measures pieces with what is kept, and says how far it is: in rows, one a segment, system and metric."""
    watch.stage(what)
    all_ = len(texts.corpus) * (len(texts.corpus.outputs) + baselines) * metrics
    count = 0
    lock = Lock()

    def done(rows: int) -> None:
        nonlocal count
        with lock:
            count += rows
            watch.progress(min(count, all_), all_)

    def measure(piece: Corpus, metrics: Sequence[Metric], baselines: Sequence[str]) -> Measured:
        return store.measure_piece(piece, metrics, baselines, done)

    yield measure


def _compared(study: Study, texts: Texts, store: StatisticsStore, watch: Watch, threads: int | None) -> Found:
    rows: list[Measured] = []
    with measuring(
        texts, len(texts.baselines), len(texts.metrics), store, watch, _measuring_message(texts, texts.metrics)
    ) as measure:
        evaluation = _evaluated(study, texts, texts.baselines, measure, threads, rows)
    watch.stage(message("studyfile.comparing", "{where}comparing systems", where=_where(texts)))
    comparison = evaluation.compare(baseline=study.comparison.baseline or None, **comparing_of(study))
    findings = comparison.findings()
    if study.comparison.by:

        def tagger() -> Tagger:
            return Tagger(study.comparison.tagger, texts.corpus.lang)

        with placed(study, ("comparison", "by")):
            in_catalogue = bool(study.test_sets[texts.name].catalogue)
            findings = findings_with_slices(
                comparison, study.comparison.by, tagger, in_catalogue=in_catalogue, watch=watch
            )
    if texts.release is not None:
        findings = replace(findings, notes=[Note(texts.release, aside=True), *findings.notes])
    return Found(texts, evaluation, comparison, findings, rows)


def _evaluated(
    study: Study,
    texts: Texts,
    baselines: Sequence[str],
    measure: Measuring,
    threads: int | None,
    rows: list[Measured] | None = None,
) -> Evaluation:
    evaluation = evaluate_stream(
        texts.corpus.chunks(CHUNK),
        texts.metrics,
        baselines=baselines,
        threads=threads,
        keep=sys.maxsize,
        each=rows.append if rows is not None else None,
        measuring=measure,
    )
    with placed(study, ("metrics",)):
        evaluation = scorable(evaluation, study.metrics.names or None, texts.left_out)
    return replace(evaluation, corpus=texts.corpus)


def _measuring_message(texts: Texts, metrics: Sequence[Metric]) -> Message:
    return message(
        "studyfile.measuring",
        "{where}measuring {segments:,} segments of {systems} by {metrics}",
        where=_where(texts),
        segments=len(texts.corpus),
        systems=", ".join(texts.systems),
        metrics=", ".join(metric.label for metric in metrics),
    )


def _where(texts: Texts) -> str:
    return f"{texts.name}: " if texts.name else ""


# ---- what is written


def _written_for(
    study: Study, found: Found, store: StatisticsStore, watch: Watch, threads: int | None
) -> Iterator[Written]:
    """What one test set gives to files of its own."""
    name = found.texts.name
    for export in study.exports:
        if export.table == "segments":
            file = study.place(export.file, name)
            with writing(file) as out:
                labels = [metric.label for metric in found.texts.metrics]
                rows = SEGMENTS[_form(export)]
                assert rows is not None
                put = segment_writer(found.texts.metrics, rows(out, labels))
                for measured in found.rows:
                    put(measured)
            yield Written(file, TABLES[export.table])
        elif TEST_SET in export.file:
            yield _table(study, export, found, name)
    if study.report is not None:
        yield from _reported(study, study.report, found, store, watch, threads)


def _written_for_all(study: Study, found: Sequence[Found], whole: Findings) -> Iterator[Written]:
    """Tables of all test sets in one file."""
    for export in study.exports:
        if export.table != "segments" and TEST_SET not in export.file:
            if export.table == "scores":
                findings = of_all([(one.texts.name, _scores(study, one)) for one in found])
            else:
                findings = whole
            yield _export(study, export, findings, study.place(export.file))


def _table(study: Study, export: Export, found: Found, name: str) -> Written:
    findings = _scores(study, found) if export.table == "scores" else found.findings
    return _export(study, export, findings, study.place(export.file, name))


def _export(study: Study, export: Export, findings: Findings, file: str) -> Written:
    if export.table not in findings.names:
        with placed(study, ("exports", str(study.exports.index(export)), "table")):
            raise PlainlyError(f"there is no table {export.table!r} here; there are {', '.join(findings.names)}")
    with writing(file) as out:
        out.write(printed(findings.only(export.table), _form(export)))
    return Written(file, TABLES[export.table])


def _scores(study: Study, found: Found) -> Findings:
    """As `plainly score` prints them."""
    return found.evaluation.with_intervals(resampling_of(study)).findings()


def _reported(
    study: Study, page: Page, found: Found, store: StatisticsStore, watch: Watch, threads: int | None
) -> Iterator[Written]:
    texts = found.texts
    entry, inputs = study.test_sets[texts.name], texts.inputs
    with measuring(
        texts, len(texts.more_baselines), len(texts.metrics), store, watch, _measuring_message(texts, texts.metrics)
    ) as measure:
        evaluation = _evaluated(study, texts, texts.more_baselines, measure, threads)
    shown = headline_of(list(evaluation.metrics), study.metrics.names)
    scored = [evaluation.metrics[label] for label in shown]
    outputs = list(inputs.systems.values())
    read = (inputs.data, inputs.sources, inputs.references, () if entry.demo else outputs)
    report = report_of(
        evaluation,
        title=page.title or None,
        test_set=test_set_title(
            entry.catalogue, entry.demo, [inputs.data, inputs.sources, *inputs.references, *outputs]
        ),
        headline=shown,
        against=study.comparison.baseline or None,
        files=files_read(entry.catalogue, entry.demo, *read),
        threads=threads,
        background=_background(study),
        gaming=gaming_study(texts.corpus, metrics=scored, threads=threads, progress=watch.progress)
        if page.gaming
        else None,
        operations=_operations(study, page, texts, scored, watch),
        progress=lambda what: watch.stage(plain(_where(texts) + what)),
        measuring=store.measure_piece,
        **comparing_of(study),
    )
    file = study.place(page.file, texts.name)
    with writing(file) as out:
        out.write(report.page)
    yield Written(file, message("studyfile.report", "the report"))
    if page.figures:
        folder = study.place(page.figures, texts.name)
        count = len(write_figures(report.charts, folder))
        said = message("studyfile.figure", "1 figure, as SVG and PDF")
        if count != 1:
            said = message("studyfile.figures", "{count} figures, each as SVG and PDF", count=count)
        yield Written(folder, said)


def _background(study: Study) -> Mapping[str, Any]:
    """The settings of the background metrics."""
    shared = study.metrics.settings
    said = {name: shared[name] for name in ("tokenizer", "lowercase") if name in shared}
    return said if study.profile is None else {**said, **study.profile.background}


def _operations(study: Study, page: Page, texts: Texts, metrics: Sequence[Metric], watch: Watch) -> Profile | None:
    if not page.operations:
        return None
    tagger = Tagger(page.operations, texts.corpus.lang)
    in_catalogue = bool(study.test_sets[texts.name].catalogue)
    return profile_of(texts.corpus, tagger, metrics, resampling_of(study), in_catalogue=in_catalogue, watch=watch)
