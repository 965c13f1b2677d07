"""The form of a new run, as it comes from a browser or a program: what it asks for, or what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from starlette.datastructures import FormData, UploadFile

from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus.corpus import BASELINES
from plainly.corpus.readers.inputs import EMPTY_REFERENCE
from plainly.corpus.readers.runs import named_runs, runs_of_files
from plainly.inference.runs import members_of
from plainly.studio.entered_texts import one_line
from plainly.studio.scoring.files import UNPACKED, insist_records, look_through, save
from plainly.studio.scoring.scoring import chosen_metrics
from plainly.studio.scoring.sets import language_of_set
from plainly.studio.scoring.wanted import Wanted
from plainly.studio.store.runs import LONGEST_NAME
from plainly.text.languages import get_language

MOST_FILES = 100
POSSIBLE = "possible"
LONGEST_SYSTEM = 100
_SLOTS = {"source": 1, "reference": MOST_FILES, "system": MOST_FILES, "data": 1}
"""How many files each takes."""
_WORDS = ("name", "lang", "metrics", "baselines", "empty_reference", "test_set", "published", "system_names")


@dataclass(frozen=True)
class Understood:
    """A run that can be kept."""

    name: str
    request: Mapping[str, Any]


def understood(form: FormData, folder: Path, largest: int) -> Understood:
    """Saves the files in the folder and reads them once; PlainlyError, with file and line, for what is wrong."""
    words = _words(form)
    name = one_line(words["name"], "the name", LONGEST_NAME)
    files = _saved(form, folder, largest * UNPACKED)
    wanted = _wanted(words, files)
    chosen_metrics(wanted)
    looked = look_through(wanted.inputs(folder), folder, largest * UNPACKED)
    baselines = looked.baselines if words["baselines"] == POSSIBLE else tuple(_listed(words["baselines"]))
    wanted = replace(wanted, baselines=baselines)
    if not looked.outputs and not baselines:
        raise PlainlyError("there is nothing to score: give the outputs of a system")
    given = {*members_of(wanted.systems, wanted.runs)} if wanted.test_set else {*looked.systems}
    more = {
        "segments": looked.segments,
        "fingerprint": looked.fingerprint,
        "own": [system for system in looked.systems if system in given],
        "files": wanted.files(),
    }
    return Understood(name, {**wanted.to_json(), **more})


def _words(form: FormData) -> dict[str, str]:
    """All parts that are texts; those that are missing are empty."""
    found = dict.fromkeys(_WORDS, "")
    for name, value in form.multi_items():
        if name in _SLOTS and (isinstance(value, UploadFile) or not value):
            continue
        if name not in _WORDS:
            raise UnknownName("part of the form", name[:40], [*_WORDS, *_SLOTS])
        if not isinstance(value, str):
            raise PlainlyError(f"{name} must be a text, not a file")
        found[name] = value.strip()
    return found


def _wanted(words: Mapping[str, str], files: Mapping[str, Sequence[tuple[str, str]]]) -> Wanted:
    """`files` has (path, name) by slot."""
    test_set = words["test_set"]
    paths = {slot: [path for path, _ in found] for slot, found in files.items()}
    if test_set and (paths["source"] or paths["reference"] or paths["data"]):
        raise PlainlyError("a test set brings sources and references; give only outputs of systems beside it")
    if paths["data"] and (paths["source"] or paths["reference"]):
        raise PlainlyError("records bring sources and references; leave the other files out")
    if not test_set and not any(paths.values()):
        raise PlainlyError("give source, reference and system files, one file of records, or a test set")
    for path in paths["data"]:
        insist_records(path)
    lang = language_of_set(test_set) if test_set else get_language(words["lang"] or "en").code
    if test_set and words["lang"] and get_language(words["lang"]).code != lang:
        raise PlainlyError(f"{test_set} is in language {lang!r}; leave the language out")
    rule = words["empty_reference"] or "error"
    if rule not in EMPTY_REFERENCE:
        raise UnknownName("rule for empty references", rule, EMPTY_REFERENCE)
    for name in _listed(words["baselines"]):
        if name not in BASELINES and name != POSSIBLE:
            raise UnknownName("baseline", name, [*BASELINES, POSSIBLE])
    if words["published"] not in ("", "yes"):
        raise PlainlyError("published must be yes or empty")
    systems, runs = _systems(files["system"], words["system_names"])
    return Wanted(
        lang=lang,
        metrics=tuple(_listed(words["metrics"])),
        empty_reference=rule,
        test_set=test_set,
        published=words["published"] == "yes",
        sources=next(iter(paths["source"]), None),
        references=tuple(paths["reference"]),
        systems=systems,
        runs=runs,
        data=next(iter(paths["data"]), None),
    )


def _systems(files: Sequence[tuple[str, str]], written: str) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """The path of each run, and the runs of systems that have several: files that are given one name.

    A system without a name has that of its file, without the ending.
    """
    try:
        names = json.loads(written or "[]")
    except (ValueError, RecursionError):
        raise PlainlyError("system_names is no JSON") from None
    if not isinstance(names, list) or len(names) not in (0, len(files)):
        raise PlainlyError("system_names must be a list with one name for each system file")
    paths: dict[str, list[str]] = {}
    for (path, filename), given in zip(files, names or [""] * len(files), strict=True):
        name = one_line(given or Path(filename).stem, "the name of a system", LONGEST_SYSTEM)
        if not given and name in paths:
            raise PlainlyError(f"system {name!r} is given twice; name both, or give one name to runs of one system")
        paths.setdefault(name, []).append(path)
    return named_runs({name: runs_of_files(own) for name, own in paths.items()})


def _saved(form: FormData, folder: Path, room: int) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {slot: [] for slot in _SLOTS}
    number = 0
    for slot, value in form.multi_items():
        if slot in _SLOTS and isinstance(value, UploadFile) and value.filename:
            path, taken = save(value.file, value.filename, number, folder, room)
            room -= taken
            number += 1
            found[slot].append((path, value.filename.replace("\\", "/").rpartition("/")[2]))
    for slot, most in _SLOTS.items():
        if len(found[slot]) > most:
            raise PlainlyError(f"{slot} takes one file, not {len(found[slot])}")
    return found


def _listed(text: str) -> list[str]:
    """What stands between the commas, each once."""
    return list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
