"""A ranking as one HTML page: the texts, how sure their places are, the raters, and what they disagree about."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import median

from plainly.inference.estimates import Estimate
from plainly.ranking import Judgements, Ranking
from plainly.ranking.findings import agreement_findings, rating_findings
from plainly.ranking.judgements import Contest, contested, ends, quality
from plainly.ranking.raters import Agreement
from plainly.report import specs
from plainly.report.assets import rendered
from plainly.report.charts import Chart, Panel, Value
from plainly.report.tables import grid
from plainly.report.words import number, plural

TEXTS = 1000  # more are left to the data of the chart
CONTESTED = 12
SNIPPET = 160


@dataclass(frozen=True)
class Dispute:
    """A pair that raters disagree about, with its texts."""

    votes: str
    first: str
    second: str
    first_text: str
    second_text: str


def ranking_page(
    ranking: Ranking,
    judgements: Judgements,
    agreement: Agreement | None,
    texts: Mapping[str, str],
    date: str,
    title: str | None = None,
) -> str:
    """The page; `agreement` is None where there is one rater only, `texts` may be empty."""
    charts = [_ladder(ranking, texts), *(_agreements(agreement) if agreement else ())]
    (rated,) = rating_findings(ranking, texts, letters=SNIPPET).tables
    found = agreement_findings(agreement).tables if agreement else ()
    raters = [grid(table) for table in found if table.name != "contested"]  # that has its own place below
    return rendered(
        "ranking.html",
        charts,
        title=title or _title(ranking),
        date=date,
        short=list(_short(ranking, judgements, agreement)),
        notes=[*ranking.notes, *(agreement.notes if agreement else ())],
        charts=charts,
        texts=grid(replace(rated, rows=rated.rows[:TEXTS])),
        left_out=max(0, len(ranking.rows) - TEXTS),
        raters=raters,
        disputes=[_dispute(contest, texts) for contest in contested(judgements, CONTESTED)],
        signatures=[ranking.signature, *([agreement.signature] if agreement else [])],
    )


def _title(ranking: Ranking) -> str:
    of = quality(ranking.direction)
    return f"Which texts are most {of}?" if of else "Which texts are hard to read?"


def _short(ranking: Ranking, judgements: Judgements, agreement: Agreement | None) -> Iterator[str]:
    rows = ranking.by_rank()
    low, high = ends(ranking.direction)
    who = plural(len(judgements.raters), "rater")
    yield f"{plural(len(judgements), 'judgement')} of {plural(len(rows), 'text')} by {who}."
    if rows[0].rank.high >= rows[-1].rank.low:
        yield f"Even the {low} and the {high} text cannot be told apart: their intervals of ranks overlap."
    else:
        yield f"The {low} text is {rows[0].text}, the {high} {rows[-1].text}."
    widths = [row.rank.high - row.rank.low for row in rows if row.rank.has_interval]
    if widths:
        yield f"The place of a typical text is known to within {median(widths) + 1:.0f} of {len(rows)} ranks."
    if ranking.position is not None:
        found = ranking.position
        side = "sure" if found.low * found.high > 0 else "not told from none"
        yield f"An advantage of the side shown first is {side}: {_figure(found)} logits."
    if agreement:
        yield f"Krippendorff’s alpha of all raters: {_figure(agreement.groups[0].alpha)}."


def _ladder(ranking: Ranking, texts: Mapping[str, str]) -> Chart:
    rows: list[list[Value]] = [
        [place, row.rating.value, row.rating.low, row.rating.high, row.text, _snippet(texts.get(row.text, ""))]
        for place, row in enumerate(ranking.by_rank(), 1)
    ]
    low, high = ends(ranking.direction)
    axis = f"place, from the {low} to the {high}"
    reach = f"{ranking.by_rank()[0].rating.value:.2f} to {ranking.by_rank()[-1].rating.value:.2f}"
    alt = f"Ratings of {plural(len(rows), 'text')} in rising order with their intervals, from {reach}."
    panel = Panel("", alt, specs.ladder(axis, "rating"))
    note = "Each point is a text; the line is its interval. Texts whose lines overlap a lot cannot be told apart."
    columns = ("place", "score", "low", "high", "text", "wording")
    return Chart("ranking", f"Which texts are {high}, and how sure are we?", "", note, columns, rows, [panel])


def _agreements(agreement: Agreement) -> Iterator[Chart]:
    raters = sorted((r for r in agreement.raters if math.isfinite(r.kappa.value)), key=lambda row: -row.kappa.value)
    if not raters:
        return
    rows: list[list[Value]] = [
        [row.rater, "baseline" if row.flags else "system", row.kappa.value, row.kappa.low, row.kappa.high]
        for row in raters
    ]
    told = "; ".join(f"{row.rater} {_figure(row.kappa)}" for row in raters)
    spec = specs.intervals([row.rater for row in raters], "Cohen’s kappa with the yardstick", {}, "rater")
    panel = Panel("", f"Kappa of each rater: {told}.", spec)
    note = "Diamonds are raters with something odd, see the table."
    columns = ("rater", "kind", "score", "low", "high")
    yield Chart("raters", "Which raters agree with the others?", "", note, columns, rows, [panel])


def _dispute(contest: Contest, texts: Mapping[str, str]) -> Dispute:
    votes = f"{contest.for_first} to {contest.for_second}"
    if contest.ties:
        votes += f", {plural(contest.ties, 'tie')}"
    return Dispute(votes, contest.first, contest.second, texts.get(contest.first, ""), texts.get(contest.second, ""))


def _figure(figure: Estimate) -> str:
    if not math.isfinite(figure.low):
        return number(figure.value, 2)
    return f"{number(figure.value, 2)} ({number(figure.low, 2)} to {number(figure.high, 2)})"


def _snippet(text: str) -> str:
    return text if len(text) <= SNIPPET else text[: SNIPPET - 1] + "…"
