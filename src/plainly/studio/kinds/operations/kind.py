"""Operations: what was done to the words of a source, marked by people in the browser."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from plainly.base.errors import PlainlyError
from plainly.operations import AnnotatedPair, Typology, assetann, load_typology
from plainly.operations.tagger import AUTO, KINDS
from plainly.operations.typology import ERROR
from plainly.studio.kinds import gold
from plainly.studio.kinds.adjudication import Adjudication
from plainly.studio.kinds.base import (
    Campaign,
    ExportFile,
    FileSlot,
    Given,
    Item,
    Json,
    Kind,
    Material,
    Option,
    Person,
    insist_new,
)
from plainly.studio.kinds.dashboards import Say, Summary
from plainly.studio.kinds.operations import answers, known, labels, results
from plainly.studio.kinds.operations.adjudication import Pairs
from plainly.studio.kinds.operations.pairs import FILE, NOTHING, PAIRS, Wanted, aliases_of, read_pairs
from plainly.studio.kinds.sizes import insist_small

COLUMNS = ("pair", "source", "simplification", "groups")
SHOWN_ROWS = 5
ALL, SHARED = "all", "shared"


class Operations(Kind):
    """Source and simplification as words to be selected, grouped and labelled."""

    name: ClassVar[str] = "operations"
    files: ClassVar[tuple[FileSlot, ...]] = (
        PAIRS,
        FileSlot("crp", (".crp",), required=False, more=True),
        FileSlot("typology", (".yaml", ".yml"), required=False),
        known.PRACTICE,
        known.CHECKS,
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option("start", "choice", NOTHING, (NOTHING, FILE, AUTO, *KINDS)),
        Option("aliases", "lines", []),
        Option("leave_out", "switch", False),
        Option("tokenized", "switch", False),
        Option("sharing", "choice", ALL, (ALL, SHARED)),
        Option("people", "whole", 3, least=1, most=1000, when=(("sharing", (SHARED,)),)),
        Option("overlap", "whole", 20, least=0, most=100, when=(("sharing", (SHARED,)),)),
        Option("order", "choice", "file", ("file", "random")),
        Option("layout", "choice", "rows", ("rows", "columns")),
        *gold.OPTIONS,
    )
    asks_about: ClassVar[tuple[str, ...]] = ("pair",)
    revisable: ClassVar[bool] = True
    grows: ClassVar[bool] = True
    adjudication: ClassVar[Adjudication | None] = Pairs()
    page_texts: ClassVar[tuple[str, ...]] = (
        *("pair", "source", "target", "no", "nothing", "state", "guide", "label", "list", "said"),
        *("choose", "selected", "editing", "edit", "delete", "close", "clear", "group", "groups"),
        *("faulty", "undo", "done", "reopen", "next"),
    )

    def read(self, files: Mapping[str, Path], options: Json) -> Material:
        insist_small(files)
        typology = load_typology(files["typology"]) if "typology" in files else assetann()
        if not typology.operations:
            raise PlainlyError(f"{files['typology'].name}: there is no label besides {ERROR}")
        items, notes = self._items(files, options, typology)
        practice, checks = (
            known.read_known(files[slot.name], slot, _wanted(options, typology), lambda pair: _item(pair, typology))
            if slot.name in files
            else []
            for slot in (known.PRACTICE, known.CHECKS)
        )
        settings = {
            **{option.name: options[option.name] for option in self.options},
            "typology": labels.plain(typology),
            "bundled": "typology" not in files,
            **gold.settings_of(files, practice, checks),
        }
        rows = tuple(_row(item) for item in items[:SHOWN_ROWS])
        return Material(items, settings, COLUMNS, rows, (*notes, *gold.notes_of(settings)))

    def more(self, campaign: Campaign, files: Mapping[str, Path], options: Json) -> Material:
        """Further pairs, with the labels that are there."""
        insist_small(files)
        settings = campaign.settings
        items, notes = self._items(files, options, labels.typology_of(settings), len(campaign.items))
        insist_new(campaign, items)
        batches = [*settings.get("batches", [len(campaign.items)]), len(items)]
        rows = tuple(_row(item) for item in items[:SHOWN_ROWS])
        return Material(items, {**settings, "batches": batches}, COLUMNS, rows, tuple(notes))

    def _items(
        self, files: Mapping[str, Path], options: Json, typology: Typology, there: int = 0
    ) -> tuple[tuple[Item, ...], list[str]]:
        pairs, notes = read_pairs(files, _wanted(options, typology, there))
        items = tuple(_item(pair, typology) for pair in pairs)
        for name, count in Counter(item.name for item in items).items():
            if count > 1:
                raise PlainlyError(f"two pairs would be called {name!r}; give them other ids")
        return items, [*notes, *results.yawat_notes(items)]

    def tasks(self, campaign: Campaign, number: int, others: Sequence[Sequence[Json]]) -> list[Json]:
        names = [item.name for item in campaign.items]
        settings = campaign.settings
        if settings["sharing"] == SHARED:
            chosen = _shared_out(campaign, [[task["pair"] for task in tasks] for tasks in others])
            names = [name for name in names if name in chosen]
        if settings["order"] == "random":
            random.Random(f"{campaign.seed}/{number}").shuffle(names)
        return [{"pair": name} for name in names]

    def shown(self, campaign: Campaign, task: Json) -> Json:
        """Words alone: the name of a pair may tell which system wrote it."""
        item = known.item_of(campaign, task)
        content = item.content
        return {
            "source": content["source"],
            "target": content["target"],
            "draft": answers.draft(item),
            "flaggable": content["flag"] is not None,
        }

    def public(self, campaign: Campaign) -> Json:
        return labels.public(campaign.settings)

    def guide(self, campaign: Campaign, lang: str) -> Json:
        """Of the bundled labels; those of owners say in their typology what they mean."""
        return labels.guided(lang) if campaign.settings["bundled"] else {}

    def checked(self, campaign: Campaign, task: Json, answer: Any) -> Json:
        return answers.checked(known.item_of(campaign, task), labels.typology_of(campaign.settings), answer)

    def done(self, answer: Json) -> bool:
        return bool(answer["done"])

    def claimed(self, answer: Json, seconds: float | None) -> float | None:
        """All times that the pair was open, taken together: it may be opened again."""
        return float(answer["seconds"])

    def right(self, campaign: Campaign, task: Json, answer: Json) -> float:
        return known.same(task["expected"], answer)

    def expected(self, campaign: Campaign, task: Json, say: Say) -> str:
        settings = campaign.settings
        return known.said(task, labels.typology_of(settings), settings["bundled"], say)

    def agreed(self, campaign: Campaign, first: Given, again: Given) -> float | None:
        return known.same(first.answer, again.answer)

    def wording(self, item: Item) -> str:
        return " → ".join(" ".join(item.content[side]) for side in ("source", "target"))

    def told(self, campaign: Campaign, task: Json, answer: Json, say: Say) -> str:
        content = known.item_of(campaign, task).content
        groups = [f"{_words(content, group)} ({group['label']})" for group in answer["groups"]]
        flags = [ERROR] if answer["erroneous"] else []
        open_ = [] if answer["done"] else [say("owner.answers.open")]
        return "; ".join([*groups, *flags, *open_]) or say("owner.answers.nothing")

    def exports(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given]) -> list[ExportFile]:
        return results.exports(campaign, people, given)

    def summary(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], say: Say) -> Summary:
        return results.summary(campaign, people, given, say)

    def report(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], date: str) -> str | None:
        return results.report(campaign, given, date)


def _wanted(options: Json, typology: Typology, there: int = 0) -> Wanted:
    return Wanted(
        options["lang"],
        options["tokenized"],
        options["start"],
        typology,
        aliases_of(options["aliases"]),
        options["leave_out"],
        options.get("columns", {}),
        there,
    )


def _item(pair: AnnotatedPair, typology: Typology) -> Item:
    flags = [group for group in pair.groups if group.label == ERROR]
    return Item(
        f"{pair.id} ({pair.origin})" if pair.origin else pair.id,
        {
            "id": pair.id,
            "origin": pair.origin,
            "source": list(pair.source),
            "target": list(pair.target),
            "groups": [answers.plain(group) for group in pair.operations],
            "erroneous": bool(flags),
            "flag": answers.plain(flags[0]) if flags else _flag(pair, typology),
        },
    )


def _flag(pair: AnnotatedPair, typology: Typology) -> dict[str, Any] | None:
    """The group of a faulty pair: the first word of each side, as ASSETann has it; None where there is no place."""
    if ERROR not in typology.labels:
        return None
    first = {"source": [0] if pair.source else [], "target": [0] if pair.target else []}
    for group in (first, first | {"target": []}, first | {"source": []}):
        if any(group.values()) and answers.made({**group, "label": ERROR}).shape in typology.labels[ERROR].shapes:
            return {**group, "label": ERROR}
    return None


def _shared_out(campaign: Campaign, others: Sequence[Sequence[str]]) -> set[str]:
    """The pairs that everybody does, and of the rest a fair part: those that fewest people have so far.

    Pairs that came later are drawn by themselves: what everybody does of the first ones stays the same.
    """
    settings = campaign.settings
    counts = Counter(name for tasks in others for name in tasks)
    first, own = 0, set[str]()
    for number, size in enumerate(settings.get("batches", [len(campaign.items)])):
        names = [item.name for item in campaign.items[first : first + size]]
        first += size
        random.Random(f"{campaign.seed}/shared{number or ''}").shuffle(names)
        common = round(len(names) * settings["overlap"] / 100)
        rest = sorted(names[common:], key=lambda name: counts[name])
        own.update(names[:common], rest[: -(-len(rest) // settings["people"])])
    return own


def _row(item: Item) -> tuple[str, ...]:
    content = item.content
    groups = [f"{_words(content, group)} ({group['label']})" for group in content["groups"]]
    flag = [ERROR] if content["erroneous"] else []
    return (item.name, " ".join(content["source"]), " ".join(content["target"]), "; ".join([*groups, *flag]))


def _words(content: Json, group: Json) -> str:
    sides = [" ".join(content[side][i] for i in group[side]) or "∅" for side in ("source", "target")]
    return " → ".join(sides)
