"""A meta-evaluation as one HTML page: which metric agrees with people, on one data set or on many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from plainly.metaeval import Study
from plainly.metaeval.collection import Collection
from plainly.metaeval.findings import best_sentence, ceilings
from plainly.metaeval.operations import OperationsStudy, parting
from plainly.report.assets import rendered
from plainly.report.charts import Chart
from plainly.report.metaeval_charts import NAMES, forest, scatter
from plainly.report.metaeval_tables import (
    MEANING,
    agreement_table,
    effects_grid,
    overview,
    partial_table,
    tests_grid,
)
from plainly.report.operations import TRUST, explained
from plainly.report.tables import Grid, Table, grid
from plainly.report.words import joined, plural

MOST_SAID = 12  # sentences at the top; the table says the rest
TITLE = "Which metric agrees with people?"


@dataclass(frozen=True)
class Captioned:
    """A table with its caption; `id` is that of the element."""

    id: str
    caption: str
    table: Table


@dataclass(frozen=True)
class Part:
    """All that the page says of one data set."""

    id: str
    name: str
    facts: Mapping[str, str]
    main: Captioned
    charts: Sequence[Chart]
    more: Sequence[Captioned]
    tests: Grid
    ceilings: Grid
    notes: Sequence[str]
    signatures: Sequence[str]
    left_out: Mapping[str, str]


@dataclass(frozen=True)
class Operations:
    """What operations a metric rewards on one data set."""

    id: str
    name: str
    short: Sequence[str]
    charts: Sequence[Chart]
    overall: Grid
    systems: Sequence[Grid]
    notes: Sequence[str]


def metaeval_page(collection: Collection, date: str, title: str = TITLE) -> str:
    """The page of one or several studies."""
    parts = [_part(number, found, collection) for number, found in enumerate(collection.studies)]
    done = [_operations(number, found) for number, found in enumerate(collection.operations.values())]
    charts = [chart for part in parts for chart in part.charts]
    charts += [chart for part in done for chart in part.charts]
    first = collection.studies[0]
    return rendered(
        "metaeval.html",
        charts,
        title=title,
        date=date,
        short=list(_short(collection)),
        overview=overview(collection),
        coefficient=NAMES[first.coefficient],
        controls=joined(first.controls),
        confidence=f"{100 * first.resampling.confidence:g} %",
        resamples=f"{first.resampling.resamples:,}",
        seed=first.resampling.seed,
        marks=MEANING,
        parts=parts,
        operations=done,
        missing=collection.missing,
    )


def _short(collection: Collection) -> Iterator[str]:
    tables = collection.tables
    if len(collection.studies) > 1:
        named = plural(len(collection.studies), "data set")
        outputs = sum(found.outputs for found in collection.studies)
        yield f"{named} with {outputs:,} judged outputs and {plural(len(tables), 'table')} of agreement."
    yield from (best_sentence(found, table).text() for found, table in tables[:MOST_SAID])
    if len(tables) > MOST_SAID:
        yield f"{plural(len(tables) - MOST_SAID, 'more line')} in the table below."
    if collection.missing:
        yield f"Not in the folder: {joined(list(collection.missing))}."


def _part(number: int, found: Study, collection: Collection) -> Part:
    own = f"data-{number}"
    tables = found.chosen("segment", "") or found.chosen("system", "")
    titles = [table.dimension for table in tables]
    drawn = [
        forest(found, f"forest-{number}"),
        scatter(found, collection.points.get(found.name, ()), f"scatter-{number}"),
    ]
    return Part(
        id=own,
        name=found.name,
        facts=_facts(found),
        main=Captioned(f"{own}-main", f"Agreement with people: {found.name}", agreement_table(found, tables, titles)),
        charts=[chart for chart in drawn if chart is not None],
        more=list(_more(own, found)),
        tests=tests_grid(found),
        ceilings=grid(ceilings(found, found.chosen("segment", ""))),
        notes=list(dict.fromkeys([*found.notes, *_table_notes(found)])),
        signatures=list(dict.fromkeys(found.signatures.values())),
        left_out={why: joined(names) for why, names in collection.reasons(found.name).items()},
    )


def _facts(found: Study) -> dict[str, str]:
    facts = {
        "Outputs": f"{found.outputs:,}",
        "Segments": f"{found.segments:,}",
        "Systems": f"{found.systems:,}",
        "Language": found.lang,
        "Values": ", ".join(dict.fromkeys(found.scale.values())),
        "Licence": found.licence,
        "Paper": found.paper,
    }
    return {name: value for name, value in facts.items() if value}


def _more(own: str, found: Study) -> Iterator[Captioned]:
    """Tables that a reader opens: length removed, systems, groups."""
    partial = partial_table(found)
    if partial is not None:
        removed = joined(found.controls)
        yield Captioned(f"{own}-partial", f"Pearson’s r with {removed} removed", partial)
    systems = found.chosen("system", "")
    if systems and found.chosen("segment", ""):
        titles = [table.dimension for table in systems]
        counted = plural(max(table.systems for table in systems), "system")
        yield Captioned(f"{own}-systems", f"Means of {counted}", agreement_table(found, systems, titles))
    fields = dict.fromkeys(table.field for table in found.tables if table.field)
    for place, field in enumerate(fields):
        grouped = found.chosen("segment", field)
        for at, dimension in enumerate(dict.fromkeys(table.dimension for table in grouped)):
            chosen = [table for table in grouped if table.dimension == dimension]
            titles = [f"{table.group} ({table.outputs:,})" for table in chosen]
            caption = f"{dimension} by {field}"
            yield Captioned(f"{own}-by-{place}-{at}", caption, agreement_table(found, chosen, titles))


def _table_notes(found: Study) -> Iterator[str]:
    for table in found.chosen(field=""):
        over = " over systems" if table.granularity == "system" else ""
        yield from (f"{table.dimension}{over}: {note}" for note in table.notes)


def _operations(number: int, found: OperationsStudy) -> Operations:
    scores = list(dict.fromkeys(effect.finding.score for effect in found.overall))
    return Operations(
        id=f"operations-{number}",
        name=found.name,
        short=[
            f"{metric} and {people} part over {joined(names)}: one rewards what the other punishes."
            for (metric, people), names in parting(found.overall).items()
        ],
        charts=list(
            explained(
                [effect.finding for effect in found.overall],
                dict(zip(scores, scores, strict=True)),
                f"operations-{number}-chart",
            )
        ),
        overall=effects_grid("All systems", found.overall),
        systems=[effects_grid(system, effects) for system, effects in found.systems.items()],
        notes=[
            f"Marked by {joined(found.annotators)}.",
            *(TRUST[name] for name in found.annotators if name in TRUST),
            *found.notes,
        ],
    )
