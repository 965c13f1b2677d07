"""Which texts are hard to read? Ratings from judgements of pairs, by people or by machines."""

from plainly.ranking.fewer_raters import FewerRaters, Way, fewer_raters
from plainly.ranking.formats import Text, read_judgements, read_texts, write_judgements
from plainly.ranking.heldout import HeldOut, MethodComparison, compare_methods, cross_validate
from plainly.ranking.judgements import Judgement, Judgements, majority, merged
from plainly.ranking.judging import Judged, Pair, Plan, judged
from plainly.ranking.judging import signature as judging_signature
from plainly.ranking.planning import Plans, find_plans
from plainly.ranking.raters import Agreement, agreement
from plainly.ranking.ratings import Ranking, Rated, estimator, rate
from plainly.ranking.repair import repair
from plainly.ranking.simulation import Simulation, simulate
from plainly.ranking.studies import Crowd, Setting

__all__ = [
    "Agreement",
    "Crowd",
    "FewerRaters",
    "HeldOut",
    "Judged",
    "Judgement",
    "Judgements",
    "MethodComparison",
    "Pair",
    "Plan",
    "Plans",
    "Ranking",
    "Rated",
    "Setting",
    "Simulation",
    "Text",
    "Way",
    "agreement",
    "compare_methods",
    "cross_validate",
    "estimator",
    "fewer_raters",
    "find_plans",
    "judged",
    "judging_signature",
    "majority",
    "merged",
    "rate",
    "read_judgements",
    "read_texts",
    "repair",
    "simulate",
    "write_judgements",
]
