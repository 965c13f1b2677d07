"""What the reader of an analysis should know, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from plainly.base.messages import Message, joined, message
from plainly.comprehension.contrasts import Contrast, Hypothesis
from plainly.comprehension.hypotheses import Tested
from plainly.comprehension.plurals import counted
from plainly.comprehension.reader_groups import NOT_SAID, visible
from plainly.comprehension.readers import MOST_COMPARED, GroupTested
from plainly.comprehension.records import Answer
from plainly.comprehension.selection import first_at

if TYPE_CHECKING:
    from plainly.comprehension.analysis import Analysis, TextRow
    from plainly.comprehension.experiment import Experiment

FEW = 20
"""Participants. Of fewer, intervals are wide and often a little too short all the same."""
MOST_NAMED = 4
SHORT: dict[Hypothesis, str] = {"correct": "more correct", "faster": "faster", "reading": "read faster"}
USUAL = 1000
"""Resamples and random exchanges; with fewer of them intervals and p are rough."""


def notes_on(found: Analysis, experiment: Experiment | None) -> Iterator[Message]:
    """One sentence each, without a full stop. Names in them may come from files: they are made visible."""
    if experiment is None:
        yield _said(
            "without-experiment",
            "without the experiment only c-score-simple can be computed: the others need the wording",
        )
    if found.settings["guessing"]:
        yield _said(
            "guessing",
            "corrected for guessing are the scores and 'corrected %'; 'correct %', both hypotheses and the tests of "
            "groups count answers as they were given",
        )
    yield from _few("", found.texts)
    for name, rows in found.groups.items():
        yield from _few(name, rows)
    yield from _nothing_to_compare(found)
    yield from _groups_not_compared(found)
    yield from _unasked(found, experiment)
    yield from _coarse(found)
    yield from _doubtful(found)


def past_the_limit(answers: Sequence[Answer], experiment: Experiment | None) -> Iterator[Message]:
    """Answers that came after the question should have been gone. They count all the same."""
    limit = None if experiment is None else experiment.answer_seconds
    late = [] if limit is None else [item for item in answers if item.answer is not None and item.seconds > limit]
    if late:
        late.sort(key=lambda answer: (answer.file, answer.row))
        english = "{answers} took longer than the {limit:g} seconds that the experiment allows, {place}; "
        one = len(late) == 1
        yield _said(
            "past-the-limit.one" if one else "past-the-limit",
            english + ("it counts all the same" if one else "they count all the same"),
            answers=counted(len(late), "answer"),
            limit=limit,
            place=first_at(late),
        )


def _said(key: str, english: str, **values: Any) -> Message:
    """A message of this room, with the control characters of names written out."""
    shown = {name: visible(value) if isinstance(value, str) else value for name, value in values.items()}
    return message(f"comprehension.{key}", english, **shown)


def _few(column: str, rows: Sequence[TextRow]) -> Iterator[Message]:
    few = [row for row in rows if row.participants < FEW]
    if not few:
        return
    named = _named([_few_read(row) for row in few])
    if column:
        yield _said(
            "few-of-group",
            "intervals of few participants are rough: groups of {column} with fewer than {few} are {named}",
            column=column,
            few=FEW,
            named=named,
        )
    else:
        yield _said(
            "few",
            "intervals of few participants are rough: texts with fewer than {few} are {named}",
            few=FEW,
            named=named,
        )


def _few_read(row: TextRow) -> Message:
    values = {"passage": row.passage, "version": row.version, "participants": row.participants}
    if row.group:
        return _said(
            "read-by-group", "{group} of passage {passage}, {version} ({participants})", group=row.group, **values
        )
    return _said("read-by", "passage {passage}, {version} ({participants})", **values)


def _named(names: Sequence[Message]) -> Message:
    """The first ones, and how many there are beside them."""
    parts = list(names[:MOST_NAMED])
    if len(names) > MOST_NAMED:
        parts.append(_said("more", "and {count} more", count=len(names) - MOST_NAMED))
    return joined(parts, "; ")


def _nothing_to_compare(found: Analysis) -> Iterator[Message]:
    if not found.pairs:
        key, read = {
            "baseline": ("no-baseline", "in version {baseline} and in another one"),
            "all": ("no-pairs", "in two versions"),
        }[found.settings["pairs"]]
        english = f"no passage was read {read}: there is nothing to compare"
        yield _said(key, english, baseline=repr(found.settings["baseline"]))
    elif alone := [row.passage for row in found.texts if row.passage not in {pair.passage for pair in found.pairs}]:
        yield _said(
            "alone",
            "read in one version only, so not compared: passage {passages}",
            passages=", ".join(dict.fromkeys(alone)),
        )


def _groups_not_compared(found: Analysis) -> Iterator[Message]:
    for name, rows in found.groups.items():
        groups = {row.group for row in rows} - {NOT_SAID}
        if len(groups) > MOST_COMPARED:
            yield _said(
                "many-groups",
                "{column} has {count} groups; more than {most} are not tested against each other",
                column=name,
                count=len(groups),
                most=MOST_COMPARED,
            )


def _unasked(found: Analysis, experiment: Experiment | None) -> Iterator[Message]:
    if experiment is None:
        return
    for row in found.texts:
        missing = len(experiment.passage(row.passage).questions) - row.questions
        if missing:
            yield _said(
                "unasked",
                "passage {passage}, {version}: {missing} of its questions have no answers",
                passage=row.passage,
                version=row.version,
                missing=missing,
            )


def _families(found: Analysis) -> list[tuple[Message, Sequence[Contrast]]]:
    """The tests whose p-values are corrected together."""
    families: list[tuple[Message, Sequence[Contrast]]] = [
        (_said("family.together", "all passages together"), found.hypotheses),
        (_said("family.single", "single passages"), [test for pair in found.pairs for test in pair.tests]),
    ]
    reading = [[test for test in found.reading_tests if (test.passage is None) is whole] for whole in (True, False)]
    families += [
        (_said("family.reading-together", "reading, all passages together"), reading[0]),
        (_said("family.reading-single", "reading, single passages"), reading[1]),
    ]
    for name, compared in found.group_tests.items():
        together, single = ([test for test in compared if (test.passage is None) is whole] for whole in (True, False))
        families += [
            (_said("family.groups-together", "groups of {column}, all texts together", column=name), together),
            (_said("family.groups-single", "groups of {column}, single texts", column=name), single),
        ]
    return families


def _coarse(found: Analysis) -> Iterator[Message]:
    """Random exchanges give no p below 1 / (exchanges + 1), and Holm's correction multiplies it."""
    resamples, permutations = found.settings["resamples"], found.settings["permutations"]
    least = 1 / (permutations + 1)
    families = _families(found)
    sampled = any(not test.exact for _, tests in families for test in tests)
    if resamples < USUAL:
        yield _said(
            "few-resamples",
            "intervals from {resamples} are rough; {usual} are usual",
            resamples=counted(resamples, "resample"),
            usual=USUAL,
        )
    if permutations < USUAL - 1 and sampled:
        yield _said(
            "few-permutations",
            "{permutations} can give no p below {least:.2g}; {usual} or more are usual",
            permutations=counted(permutations, "permutation"),
            least=least,
            usual=USUAL,
        )
    for name, tests in families:
        family = sum(test.p == test.p for test in tests)
        if any(not test.exact for test in tests) and least * family >= 1 - found.settings["confidence"]:
            yield _said(
                "none-significant",
                "of {family} tests ({name}) none can come out significant: with {permutations} the smallest "
                "corrected p is {least:.2g}; take more permutations",
                family=family,
                name=name,
                permutations=counted(permutations, "permutation"),
                least=min(1.0, least * family),
            )


