"""`plainly operations subset`: what do scores become when only some references count?"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import writing
from plainly.base.tables import Cell
from plainly.base.version import __version__
from plainly.cli.notes import ProgressLine, note
from plainly.cli.operations.inputs import named_files, rules_of
from plainly.cli.operations.texts import (
    annotated_texts,
    cautions,
    check_threads,
    metrics_of,
    outputs_of,
    signatures,
)
from plainly.cli.options import studied_resampling
from plainly.cli.study_tables import Table, estimate_cells, p_cell, printed
from plainly.operations.annotated_set import AnnotatedSet
from plainly.operations.expressions import parse
from plainly.operations.replication import FORMS, NAME, SUBSETS, Replicated, mean_changes, table_4
from plainly.operations.selection import (
    Members,
    Outputs,
    corpus_of,
    everything,
    members_table,
    read_members,
    select,
    size,
)
from plainly.operations.subsets import SubsetScore, study, summaries


def run(options: argparse.Namespace) -> None:
    if options.replicate not in (None, NAME):
        raise UnknownName("paper to replicate", options.replicate, [NAME])
    if options.replicate and not (options.raw_sources and options.raw_targets):
        raise PlainlyError(f"--replicate {NAME} needs tokenised and untokenised texts: --raw-sources, --raw-targets")
    if options.replicate and (options.metrics or options.within):
        raise PlainlyError(f"--replicate {NAME} has its own metrics and subsets; leave --metrics and --within out")
    check_threads(options)
    data = annotated_texts(options)
    outputs = outputs_of(options, data)
    subsets = _subsets(options, data)
    sizes: list[list[Cell]] = [[name, *asdict(size(members)).values()] for name, members in subsets.items()]
    with writing(options.output) as out:
        if options.replicate:
            text = _replicated(options, data, outputs, subsets, sizes)
        elif outputs:
            text = _scored(options, data, outputs, subsets, sizes)
        else:
            text = _text(options, {"sizes": _size_table(sizes)}, {"sizes": _size_dicts(sizes)}, [])
        if options.write:
            _write(options, data, outputs, subsets)
        out.write(text)
    if not outputs and not options.quiet:
        note("note: no outputs are scored; give --system")


def _subsets(options: argparse.Namespace, data: AnnotatedSet) -> dict[str, Members]:
    typology = rules_of(options).typology
    within = parse(options.within, typology) if options.within else None
    subsets: dict[str, Members] = {}
    for item in options.keep:
        name, equals, text = item.partition("=")
        if not equals:
            name, text = item, item
        if not name.strip():
            raise PlainlyError(f"--keep takes EXPRESSION or NAME=EXPRESSION, not {item!r}")
        if name in subsets:
            raise PlainlyError(f"--keep: the name {name!r} is there twice")
        subsets[name] = select(data, parse(text, typology), within)
    if options.members:
        for name, members in read_members(options.members, data).items():
            if name in subsets:
                raise PlainlyError(f"subset {name!r} is in --keep and in {options.members}")
            subsets[name] = members
    if options.replicate:
        named = {name: select(data, parse(text, typology)) for name, text in SUBSETS.items()}
        subsets = {name: subsets.get(name, members) for name, members in named.items()}
    if not subsets:
        raise PlainlyError("which references? Say --keep EXPRESSION, for example --keep 'lexical and not err'")
    for name, members in subsets.items():
        if not any(members):
            raise PlainlyError(f"subset {name!r} is empty: no reference is like that")
    return subsets


def _scored(
    options: argparse.Namespace,
    data: AnnotatedSet,
    outputs: Outputs,
    subsets: Mapping[str, Members],
    sizes: list[list[Cell]],
) -> str:
    metrics = metrics_of(options, data, "sari")
    typology = rules_of(options).typology
    pool = select(data, parse(options.within, typology)) if options.within else everything(data)
    line = ProgressLine(options.quiet)
    try:
        results = study(
            data,
            outputs,
            metrics,
            subsets,
            pool=pool,
            draws=options.draws,
            resampling=studied_resampling(options, "source"),
            threads=options.threads,
            progress=lambda done, steps: line.show(f"measured {done} of {steps} sets of references"),
        )
    finally:
        line.end()
    tables = {
        "scores": Table(
            "Scores",
            [
                *("subset", "metric", "system", "score", "low", "high"),
                *("all", "change", "change low", "change high"),
                *("random", "draws from", "draws to", "beyond random", "beyond low", "beyond high", "p"),
            ],
            list(_score_rows(results, options.format)),
            2,
        ),
        "summary": Table(
            "Mean over systems",
            ["subset", "metric", "systems", "change", "that rise", "beyond random", "above random"],
            [list(asdict(summary).values()) for summary in summaries(results)],
            2,
        ),
        "sizes": _size_table(sizes),
    }
    drawn = f"from {options.within!r}" if options.within else "from all references"
    counts = {len(chosen) for members in [everything(data), *subsets.values()] for chosen in members if chosen}
    lines = [
        f"all: {len(data)} sources, {sum(map(len, data.targets))} references; change: subset less all",
        f"random: mean of {options.draws} draws {drawn}, as many for each source as the subset has; p: of the draws",
    ]
    if options.resamples:
        drawn = f"{options.resamples} resamples of whole sources, seed {options.seed}"
        lines.append(f"low and high: {options.confidence:.0%} intervals, {drawn}")
    lines += signatures(metrics, counts)
    cautions(metrics, options)
    content = {
        "scores": [result.to_dict() for result in results],
        "summary": [summary.to_dict() for summary in summaries(results)],
        "sizes": _size_dicts(sizes),
        "draws": options.draws,
        "within": options.within,
        "seed": options.seed,
        "resampling": studied_resampling(options, "source").to_dict(),
    }
    return _text(options, tables, content, lines)


def _replicated(
    options: argparse.Namespace,
    data: AnnotatedSet,
    outputs: Outputs,
    subsets: Mapping[str, Members],
    sizes: list[list[Cell]],
) -> str:
    if not outputs:
        raise PlainlyError("--replicate scores systems; give --system NAME=FILE")
    cells = table_4(data, outputs, subsets)
    changes = mean_changes(cells)
    headers = ["metric", "subset", "system", *FORMS]
    tables = {
        "scores": Table("Table 4 of Cardon et al. 2022", headers, list(_form_rows(cells)), 2),
        "summary": Table("Change against orig", headers, list(_form_rows(changes)), 2),
        "sizes": _size_table(sizes),
    }
    lines = [f"{form}: {about}" for form, about in FORMS.items()]
    content = {
        "scores": [cell.to_dict() for cell in cells],
        "summary": [change.to_dict() for change in changes],
        "sizes": _size_dicts(sizes),
        "forms": FORMS,
    }
    return _text(options, tables, content, lines)


def _text(
    options: argparse.Namespace, tables: Mapping[str, Table], content: Mapping[str, object], lines: Sequence[str]
) -> str:
    if options.format == "json":
        whole = {"plainly": __version__, **content, "notes": list(lines)}
        return json.dumps(whole, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    chosen = options.table or ("scores" if options.format == "csv" and "scores" in tables else None)
    if chosen and chosen not in tables:
        raise PlainlyError(f"there is no table of {chosen} without outputs; give --system")
    return printed(tables, chosen or (None if len(tables) > 1 else next(iter(tables))), options.format, lines)


def _score_rows(results: Sequence[SubsetScore], form: str) -> Iterator[list[Cell]]:
    for result in results:
        whole, drawn = result.from_whole, result.from_random
        yield [
            *(result.subset, result.metric, result.system),
            *estimate_cells(result.score),
            *(result.whole, *estimate_cells(whole)),
            *estimate_cells(result.random),
            *estimate_cells(drawn),
            p_cell(result.p, form),
        ]


def _form_rows(cells: Sequence[Replicated]) -> Iterator[list[Cell]]:
    for cell in cells:
        yield [cell.metric, cell.subset, cell.system, *(cell.forms[form] for form in FORMS)]


MEMBERS = "members.tsv"
SIZES = ("subset", "sources", "references", "fewest", "most")


def _size_table(sizes: list[list[Cell]]) -> Table:
    return Table("Size (fewest and most references of a source that has any)", SIZES, sizes, 0)


def _size_dicts(sizes: list[list[Cell]]) -> list[dict[str, Cell]]:
    return [dict(zip(SIZES, row, strict=True)) for row in sizes]


def _write(options: argparse.Namespace, data: AnnotatedSet, outputs: Outputs, subsets: Mapping[str, Members]) -> None:
    """The subsets as records that `plainly score --data` reads, and which reference is in which."""
    folder = options.write
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PlainlyError(f"cannot write to {folder}: {error.strerror}") from error
    names = {subset: _file_name(subset) for subset in subsets}
    for name in (*names.values(), MEMBERS):
        _protect_inputs(options, Path(folder) / name)
    if len(set(names.values())) < len(names):
        raise PlainlyError("two subsets would have the same file; name them, as --keep NAME=EXPRESSION")
    table = members_table(data, subsets)
    for subset, members in subsets.items():
        with writing(str(Path(folder) / names[subset])) as out:
            corpus = corpus_of(data, members, outputs)
            for i, identity in enumerate(corpus.ids or ()):
                record: dict[str, object] = {
                    "id": identity,
                    "source": corpus.sources[i],
                    "references": list(corpus.references[i]),
                }
                if outputs:
                    record["outputs"] = {system: texts[i] for system, texts in corpus.outputs.items()}
                out.write(json.dumps(record, ensure_ascii=False) + "\n")
    with writing(str(Path(folder) / MEMBERS)) as out:
        out.write(table)


def _protect_inputs(options: argparse.Namespace, target: Path) -> None:
    """Refuse to write over what is read."""
    named = [
        path for option in ("annotations", "system") for _, path in named_files(option, getattr(options, option))
    ]
    inputs = [*named, *options.targets, *options.crp, *options.raw_targets]
    inputs += [path for path in (options.sources, options.raw_sources, options.members) if path]
    for path in inputs:
        if target.is_file() and Path(path).exists() and target.samefile(path):
            raise PlainlyError(
                f"--write would replace {target}, which is an input of this run; choose another folder"
            )


def _file_name(subset: str) -> str:
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in subset)[:80].strip("-.")
    return f"{kept or 'subset'}.jsonl"
