"""What a kind of campaign is: it reads files, makes tasks, shows them, checks answers, exports and sums up.

Kinds are pure: plain data in, plain data out. What is kept, and who may see it, is for other rooms. All that tasks
and answers hold is JSON.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.records import safe
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.left_out import LEFT_OUT
from plainly.corpus.readers.releases import Use
from plainly.studio.kinds.dashboards import Say, Summary
from plainly.studio.kinds.dealt import REPEAT, STUDY, Dealt, Role, scattered

if TYPE_CHECKING:
    from plainly.studio.kinds.adjudication import Adjudication

Json = Mapping[str, Any]
JSON_LINES = "application/x-ndjson"
PASSED = 0.5
"""A check whose answer is as right as this is passed."""
When = tuple[tuple[str, tuple[Any, ...]], ...]
"""Names of options and values of them; one of these conditions is enough."""


@dataclass(frozen=True)
class FileSlot:
    """A file that owners give when they make a campaign."""

    name: str
    """Of the slot, as `texts`; its label is the interface text `KIND.file.NAME`, its help `KIND.file.NAME.help`."""
    endings: tuple[str, ...]
    required: bool = True
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of a table: our names, each with other words that files are known to use for it."""
    needed: tuple[str, ...] = ()
    """Those that a table must have."""
    release: Use | None = None
    """Which well-known tables are read without a word, see `plainly.corpus.readers.releases`."""
    more: bool = False
    """Whether it may bring further items to a campaign that is running."""
    when: When = ()
    """Only with options that have such values, one of them; none: always."""


@dataclass(frozen=True)
class Option:
    """A setting that owners choose when they make a campaign; its label is the interface text `KIND.option.NAME`."""

    name: str
    type: Literal["choice", "whole", "number", "switch", "line", "text", "lines"]
    default: Any
    choices: tuple[str, ...] = ()
    """Of a choice; the label of each is the interface text `KIND.option.NAME.CHOICE`."""
    least: float | None = None
    most: float | None = None
    when: When = ()
    """It applies only where another option has one of these values; no values: any but nothing. None: always."""


@dataclass(frozen=True)
class Item:
    """One thing that is judged, as the files have it: a text, a pair, a passage."""

    name: str
    content: Json


@dataclass(frozen=True)
class Material:
    """What the files of a new campaign hold."""

    items: tuple[Item, ...]
    settings: Json
    """Everything else that the kind needs later, options included; JSON."""
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """The first rows, for the owner to see whether they were understood."""
    notes: tuple[str, ...] = ()
    """What the owner should know: what was left out, what looks odd."""
    lang: str = ""
    """Where the files say it."""


@dataclass(frozen=True)
class Campaign:
    """A campaign as its kind sees it. Items never change once it was opened; more may come behind them."""

    id: str
    kind: str
    name: str
    lang: str
    seed: int
    settings: Json
    items: tuple[Item, ...]

    @cached_property
    def by_name(self) -> Mapping[str, Item]:
        return {item.name: item for item in self.items}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Of items by their names, from 0."""
        return {item.name: place for place, item in enumerate(self.items)}


@dataclass(frozen=True)
class Person:
    """A participant under a pseudonym."""

    code: str
    """As `P007`; the only name in exports."""
    number: int
    """From 1, in the order of invitation; never used twice in a campaign."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """What the campaign's form asked for."""
    tasks: int = 0
    done: int = 0
    finished: bool = False
    left_out: str = ""
    """Why the answers do not count; empty: they do."""
    after: Mapping[str, str] = field(default_factory=dict)
    """What the questionnaire after the tasks asked for."""

    def columns(self, taken: Sequence[str]) -> dict[str, str]:
        """What the form says, as columns of an export: by the ids of fields, unless the export has such a column.

        The last one says why the answers do not count, if they do not.
        """
        ours = {*taken, LEFT_OUT}
        fields = {f"form_{name}" if name in ours else safe(name): safe(value) for name, value in self.fields.items()}
        return {**fields, LEFT_OUT: safe(self.left_out)}


