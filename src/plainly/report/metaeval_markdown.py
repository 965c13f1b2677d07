"""A meta-evaluation as Markdown: figures and their provenance, and nothing that was read from the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from plainly.findings import Findings, Message, Note, Table, message, plain, printed
from plainly.metaeval import Study
from plainly.metaeval.collection import Collection
from plainly.metaeval.findings import findings
from plainly.metaeval.wide_tables import effects_table, left_out, overview, parting_sentences, wide_tables
from plainly.report.metaeval_charts import LOOKS, NAMES, forest, scatter
from plainly.report.pictures import side_by_side, svg
from plainly.report.words import joined

WIDTH = 230
ACROSS = 3  # panels in a row of a picture
LEARNED = (
    "A metric that learned may have learned from texts like these; its own page says from which. "
    "The model of `simplicity` learned from ARTS3000, texts of which resemble sources of these sets."
)


def metaeval_markdown(collection: Collection, links: Mapping[str, str]) -> str:
    """The page; `links` are pictures of data sets."""
    first = collection.studies[0]
    tables = [table for found in collection.studies for table in _tables(found, collection, links)]
    told = Findings(
        tables=[overview(collection), *tables, *(_operations(name, collection) for name in collection.operations)],
        notes=[Note(one) for one in _notes(collection)],
        signatures=[one for found in collection.studies for one in found.signatures.values()],
    )
    top = (
        f"Each number is {NAMES[first.coefficient]} of a metric with what people gave, output by output. "
        f"Brackets hold {first.resampling.confidence:.0%} intervals. The last columns of the first table say how far "
        "raters agree: no metric can be asked for much more."
    )
    return f"# Meta-evaluation: results\n\n{top}\n\n{printed(told, 'markdown')}"


def pictures(collection: Collection) -> dict[str, str]:
    """For each data set the intervals of all metrics, and the points of one in the first dimension, as SVG."""
    drawn = {}
    for found in collection.studies:
        first = collection.points.get(found.name, ())[:1]  # one plot: each point costs space
        charts = [forest(found, "forest"), scatter(found, first, "scatter")]
        shown = [side_by_side(chart, WIDTH, ACROSS) for chart in charts if chart is not None]
        if shown:
            config = shown[0].pop("config")
            for other in shown[1:]:
                other.pop("config")
            drawn[found.name] = svg({"vconcat": shown, "config": config, "resolve": {"legend": {"color": "shared"}}})
    return drawn


def _tables(found: Study, collection: Collection, links: Mapping[str, str]) -> Iterator[Table]:
    """Those of a data set; its notes and its picture stand below the first."""
    first, *others = wide_tables(found)
    legend = [plain(one) for one in (found.paper, found.licence and f"licence: {found.licence}") if one]
    legend += [note.message for note in findings(found).notes]
    legend += [_of(table.dimension, note) for table in found.chosen("segment", "") for note in table.notes]
    legend += [missing] if (missing := left_out(collection, found)) else []
    if link := links.get(found.name):
        chart = forest(found, "forest")
        kinds = chart.legend if chart else {}
        shapes = ", ".join(f"{look.shape.replace('-', ' ')} {kind}" for kind, look in kinds.items() if kind in LOOKS)
        legend += [
            plain(f"![Intervals of all metrics and points of one on {found.name}]({link})"),
            plain(f"Shapes: {shapes}. Dashed lines, if any: how far a rater agrees with the mean of the others."),
        ]
    yield replace(first, legend=[*first.legend, *legend])
    yield from (replace(table, question=_of(found.name, table.question), legend=()) for table in others)


def _operations(name: str, collection: Collection) -> Table:
    found = collection.operations[name]
    question = _of(name, message("metaeval.effects", "Which operations do metrics and people reward?"))
    about = plain(f"Marked by {joined(found.annotators)}: correlations with how often each occurs in an output.")
    return replace(effects_table(question, found.overall), legend=[about, *parting_sentences(found.overall)])


def _notes(collection: Collection) -> Iterator[Message]:
    if any(row.metric == "simplicity" for _, table in collection.tables for row in table.rows):
        yield plain(LEARNED)
    for name in collection.missing:
        yield message("metaeval.not-in-folder", "not in the folder: {name}", name=name)


def _of(name: str, said: Message) -> Message:
    return Message("", "{name}: {said}", {"name": name, "said": said})
