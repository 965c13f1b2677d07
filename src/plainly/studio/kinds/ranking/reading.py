"""Texts and pairs of a new ranking campaign."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.problems import Problems
from plainly.ranking import Text, read_texts
from plainly.ranking.formats import TIE
from plainly.ranking.judging import Pair
from plainly.ranking.pair_files import read_pairs
from plainly.ranking.pairing import PAIRINGS
from plainly.studio.cells import looks_like_formula
from plainly.studio.kinds.base import Item, Json, Material
from plainly.studio.kinds.sizes import insist_small

MOST_TEXTS = 5000
MOST_TASKS = 20_000
"""Of one participant."""
LONGEST_ID = 200
LONGEST_TEXT = 100_000
ROWS = 8
SNIPPET = 200
DEALT = 50
"""Pairs of a participant where they are shared out or adaptive, and nobody says how many."""
_UNKEPT = re.compile("[\x00\ud800-\udfff]")


def read(files: Mapping[str, Path], options: Json) -> Material:
    """Items are texts; settings are the options, and the list of pairs where a file has it."""
    insist_small(files)
    texts = read_texts(files["texts"])
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
        settings["list"], more = _pairs(read_pairs(files["pairs"]), ids)
        notes += more
    elif options["pairs"] == "fixed":
        raise PlainlyError("the pairs of a file are chosen, but there is no file of pairs")
    notes += _counted(settings, len(texts))
    rows = tuple((text.id, _snippet(text.text)) for text in texts[:ROWS])
    langs = {str(text.fields.get("lang") or "") for text in texts}
    items = tuple(Item(text.id, {"text": text.text, "fields": dict(text.fields)}) for text in texts)
    return Material(items, settings, ("id", "text"), rows, tuple(notes), langs.pop() if len(langs) == 1 else "")


def is_adaptive(settings: Json) -> bool:
    """Whether pairs follow the answers so far."""
    return settings["pairs"] != "fixed" and PAIRINGS[settings["pairs"]].adaptive


def planned(settings: Json, texts: int) -> int:
    """How many pairs a participant judges in the end."""
    there = texts * (texts - 1) // 2 if is_adaptive(settings) else listed(settings, texts)
    everything = settings["sharing"] == "same" and not is_adaptive(settings)
    wanted = settings["per_person"] or (there if everything else DEALT)
    return int(min(there, wanted))


def listed(settings: Json, texts: int) -> int:
    """How many pairs there are to judge, where they are listed beforehand."""
    if settings["pairs"] == "fixed":
        return len(settings["list"])
    return int(min(texts * (texts - 1) // 2, max(1, settings["matches"] * texts // 2)))


def _check(texts: Sequence[Text], path: Path) -> None:
    if not 2 <= len(texts) <= MOST_TEXTS:
        raise PlainlyError(f"{path.name}: a ranking needs 2 to {MOST_TEXTS} texts, not {len(texts)}")
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


def _pairs(pairs: Sequence[Pair], ids: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """First, second, match; each match once, whoever stands first."""
    known = set(ids)
    found: dict[tuple[str, str, str], list[str]] = {}
    problems = Problems()
    for number, pair in enumerate(pairs, 1):
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
    if left:
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
    if settings["pairs"] != "fixed" and wanted > there:
        notes.append(f"{texts} texts make {there} pairs only; every text meets every other once")
    return notes


def _snippet(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SNIPPET else line[: SNIPPET - 1] + "…"