def _doubtful(found: Analysis) -> Iterator[Message]:
    """Verdicts that hang on the seed, and intervals that say other than the verdict."""
    tests = [test for _, family in _families(found) for test in family]
    if edge := [_on_the_edge(test) for test in tests if test.on_the_edge]:
        yield _said(
            "edge",
            "so near {alpha:.2g} that another seed could give another verdict: {named}; take more permutations than "
            "{permutations}",
            alpha=1 - found.settings["confidence"],
            named=_named(edge),
            permutations=found.settings["permutations"],
        )
    if against := [_about(test) for test in tests if test.contradicted and test.significant]:
        yield _said(
            "interval-includes",
            "the interval includes no difference, but the test is significant, and the test decides: {named}",
            named=_named(against),
        )
    if against := [_about(test) for test in tests if test.contradicted and not test.significant]:
        yield _said(
            "interval-excludes",
            "the interval excludes no difference, but the test, corrected for the number of tests, is not "
            "significant, and the test decides: {named}",
            named=_named(against),
        )


def _on_the_edge(test: Contrast) -> Message:
    return _said("with-p", "{about} (p {p:.4f})", about=_about(test), p=test.p_holm)


def _about(test: Contrast) -> Message:
    """What was compared, and where."""
    assert isinstance(test, (Tested, GroupTested))
    sides = (test.version, test.baseline) if isinstance(test, Tested) else (test.group, test.other)
    return _said(
        "compared",
        "{what}, {where}, {one} than {other}",
        what=_said(f"short.{test.hypothesis}", SHORT[test.hypothesis]),
        where=_where(test),
        one=sides[0],
        other=sides[1],
    )


def _where(test: Tested | GroupTested) -> Message:
    if isinstance(test, Tested):
        if test.passage is None:
            return _said("all-passages", "all passages")
        return _said("of-passage", "passage {passage}", passage=test.passage)
    if test.passage is None:
        return _said("all-texts", "all texts")
    return _said("of-text", "passage {passage}, {version}", passage=test.passage, version=test.version)
