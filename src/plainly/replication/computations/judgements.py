"""Judgements of pairs, and scores of texts beside them: tables of a study that ranks texts.

Table, column and row say together which number a cell holds: what of whom, and beside which yardstick. Files are
named by their stem, as in "arts94_rater01", and belong to the `test_set`, an entry of the catalogue.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from statistics import fmean, median
from typing import cast

import numpy as np

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.corpus import Corpus, catalogue
from plainly.inference.agreement import MISSING, Codes
from plainly.inference.estimates import Estimate
from plainly.metrics import configure
from plainly.ranking import Judgements, agreement, majority, rate, read_judgements, read_texts
from plainly.ranking.alphas import alphas
from plainly.ranking.decisions import correlated
from plainly.ranking.formats import read_scores
from plainly.ranking.judgements import contests
from plainly.ranking.raters import RaterRow
from plainly.ranking.ratings import Scale, estimator
from plainly.ranking.replication import alphas_with_another, arts_kappa, judgements_behind, scores_of_positions
from plainly.ranking.scored import Scored, ScoredRow, scored_row
from plainly.ranking.votes import table as votes_of
from plainly.replication.computations.cells import asked, chosen, places
from plainly.replication.found import Found, Values
from plainly.replication.recipe import Table
from plainly.replication.work import Work

TRIALS = 200


@dataclass(frozen=True)
class Asked:
    """Which number a cell holds."""

    of: str
    """A name in `NUMBERS`."""
    test_set: str
    judges: tuple[str, ...] = ()
    """Files of judgements; a `*` stands for several."""
    scores: str = ""
    """A file of scores in their place."""
    positions: str = ""
    """A file with a ranking in their place, perhaps with gaps."""
    metric: str = ""
    """A metric in their place."""
    gold: str = ""
    """The yardstick: a file of judgements, or of scores whose decisions are to be found again."""
    raters: tuple[str, ...] = ()
    """Where to begin with that: the majority of these."""
    rounded: bool = False
    """Correlate with the scores of the yardstick as published, not with its ratings."""
    formula: str = "cohen"
    """Of kappa: a name in `KAPPAS`."""
    scale: str = "ranks"
    text: str = ""
    pair: tuple[str, ...] = ()
    match: str = ""
    average: str = "median"
    """Of seconds: a name in `AVERAGES`."""
    turned: int = 0
    """How many decisions of the yardstick another rater turns round."""
    elsewhere: str = ""
    """Why it cannot be had."""


def compute(table: Table, work: Work) -> Values:
    """Every cell of a table."""
    return {(row.key, title): _found(asked(Asked, table, row, title), work) for row, title in places(table)}


def _found(cell: Asked, work: Work) -> Found:
    number = chosen(NUMBERS, cell.of, "number")
    if cell.elsewhere:
        return Found(why=cell.elsewhere)
    try:
        return work.once(cell, lambda: number(cell, work))
    except MissingResource as error:
        return Found(why=str(error))


# ---- files


def files_of(test_set: str, pattern: str, work: Work) -> list[Path]:
    """The files of an entry of the catalogue whose stems are so."""
    stems = {PurePosixPath(file.name).stem: file.name for file in catalogue.info(test_set).files}
    found = [name for stem, name in stems.items() if fnmatchcase(stem, pattern)]
    if not found:
        raise UnknownName(f"file of {test_set}", pattern, stems)
    return [work.file(test_set, name) for name in found]


def ids_of(test_set: str, work: Work) -> list[str]:
    """The ids of the texts."""
    return list(wordings(test_set, work))


def wordings(test_set: str, work: Work) -> dict[str, str]:
    """Id -> text."""
    (path,) = files_of(test_set, test_set, work)
    return work.once(("texts", path), lambda: {text.id: text.text for text in read_texts(path)})


def judgements_of(test_set: str, names: tuple[str, ...], work: Work) -> Judgements:
    """Those of some files together."""
    paths = [str(path) for name in names for path in files_of(test_set, name, work)]
    return work.once(("judgements", *paths), lambda: read_judgements(paths))


def gold_of(test_set: str, gold: str, raters: tuple[str, ...], work: Work) -> Judgements:
    """The yardstick; of scores, the decisions behind them."""
    (path,) = files_of(test_set, gold, work)
    if gold in {PurePosixPath(file.name).stem for file in catalogue.info(test_set).having("scores")}:
        return work.once(("behind", path), lambda: _behind(path, judgements_of(test_set, raters, work)))
    return judgements_of(test_set, (gold,), work)


def _behind(path: Path, judgements: Judgements) -> Judgements:
    return judgements_behind(read_scores(path, judgements.texts), majority(judgements, "first"))


def _scores(test_set: str, path: Path, work: Work) -> dict[str, float]:
    return read_scores(path, ids_of(test_set, work))


# ---- beside the yardstick


def _beside(cell: Asked, work: Work) -> RaterRow | ScoredRow:
    """Share, kappa, rho and tau of a judge, or of scores."""
    gold = _gold(cell, work)
    who: Hashable = (cell.test_set, cell.judges, cell.scores, cell.positions, cell.metric, cell.gold)

    def row() -> RaterRow | ScoredRow:
        if cell.judges:
            judgements = judgements_of(cell.test_set, cell.judges, work)
            found = agreement(judgements, gold=gold, method="elo", resampling=work.resampling)
            return found.raters[0]
        return scored_row(_scored(cell, work), gold, estimator("elo"), work.resampling)

    return work.once(("beside", who), row)


def _gold(cell: Asked, work: Work) -> Judgements:
    return gold_of(cell.test_set, cell.gold, cell.raters, work)


def _scored(cell: Asked, work: Work) -> Scored:
    """Scores in the place of a judge."""
    if cell.scores:
        (path,) = files_of(cell.test_set, cell.scores, work)
        return Scored(cell.scores, _scores(cell.test_set, path, work), "harder")
    if cell.positions:
        (path,) = files_of(cell.test_set, cell.positions, work)
        return Scored(cell.positions, scores_of_positions(path, ids_of(cell.test_set, work)), "harder")
    texts = wordings(cell.test_set, work)
    metric = configure(cell.metric, {"lang": "en"})
    corpus = Corpus(list(texts.values()), (), {"texts": list(texts.values())}, lang="en")
    values = metric.score(metric.measure(corpus, "texts")).value.tolist()
    high = "easier" if metric.facts.direction == "higher" else "harder"
    return Scored(cell.metric, dict(zip(texts, values, strict=True)), high)


def _kappa(cell: Asked, work: Work) -> Found:
    return chosen(KAPPAS, cell.formula, "formula of kappa")(cell, work)


def _kappa_as_printed(cell: Asked, work: Work) -> Found:
    votes = votes_of(judgements_of(cell.test_set, cell.judges, work))
    return Found(arts_kappa(votes.codes[:, 0], votes.of(_gold(cell, work))))


KAPPAS: Mapping[str, Callable[[Asked, Work], Found]] = {
    "cohen": lambda cell, work: Found(_beside(cell, work).kappa),
    "as printed": _kappa_as_printed,
}


def _correlation(cell: Asked, work: Work) -> Found:
    """With the ratings of the yardstick, or with its scores as published."""
    if not cell.rounded:
        return Found(getattr(_beside(cell, work), cell.of))
    (path,) = files_of(cell.test_set, cell.gold, work)
    published, own = _scores(cell.test_set, path, work), _scored(cell, work)
    sign = -1 if own.high == "easier" else 1
    ids = ids_of(cell.test_set, work)
    found = correlated(
        [sign * own.scores[text] for text in ids], np.array([published[text] for text in ids]), work.resampling
    )
    return Found(found[("spearman", "kendall").index(cell.of)])


# ---- judges alone


def _alpha(cell: Asked, work: Work) -> Found:
    """Of all judges; with `turned`, of them and another one: the mean, and from the least to the greatest."""
    judgements = judgements_of(cell.test_set, cell.judges, work)
    if not cell.turned:
        return Found(alphas(judgements, (), "krippendorff", work.resampling)[0].alpha)
    gold = _gold(cell, work)
    if not 0 < cell.turned <= len(gold.items):
        raise PlainlyError(f"turned must be from 1 to {len(gold.items)}, the number of judgements, not {cell.turned}")
    found = alphas_with_another(judgements, gold, cell.turned, TRIALS, work.resampling.seed)
    return Found(Estimate(float(found.mean()), float(found.min()), float(found.max())), resampled=False)


def _seconds(cell: Asked, work: Work) -> Found:
    items = judgements_of(cell.test_set, cell.judges, work).items
    average = chosen(AVERAGES, cell.average, "average")
    known = [item.seconds for item in items if item.seconds is not None]
    if not known:
        raise MissingResource(f"the judgements of {cell.test_set} have no column time here")
    return Found(average(known), decimals=1)


AVERAGES: Mapping[str, Callable[[list[float]], float]] = {"median": median, "mean": fmean}


def _score(cell: Asked, work: Work) -> Found:
    ranking = rate(_gold(cell, work), "elo", scale=cast("Scale", cell.scale), interval="none")
    return Found(ranking[cell.text].score)


def _metric(cell: Asked, work: Work) -> Found:
    return Found(_scored(cell, work).scores[cell.text], decimals=2)


def _votes(cell: Asked, work: Work, harder: bool = False) -> Found:
    """For the first text of a pair, or of a match, as the easier one (or the harder one)."""
    judgements = judgements_of(cell.test_set, cell.judges, work)
    if cell.match:
        items = [item for item in judgements.items if item.match == cell.match]
        for_first = sum(item.winner == item.first for item in items)
        return Found(for_first if harder else len(items) - for_first, decimals=0)
    found = next(one for one in contests(judgements) if {one.first, one.second} == {*cell.pair})
    won = found.for_first if found.first == cell.pair[0] else found.for_second
    return Found(won if harder else found.votes - won, decimals=0)


def _tied(cell: Asked, work: Work) -> Found:
    """How many matches have as many votes for both texts."""
    return Found(int((_most(cell, work) == MISSING).sum()), decimals=0)


def _otherwise(cell: Asked, work: Work) -> Found:
    """How many matches that are no tie the yardstick decides against most judges."""
    most = _most(cell, work)
    gold = votes_of(judgements_of(cell.test_set, cell.judges, work)).of(_gold(cell, work))
    return Found(int(((most != MISSING) & (gold != MISSING) & (most != gold)).sum()), decimals=0)


def _most(cell: Asked, work: Work) -> Codes:
    """What most judges say of each match; MISSING where it is a tie."""
    judgements = judgements_of(cell.test_set, cell.judges, work)
    return votes_of(judgements).of(majority(judgements, "drop"))


NUMBERS: Mapping[str, Callable[[Asked, Work], Found]] = {
    "share": lambda cell, work: Found(_beside(cell, work).share),
    "kappa": _kappa,
    "spearman": _correlation,
    "kendall": _correlation,
    "alpha": _alpha,
    "seconds": _seconds,
    "score": _score,
    "metric": _metric,
    "votes for easier": _votes,
    "votes for harder": lambda cell, work: _votes(cell, work, harder=True),
    "tied matches": _tied,
    "decided otherwise": _otherwise,
}
"""What a cell may hold, by name."""
