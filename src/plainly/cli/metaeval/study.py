"""`plainly metaeval`: which metric agrees with people, and how far one can trust it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from plainly.base.errors import PlainlyError, Remedy, UnknownName
from plainly.base.files import refuse_overwriting
from plainly.base.messages import Note
from plainly.cli.metaeval.output import Outputs
from plainly.cli.options import form_for, studied_resampling
from plainly.cli.printing import note, print_findings, tell
from plainly.cli.request import Request, asked_profile, choose_metrics, language_of, listed_names, refuse_profile
from plainly.comprehension import analyse, read_experiment, read_records
from plainly.comprehension.checks import refuse_errors
from plainly.comprehension.formats import COLUMNS
from plainly.corpus import Corpus
from plainly.corpus.corpus import concatenate
from plainly.corpus.readers import Inputs, read_corpus
from plainly.inference import Resampling
from plainly.inference.resampling import check_at_least
from plainly.metaeval import JudgedSet, Study, choices, from_answers, joined, load, read_judgements, study
from plainly.metaeval.adapters.files import NO_REFERENCES
from plainly.metaeval.collection import Collection, Points, load_all, points
from plainly.metaeval.contenders import POOLED
from plainly.metaeval.findings import data_sets
from plainly.metaeval.operations import OperationsStudy, annotated_rows, operations_study, tagged_rows
from plainly.metaeval.rated_texts import file_name, texts_of
from plainly.metaeval.study import OWN_FIELDS, Granularity
from plainly.metrics import Metric
from plainly.operations import read_jsonl
from plainly.operations.tagger import AUTO, advice
from plainly.operations.tagger import load as load_labeller
from plainly.ratings import Ratings
from plainly.scoring.evaluation import left_out_notes, metric_notes

TEXTS = ("sources", "references", "system", "data", "test_set", "demo", "baselines", "lang")
"""Options that data sets leave no room for: they bring their own texts."""
OF_RATINGS = ("scales", "columns", "less_is_better", "first_segment")
"""Options that say how to read a file of ratings."""
ANSWERS = ("comprehension", "experiment")
"""Options that name answers of readers."""
ANNOTATIONS = (".jsonl", ".json", ".gz")  # how files of annotations end; anything else is a kind of tagger


def run(options: argparse.Namespace) -> None:
    options.format = options.format or form_for(options.output)
    if options.list:
        refuse_profile(options, "--list has all data sets")
        print_findings(options, data_sets())
        return
    if options.faults != "refuse" and not options.comprehension:
        raise PlainlyError("--faults goes with --comprehension")
    check_at_least("resamples", studied_resampling(options, "segment").resamples, 1)
    if options.threads is not None and options.threads < 1:
        raise PlainlyError("--threads must be at least 1")
    with ExitStack() as stack:
        outputs = Outputs(options, stack)
        if options.scatter is not None and not outputs.whole:
            raise PlainlyError("--scatter goes with a page: name a file that ends in .html")
        found, notes = _every(options) if options.all else _one(options, outputs.whole)
        outputs.write(found)
    tell(notes, options.quiet)


def _one(options: argparse.Namespace, whole: bool) -> tuple[Collection, list[Note]]:
    """The one study that is asked for; `whole`: as a page shows it."""
    if options.experiment and not options.comprehension:
        raise PlainlyError("--experiment goes with --comprehension")
    read = _understood if options.comprehension else read_judged
    judged, sets = _reference_sets(read(options), options)
    metrics, left_out = _metrics(judged, options)
    found = _study(judged, metrics, sets, options, whole)
    done = {judged.name: _operations(judged, found, options)} if options.operations else {}
    drawn = {judged.name: points(found, judged, listed_names(options.scatter))} if whole else {}
    return Collection((found,), operations=done, points=drawn), [*left_out_notes(left_out), *metric_notes(metrics)]


def _every(options: argparse.Namespace) -> tuple[Collection, list[Note]]:
    """A study of each data set in the folder, with the metrics and dimensions that it has."""
    for name in (*ANSWERS, "ratings", "ratings_set", "ratings_folder", "reference_set", *TEXTS, *OF_RATINGS):
        if getattr(options, name) not in (None, False, []):
            raise PlainlyError(f"--all reads data sets from its folder; leave --{name.replace('_', '-')} out")
    sets, missing = load_all(options.all)
    studies: list[Study] = []
    left_out: dict[str, dict[str, str]] = {}
    done: dict[str, OperationsStudy] = {}
    drawn: dict[str, list[Points]] = {}
    notes: list[Note] = []
    for number, (name, judged) in enumerate(sets.items(), start=1):
        if not options.quiet:
            note(f"{number} of {len(sets)}: {name}")
        asked = listed_names(options.dimension)
        if asked and not set(asked) & set(judged.dimensions):
            missing[name] = f"nobody judged {' or '.join(asked)}"
            continue
        metrics, without = _metrics(judged, options)
        left_out[name] = dict(without)
        if not metrics:
            missing[name] = "no metric can be computed"
            continue
        found = _study(judged, metrics, [], options, True)
        studies.append(found)
        drawn[name] = points(
            found, judged, [label for label in listed_names(options.scatter) if label in found.signatures]
        )
        if options.operations:
            try:
                done[name] = _operations(judged, found, options)
            except PlainlyError as why:
                left_out[name]["operations"] = str(why)
        notes += metric_notes(metrics)
    if not studies:
        raise PlainlyError("; ".join(f"{name}: {why}" for name, why in missing.items()))
    return Collection(tuple(studies), missing, left_out, done, drawn), notes


def _study(
    judged: JudgedSet, metrics: Sequence[Metric], sets: Sequence[str], options: argparse.Namespace, whole: bool
) -> Study:
    granularities: tuple[Granularity, ...] = ("system",) if options.systems else ("segment",)
    if whole:
        granularities = choices.whole(judged)
    dimensions, fields = listed_names(options.dimension), _fields(options)
    if options.all:
        dimensions = [name for name in dimensions if name in judged.dimensions]
        fields = [name for name in fields if name in (*judged.fields, *OWN_FIELDS)]
    return study(
        judged,
        metrics,
        references=sets,
        dimensions=dimensions or None,
        granularities=granularities,
        by=fields,
        control=choices.controls(judged, _controls(options.control)),
        coefficient=options.coefficient,
        resampling=studied_resampling(options, "segment"),
        threads=options.threads,
    )


def _operations(judged: JudgedSet, found: Study, options: argparse.Namespace) -> OperationsStudy:
    if Path(options.operations).suffix in ANNOTATIONS:
        pairs = annotated_rows(judged, read_jsonl(options.operations))
    else:
        if options.operations == AUTO:
            tell(advice(judged.lang), options.quiet)
        pairs = tagged_rows(judged, load_labeller(options.operations, judged.lang))
    dimensions = dict.fromkeys(table.dimension for table in found.tables)
    return operations_study(judged, found.contenders, pairs, dimensions=list(dimensions), resampling=found.resampling)


def _understood(options: argparse.Namespace) -> JudgedSet:
    """The C-Scores of the answers that the options name; ratings stand beside the metrics."""
    for name in (*TEXTS, "ratings_set", "ratings_folder", "first_segment"):
        if getattr(options, name) not in (None, False, []):
            raise PlainlyError(f"--comprehension brings its own texts; leave --{name.replace('_', '-')} out")
    if options.unit != "segment":
        raise PlainlyError("C-Scores are of texts; leave --unit out")
    if not options.experiment:
        raise PlainlyError("--comprehension needs --experiment FILE, which has the texts")
    refuse_overwriting(options.output, [options.comprehension, options.experiment, *options.ratings])
    experiment = read_experiment(options.experiment)
    refuse_errors(experiment, options.experiment, planning=False)
    called = options.columns or {}
    of_answers = {name: column for name, column in called.items() if name in COLUMNS or not options.ratings}
    of_ratings = {name: column for name, column in called.items() if name not in of_answers}
    options.columns = of_ratings or None
    check_ratings_given(options)
    ratings = None
    if options.ratings:
        ratings = read_judgements(options.ratings, listed_names(options.scales), options.columns)
    return from_answers(
        analyse(
            read_records(options.comprehension, experiment, options.faults, columns=of_answers),
            experiment,
            resampling=Resampling(resamples=1, seed=options.seed),
            permutations=1,  # only scores are asked for
        ),
        experiment,
        ratings,
        name=file_name([options.comprehension]),
        values=options.values or "raw",
        less_is_better=tuple(listed_names(options.less_is_better)),
    )


def read_judged(options: argparse.Namespace) -> JudgedSet:
    """The judgements that the options name, with their texts."""
    if bool(options.ratings) == bool(options.ratings_set):
        raise PlainlyError(
            "give --ratings FILE with the texts, or --ratings-set NAME with --ratings-folder FOLDER (see --help)"
        )
    if options.ratings_set:
        check_ratings_given(options)
        for name in TEXTS:
            if getattr(options, name):
                raise PlainlyError(f"--ratings-set brings its own texts; leave --{name.replace('_', '-')} out")
        if not options.ratings_folder:
            raise PlainlyError(f"--ratings-set {options.ratings_set} needs --ratings-folder")
        return load(options.ratings_set, options.ratings_folder, options.values)
    if options.ratings_folder:
        raise PlainlyError("--ratings-folder goes with --ratings-set")
    if options.unit != "segment":
        raise PlainlyError("ratings are of segments; leave --unit out")
    refuse_overwriting(options.output, options.ratings)
    if options.baselines:
        raise PlainlyError("nobody rated --baselines; leave them out")
    of_texts, of_ratings = _columns(options)
    ratings = read_judgements(options.ratings, listed_names(options.scales), of_ratings)
    texts = _texts(ratings, argparse.Namespace(**{**vars(options), "columns": of_texts}))
    if options.first_segment is not None and texts.ids is not None:
        raise PlainlyError("--first-segment is for texts without ids; ratings of these name segments by their ids")
    judged = joined(
        ratings,
        texts,
        name=file_name(options.ratings),
        values=options.values or "raw",
        first=options.first_segment or 0,
    )
    try:
        return judged.less_is_better(listed_names(options.less_is_better))
    except UnknownName as error:
        raise PlainlyError(f"--less-is-better: {error}") from error


def _columns(options: argparse.Namespace) -> tuple[dict[str, str], dict[str, str]]:
    """Which names of columns are those of --data, and which those of --ratings: it has texts where no file has."""
    named: dict[str, str] = options.columns or {}
    of_texts = {name: column for name, column in named.items() if options.data and _is_text(name)}
    return of_texts, {name: column for name, column in named.items() if name not in of_texts}


def _is_text(name: str) -> bool:
    return name.partition(".")[0] in ("source", "references", "reference", "output", "outputs", "id", "document")


def _texts(ratings: Ratings, options: argparse.Namespace) -> Corpus:
    """The texts that were rated: those of the options, else those in the files of ratings."""
    if not any(getattr(options, name) for name in ("sources", "references", "system", "data", "test_set", "demo")):
        found = texts_of(ratings, language_of(options, "en"))
        if found is None:
            said = "the texts are missing: give --sources, --references and --system, or --data"
            where = Remedy("columns", (("source", "COLUMN"), ("output", "COLUMN")), condition="if --ratings has them")
            raise PlainlyError(said, remedy=where)
        return found
    chunks = list(Request(options).chunks)
    if not chunks:
        raise PlainlyError("there are no texts: no segments")
    return concatenate(chunks)


def check_ratings_given(options: argparse.Namespace) -> None:
    """Refuses options that say how to read ratings where none are given."""
    for name in OF_RATINGS:
        if not options.ratings and getattr(options, name) is not None:
            raise PlainlyError(f"--{name.replace('_', '-')} goes with --ratings; a data set is read as published")


def _reference_sets(judged: JudgedSet, options: argparse.Namespace) -> tuple[JudgedSet, list[str]]:
    """The judgements with the sets of references that files are given for, and the names of the sets to use."""
    names: list[str] = []
    for item in options.reference_set:
        name, equals, listed = item.partition("=")
        files = listed_names(listed)
        if equals and name == POOLED:
            raise PlainlyError(f"--reference-set: {POOLED} is the name of all sets together; choose another")
        if not name or (equals and not files):
            raise PlainlyError(f"--reference-set takes NAME or NAME=FILE,FILE, not {item!r}")
        if name in names:
            raise PlainlyError(f"--reference-set {name} is given twice")
        if files:
            refuse_overwriting(options.output, files)
            # The reader wants sources or outputs; the first references stand in for them.
            inputs = Inputs(references=tuple(files), systems={"references": files[0]}, lang=judged.lang)
            judged = judged.with_reference_set(name, [tuple(own) for own in read_corpus(inputs).references])
        names.append(name)
    return judged, names


def _metrics(judged: JudgedSet, options: argparse.Namespace) -> tuple[list[Metric], dict[str, str]]:
    requested = listed_names(options.metrics)
    if options.metrics is not None and not requested:
        raise PlainlyError("--metrics names no metric")
    available = choices.available(judged, options.reference_set)

    def references() -> list[str]:
        return [text for group in dict.fromkeys(judged.references) for text in group]

    if not (options.all and requested):
        try:
            return choose_metrics(options, requested or None, available, judged.lang, references)
        except PlainlyError as error:
            why = next((note for note in judged.notes if note.key == NO_REFERENCES), None)
            if why is None or "references" not in str(error):
                raise
            raise PlainlyError(f"{error}; {why}") from None
    profile = asked_profile(options)
    possible, left_out = choices.possible(requested if profile is None else profile.named(requested), judged)
    return (choose_metrics(options, possible, available, judged.lang, references)[0] if possible else []), left_out


def _fields(options: argparse.Namespace) -> list[str]:
    fields = list(dict.fromkeys(options.by))
    if fields and options.systems:
        raise PlainlyError("--by groups outputs; leave --systems out")
    return fields


def _controls(text: str | None) -> list[str] | None:
    names = None if text is None else listed_names(text)
    if names == []:
        raise PlainlyError("--control names no metric; say none to remove nothing")
    return [] if names == ["none"] else names