@dataclass(frozen=True)
class Given:
    """The answer that stands for a task: the newest one, unless it was undone."""

    person: Person
    place: int
    """Of the task among those of the person, from 0."""
    task: Json
    answer: Json
    seconds: float | None
    """Measured in the browser, from the moment the task was to be seen; never more than the server's clock allows."""
    time: str
    """When the server stored it, ISO 8601, UTC."""
    revisions: int = 0
    """How many answers were given to this task before, and taken back or replaced."""
    role: Role = STUDY
    """What the task is there for. Only what is of the study reaches exports and summaries of kinds."""
    server_seconds: float | None = None
    """From when the task before was stored until this one was."""
    impossible: bool = False
    """Whether the browser claims more seconds than the server saw pass."""

    def columns(self, taken: Sequence[str]) -> dict[str, str]:
        """Columns of every export that has a row for each answer: the server's time, and what the form says."""
        server = "" if self.server_seconds is None else f"{round(self.server_seconds, 3):g}"
        own = {"server_seconds": server, "impossible": "yes" if self.impossible else "no"}
        return {**own, **self.person.columns((*taken, *own))}


@dataclass(frozen=True)
class ExportFile:
    """A file of an export, as the command line reads it."""

    name: str
    content: str
    media_type: str = "text/csv"


