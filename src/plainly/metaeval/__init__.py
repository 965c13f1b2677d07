"""Which metric agrees with people? Metric values against human judgements, data set by data set."""

from plainly.metaeval.adapters import ADAPTERS, load
from plainly.metaeval.judged_set import JudgedSet
from plainly.metaeval.rated_texts import joined, read_judgements
from plainly.metaeval.study import Row, Study, Table, study
from plainly.metaeval.understood_texts import from_answers

__all__ = [
    "ADAPTERS",
    "JudgedSet",
    "Row",
    "Study",
    "Table",
    "from_answers",
    "joined",
    "load",
    "read_judgements",
    "study",
]
