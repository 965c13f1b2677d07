"""The rules for experiments: each finds what it is for, and lets the rest pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainly.base import declarations
from plainly.base.errors import PlainlyError
from plainly.comprehension import checks
from plainly.comprehension.checks import WordRange, check_experiment, refuse_errors
from plainly.comprehension.counted_words import words
from plainly.comprehension.experiment import Experiment, Passage, Question, Version, read_experiment

from ..cases import each

GUIDE = Path(__file__).parents[2] / "docs" / "comprehension-experiments.md"

TEXT = "A heavy storm may come at night. Then people close the shutters, sit in the middle room and wait. " * 4


@pytest.fixture
def good(tmp_path: Path) -> Experiment:
    """The experiment of the guide."""
    path = tmp_path / "guide.yaml"
    path.write_text(GUIDE.read_text("utf-8").split("$ cat storms.yaml\n")[1].split("```")[0], encoding="utf-8")
    return read_experiment(path)


def _with(question: Question, lang: str = "en") -> Experiment:
    passage = Passage("p", (Version("complex", TEXT), Version("simplified", f"{TEXT} So they wait.")), (question,))
    return Experiment("x", lang, (passage, replace(passage, id="other", questions=())), "Read.", "I agree.")


def _rules(experiment: Experiment, place: str = "q") -> dict[str, str]:
    return {item.rule: str(item.message) for item in check_experiment(experiment) if item.place == place}


def _ask(text: str, correct: str, *distractors: str, lang: str = "en") -> dict[str, str]:
    return _rules(_with(Question("q", text, (correct, *distractors), 0, 5), lang))


def test_the_guide_follows_its_own_rules(good: Experiment) -> None:
    assert check_experiment(good) == []


def test_a_good_question() -> None:
    assert _ask("Where is it safest?", "In a cellar.", "On a roof.", "Near a tree.", "By a lake.") == {}


@each(
    "rule, asked, message",
    [
        ("answers", ("Where?", "In.", "Out.", "Up."), "3 answers; add distractors"),
        ("answers", ("Where?", "In.", "Out.", "Up.", "Off.", "By.", "At."), "6 answers; drop some"),
        ("same-answer", ("Where?", "In it.", "in it", "Up.", "Off."), "two correct answers: 'in it'"),
        ("same-answer", ("Where?", "In it.", "Up.", "Off.", "Up."), "the same answer twice: 'Up.'"),
        ("catch-all", ("Where?", "In it.", "Up it.", "Off it.", "All of them."), "put in an answer of its own"),
        ("negative", ("What is not safe?", "In.", "Up.", "Off.", "By."), "'not' is easily overlooked"),
        (
            "answer-length",
            ("Where?", "In the room that has no windows.", "Up it.", "Off it.", "By it."),
            "the correct answer has 7 words, the others 2.0 on average; shorten it",
        ),
        (
            "answer-length",
            ("Where?", "Up.", "In the big hall.", "By the old tree.", "On the high roof."),
            "the correct answer has 1 word, the others 4.0 on average; lengthen it",
        ),
        ("echo", ("Which evacuation?", "To evacuate it.", "To leave.", "To sit.", "To go."), "'evacuate' is in"),
        ("grammar", ("It is a", "tree", "oak", "house", "barn"), "'a' at the end of the question"),
        ("grammar", ("It is an ...", "oak", "tree", "house", "barn"), "'an' at the end of the question"),
        ("stands-out", ("Where?", "In.", "Up", "Off", "By"), "the correct answer alone has a mark at its end"),
        ("stands-out", ("Where?", "in.", "Up.", "Off.", "By."), "alone lacks a capital"),
        ("stands-out", ("When?", "In 3.", "In six.", "In ten.", "In two."), "alone has a number"),
        ("stands-out", ("When?", "Now.", "In six.", "In ten.", "In two."), "all distractors begin with 'in'"),
        ("overlap", ("Where?", "In a room.", "In a room upstairs.", "Off it.", "By it."), "both may be right"),
        ("fair-versions", ("Why?", "So they wait.", "So they go.", "So they run.", "So they sit."), "in simplified"),
    ],
)  # fmt: skip
def test_a_rule_is_broken(rule: str, asked: tuple[str, ...], message: str) -> None:
    found = _ask(*asked)
    assert set(found) == {rule}
    assert message in found[rule]


@pytest.mark.parametrize(
    "asked",
    [
        ("What is NOT safe?", "In.", "Up.", "Off.", "By."),
        ("It is a", "tree", "house", "barn", "bush"),
        ("Which storm?", "The big storm.", "The old storm.", "The wet storm.", "The hot storm."),
        ("When?", "In 3.", "In 6.", "In 10.", "In 2."),
        ("What do people close?", "The shutters", "The door", "The gate", "The shop"),  # in all versions
        ("Which?", "A tree.", "An oak.", "A barn.", "A bush."),
    ],
)
def test_a_rule_is_kept(asked: tuple[str, ...]) -> None:
    assert _ask(*asked) == {}


def test_other_languages() -> None:
    assert "catch-all" in _ask("Wo?", "Im Haus.", "Am See.", "Im Bad.", "Alle genannten Orte.", lang="de")
    assert "negative" in _ask("Was geht nicht?", "Im Haus.", "Am See.", "Im Bad.", "Am Tor.", lang="de")
    assert "grammar" not in _ask("Er kam a", "Tree.", "Oak.", "House.", "Barn.", lang="de")


def test_passages(good: Experiment) -> None:
    storm, flood = good.passages
    first, second = storm.versions
    longer = replace(storm, versions=(first, replace(second, text=second.text * 2)))
    found = _rules(replace(good, passages=(longer, flood)), "storm/simplified")
    # The texts have 23, 2 x 25 = 50, 25 and 30 words: the middle is 27.5, and a quarter around it 20.6 to 34.4.
    assert found == {
        "text-length": "50 words, where the middle text has 27.5; shorten it to 21 to 34 words, or compare by "
        "c-score-textsize"
    }
    fewer = replace(storm, questions=storm.questions[:2])
    assert "2 questions; ask more" in _rules(replace(good, passages=(fewer, flood)), "storm")["questions"]
    same = replace(storm, versions=(first, replace(second, text=f" {first.text}")))
    assert "has the same text as storm/complex" in str(
        _rules(replace(good, passages=(same, flood)), "storm/simplified")
    )
    twice = replace(storm, questions=(*storm.questions, replace(storm.questions[0], id="again")))
    found = _rules(replace(good, passages=(twice, flood)), "again")
    assert found == {"same-question": "asks the same as storm-room; ask something else"}


def test_the_same_in_two_passages(good: Experiment) -> None:
    storm, flood = good.passages
    copied = replace(flood, versions=(flood.versions[0], replace(flood.versions[1], text=storm.versions[0].text)))
    found = _rules(replace(good, passages=(storm, copied)), "flood/simplified")
    assert found == {"same-version": "has the same text as storm/complex; put in the right text"}
    again = replace(storm.questions[0], id="again", text=storm.questions[0].text.upper())

    def asking(question: Question) -> Experiment:
        return replace(good, passages=(storm, replace(flood, questions=(question, *flood.questions[1:]))))

    assert _rules(asking(again), "again") == {"same-question": "asks the same as storm-room; ask something else"}
    # "Where is it safest to wait?" may be asked of every passage, if something else is right each time.
    other = replace(again, answers=("On the upper floor.", *again.distractors))
    assert not _rules(
        replace(good, passages=(storm, replace(flood, questions=(other, *flood.questions[1:])))), "again"
    )


def test_errors_are_refused(good: Experiment) -> None:
    storm, flood = good.passages
    refuse_errors(good, "x.yaml")
    refuse_errors(replace(good, instructions=""), "x.yaml")  # advice is no error
    key = storm.questions[0].key
    two = replace(storm.questions[0], answers=(key, key.upper(), *storm.questions[0].distractors[1:]))
    wrong = replace(good, passages=(replace(storm, questions=(two, *storm.questions[1:])), flood))
    with pytest.raises(
        PlainlyError, match=rf"^x\.yaml:{two.line}: storm-room: two correct answers: .*; change one of them; p"
    ):
        refuse_errors(wrong, "x.yaml")
    with pytest.raises(PlainlyError, match=r"1 passage cannot be shared .* \(and 1 more error\); plainly"):
        refuse_errors(replace(wrong, passages=wrong.passages[:1]), "x.yaml")
    refuse_errors(replace(good, passages=(storm,)), "x.yaml", planning=False)


def test_the_whole(good: Experiment) -> None:
    storm, flood = good.passages
    assert set(_rules(replace(good, consent=" ", instructions=""), "experiment")) == {"consent", "instructions"}
    assert "multiple of 2" in _rules(replace(good, passages=(storm,)), "experiment")["design"]
    lacking = replace(flood, versions=flood.versions[:1])
    [finding] = [item for item in check_experiment(replace(good, passages=(storm, lacking))) if item.rule == "design"]
    assert finding.severity == "error"
    assert finding.line == flood.line


def test_correct_answers_that_are_always_the_longest(good: Experiment) -> None:
    def lengthened(passage: Passage) -> Passage:
        questions = (
            replace(item, answers=(item.key[:-1] + "," + "-" * 30, *item.distractors)) for item in passage.questions
        )
        return replace(passage, questions=tuple(questions))

    found = _rules(replace(good, passages=tuple(map(lengthened, good.passages))), "experiment")
    assert found["answer-length"] == "the correct answer is the longest in 8 of 8 questions; vary it"


@settings(max_examples=2 * settings.default.max_examples)
@given(
    st.lists(st.text(min_size=1), min_size=2, max_size=6), st.text(min_size=1), st.sampled_from(["en", "ja", "ar"])
)
def test_any_text_is_checked(answers: list[str], text: str, lang: str) -> None:
    found = check_experiment(_with(Question("q", text, tuple(answers), 0, 5), lang))
    assert all(str(item.message).isprintable() and item.severity in ("error", "advice") for item in found)


def test_every_change_has_german_words() -> None:
    room = Path(checks.__file__).parent
    german = declarations.read((room / "findings.de.toml").read_text("utf-8"))["comprehension"]
    for wrong in (
        _with(Question("q", "What is not a", ("A safe place.", "a roof safe", "A place", "All of them", "x"), 0, 5)),
        Experiment("x", "en", (Passage("p", (Version("a", "One."),), ()),)),
    ):
        found = check_experiment(wrong)
        assert found
        for item in found:
            assert item.message.key.removeprefix("comprehension.") in german
            assert item.message.text("de") != item.message.text()


def _typed(good: Experiment, *types: str) -> Experiment:
    """The questions of the first passage have these types, in turn."""
    first, *others = good.passages
    asked = tuple(replace(one, type=name) for one, name in zip(first.questions, types, strict=True))
    return replace(good, passages=(replace(first, questions=asked), *others))


@each(
    "types, found",
    [
        (("", "", "", ""), []),
        (("order", "condition", "explanation", "key-fact"), []),
        (("order", "detail", "key-fact", "key-fact"), ["it asks for a detail, which is a matter of memory"]),
        (("order", "key-fact", "", "key-fact"), ["it has no type, but others have"]),
        (("key-fact",) * 4, ["no question here needs more than finding a fact; ask for conditions, explanations, "]),
    ],
)
def test_types_of_questions(types: tuple[str, ...], found: list[str], good: Experiment) -> None:
    said = [item for item in check_experiment(_typed(good, *types)) if not item.place.startswith("flood")]
    assert {item.rule for item in said} <= {"question-type"}
    assert len(said) == len(found)
    for item, begins in zip(said, found, strict=True):
        assert str(item.message).startswith(begins)
        assert item.severity == "advice"
        assert item.message.text("de") != str(item.message)


def test_words_of_each_text(good: Experiment) -> None:
    """The texts of the guide have 23, 25, 25 and 30 words, counted by hand."""
    counts = [len(words(version.text)) for passage in good.passages for version in passage.versions]
    assert counts == [23, 25, 25, 30]
    found = check_experiment(good, WordRange.parse("24-29"))
    assert [(item.place, str(item.message)) for item in found] == [
        ("storm/complex", "23 words; lengthen it to 24 to 29, as you asked"),
        ("flood/simplified", "30 words; shorten it to 24 to 29, as you asked"),
    ]
    assert check_experiment(good, WordRange.parse("23-30")) == []
    for text in ("150", "170-150", "0-9", "a-b", "1-2-3", "-5"):
        with pytest.raises(PlainlyError, match="words"):
            WordRange.parse(text)
