"""What did the simplifier do? Operations on words, marked by people or by a tagger, and what they tell us."""

from plainly.operations.agreement import agreement, by_annotator
from plainly.operations.agreement_results import Agreement
from plainly.operations.annotated_set import AnnotatedSet, annotated_set
from plainly.operations.annotations import AnnotatedPair, Group, check, repair
from plainly.operations.expressions import Expression, parse
from plainly.operations.formats import read, read_jsonl, read_yawat, write_jsonl, write_yawat
from plainly.operations.published import published
from plainly.operations.rewards import Regressing, Rewards, correlate
from plainly.operations.selection import select
from plainly.operations.statistics import Statistics, statistics
from plainly.operations.subsets import Scored, scored
from plainly.operations.tag_texts import tag
from plainly.operations.typology import Label, Shape, Side, Typology, assetann, load_typology

__all__ = [
    "Agreement",
    "AnnotatedPair",
    "AnnotatedSet",
    "Expression",
    "Group",
    "Label",
    "Regressing",
    "Rewards",
    "Scored",
    "Shape",
    "Side",
    "Statistics",
    "Typology",
    "agreement",
    "annotated_set",
    "assetann",
    "by_annotator",
    "check",
    "correlate",
    "load_typology",
    "parse",
    "published",
    "read",
    "read_jsonl",
    "read_yawat",
    "repair",
    "scored",
    "select",
    "statistics",
    "tag",
    "write_jsonl",
    "write_yawat",
]