class Kind(ABC):
    """One kind of campaign."""

    name: ClassVar[str]
    files: ClassVar[tuple[FileSlot, ...]]
    options: ClassVar[tuple[Option, ...]]
    ahead: ClassVar[int] = 10
    """How many open tasks the browser may hold, so that a slow network is not felt."""
    timed: ClassVar[bool] = False
    """Whether the first open task comes with `since`: the seconds since this participant's last answer was stored."""
    undoable: ClassVar[bool] = False
    """Whether the last answer may be taken back."""
    revisable: ClassVar[bool] = False
    """Whether every task may be opened and answered again, until the participant is done."""
    grows: ClassVar[bool] = False
    """Whether items may be added to a campaign that is running, see `more`."""
    adjudication: ClassVar[Adjudication | None] = None
    """How answers of several people are put together into one, where that can be done."""
    asks_about: ClassVar[tuple[str, ...]] = ("item",)
    """Under which keys a task names the items that it asks about."""
    page_texts: ClassVar[tuple[str, ...]] = ()
    """Interface texts of this kind that its page gets, by the first word of their keys. Others are for owners."""

    @abstractmethod
    def read(self, files: Mapping[str, Path], options: Json) -> Material:
        """What the files of the slots hold; options are complete and of the right types.

        Under `lang`, options also hold the language of the texts that the owner chose, for kinds that cut texts.
        Under `columns`, they hold what columns are called in the tables of slots, where that was said.
        Raises PlainlyError with the name of the file and the line for whatever is wrong.
        """

    def more(self, campaign: Campaign, files: Mapping[str, Path], options: Json) -> Material:
        """What files add to a campaign that is running: new items, and the settings of the whole.

        Participants who have begun keep their tasks: whatever they have must mean the same with the new settings.
        """
        raise PlainlyError(f"nothing can be added to a campaign of {self.name}; duplicate it instead")

    @abstractmethod
    def tasks(self, campaign: Campaign, number: int, others: Sequence[Sequence[Json]]) -> list[Json]:
        """The tasks of participant `number`, in order; `others` holds those of everybody else who has begun.

        Made when the participant begins, one participant after the other: people begin in any order, and some never
        do. Number 0 is the owner's preview, which `others` never holds. Randomness comes from (campaign.seed, number)
        alone.
        """

    def more_tasks(self, campaign: Campaign, number: int, own: Sequence[Json], given: Sequence[Given]) -> list[Json]:
        """Further tasks when all of `own` are answered, chosen in the light of all answers so far; none: finished."""
        return []

    def total(self, campaign: Campaign, made: int) -> int:
        """How many tasks a participant will have in the end, if `made` exist now; for the progress display."""
        return made

    @abstractmethod
    def shown(self, campaign: Campaign, task: Json) -> Json:
        """What the browser gets of a task. Nothing that would give an answer away."""

    @abstractmethod
    def public(self, campaign: Campaign) -> Json:
        """What the browser gets of the campaign, once: instructions, labels, scales, settings of the page."""

    def guide(self, campaign: Campaign, lang: str) -> Json:
        """What the page explains at length, in a language of the interface; sent once, with the texts."""
        return {}

    @abstractmethod
    def checked(self, campaign: Campaign, task: Json, answer: Any) -> Json:
        """The answer as it is kept; raises PlainlyError for one that cannot be. `answer` is hostile."""

    # Tasks with a known answer, and tasks shown once more: see `plainly.studio.kinds.gold`.

    def right(self, campaign: Campaign, task: Json, answer: Json) -> float:
        """How far an answer is what the task expects: from 0, wrong, to 1, right."""
        return float(answer == task["expected"])

    def expected(self, campaign: Campaign, task: Json, say: Say) -> str:
        """What the task expects, in words for participants."""
        return str(task["expected"])

    def varied(self, task: Json, draw: np.random.Generator) -> Json:
        """A practice task or a check as one participant gets it."""
        return dict(task)

    def early(self, tasks: Sequence[Json]) -> Sequence[Json]:
        """Tasks that may come once more: those of the first half."""
        return tasks[: len(tasks) // 2]

    def again(self, campaign: Campaign, task: Json) -> Json | None:
        """A task as it is shown once more; None for one that cannot be."""
        return dict(task)

    def agreed(self, campaign: Campaign, first: Given, again: Given) -> float | None:
        """How far two answers to a task are the same: from 0 to 1; None where one of them says nothing."""
        return float(first.answer == again.answer)

    def mixed(
        self,
        tasks: Sequence[Dealt],
        checks: Sequence[Dealt],
        chosen: Sequence[tuple[Json, Json]],
        draw: np.random.Generator,
    ) -> list[Dealt]:
        """All of them in order; `chosen` has tasks and what is shown once more, in the second half."""
        repeats = [Dealt(REPEAT, again) for _, again in chosen]
        return scattered(scattered(tasks, repeats, draw, len(tasks) // 2 + 1), checks, draw)

    def checks(self, campaign: Campaign, task: Json, answer: Json) -> tuple[int, int]:
        """How many checks there are in a task of the study or a check, and how many of them the answer fails."""
        if "expected" not in task:
            return 0, 0
        return 1, int(self.right(campaign, task, answer) < PASSED)

    def done(self, answer: Json) -> bool:
        """Whether a kept answer finishes its task. Pages of revisable kinds save work that still goes on."""
        return True

    def claimed(self, answer: Json, seconds: float | None) -> float | None:
        """The seconds that the browser claims for the task in all, where an answer itself holds them."""
        return seconds

    def waits(self, answer: Json) -> bool:
        """Whether the least time before an answer holds for this one."""
        return True

    def counts(self, task: Json, answer: Json) -> bool:
        """Whether it is one of the answers that the owner is told of: work that goes on, or a mere click, is none."""
        return self.done(answer)

    def page_answer(self, campaign: Campaign, task: Json, answer: Json) -> Json:
        """What the browser gets of an answer that was given before, for kinds whose tasks may be opened again."""
        return answer

    def wording(self, item: Item) -> str:
        """The texts of an item, to look at and to search."""
        return " ".join(texts_in(item.content))

    def told(self, campaign: Campaign, task: Json, answer: Json, say: Say) -> str:
        """An answer in words, for owners who look at single ones."""
        return "; ".join(f"{name}: {value}" for name, value in answer.items())

    @abstractmethod
    def exports(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given]) -> list[ExportFile]:
        """The files of an export; the command line reads exactly these. Fine with no answers at all.

        Those of people who were left out are there, with the reason in the column `left_out`.
        """

    @abstractmethod
    def summary(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], say: Say) -> Summary:
        """What is known so far, from those who count. Fine with no answers at all."""

    def growing(
        self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], say: Say
    ) -> Iterator[Summary]:
        """The summary while it is computed: each has all of the one before, and the last is `summary`.

        For kinds whose main result is there long before the rest.
        """
        yield self.summary(campaign, people, given, say)

    def report(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], date: str) -> str | None:
        """The full report as one HTML page of `plainly.report`; None where there is none, or nothing to tell yet."""
        return None


def texts_in(value: Any) -> Iterator[str]:
    """All texts in JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, Sequence):
        for inner in value:
            yield from texts_in(inner)


def insist_new(campaign: Campaign, items: Sequence[Item]) -> None:
    """Refuses items whose names are taken."""
    taken = [item.name for item in items if item.name in campaign.by_name]
    if taken:
        some = shown(", ".join(taken[:5]))
        raise PlainlyError(f"items of these names are there already: {some}{' ...' if len(taken) > 5 else ''}")
