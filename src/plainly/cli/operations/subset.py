"""`plainly operations subset`: what do scores become when only some references count?"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from plainly.base.errors import PlainlyError
from plainly.base.files import refuse_overwriting, writing
from plainly.base.messages import Note, message
from plainly.base.records import write_lines
from plainly.cli.operations.inputs import named_files, rules_of
from plainly.cli.operations.parser import TABLES
from plainly.cli.operations.texts import annotated_texts, check_threads, metrics_of, outputs_of
from plainly.cli.options import studied_resampling
from plainly.cli.printing import ProgressLine, insist_on_one_table, print_findings, tell
from plainly.corpus import Corpus
from plainly.findings import Findings
from plainly.metrics import Metric
from plainly.operations.annotated_set import AnnotatedSet
from plainly.operations.expressions import parse
from plainly.operations.findings import size_findings, subset_findings
from plainly.operations.selection import Members, Outputs, corpus_of, members_table, read_members, select, sizes
from plainly.operations.subsets import scored
from plainly.scoring.evaluation import metric_notes


def run(options: argparse.Namespace) -> None:
    insist_on_one_table(options, TABLES["subset"] if options.system else ())
    check_threads(options)
    data = annotated_texts(options)
    outputs = outputs_of(options, data)
    subsets = _subsets(options, data)
    metrics = metrics_of(options, data, "sari")
    if outputs:
        found = _scored(options, data, outputs, subsets, metrics)
    else:
        found = size_findings(sizes(subsets))
        if options.table not in (None, "sizes"):
            raise PlainlyError(f"there is no table of {options.table} without outputs; give --system")
    if options.write:
        _write(options, data, outputs, subsets)
    print_findings(options, found, [options.table] if options.table else ())
    if not outputs:
        tell([Note(message("operations.no-outputs", "no outputs are scored; give --system"))], options.quiet)


def _subsets(options: argparse.Namespace, data: AnnotatedSet) -> dict[str, Members]:
    typology = rules_of(options).typology
    within = parse(options.within, typology) if options.within else None
    subsets: dict[str, Members] = {}
    for item in options.subset:
        name, equals, text = item.partition("=")
        if not equals:
            name, text = item, item
        if not name.strip():
            raise PlainlyError(f"--subset takes EXPRESSION or NAME=EXPRESSION, not {item!r}")
        if name in subsets:
            raise PlainlyError(f"--subset: the name {name!r} is there twice")
        subsets[name] = select(data, parse(text, typology), within)
    if options.members:
        for name, members in read_members(options.members, data).items():
            if name in subsets:
                raise PlainlyError(f"subset {name!r} is in --subset and in {options.members}")
            subsets[name] = members
    if not subsets:
        raise PlainlyError("which references? Say --subset EXPRESSION, for example --subset 'lexical and not err'")
    return subsets


def _scored(
    options: argparse.Namespace,
    data: AnnotatedSet,
    outputs: Outputs,
    subsets: Mapping[str, Members],
    metrics: Sequence[Metric],
) -> Findings:
    line = ProgressLine(options.quiet)
    try:
        found = scored(
            data,
            outputs,
            metrics,
            subsets,
            within=parse(options.within, rules_of(options).typology) if options.within else None,
            draws=options.random_subsets,
            resampling=studied_resampling(options, "source"),
            threads=options.threads,
            progress=lambda done, steps: line.show(f"measured {done} of {steps} sets of references"),
        )
    finally:
        line.end()
    tell(metric_notes(metrics), options.quiet)
    return subset_findings(found)


MEMBERS = "members.tsv"


def _write(options: argparse.Namespace, data: AnnotatedSet, outputs: Outputs, subsets: Mapping[str, Members]) -> None:
    """The subsets as records that `plainly score --data` reads, and which reference is in which."""
    folder = options.write
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PlainlyError(f"cannot write to {folder}: {error.strerror}") from error
    names = {subset: _file_name(subset) for subset in subsets}
    for name in (*names.values(), MEMBERS):
        refuse_overwriting(str(Path(folder) / name), _inputs(options))
    if len(set(names.values())) < len(names):
        raise PlainlyError("two subsets would have the same file; name them, as --subset NAME=EXPRESSION")
    table = members_table(data, subsets)
    for subset, members in subsets.items():
        with writing(str(Path(folder) / names[subset])) as out:
            write_lines(_records(corpus_of(data, members, outputs)), out)
    with writing(str(Path(folder) / MEMBERS)) as out:
        out.write(table)


def _records(corpus: Corpus) -> Iterator[dict[str, object]]:
    for i, identity in enumerate(corpus.ids or ()):
        outputs = {system: own[i] for system, own in corpus.outputs.items()}
        texts = {"source": corpus.sources[i], "references": list(corpus.references[i])}
        yield {"id": identity, **texts, **({"outputs": outputs} if outputs else {})}


def _inputs(options: argparse.Namespace) -> list[str | None]:
    """The files that are read."""
    named = [
        path for option in ("annotations", "system") for _, path in named_files(option, getattr(options, option))
    ]
    single = [options.sources, options.raw_sources, options.members]
    return [*named, *options.targets, *options.crp, *options.raw_targets, *single]


def _file_name(subset: str) -> str:
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in subset)[:80].strip("-.")
    return f"{kept or 'subset'}.jsonl"
