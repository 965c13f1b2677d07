"""How easily is a metric fooled? Edits that improve nothing, and what they do to scores."""

from plainly.gaming.edits import Edit, Segment, broken, get, names, possible
from plainly.gaming.posthoc import POST_HOC, post_hoc
from plainly.gaming.study import Curve, Mixture, Spread, Study, available, study
from plainly.gaming.verdicts import Deception, Tally, Verdict, cheapest, deceptions, table, undecided, verdicts

__all__ = [
    "POST_HOC",
    "Curve",
    "Deception",
    "Edit",
    "Mixture",
    "Segment",
    "Spread",
    "Study",
    "Tally",
    "Verdict",
    "available",
    "broken",
    "cheapest",
    "deceptions",
    "get",
    "names",
    "possible",
    "post_hoc",
    "study",
    "table",
    "undecided",
    "verdicts",
]
