"""Texts that were ranked, by the corpus and the side that they come from: how many, how long, how hard.

A cell is said as those of `judgements`; what is told of source and simplified texts together has no side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from plainly.base.errors import MissingResource
from plainly.corpus import Corpus, catalogue
from plainly.ranking import Text, rate, read_texts
from plainly.ranking.dataset import LABEL_WORDS, Contrast, label_contrast
from plainly.replication.computations.cells import asked, chosen, places
from plainly.replication.computations.judgements import files_of, gold_of
from plainly.replication.computations.scores import texts_of
from plainly.replication.found import Found, Values
from plainly.replication.recipe import Table
from plainly.replication.work import Work
from plainly.simplicity import overlapping


@dataclass(frozen=True)
class Asked:
    """Which number a cell holds."""

    of: str
    """A name in `NUMBERS`."""
    test_set: str = ""
    corpus: str = ""
    """Of these texts alone."""
    side: str = ""
    """source or simplified; empty: both."""
    field: str = "text"
    """Which of the wordings of a text: a field of its record."""
    gold: str = ""
    """What ranks the texts: a file of judgements, or of scores whose decisions are to be found again."""
    raters: tuple[str, ...] = ()
    than: str = ""
    """Another data set."""
    share: float = 0.5
    """Of its words, that a text has in common with one of another data set."""
    corpora: tuple[str, ...] = ()
    """Test sets of the catalogue that are a corpus together."""
    elsewhere: str = ""
    """Why the texts cannot be had."""


def compute(table: Table, work: Work) -> Values:
    """Every cell of a table."""
    return {(row.key, title): _found(asked(Asked, table, row, title), work) for row, title in places(table)}


def _found(cell: Asked, work: Work) -> Found:
    number = chosen(NUMBERS, cell.of, "number")
    if cell.elsewhere:
        return Found(why=cell.elsewhere)
    try:
        return number(cell, work)
    except MissingResource as error:
        return Found(why=str(error))


def _texts(test_set: str, work: Work) -> Sequence[Text]:
    if not catalogue.info(test_set).having("texts"):
        raise MissingResource(f"the texts of {test_set} are not public")
    (path,) = files_of(test_set, test_set, work)
    return work.once(("records", path), lambda: read_texts(path))


def _some(cell: Asked, work: Work) -> list[Text]:
    """The texts of a corpus and a side."""
    return [
        text
        for text in _texts(cell.test_set, work)
        if cell.corpus in ("", text.fields["dataset"])
        and cell.side in ("", chosen(LABEL_WORDS, str(text.fields["label"]), "label"))
    ]


def _count(cell: Asked, work: Work) -> Found:
    return Found(len(_some(cell, work)), decimals=0)


def _different(cell: Asked, work: Work) -> Found:
    """How many there are if a text that comes twice counts once."""
    return Found(len({text.text for text in _some(cell, work)}), decimals=0)


def _lengths(cell: Asked, work: Work) -> list[int]:
    """In characters."""
    if any(cell.field not in {"text", *text.fields} for text in _texts(cell.test_set, work)):
        raise MissingResource(f"the texts of {cell.test_set} have no {cell.field} here")
    worded = (text.text if cell.field == "text" else str(text.fields[cell.field]) for text in _some(cell, work))
    return [len(text) for text in worded]


def _length(cell: Asked, work: Work) -> Found:
    """The mean; 0 where there are no texts."""
    lengths = _lengths(cell, work)
    return Found(sum(lengths) / max(len(lengths), 1), decimals=2)


def _longest(cell: Asked, work: Work) -> Found:
    return Found(max(_lengths(cell, work)), decimals=0)


def _contrast(cell: Asked, work: Work) -> Contrast:
    """Of the scores of source and simplified texts."""

    def contrast() -> Contrast:
        gold = gold_of(cell.test_set, cell.gold, cell.raters, work)
        ranking = rate(gold, "elo", interval="none")
        found = label_contrast(_texts(cell.test_set, work), {row.text: row.score for row in ranking.rows})
        assert found is not None  # the texts of ARTS have labels
        return found

    return work.once(("contrast", cell.test_set, cell.gold), contrast)


def _box(part: str, cell: Asked, work: Work) -> Found:
    return Found(getattr(getattr(_contrast(cell, work), cell.side), part))


def _overlap(cell: Asked, work: Work) -> Found:
    """How many texts have a near copy in the other data set."""
    others = [text.text for text in _texts(cell.than, work)]
    return Found(sum(overlapping([text.text for text in _some(cell, work)], others, cell.share)), decimals=0)


def _pairs(cell: Asked, work: Work) -> list[Corpus]:
    return [texts_of(name, work) for name in cell.corpora]


def _source_length(cell: Asked, work: Work) -> Found:
    return Found(fmean(len(text or "") for part in _pairs(cell, work) for text in part.sources), decimals=2)


def _simplified(cell: Asked, work: Work) -> list[str]:
    return [text for part in _pairs(cell, work) for group in part.references for text in group]


NUMBERS: Mapping[str, Callable[[Asked, Work], Found]] = {
    "count": _count,
    "different": _different,
    "length": _length,
    "longest": _longest,
    "p": lambda cell, work: Found(_contrast(cell, work).test.p),
    "shapiro p": lambda cell, work: Found(getattr(_contrast(cell, work), f"{cell.side}_normal").p),
    **{part: partial(_box, part) for part in ("mean", "median", "lower", "upper", "whisker_low", "whisker_high")},
    "near copies": _overlap,
    "pairs": lambda cell, work: Found(len(_simplified(cell, work)), decimals=0),
    "source length": _source_length,
    "simplified length": lambda cell, work: Found(fmean(map(len, _simplified(cell, work))), decimals=2),
}
"""What a cell may hold, by name."""
