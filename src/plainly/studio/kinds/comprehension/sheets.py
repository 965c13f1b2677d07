"""Who reads what: the sheets of the plan that a campaign follows."""

from __future__ import annotations

from functools import lru_cache

from plainly.base.errors import PlainlyError
from plainly.comprehension.design import MOST_PARTICIPANTS, Plan, Sheet, make_plan
from plainly.comprehension.experiment import Experiment
from plainly.studio.kinds.base import Campaign
from plainly.studio.kinds.comprehension.material import experiment_of

FEWEST = 64
"""Sheets that are made at once."""


def sheet_of(campaign: Campaign, number: int) -> Sheet:
    """The sheet of participant `number`, from 1."""
    if number > MOST_PARTICIPANTS:
        raise PlainlyError(f"an experiment is for {MOST_PARTICIPANTS} participants at most")
    size = min(max(FEWEST, 1 << (number - 1).bit_length()), MOST_PARTICIPANTS)
    return _plan(experiment_of(campaign), size, campaign.settings["seed"]).sheets[number - 1]


@lru_cache(maxsize=16)
def _plan(experiment: Experiment, participants: int, seed: int) -> Plan:
    """Kept, because all participants begin at once. A longer plan begins with a shorter one, so sizes may double."""
    return make_plan(experiment, participants, seed)
