"""What do readers understand? The C-Score of answers to questions, and experiments to collect them."""

from plainly.comprehension.analysis import Analysis, analyse
from plainly.comprehension.checks import Finding, check_experiment
from plainly.comprehension.design import Plan, make_plan
from plainly.comprehension.experiment import Experiment, Passage, Question, Version, read_experiment
from plainly.comprehension.formats import read_records, write_records
from plainly.comprehension.plans import write_plan
from plainly.comprehension.power import Curve, Search, Study, curve, needed, search
from plainly.comprehension.records import Answer, Records, gathered
from plainly.comprehension.scores import Settings
from plainly.comprehension.selection import Outliers, Rules
from plainly.comprehension.simulation import Effects, Simulated, made_up_experiment, simulated

__all__ = [
    "Analysis",
    "Answer",
    "Curve",
    "Effects",
    "Experiment",
    "Finding",
    "Outliers",
    "Passage",
    "Plan",
    "Question",
    "Records",
    "Rules",
    "Search",
    "Settings",
    "Simulated",
    "Study",
    "Version",
    "analyse",
    "check_experiment",
    "curve",
    "gathered",
    "made_up_experiment",
    "make_plan",
    "needed",
    "read_experiment",
    "read_records",
    "search",
    "simulated",
    "write_plan",
    "write_records",
]
