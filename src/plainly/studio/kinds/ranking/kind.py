"""Ranking: two texts side by side, and the question which one is easier (or harder) to understand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.problems import Problems
from plainly.ranking import Text, read_texts
from plainly.ranking.findings import snippet
from plainly.ranking.formats import OTHER_WORDS, TIE
from plainly.ranking.judging import Pair
from plainly.ranking.pair_files import read_pairs
from plainly.ranking.pairing import PAIRINGS
from plainly.studio.entered_texts import looks_like_formula
from plainly.studio.kinds import gold
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
from plainly.studio.kinds.ranking import known, results
from plainly.studio.kinds.ranking.matches import (
    added_matches,
    first_tasks,
    further_tasks,
    is_adaptive,
    listed,
    named_matches,
    planned,
)
from plainly.studio.kinds.sizes import insist_small

TABLES = (".csv", ".tsv", ".jsonl", ".csv.gz", ".tsv.gz", ".jsonl.gz")
STRATEGIES = (*PAIRINGS.names(), "fixed")
MOST_TEXTS = 5000
MOST_TASKS = 20_000
"""Of one participant."""
LONGEST_ID = 200
LONGEST_TEXT = 100_000
ROWS = 8
BEGINNING = 200
"""Characters of a text that the owner sees before the campaign is made."""
_UNKEPT = re.compile("[\x00\ud800-\udfff]")
TEXTS = FileSlot(
    "texts", TABLES, columns={name: OTHER_WORDS[name] for name in ("id", "text")}, needed=("id", "text"), more=True
)
PAIRS = FileSlot(
    "pairs",
    TABLES,
    required=False,
    columns={**{name: OTHER_WORDS[name] for name in ("first", "second")}, "match": ("pair",)},
    needed=("first", "second"),
    when=(("pairs", ("fixed",)),),
    more=True,
)
PRACTICE = gold.slot("practice", TABLES, known.COLUMNS, *known.NEEDED)
CHECKS = gold.slot("checks", TABLES, known.COLUMNS, *known.NEEDED)
LISTED = ("balanced", "random", "fixed")
ADAPTIVE = tuple(name for name in STRATEGIES if name not in LISTED)


class Ranking(Kind):
    """Many decisions between two texts make a ranking of all."""

    name = "ranking"
    files = (TEXTS, PAIRS, PRACTICE, CHECKS)
    options = (
        Option("pairs", "choice", "balanced", STRATEGIES),
        Option("sharing", "choice", "same", ("same", "shared"), when=(("pairs", LISTED),)),
        Option("matches", "whole", 8, least=1, most=1000, when=(("pairs", ("balanced", "random")),)),
        Option("per_person", "whole", 0, least=0, most=MOST_TASKS),
        Option("common", "whole", 0, least=0, most=1000, when=(("sharing", ("shared",)), ("pairs", ADAPTIVE))),
        Option("question", "choice", "easier", ("easier", "harder")),
        Option("ties", "switch", False),
        Option("skip", "switch", False),
        Option("guideline", "text", ""),
        *gold.OPTIONS,
    )
    undoable = True
    grows = True
    asks_about = ("first", "second")
    page_texts = ("ask", "choose", "first", "second", "tie", "skip", "keys", "guideline")

    def read(self, files: Mapping[str, Path], options: Json) -> Material:
        """Items are texts; settings are the options, and the list of pairs where a file has it."""
        insist_small(files)
        columns = options.get("columns", {})
        texts = read_texts(files["texts"], columns.get("texts"))
        _check(texts, files["texts"])
        ids = [text.id for text in texts]
        settings = dict(options)
        notes = []
        if "pairs" in files:
            if options["pairs"] != "fixed":
                raise PlainlyError(
                    f"{files['pairs'].name}: there is a file of pairs, but {options['pairs']} pairs are chosen; "
                    "choose the pairs of the file, or leave it out"
                )
            settings["list"], more = _pairs(read_pairs(files["pairs"], columns.get("pairs")), ids)
            notes += more
        elif options["pairs"] == "fixed":
            raise PlainlyError("the pairs of a file are chosen, but there is no file of pairs")
        wordings = {text.id: text.text for text in texts}
        practice, checks = (
            known.read_known(files[slot.name], slot, options, wordings) if slot.name in files else []
            for slot in (PRACTICE, CHECKS)
        )
        settings |= gold.settings_of(files, practice, checks)
        notes += [*_counted(settings, len(texts)), *gold.notes_of(settings)]
        rows = tuple((text.id, snippet(text.text, BEGINNING)) for text in texts[:ROWS])
        langs = {str(text.fields.get("lang") or "") for text in texts}
        return Material(
            _items(texts), settings, ("id", "text"), rows, tuple(notes), langs.pop() if len(langs) == 1 else ""
        )

    def more(self, campaign: Campaign, files: Mapping[str, Path], options: Json) -> Material:
        """New texts meet others in pairs of their own, behind those that are listed; adaptive pairs find them."""
        insist_small(files)
        columns = options.get("columns", {})
        texts = read_texts(files["texts"], columns.get("texts"))
        _check(texts, files["texts"], least=1, there=len(campaign.items))
        items = _items(texts)
        insist_new(campaign, items)
        settings = dict(campaign.settings)
        notes: list[str] = []
        if is_adaptive(settings):
            if "pairs" in files:
                raise PlainlyError(f"{files['pairs'].name}: pairs of this campaign follow the answers")
        else:
            if settings["sharing"] == "same" and settings["per_person"]:
                raise PlainlyError(
                    f"everybody judges the first {settings['per_person']} pairs of one list, so pairs behind them "
                    "would never be judged; duplicate the campaign instead"
                )
            settings["list"] = named_matches(campaign)
            there = {match for _, _, match in settings["list"]}
            if settings["pairs"] == "fixed":
                if "pairs" not in files:
                    raise PlainlyError("the pairs of a file are chosen: give the new pairs, too")
                ids = [*(item.name for item in campaign.items), *(item.name for item in items)]
                found, notes = _pairs(read_pairs(files["pairs"], columns.get("pairs")), ids, len(there))
                if twice := [match for _, _, match in found if match in there]:
                    raise PlainlyError(f"{files['pairs'].name}: match {shown(twice[0])} is there already")
                settings["list"] += found
            else:
                settings["list"] += added_matches(campaign, [item.name for item in items])
        rows = tuple((text.id, snippet(text.text, BEGINNING)) for text in texts[:ROWS])
        notes += _counted(settings, len(campaign.items) + len(items))
        return Material(items, settings, ("id", "text"), rows, tuple(notes))

    def tasks(self, campaign: Campaign, number: int, others: Sequence[Sequence[Json]]) -> list[Json]:
        return first_tasks(campaign, number, others)

    def more_tasks(self, campaign: Campaign, number: int, own: Sequence[Json], given: Sequence[Given]) -> list[Json]:
        return further_tasks(campaign, number, own, given)

    def total(self, campaign: Campaign, made: int) -> int:
        if not is_adaptive(campaign.settings):
            return made
        return max(made, planned(campaign.settings, len(campaign.items)))

    def shown(self, campaign: Campaign, task: Json) -> Json:
        """The wording alone: an id might tell where a text comes from."""
        if "texts" in task:
            return dict(task["texts"])
        return {side: campaign.by_name[task[side]].content["text"] for side in ("first", "second")}

    def public(self, campaign: Campaign) -> Json:
        return {name: campaign.settings[name] for name in ("question", "ties", "skip", "guideline")}

    def checked(self, campaign: Campaign, task: Json, answer: Any) -> Json:
        allowed = ["first", "second", *(("tie",) if campaign.settings["ties"] else ())]
        allowed += ["skip"] if campaign.settings["skip"] else []
        choice = answer.get("choice") if isinstance(answer, dict) and len(answer) == 1 else None
        if not isinstance(choice, str) or choice not in allowed:
            raise PlainlyError(f"the answer must be a choice: {', '.join(allowed)}")
        return {"choice": choice}

    def counts(self, task: Json, answer: Json) -> bool:
        return bool(answer["choice"] != "skip")

    def right(self, campaign: Campaign, task: Json, answer: Json) -> float:
        return float(answer["choice"] == task["expected"])

    def expected(self, campaign: Campaign, task: Json, say: Say) -> str:
        which = task["expected"]
        return say(f"ranking.expected.{which if which == TIE else '.'.join((campaign.settings['question'], which))}")

    def varied(self, task: Json, draw: np.random.Generator) -> Json:
        """Sides by chance."""
        return known.turned(task) if draw.random() < 0.5 else dict(task)

    def again(self, campaign: Campaign, task: Json) -> Json | None:
        """With the sides changed: who always chooses the left one does not agree with themselves."""
        return known.turned(task)

    def agreed(self, campaign: Campaign, first: Given, again: Given) -> float | None:
        same = known.same_choice(first.task, first.answer["choice"], again.task, again.answer["choice"])
        return None if same is None else float(same)

    def wording(self, item: Item) -> str:
        return str(item.content["text"])

    def told(self, campaign: Campaign, task: Json, answer: Json, say: Say) -> str:
        """The id of the text that was chosen; both wordings where texts have no id, the chosen one first."""
        choice = answer["choice"]
        texts = task.get("texts", {})
        if choice not in known.SIDES:
            return ": ".join([say(f"ranking.{choice}"), *([" · ".join(texts.values())] if texts else [])])
        if texts:
            return " > ".join(texts[side] for side in sorted(known.SIDES, key=lambda side: side != choice))
        return str(task[choice])

    def exports(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given]) -> list[ExportFile]:
        return results.export_files(campaign, given)

    def summary(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], say: Say) -> Summary:
        *_, whole = results.growing(campaign, given, say)
        return whole

    def growing(
        self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], say: Say
    ) -> Iterator[Summary]:
        return results.growing(campaign, given, say)

    def report(self, campaign: Campaign, people: Sequence[Person], given: Sequence[Given], date: str) -> str | None:
        return results.report(campaign, given, date)


def _items(texts: Sequence[Text]) -> tuple[Item, ...]:
    return tuple(Item(text.id, {"text": text.text, "fields": dict(text.fields)}) for text in texts)


def _check(texts: Sequence[Text], path: Path, least: int = 2, there: int = 0) -> None:
    if not least <= len(texts) <= MOST_TEXTS - there:
        raise PlainlyError(f"{path.name}: a ranking needs 2 to {MOST_TEXTS} texts, not {there + len(texts)}")
    problems = Problems()
    for text in texts:
        with problems.caught():
            _check_one(text)
    problems.refuse()


def _check_one(text: Text) -> None:
    name = shown(text.id)
    if text.id == TIE:
        raise PlainlyError(f"{text.place}: {TIE!r} cannot be the id of a text; as a winner it means a tie")
    if len(text.id) > LONGEST_ID or not text.id.isprintable():
        raise PlainlyError(f"{text.place}: the id {name} must be one line of {LONGEST_ID} characters at most")
    if looks_like_formula(text.id):  # exports hold ids as they are: none may run when a spreadsheet opens them
        raise PlainlyError(f"{text.place}: a spreadsheet would take the id {name} for a formula; rename it")
    if len(text.text) > LONGEST_TEXT:
        raise PlainlyError(f"{text.place}: text {name} has more than {LONGEST_TEXT} characters")
    if _UNKEPT.search(text.text):
        raise PlainlyError(f"{text.place}: text {name} holds characters that cannot be kept (NUL, surrogates)")


def _pairs(pairs: Sequence[Pair], ids: Sequence[str], there: int = 0) -> tuple[list[list[str]], list[str]]:
    """First, second, match; each match once, whoever stands first. Pairs without names go on after those `there`."""
    known = set(ids)
    found: dict[tuple[str, str, str], list[str]] = {}
    problems = Problems()
    for number, pair in enumerate(pairs, there + 1):
        match = pair.match or str(number)
        with problems.caught():
            _check_pair(pair, match, known)
        one, other = sorted((pair.first, pair.second))
        found.setdefault((one, other, match), [pair.first, pair.second, match])
    problems.refuse()
    left = len(known - {name for pair in found.values() for name in pair[:2]})
    notes = [f"pairs: {len(found)}"]
    if len(found) < len(pairs):
        notes.append(f"matches that are there twice, and count once: {len(pairs) - len(found)}")
    if left and not there:
        notes.append(f"texts that are in no pair, and will have no rank: {left}")
    return list(found.values()), notes


def _check_pair(pair: Pair, match: str, known: set[str]) -> None:
    for name in (pair.first, pair.second):
        if name not in known:
            raise PlainlyError(f"{pair.place}: text {shown(name)} is not among the texts")
    if pair.first == pair.second:
        raise PlainlyError(f"{pair.place}: text {shown(pair.first)} is compared with itself")
    if len(match) > LONGEST_ID or not match.isprintable() or looks_like_formula(match):
        raise PlainlyError(f"{pair.place}: {shown(match)} cannot name a match")


def _counted(settings: Json, texts: int) -> list[str]:
    each = planned(settings, texts)
    if each > MOST_TASKS:
        raise PlainlyError(
            f"{each} pairs are too many for one participant; share them out, or set the pairs of each participant "
            f"({MOST_TASKS} at most)"
        )
    notes = [f"texts: {texts}; each participant judges {each} pairs"]
    if is_adaptive(settings):
        return notes
    there = listed(settings, texts)
    if settings["sharing"] == "shared":
        notes.append(f"{there} pairs are shared out: {-(-there // each)} participants judge each of them once")
    wanted = settings["matches"] * texts // 2
    if "list" not in settings and wanted > there:
        notes.append(f"{texts} texts make {there} pairs only; every text meets every other once")
    return notes
