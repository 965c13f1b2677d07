"""The files of an export: answers, plan and experiment, as `plainly comprehension` reads them."""

from __future__ import annotations

from collections.abc import Sequence

from plainly.base.records import as_text
from plainly.comprehension.design import MOST_PARTICIPANTS, Plan
from plainly.comprehension.formats import write_records
from plainly.comprehension.plans import write_plan
from plainly.studio.cells import safe
from plainly.studio.kinds.base import Campaign, ExportFile, Given, Person
from plainly.studio.kinds.comprehension.answers import FILE, answers_of, courses
from plainly.studio.kinds.comprehension.material import experiment_of
from plainly.studio.kinds.comprehension.sheets import sheet_of


def exports(campaign: Campaign, people: Sequence[Person], given: Sequence[Given]) -> list[ExportFile]:
    """Fine with no answers: then answers.csv has a header only."""
    experiment = experiment_of(campaign)
    answers = answers_of(experiment, courses(given))
    return [
        ExportFile(FILE, as_text(lambda out: write_records(answers, out))),
        ExportFile("plan.csv", as_text(lambda out: write_plan(_plan(campaign, people), out))),
        ExportFile("experiment.yaml", campaign.settings["file"], "application/yaml"),
    ]


def _plan(campaign: Campaign, people: Sequence[Person]) -> Plan:
    """The sheets of those who were invited; their numbers are those of the participants."""
    numbers = sorted(person.number for person in people if 0 < person.number <= MOST_PARTICIPANTS)
    sheets = tuple(sheet_of(campaign, number) for number in numbers)
    return Plan(safe(campaign.settings["name"]), campaign.settings["seed"], sheets)
