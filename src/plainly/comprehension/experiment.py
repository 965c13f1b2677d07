"""What is asked of readers? Experiments as YAML files: passages in versions, questions, and what readers are told.

    name: storms
    lang: en
    instructions: Read each text once. Then answer the questions.
    consent: I agree that my answers are kept without my name.
    reading_seconds: 60          # for every passage that says nothing else; left out: no limit
    answer_seconds: 45           # for each question; left out: no limit
    form:
      - {id: age, label: "How old are you?", kind: number}
      - {id: level, label: "How well do you know English?", kind: choice, options: [beginner, good, native]}
    passages:
      - id: storm
        seconds: 50
        versions:
          - {id: complex, text: ...}
          - {id: simplified, text: ...}
        questions:
          - id: storm-1
            text: What should you do first?
            correct: Shut the windows.
            distractors: [Open the door., Call a friend., Leave the house.]
            type: order              # of TYPES; may be left out

Every key is checked. Whether the questions are good ones is for `plainly.comprehension.checks`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from plainly.base.declarations import Fault, Table, insist, made, tables
from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus.readers.descriptions import read_description
from plainly.corpus.readers.files import shown
from plainly.corpus.references import is_blank
from plainly.text.languages import get_language

TYPES = ("condition", "explanation", "order", "key-fact", "detail")
"""What a question asks for: when to do something, why, in which order; what a text says, or a detail of it."""
KINDS = ("text", "number", "choice", "yes-no")
MOST_ANSWERS = 26
"""Of one question; interfaces name answers by letters."""
LONGEST_ID = 100
MOST_FAULTS = 20
"""Said at once."""

T = TypeVar("T")

_ID = re.compile(r"\w[\w.:-]*")


@dataclass(frozen=True)
class Question:
    """A question; `correct` is the place of the right answer among the answers."""

    id: str
    text: str
    answers: tuple[str, ...]
    correct: int
    line: int = field(default=0, compare=False)
    """Of the file; 0 where there is none."""
    type: str = ""
    """One of `TYPES`; empty where the file does not say it."""

    @property
    def key(self) -> str:
        """The right answer."""
        return self.answers[self.correct]

    @property
    def distractors(self) -> tuple[str, ...]:
        """The wrong answers."""
        return self.answers[: self.correct] + self.answers[self.correct + 1 :]


@dataclass(frozen=True)
class Version:
    """One way to say what a passage says, as "complex", "simplified", or the name of a system."""

    id: str
    text: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Passage:
    """What is read, in any number of versions. The questions that follow are the same for all versions."""

    id: str
    versions: tuple[Version, ...]
    questions: tuple[Question, ...]
    seconds: float | None = None
    """How long it is shown; None: as long as the reader likes."""
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Field:
    """One thing that participants are asked about themselves."""

    id: str
    label: str
    kind: str = "text"
    options: tuple[str, ...] = ()
    required: bool = True


@dataclass(frozen=True)
class Experiment:
    """All that is needed to run it."""

    name: str
    lang: str
    passages: tuple[Passage, ...]
    instructions: str = ""
    consent: str = ""
    form: tuple[Field, ...] = ()
    reading_seconds: float | None = None
    answer_seconds: float | None = None

    @property
    def version_ids(self) -> tuple[str, ...]:
        """Of the first passage, in its order; `plainly.comprehension.checks` sees to it that all have the same."""
        return tuple(version.id for version in self.passages[0].versions)

    def passage(self, name: str) -> Passage:
        """The passage of that id."""
        found = {passage.id: passage for passage in self.passages}
        if name not in found:
            raise UnknownName("passage", name, found)
        return found[name]


def read_experiment(path: Path | str) -> Experiment:
    """The experiment that a YAML file describes; every key is checked, and all faults are said together."""
    return read_description(path, experiment_from)


@dataclass(frozen=True)
class _Asked:
    """A question as the file has it."""

    id: str
    text: str
    correct: str
    distractors: tuple[str, ...]
    type: str = ""


def experiment_from(table: Any) -> Experiment:
    """The experiment that a table describes."""
    insist(isinstance(table, Table), "an experiment is a table with the keys name, lang, passages, ...")
    faults: list[Fault] = []
    head = _head(faults, table)
    entries = _tried(faults, _items, dict(table), "passages", "experiment") or []
    passages = _each(faults, _passage, entries, head.get("reading_seconds"), faults)
    _unique(faults, "passage", passages)
    _unique(faults, "question", [question for passage in passages for question in passage.questions])
    asked = _tried(faults, tables, dict(table), "form") if "form" in table else None
    form = _each(faults, _field, asked or [], faults)
    repeated = _repeated(item.id for item in form)
    if repeated is not None:
        faults.append(Fault(f"the form asks for {repeated!r} twice"))
    if faults:
        raise _together(faults)
    return Experiment(passages=passages, form=form, **head)


def _head(faults: list[Fault], table: Table) -> dict[str, Any]:
    """What an experiment says of itself, apart from its passages and its form; each key is looked at."""
    checks: dict[str, Callable[[str, str, Any], Any]] = {
        "name": _one_line,
        "lang": _lang,
        "instructions": _string,
        "consent": _string,
        "reading_seconds": _seconds,
        "answer_seconds": _seconds,
    }
    entry = _known(faults, table, "experiment", (*checks, "passages", "form"))
    for key in ("name", "lang"):
        if key not in entry:
            faults.append(Fault(f"experiment: {key} is missing", table.line))
    return {key: _checked(faults, check, entry, key, "experiment") for key, check in checks.items() if key in entry}


def _passage(entry: Mapping[str, Any], reading: float | None, faults: list[Fault]) -> Passage:
    name = _id(entry, "passage")
    where = f"passage {name!r}"
    entry = _known(faults, entry, where, ("id", "versions", "questions", "seconds"))
    seconds = _checked(faults, _seconds, entry, "seconds", where) if "seconds" in entry else reading
    texts, asked = (_tried(faults, _items, entry, key, where) or [] for key in ("versions", "questions"))
    versions = _each(faults, _version, texts, where, faults)
    _unique(faults, f"{where}: version", versions)
    return Passage(name, versions, _each(faults, _question, asked, faults), seconds, _line(entry))


def _version(entry: Mapping[str, Any], passage: str, faults: list[Fault]) -> Version:
    where = f"{passage}, version {_id(entry, f'{passage}: version')!r}"
    entry = _known(faults, entry, where, ("id", "text"))
    version = made(Version, entry, where)
    _insist_text(where, "text", version.text)
    return Version(version.id, version.text, _line(entry))


def _question(entry: Mapping[str, Any], faults: list[Fault]) -> Question:
    where = f"question {_id(entry, 'question')!r}"
    entry = _known(faults, entry, where, [item.name for item in fields(_Asked)])
    right = entry.get("correct")
    insist(not isinstance(right, list), f"{where}: there must be one correct answer; it has a list of them")
    for key in ("correct", "distractors"):
        values = entry.get(key)
        for value in values if isinstance(values, list) else [values]:
            insist(value is None or isinstance(value, str), f"{where}: put the answer {value!r} in quotation marks")
    asked = made(_Asked, entry, where)
    _insist_text(where, "text", asked.text)
    answers = (asked.correct, *asked.distractors)
    for answer in answers:
        _insist_text(where, "an answer", answer)
    insist(2 <= len(answers) <= MOST_ANSWERS, f"{where}: a question has 2 to {MOST_ANSWERS} answers")
    if asked.type and asked.type not in TYPES:
        raise Fault(f"{where}: {UnknownName('type', asked.type, TYPES)}")
    return Question(asked.id, asked.text, answers, 0, _line(entry), asked.type)


def _field(entry: Mapping[str, Any], faults: list[Fault]) -> Field:
    where = f"form field {_id(entry, 'form field')!r}"
    entry = _known(faults, entry, where, [item.name for item in fields(Field)])
    found = made(Field, entry, where)
    _insist_text(where, "label", found.label)
    insist(found.kind in KINDS, f"{where}: kind must be one of {', '.join(KINDS)}, not {found.kind!r}")
    choice = found.kind == "choice"
    insist(choice or not found.options, f"{where}: options go with kind: choice")
    insist(not choice or len(set(found.options)) > 1, f"{where}: a choice needs at least two options")
    insist(all(map(_is_line, found.options)), f"{where}: each option must be one line of text")
    insist(_repeated(found.options) is None, f"{where}: an option is there twice")
    return found


def _id(entry: Mapping[str, Any], what: str) -> str:
    name = entry.get("id")
    insist(name is not None, f"{what}: id is missing")
    insist(isinstance(name, str), f"{what}: put the id {name!r} in quotation marks")
    fits = isinstance(name, str) and len(name) <= LONGEST_ID and _ID.fullmatch(name)
    insist(bool(fits), f"{what}: {shown(repr(name))} is no id: up to {LONGEST_ID} letters, digits and . _ : -")
    return str(name)


def _items(entry: Mapping[str, Any], key: str, where: str) -> list[Mapping[str, Any]]:
    try:
        found = tables(entry, key)
    except Fault:
        raise Fault(f"{where}: {key} are missing, or no list of tables") from None
    insist(bool(found), f"{where}: {key} are missing")
    return found


def _seconds(where: str, key: str, value: Any) -> float | None:
    if value is None:
        return None
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    insist(number and 0 < value <= 86_400, f"{where}: {key} is a number of seconds, above 0 and at most a day")
    return float(value)


def _string(where: str, key: str, value: Any) -> str:
    insist(isinstance(value, str), f"{where}: {key} must be of type str")
    return str(value)


def _one_line(where: str, key: str, value: Any) -> str:
    text = _string(where, key, value)
    insist(text != "", f"{where}: {key} is empty")
    insist(_is_line(text), f"{where}: {key} must be one line of text")
    return text


def _lang(where: str, key: str, value: Any) -> str:
    text = _one_line(where, key, value)
    try:
        return get_language(text).code
    except PlainlyError as error:
        raise Fault(str(error)) from None


def _insist_text(where: str, key: str, text: str) -> None:
    insist(not is_blank(text), f"{where}: {key} is empty")


def _is_line(text: str) -> bool:
    """Whether it can stand in a cell of a table and comes back as it was."""
    return text.isprintable() and text == text.strip() != ""


def _unique(faults: list[Fault], what: str, items: Iterable[Passage | Version | Question]) -> None:
    """Records name passages, versions and questions by their ids."""
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            faults.append(Fault(f"{what} {item.id!r} is there twice", item.line or None))
        seen.add(item.id)


def _repeated(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _known(faults: list[Fault], entry: Mapping[str, Any], where: str, names: Sequence[str]) -> Mapping[str, Any]:
    """The entry without the keys that it must not have, each of which is a fault."""
    found = Table()
    found.line, found.lines = _line(entry), getattr(entry, "lines", {})
    for key, value in entry.items():
        if key in names:
            found[key] = value
        else:
            faults.append(Fault(f"{where}: unknown key {key!r}", found.lines.get(key)))
    return found


def _checked(
    faults: list[Fault], check: Callable[[str, str, Any], T], entry: Mapping[str, Any], key: str, where: str
) -> T | None:
    """The value of a key that is there; what is wrong with it is noted with its line."""
    try:
        return check(where, key, entry[key])
    except Fault as fault:
        faults.append(Fault(str(fault), getattr(entry, "lines", {}).get(key)))
        return None


def _each(
    faults: list[Fault], make: Callable[..., T], entries: Iterable[Mapping[str, Any]], *more: Any
) -> tuple[T, ...]:
    """What `make` makes of the entries that are right."""
    found = (_tried(faults, make, entry, *more) for entry in entries)
    return tuple(item for item in found if item is not None)


def _tried(faults: list[Fault], make: Callable[..., T], entry: Mapping[str, Any], *more: Any) -> T | None:
    """What `make` makes of an entry; what is wrong with it is noted with its line."""
    try:
        return make(entry, *more)
    except Fault as fault:
        faults.append(Fault(str(fault), fault.line or _line(entry) or None))
        return None


def _together(faults: Sequence[Fault]) -> Fault:
    """All in one, the first ones in words."""
    first, *others = sorted(faults, key=lambda fault: fault.line or 0)
    texts = [f"line {fault.line}: {fault}" if fault.line else str(fault) for fault in others[: MOST_FAULTS - 1]]
    hidden = len(others) - len(texts)
    return Fault("; ".join([str(first), *texts, *([f"and {hidden} more"] if hidden else [])]), first.line)


def _line(entry: Mapping[str, Any]) -> int:
    return getattr(entry, "line", 0)
