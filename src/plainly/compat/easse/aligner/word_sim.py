"""Word similarity: names only."""

from plainly.compat.easse.aligner import WHY
from plainly.compat.easse.unavailable import stand_ins

__getattr__ = stand_ins(["get_cannonical_word", "loadPPDB", "present_in_ppdb", "wordRelatedness"], WHY)
