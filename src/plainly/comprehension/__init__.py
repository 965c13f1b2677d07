"""What do readers understand? The C-Score of answers to questions, and experiments to collect them."""

from plainly.comprehension.analysis import Analysis, analyse
from plainly.comprehension.experiment import Experiment, Passage, Question, Version, read_experiment
from plainly.comprehension.formats import read_records, write_records
from plainly.comprehension.records import Answer, Records, gathered
from plainly.comprehension.scores import Settings
from plainly.comprehension.selection import Outliers, Rules

__all__ = [
    "Analysis",
    "Answer",
    "Experiment",
    "Outliers",
    "Passage",
    "Question",
    "Records",
    "Rules",
    "Settings",
    "Version",
    "analyse",
    "gathered",
    "read_experiment",
    "read_records",
    "write_records",
]
