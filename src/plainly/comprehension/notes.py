"""What the reader of an analysis should know, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from plainly.comprehension.contrasts import Contrast
from plainly.comprehension.readers import MOST_COMPARED, NOT_SAID
from plainly.corpus.readers.checks import plural

if TYPE_CHECKING:
    from plainly.comprehension.analysis import Analysis, TextRow
    from plainly.comprehension.experiment import Experiment

FEW = 20
"""Participants. Of fewer, intervals are wide and often a little too short all the same."""
MOST_NAMED = 4
USUAL = 999
"""Random exchanges; with fewer of them p is rough."""


def notes_on(found: Analysis, experiment: Experiment | None) -> Iterator[str]:
    """One sentence each, without a full stop."""
    if experiment is None:
        yield "without the experiment only c-score-simple can be computed: the others need the wording"
    if found.settings["guessing"]:
        yield (
            "corrected for guessing are the scores and 'corrected %'; 'correct %', both hypotheses and the tests of "
            "groups count answers as they were given"
        )
    yield from _few("", found.texts)
    for name, rows in found.groups.items():
        yield from _few(name, rows)
    yield from _nothing_to_compare(found)
    yield from _groups_not_compared(found)
    yield from _unasked(found, experiment)
    yield from _coarse(found)


def _few(column: str, rows: Sequence[TextRow]) -> Iterator[str]:
    few = [row for row in rows if row.participants < FEW]
    if not few:
        return
    named = [
        f"{row.group + ' of ' if column else ''}passage {row.passage}, {row.version} ({row.participants})"
        for row in few[:MOST_NAMED]
    ]
    more = f"; and {len(few) - MOST_NAMED} more" if len(few) > MOST_NAMED else ""
    what = f"groups of {column}" if column else "texts"
    yield f"intervals of few participants are rough: {what} with fewer than {FEW} are {'; '.join(named)}{more}"


def _nothing_to_compare(found: Analysis) -> Iterator[str]:
    if not found.pairs:
        baseline = found.settings["baseline"]
        yield f"no passage was read in version {baseline!r} and in another one: there is nothing to compare"
    elif alone := [row.passage for row in found.texts if row.passage not in {pair.passage for pair in found.pairs}]:
        yield f"read in one version only, so not compared: passage {', '.join(dict.fromkeys(alone))}"


def _groups_not_compared(found: Analysis) -> Iterator[str]:
    for name, rows in found.groups.items():
        groups = {row.group for row in rows} - {NOT_SAID}
        if len(groups) > MOST_COMPARED:
            yield f"{name} has {len(groups)} groups; more than {MOST_COMPARED} are not tested against each other"


def _unasked(found: Analysis, experiment: Experiment | None) -> Iterator[str]:
    if experiment is None:
        return
    for row in found.texts:
        missing = len(experiment.passage(row.passage).questions) - row.questions
        if missing:
            yield f"passage {row.passage}, {row.version}: {missing} of its questions have no answers"


def _coarse(found: Analysis) -> Iterator[str]:
    """Random exchanges give no p below 1 / (exchanges + 1), and Holm's correction multiplies it."""
    resamples = found.settings["resamples"]
    least = 1 / (resamples + 1)
    families: dict[str, Sequence[Contrast]] = {
        "all passages together": found.hypotheses,
        "single passages": [test for pair in found.pairs for test in pair.tests],
    }
    for name, compared in found.group_tests.items():
        families[f"groups of {name}, all texts together"] = [test for test in compared if test.passage is None]
        families[f"groups of {name}, single texts"] = [test for test in compared if test.passage is not None]
    sampled = {name: [test for test in tests if not test.exact] for name, tests in families.items()}
    if resamples < USUAL and any(sampled.values()):
        yield f"{plural(resamples, 'resample')} can give no p below {least:.2g}; {USUAL + 1} are usual"
    for name, tests in sampled.items():
        family = sum(test.p == test.p for test in families[name])
        if tests and least * family >= 1 - found.settings["level"]:
            yield (
                f"of {family} tests ({name}) none can come out significant: with {plural(resamples, 'resample')} the "
                f"smallest corrected p is {min(1, least * family):.2g}; take more --resamples"
            )
