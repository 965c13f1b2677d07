"""Can a reader who understood nothing tell the correct answer? Rules for one question and its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from plainly.base.messages import Message, message
from plainly.comprehension.counted_words import words
from plainly.comprehension.experiment import Passage, Question
from plainly.comprehension.plurals import counted
from plainly.corpus.readers.files import shown
from plainly.text.languages import get_language

FEWEST, MOST = 4, 5
"""Answers a question, and questions a passage."""
TIMES_AS_LONG, WORDS_LONGER = 1.5, 3
"""An answer stands out that is so many times as long as the others' mean, and so many words longer; or shorter."""
SHORTEST_CLUE = 4
"""Letters of a word that gives an answer away."""
SAME_BEGINNING = 6
"""Letters that two forms of a word share at least, as in evacuate and evacuation."""

VOWELS = frozenset("aeiou")


Check = Callable[[Question, Passage, str], Iterator[Message]]
"""What is wrong with a question of a passage, in a language."""


def change(key: str, english: str, **values: Any) -> Message:
    """What to change, and why."""
    return message(f"comprehension.change.{key}", english, **values)


def _answers(question: Question, _: Passage, __: str) -> Iterator[Message]:
    count = len(question.answers)
    if not FEWEST <= count <= MOST:
        few = count < FEWEST
        yield change(
            "few-answers" if few else "many-answers",
            f"{{answers}}; {'add distractors' if few else 'drop some'}: {FEWEST} to {MOST} leave little to guessing",
            answers=counted(count, "answer"),
        )


def _same_answer(question: Question, _: Passage, lang: str) -> Iterator[Message]:
    seen: dict[tuple[str, ...], int] = {}
    for place, answer in enumerate(question.answers):
        text = tuple(words(answer, lang)) or (answer.strip(),)
        if text in seen:
            right = question.correct in (place, seen[text])
            two = "two correct answers" if right else "the same answer twice"
            key = "two-correct" if right else "same-twice"
            yield change(key, f"{two}: {{answer}}; change one of them", answer=_said(answer))
        seen.setdefault(text, place)


def _catch_all(question: Question, _: Passage, lang: str) -> Iterator[Message]:
    for answer in question.answers:
        text = " ".join(words(answer, lang))
        if any(text.startswith(phrase) for phrase in get_language(lang).catch_all_answers):
            english = "{answer} can be told from the other answers alone; put in an answer of its own"
            yield change("catch-all", english, answer=_said(answer))


def _negative(question: Question, _: Passage, lang: str) -> Iterator[Message]:
    found = [word for word in words(question.text, lang) if word in get_language(lang).question_negations]
    if found and found[0].upper() not in question.text:
        english = "{word} is easily overlooked; ask without it, or write it as {capitals}"
        yield change("negative", english, word=repr(found[0]), capitals=found[0].upper())


def _length(question: Question, _: Passage, lang: str) -> Iterator[Message]:
    counts = [len(words(answer, lang)) for answer in question.answers]
    for place, answer in enumerate(question.answers):
        others = counts[:place] + counts[place + 1 :]
        mean = sum(others) / len(others)
        count = counts[place]
        longer = count >= TIMES_AS_LONG * mean and count - mean >= WORDS_LONGER
        shorter = mean >= TIMES_AS_LONG * count and mean - count >= WORDS_LONGER
        if longer or shorter:
            right = change("the-correct-answer", "the correct answer")
            mend = "shorten it, or lengthen the others" if longer else "lengthen it, or shorten the others"
            yield change(
                "answer-long" if longer else "answer-short",
                f"{{which}} has {{words}}, the others {{mean:.1f}} on average; {mend}",
                which=right if place == question.correct else _said(answer),
                words=counted(count, "word"),
                mean=mean,
            )


def _echo(question: Question, _: Passage, lang: str) -> Iterator[Message]:
    """A word of the question that is in the correct answer, and in no other."""
    stem = _content(question.text, lang)
    elsewhere = [_content(answer, lang) for answer in question.distractors]
    for word in dict.fromkeys(_content(question.key, lang)):
        if _among(word, stem) and not any(_among(word, other) for other in elsewhere):
            yield change(
                "echo",
                "{word} is in the question and of the answers in the correct one alone; use another word, or put "
                "it into distractors",
                word=repr(word),
            )


