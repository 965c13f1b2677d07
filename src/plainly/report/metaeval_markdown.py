"""A meta-evaluation as Markdown: figures and their provenance, and nothing that was read from the data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from plainly.base.version import __version__
from plainly.findings.printers.markdown import escaped, plain_table
from plainly.metaeval import Row, Study, Table
from plainly.metaeval.collection import Collection
from plainly.metaeval.findings import tied
from plainly.metaeval.operations import OperationsStudy, parting
from plainly.report.charts import Chart
from plainly.report.metaeval_charts import LOOKS, NAMES, forest, scatter
from plainly.report.metaeval_tables import best_name, marks
from plainly.report.pictures import side_by_side, svg
from plainly.report.words import ARROWS, NOTHING, joined, plural

DIGITS = 2
WIDTH = 230
ACROSS = 3  # panels in a row of a picture
SIGNS = (
    "**Bold** is the best metric of a column. ≈ is tied with it: neither test nor interval tells them apart. "
    "~ is within its noise by the interval alone. ✗ goes against its own direction, beyond chance. "
    "° has no better direction, so it does not take part."
)


def metaeval_markdown(collection: Collection, links: Mapping[str, str]) -> str:
    """The page; `links` are pictures of data sets."""
    parts = ["# Meta-evaluation: results\n", *_top(collection)]
    for found in collection.studies:
        parts += _study(found, collection, links.get(found.name))
    parts += _end(collection)
    return "\n".join(parts)


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


def _learned(collection: Collection) -> str:
    """What the one model that plainly trained has seen."""
    metrics = {row.metric for _, table in collection.tables for row in table.rows}
    if "simplicity" not in metrics:
        return ""
    return " The model of `simplicity` learned from ARTS3000, texts of which resemble sources of these sets."


def _top(collection: Collection) -> Iterator[str]:
    first = collection.studies[0]
    drawn = first.resampling
    yield (
        f"Each number is {NAMES[first.coefficient]} of a metric with what people gave, output by output. "
        f"Brackets hold {drawn.confidence:.0%} intervals over {drawn.resamples:,} resamples of segments.\n"
        f"{SIGNS}\n"
        "An arrow (↓) says that less is better: such a metric agrees with people where its number is below 0. "
        "Where less is better of what people gave, it is the other way round.\n"
        "A metric that learned may have learned from texts like these; its own page says from which."
        f"{_learned(collection)}\n"
    )
    rows: list[list[str | int | None]] = []
    for found, table in collection.tables:
        best = table.best
        rows.append(
            [
                escaped(found.name),
                _dimension(table),
                table.outputs,
                f"{best_name(found, table)} {_bounded(best, found)}" if best else NOTHING,
                ", ".join(tied(table)) or NOTHING,
                _number(table.ceiling.between.value),
                _number(table.ceiling.with_others.value),
            ]
        )
    headers = ["data set", "dimension", "outputs", "best metric", "tied with it", "two raters", "rater with others"]
    yield "## The best metric of each data set\n"
    yield plain_table(headers, rows)


def _study(found: Study, collection: Collection, link: str | None) -> Iterator[str]:
    yield f"## {escaped(found.name)}\n"
    counted = (
        f"{plural(found.outputs, 'output')}, {plural(found.segments, 'segment')}, {plural(found.systems, 'system')}"
    )
    yield f"{counted}; language {found.lang}.\n"
    origin = [found.paper, f"licence: {found.licence}" if found.licence else ""]
    if any(origin):
        yield f"Source: {'; '.join(filter(None, origin))}\n"
    yield _table(found, found.chosen("segment", ""))
    if link:
        yield f"![Intervals of all metrics and points of one on {found.name}]({link})\n"
        yield f"Shapes: {_shapes(found)}. Dashed lines, if any: how far a rater agrees with the mean of the others.\n"
    systems = found.chosen("system", "")
    if any(math.isfinite(row.agreement.pearson.value) for table in systems for row in table.rows):
        yield f"The same over the means of {plural(found.systems, 'system')}:\n"
        yield _table(found, systems)
    fields = dict.fromkeys(table.field for table in found.tables if table.field)
    for field in fields:
        for dimension in dict.fromkeys(table.dimension for table in found.chosen("segment", field)):
            chosen = [table for table in found.chosen("segment", field) if table.dimension == dimension]
            yield f"{escaped(dimension)} by {escaped(field)}:\n"
            yield _table(found, chosen, [escaped(table.group) for table in chosen])
    if collection.operations.get(found.name):
        yield from _operations(collection.operations[found.name])
    notes = [
        *found.notes,
        *(f"{table.dimension}: {note}" for table in found.chosen("segment", "") for note in table.notes),
    ]
    notes += [f"left out: {joined(names)} ({why})" for why, names in collection.reasons(found.name).items()]
    if notes:
        yield "Notes:\n"
        yield "".join(f"- {note}\n" for note in dict.fromkeys(notes))


def _table(found: Study, tables: Sequence[Table], titles: Sequence[str] | None = None) -> str:
    labels = dict.fromkeys(row.contender for table in tables for row in table.rows)
    by_label = [{row.contender: row for row in table.rows} for table in tables]
    rows = []
    for label in labels:
        own = [known.get(label) for known in by_label]
        direction = next((row.agreement.direction for row in own if row), "none")
        rows.append([f"`{label}` {ARROWS[direction]}".strip(), *(_cell(row, found) for row in own)])
    return plain_table(["metric", *(titles or [_dimension(table) for table in tables])], rows)


def _cell(row: Row | None, found: Study) -> str:
    if row is None or not math.isfinite(row.agreement.coefficient(found.coefficient).value):
        return NOTHING
    number = _bounded(row, found)
    shown = f"**{number}**" if row.standing.best else number
    return " ".join([shown, *marks(row)])


def _bounded(row: Row, found: Study) -> str:
    value = row.agreement.coefficient(found.coefficient)
    found_in = value.estimate
    ends = f" ({_number(found_in.low)}, {_number(found_in.high)})" if found_in.has_interval else ""
    return _number(value.value) + ends


def _operations(found: OperationsStudy) -> Iterator[str]:
    """Verdicts over all outputs: a plus for what is rewarded, a minus for what is punished."""
    scores = list(dict.fromkeys(effect.finding.score for effect in found.overall))
    operations = list(dict.fromkeys(effect.finding.operation for effect in found.overall))
    cells = {(effect.finding.operation, effect.finding.score): effect.finding for effect in found.overall}
    rows: list[list[str | int | None]] = []
    for operation in operations:
        own = [cells.get((operation, score)) for score in scores]
        shown = []
        for finding in own:
            value = NOTHING if finding is None else _number(finding.correlation.value)
            shown.append(f"**{value}**" if finding is not None and finding.verdict else value)
        rows.append([operation, max(finding.pairs for finding in own if finding), *shown])
    yield (
        f"Operations, marked by {joined(found.annotators)}: correlations of scores with how often each occurs in an "
        "output. Bold ones hold after Holm's correction.\n"
    )
    yield plain_table(["operation", "outputs with it", *scores], rows)
    apart = parting(found.overall)
    if apart:
        yield "A metric rewards what people punish, or the other way round, in these cases:\n"
        yield "".join(f"- {metric} and {people}: {joined(own)}\n" for (metric, people), own in apart.items())


def _end(collection: Collection) -> Iterator[str]:
    first = collection.studies[0]
    yield "## Provenance\n"
    lines = [
        f"plainly {__version__}; seed {first.resampling.seed}; {first.resampling.resamples:,} resamples",
        "the permutation test has as many trials; p is corrected by Holm's rule within each column",
    ]
    lines += [f"not in the folder: {name}" for name in collection.missing]
    signatures = dict.fromkeys(one for found in collection.studies for one in found.signatures.values())
    lines += [f"`{signature}`" for signature in signatures]
    yield "".join(f"- {line}\n" for line in lines)


def _dimension(table: Table) -> str:
    name = escaped(table.dimension)
    return f"{name} (less is better)" if table.human_direction == "lower" else name


def _shapes(found: Study) -> str:
    chart: Chart | None = forest(found, "forest")
    kinds = chart.legend if chart else {}
    return ", ".join(f"{style.shape.replace('-', ' ')} {kind}" for kind, style in kinds.items() if kind in LOOKS)


def _number(value: float) -> str:
    """Two digits without the zero before the point, as papers print correlations."""
    if not math.isfinite(value):
        return NOTHING
    text = f"{round(value, DIGITS) + 0.0:.{DIGITS}f}"
    return text.replace("0.", ".", 1) if abs(value) < 0.995 else text
