"""A meta-evaluation as one HTML page: which metric agrees with people, on one data set or on many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from plainly.findings import Message, plain
from plainly.metaeval import Study
from plainly.metaeval.collection import Collection
from plainly.metaeval.findings import best_sentence, ceilings, findings
from plainly.metaeval.operations import OperationsStudy
from plainly.metaeval.wide_tables import effects_table, left_out, overview, parting_sentences, wide_tables
from plainly.operations import assetann
from plainly.report.assets import rendered
from plainly.report.charts import Chart
from plainly.report.metaeval_charts import NAMES, forest, scatter
from plainly.report.operations import TRUST, explained
from plainly.report.tables import Grid, grid
from plainly.report.words import joined, plural

MOST_SAID = 12  # sentences at the top; the table says the rest
TITLE = "Which metric agrees with people?"


@dataclass(frozen=True)
class Part:
    """All that the page says of one data set."""

    id: str
    name: str
    facts: Mapping[str, str]
    main: Grid
    charts: Sequence[Chart]
    more: Sequence[Grid]
    ceilings: Grid
    notes: Sequence[str]
    signatures: Sequence[str]


@dataclass(frozen=True)
class Operations:
    """What operations a metric rewards on one data set."""

    name: str
    short: Sequence[Message]
    charts: Sequence[Chart]
    overall: Grid
    systems: Sequence[Grid]
    notes: Sequence[object]


def metaeval_page(collection: Collection, date: str, title: str = TITLE) -> str:
    """The page of one or several studies."""
    parts = [_part(number, found, collection) for number, found in enumerate(collection.studies)]
    done = [_operations(number, found) for number, found in enumerate(collection.operations.values())]
    charts = [*(chart for part in parts for chart in part.charts), *(chart for part in done for chart in part.charts)]
    first = collection.studies[0]
    return rendered(
        "metaeval.html",
        charts,
        title=title,
        date=date,
        short=list(_short(collection)),
        overview=grid(overview(collection)),
        coefficient=NAMES[first.coefficient],
        controls=joined(first.controls),
        confidence=f"{100 * first.resampling.confidence:g} %",
        resamples=f"{first.resampling.resamples:,}",
        seed=first.resampling.seed,
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
    main, *more = wide_tables(found)
    tests = findings(found).tables[: len(found.tables)]  # how far each metric is behind the best one
    drawn = [
        forest(found, f"forest-{number}"),
        scatter(found, collection.points.get(found.name, ()), f"scatter-{number}"),
    ]
    missing = left_out(collection, found)
    return Part(
        id=f"data-{number}",
        name=found.name,
        facts=_facts(found),
        main=grid(main),
        charts=[chart for chart in drawn if chart is not None],
        more=[*map(grid, (*more, *tests))],
        ceilings=grid(ceilings(found, found.chosen("segment", ""))),
        notes=[*map(str, found.notes), *([f"{missing}."] if missing else [])],
        signatures=list(dict.fromkeys(found.signatures.values())),
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


def _operations(number: int, found: OperationsStudy) -> Operations:
    scores = {effect.finding.score: effect.finding.score for effect in found.overall}
    trust = [TRUST[name] for name in found.annotators if name in TRUST]
    return Operations(
        name=found.name,
        short=parting_sentences(found.overall),
        charts=[*explained([one.finding for one in found.overall], scores, assetann(), f"operations-{number}-chart")],
        overall=grid(effects_table(plain("All systems"), found.overall)),
        systems=[grid(effects_table(plain(system), effects)) for system, effects in found.systems.items()],
        notes=[f"Marked by {joined(found.annotators)}.", *trust, *found.notes],
    )
