"""What the reader of an analysis should know, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from plainly.comprehension.contrasts import Contrast
from plainly.comprehension.hypotheses import Tested
from plainly.comprehension.readers import MOST_COMPARED, NOT_SAID, GroupTested, visible
from plainly.comprehension.records import Answer
from plainly.corpus.readers.checks import plural

if TYPE_CHECKING:
    from plainly.comprehension.analysis import Analysis, TextRow
    from plainly.comprehension.experiment import Experiment

FEW = 20
"""Participants. Of fewer, intervals are wide and often a little too short all the same."""
MOST_NAMED = 4
USUAL = 1000
"""Resamples and random exchanges; with fewer of them intervals and p are rough."""


def notes_on(found: Analysis, experiment: Experiment | None) -> Iterator[str]:
    """One sentence each, without a full stop. Names in them may come from files: they are made visible."""
    yield from map(visible, _notes(found, experiment))


def _notes(found: Analysis, experiment: Experiment | None) -> Iterator[str]:
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
    yield from _doubtful(found)


def past_the_limit(answers: Sequence[Answer], experiment: Experiment | None) -> Iterator[str]:
    """Answers that came after the question should have been gone. They count all the same."""
    limit = None if experiment is None else experiment.answer_seconds
    late = [] if limit is None else [item for item in answers if item.answer is not None and item.seconds > limit]
    if late:
        first = min(late, key=lambda answer: (answer.file, answer.row))
        count = plural(len(late), "answer")
        which = "the first " if len(late) > 1 else ""
        yield (
            f"{count} took longer than the {limit:g} seconds that the experiment allows, {which}at {first.place}; "
            f"{'they count' if len(late) > 1 else 'it counts'} all the same"
        )


def _few(column: str, rows: Sequence[TextRow]) -> Iterator[str]:
    few = [row for row in rows if row.participants < FEW]
    if not few:
        return
    named = _named(
        [
            f"{row.group + ' of ' if column else ''}passage {row.passage}, {row.version} ({row.participants})"
            for row in few
        ]
    )
    what = f"groups of {column}" if column else "texts"
    yield f"intervals of few participants are rough: {what} with fewer than {FEW} are {named}"


def _named(names: Sequence[str]) -> str:
    """The first ones, and how many there are beside them."""
    more = f"; and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return "; ".join(names[:MOST_NAMED]) + more


def _nothing_to_compare(found: Analysis) -> Iterator[str]:
    if not found.pairs:
        baseline = found.settings["baseline"]
        only = f"version {baseline!r} and in another one" if found.settings["pairs"] == "baseline" else "two versions"
        yield f"no passage was read in {only}: there is nothing to compare"
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


def _families(found: Analysis) -> dict[str, Sequence[Contrast]]:
    """The tests whose p-values are corrected together."""
    families: dict[str, Sequence[Contrast]] = {
        "all passages together": found.hypotheses,
        "single passages": [test for pair in found.pairs for test in pair.tests],
    }
    for name, compared in found.group_tests.items():
        families[f"groups of {name}, all texts together"] = [test for test in compared if test.passage is None]
        families[f"groups of {name}, single texts"] = [test for test in compared if test.passage is not None]
    return families


def _coarse(found: Analysis) -> Iterator[str]:
    """Random exchanges give no p below 1 / (exchanges + 1), and Holm's correction multiplies it."""
    resamples, permutations = found.settings["resamples"], found.settings["permutations"]
    least = 1 / (permutations + 1)
    families = _families(found)
    sampled = {name: [test for test in tests if not test.exact] for name, tests in families.items()}
    if resamples < USUAL:
        yield f"intervals from {plural(resamples, 'resample')} are rough; {USUAL} are usual"
    if permutations < USUAL - 1 and any(sampled.values()):
        yield f"{plural(permutations, 'permutation')} can give no p below {least:.2g}; {USUAL} or more are usual"
    for name, tests in sampled.items():
        family = sum(test.p == test.p for test in families[name])
        if tests and least * family >= 1 - found.settings["confidence"]:
            yield (
                f"of {family} tests ({name}) none can come out significant: with "
                f"{plural(permutations, 'permutation')} the smallest corrected p is {min(1, least * family):.2g}; "
                f"take more --permutations"
            )


def _doubtful(found: Analysis) -> Iterator[str]:
    """Verdicts that hang on the seed, and intervals that say other than the verdict."""
    tests = [test for family in _families(found).values() for test in family]
    alpha = 1 - found.settings["confidence"]
    if edge := [f"{_about(test)} (p {test.p_holm:.4f})" for test in tests if test.on_the_edge]:
        yield (
            f"so near {alpha:.2g} that another seed could give another verdict: {_named(edge)}; take more "
            f"--permutations than {found.settings['permutations']}"
        )
    if against := [_about(test) for test in tests if test.contradicted and test.significant]:
        yield (
            "the interval includes no difference, but the test is significant, and the test decides: "
            f"{_named(against)}"
        )
    if against := [_about(test) for test in tests if test.contradicted and not test.significant]:
        yield (
            "the interval excludes no difference, but the test, corrected for the number of tests, is not "
            f"significant, and the test decides: {_named(against)}"
        )


def _about(test: Contrast) -> str:
    """What was compared, and where."""
    what = "more correct" if test.hypothesis == "correct" else "faster"
    if isinstance(test, Tested):
        where = "all passages" if test.passage is None else f"passage {test.passage}"
        return f"{what}, {where}, {test.version} than {test.baseline}"
    assert isinstance(test, GroupTested)
    where = "all texts" if test.passage is None else f"passage {test.passage}, {test.version}"
    return f"{what}, {where}, {test.group} than {test.other}"
