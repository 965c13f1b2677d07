"""What did the simplifier do? Operations on words, marked by people or by a tagger, and what they tell us."""

from plainly.operations.annotations import AnnotatedPair, Group, check, repair
from plainly.operations.formats import read, read_jsonl, read_yawat, write_jsonl, write_yawat
from plainly.operations.typology import Label, Shape, Side, Typology, assetann, load_typology

__all__ = [
    "AnnotatedPair",
    "Group",
    "Label",
    "Shape",
    "Side",
    "Typology",
    "assetann",
    "check",
    "load_typology",
    "read",
    "read_jsonl",
    "read_yawat",
    "repair",
    "write_jsonl",
    "write_yawat",
]