def _grammar(question: Question, _: Passage, lang: str) -> Iterator[Message]:
    """The last word of an unfinished question fits the correct answer only."""
    stem = words(question.text, lang)
    if lang != "en" or not stem or stem[-1] not in ("a", "an"):
        return
    fits = [(answer.lstrip()[:1].lower() in VOWELS) == (stem[-1] == "an") for answer in question.answers]
    if not all(fits):
        english = "{word} at the end of the question does not fit all answers; write 'a(n)' or move it"
        yield change("grammar", english, word=repr(stem[-1]))


def _alone(question: Question, _: Passage, lang: str) -> Iterator[Message]:
    """A mark of form that sets the correct answer apart from all distractors."""
    for mark, has in _MARKS.items():
        others = {has(answer) for answer in question.distractors}
        if len(question.distractors) > 1 and len(others) == 1 and has(question.key) not in others:
            verb = "has" if has(question.key) else "lacks"
            english = f"the correct answer alone {verb} {{mark}}; make all answers alike"
            yield change(f"alone-{verb}", english, mark=change(f"mark.{mark.replace(' ', '-')}", mark))
    firsts = [_first(answer, lang) for answer in question.answers]
    of_others = {*firsts[: question.correct], *firsts[question.correct + 1 :]}
    if len(question.distractors) > 1 and len(of_others) == 1 and firsts[question.correct] not in of_others:
        english = "all distractors begin with {word}, the correct answer does not; make them alike"
        yield change("beginning", english, word=repr(of_others.pop()))


def _contained(question: Question, _: Passage, lang: str) -> Iterator[Message]:
    """If the longer one is right, so is the shorter."""
    for one, other in combinations(question.answers, 2):
        short, long = sorted((words(one, lang), words(other, lang)), key=len)
        if short and len(short) < len(long) and _within(short, long):
            english = "{one} and {other} overlap: both may be right; make them exclude each other"
            yield change("overlap", english, one=_said(one), other=_said(other))


def _fair(question: Question, passage: Passage, lang: str) -> Iterator[Message]:
    """The words of the correct answer are in the text of one version only: there, matching words is enough."""
    answer = words(question.key, lang)
    there = [version.id for version in passage.versions if _within(answer, words(version.text, lang))]
    if len(answer) > 1 and 0 < len(there) < len(passage.versions):
        yield change(
            "fair-versions",
            "the correct answer stands word for word in {versions} only, whose readers need not understand it; use "
            "words of all versions, or of none",
            versions=", ".join(there),
        )


QUESTION_RULES: Mapping[str, Check] = {
    "answers": _answers,
    "same-answer": _same_answer,
    "catch-all": _catch_all,
    "negative": _negative,
    "answer-length": _length,
    "echo": _echo,
    "grammar": _grammar,
    "stands-out": _alone,
    "overlap": _contained,
    "fair-versions": _fair,
}

_MARKS: Mapping[str, Callable[[str], bool]] = {
    "a capital at its beginning": lambda text: text.lstrip()[:1].isupper(),
    "a mark at its end": lambda text: text.rstrip()[-1:] in ".!?。！？",
    "a comma": lambda text: any(mark in text for mark in ",;،、，"),
    "brackets": lambda text: "(" in text,
    "a number": lambda text: any(letter.isdigit() for letter in text),
}


def _first(answer: str, lang: str) -> str:
    """The first word; in English, a and an are one."""
    word = (words(answer, lang) or [""])[0]
    return "a" if lang == "en" and word == "an" else word


def _content(text: str, lang: str) -> list[str]:
    stop_words = get_language(lang).stop_words
    return [word for word in words(text, lang) if len(word) >= SHORTEST_CLUE and word not in stop_words]


def _among(word: str, others: Sequence[str]) -> bool:
    return any(word == other or _related(word, other) for other in others)


def _related(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= SAME_BEGINNING and one[:SAME_BEGINNING] == other[:SAME_BEGINNING]


def _within(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether the words follow each other somewhere in the others."""
    return bool(part) and f" {' '.join(part)} " in f" {' '.join(whole)} "


def _said(answer: str) -> str:
    return shown(repr(answer))
