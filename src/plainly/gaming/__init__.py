"""How easily is a metric fooled? Edits that improve nothing, and what they do to scores."""

from plainly.gaming.edits import Edit, Segment, get, names
from plainly.gaming.posthoc import POST_HOC, post_hoc
from plainly.gaming.study import Curve, Mixture, Spread, Study, study
from plainly.gaming.verdicts import Deception, Tally, Verdict, cheapest, deceptions, table, verdicts

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
    "cheapest",
    "deceptions",
    "get",
    "names",
    "post_hoc",
    "study",
    "table",
    "verdicts",
]
