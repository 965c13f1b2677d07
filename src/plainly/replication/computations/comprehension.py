"""What readers understood: tables that are made of answers to questions about texts.

Answers are an entry of the catalogue (`answers`), in the form of `plainly comprehension`. A cell says its `measure`:
a C-Score of a text, or how many participants there were. A table without rows has one for each value of the column
`of`: who took part. `made_up` questions need no data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from plainly import comprehension
from plainly.base.conditions import Condition
from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.comprehension import Analysis, Answer, Experiment, Records, Rules, Settings
from plainly.comprehension.participants import took_part
from plainly.comprehension.reader_groups import as_number, numbered
from plainly.comprehension.records import MILLISECONDS
from plainly.comprehension.scores import FORMULAS, Scale
from plainly.comprehension.where import chosen
from plainly.corpus import catalogue
from plainly.corpus.catalogue.entries import Entry
from plainly.corpus.catalogue.store import there
from plainly.replication.computations.cells import asked, places
from plainly.replication.found import Found, Values
from plainly.replication.recipe import Row, Table
from plainly.replication.work import Work


@dataclass(frozen=True)
class Asked:
    """Which number it is."""

    measure: str
    """A formula of the C-Score, or a key of `MEASURES`."""
    answers: str = ""
    """The entry of the catalogue."""
    text: str = ""
    """Which text, by its number or name in the column `text`."""
    where: tuple[str, ...] = ()
    """Whose answers count, as `--where` says it."""
    of: str = ""
    """A column of the answers."""
    entry: str = ""
    """Which record."""
    made_up: int = 0
    """So many questions of the same size, each answered correctly in the same time."""
    scale: Scale = "plain"


def compute(table: Table, work: Work) -> Values:
    """Every cell of a table."""
    if not table.rows:
        return _by_value(table, work)
    return {(row.key, title): _found(_asked(table, row, title), work) for row, title in places(table)}


def _asked(table: Table, row: Row, title: str) -> Asked:
    cell = asked(Asked, table, row, title)
    if cell.measure not in (known := [*FORMULAS, *MEASURES]):
        raise UnknownName("measure of answers", cell.measure, known)
    return cell


def _by_value(table: Table, work: Work) -> Values:
    """How many participants have each value of a column."""
    (title,) = table.columns
    asked = _asked(table, Row(""), title)
    found = next(took_part(_records(asked.answers, work).answers, [asked.of], None))
    return {
        (group.name if isinstance(group.name, str) else group.name.text(), title): Found(
            group.participants, decimals=0
        )
        for group in found.groups
    }


def _found(asked: Asked, work: Work) -> Found:
    try:
        if asked.measure in MEASURES:
            return Found(MEASURES[asked.measure](_records(asked.answers, work).answers, asked), decimals=0)
        return _score(asked, work)
    except PlainlyError as error:
        return Found(why=str(error))


def _score(asked: Asked, work: Work) -> Found:
    key = (asked.answers, asked.where, asked.scale, asked.made_up)
    analysis = work.once(("comprehension", *key), lambda: _analysis(asked, work))
    asked_for = _versions(asked, work)
    if len(asked_for) > 1:
        return Found(why=f"the answers call several texts {asked.text}")
    row = next((row for row in analysis.texts if asked.made_up or (row.passage, row.version) in asked_for), None)
    if row is None:
        return Found(why=f"nobody of these readers has read text {asked.text}")
    if asked.measure not in analysis.formulas:
        return Found(why=f"{asked.measure} needs experiment.yaml beside the answers")
    return Found(row.scores[asked.measure], signature=analysis.signature)


def _versions(asked: Asked, work: Work) -> set[tuple[str, str]]:
    """The passage and version of the text that is asked for."""
    if asked.made_up:
        return set()
    answers = _records(asked.answers, work).answers
    return {(answer.passage, answer.version) for answer in answers if _text(answer) == asked.text}


def _text(answer: Answer) -> str:
    """What the column `text` says. Beside a column `version` it is a mere number, and kept as it is."""
    return answer.fields.get("text", answer.version)


def _analysis(asked: Asked, work: Work) -> Analysis:
    experiment: Experiment | None
    if asked.made_up:
        experiment, records = _made_up(asked.made_up)
    else:
        experiment, records = _experiment(asked.answers), _records(asked.answers, work)
    rules = Rules(where=tuple(map(Condition.of, asked.where)))
    return comprehension.analyse(
        records,
        experiment,
        settings=Settings(scale=asked.scale),
        rules=rules,
        resampling=work.resampling,
        permutations=1,  # only scores are asked for
    )


def _made_up(questions: int) -> tuple[Experiment, Records]:
    """One text, and two readers who answer everything correctly, each time in 10 seconds."""
    experiment = comprehension.made_up_experiment(passages=1, questions=(questions,), versions=("text",))
    (passage,) = experiment.passages
    answers = [
        Answer(reader, passage.id, "text", question.id, question.correct, True, 10.0)
        for reader in ("one", "two")
        for question in passage.questions
    ]
    return experiment, comprehension.gathered(answers, experiment)


def _records(name: str, work: Work) -> Records:
    """All answers, read once."""
    return work.once(("answers", name), lambda: _read(name))


def _read(name: str) -> Records:
    path = catalogue.path(name, _entry(name).having("answers")[0].name)
    return comprehension.read_records(str(path), _experiment(name))


def _experiment(name: str) -> Experiment | None:
    """The texts and questions, if they are there."""
    (file,) = _entry(name).having("experiment")
    return comprehension.read_experiment(str(catalogue.path(name, file.name))) if there(file) else None


def _entry(name: str) -> Entry:
    entry = catalogue.info(name)
    if not entry.having("answers"):
        raise PlainlyError(f"{name} holds no answers of readers")
    return entry


def _participants(answers: Sequence[Answer], asked: Asked) -> float:
    return len({answer.participant for answer in chosen(answers, tuple(map(Condition.of, asked.where)))})


def _percent(answers: Sequence[Answer], asked: Asked) -> float:
    return 100 * _participants(answers, asked) / len({answer.participant for answer in answers})


def _least(answers: Sequence[Answer], asked: Asked) -> float:
    return min(numbered(answers, asked.of).values())


def _most(answers: Sequence[Answer], asked: Asked) -> float:
    return max(numbered(answers, asked.of).values())


def _recorded(answers: Sequence[Answer], asked: Asked) -> float:
    """A number of one record."""
    answer = next((answer for answer in answers if answer.fields.get("entry") == asked.entry), None)
    if answer is None:
        raise MissingResource(f"there is no entry {asked.entry}")
    cells = {
        **answer.fields,
        "user": answer.participant,
        "pair": answer.passage,
        "text": _text(answer),
        "question": answer.question,
        "answer": answer.answer,
        "time": answer.seconds * MILLISECONDS,
        "completed": int(answer.completed),
    }
    if asked.of not in cells:
        raise UnknownName("column of answers", asked.of, cells)
    return as_number(str(cells[asked.of]))


MEASURES: Mapping[str, Callable[[Sequence[Answer], Asked], float]] = {
    "participants": _participants,
    "participants-percent": _percent,
    "least": _least,
    "most": _most,
    "record": _recorded,
}
"""What can be asked of answers beside C-Scores."""
