"""Word alignment: names only."""

from plainly.compat.easse.aligner import WHY
from plainly.compat.easse.unavailable import stand_ins

__getattr__ = stand_ins(
    [
        "MonolingualWordAligner",
        "alignAdjectives",
        "alignAdverbs",
        "alignMainVerbs",
        "alignNamedEntities",
        "alignNouns",
        "alignWords",
    ],
    WHY,
)
