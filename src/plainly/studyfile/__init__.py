"""A whole study in one file: what is read, measured, compared, written and held against gates.

What was measured is kept beside the file, so that a run again measures only what is new.
"""

from plainly.studyfile.beginning import beginning
from plainly.studyfile.planning import plan
from plainly.studyfile.reading import load
from plainly.studyfile.running import Outcome, run

__all__ = ["Outcome", "beginning", "load", "plan", "run"]
