"""From the experiment file to the items of a campaign, and back; and who reads what, by the plan that it follows."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.comprehension.checks import Finding, check_experiment
from plainly.comprehension.counted_words import words
from plainly.comprehension.design import MOST_PARTICIPANTS, Plan, Sheet, make_plan
from plainly.comprehension.experiment import Experiment, Field, Passage, Question, Version, read_experiment
from plainly.corpus.readers.files import open_input, shown
from plainly.studio.kinds.base import Campaign, Item, Json, Material
from plainly.studio.kinds.sizes import insist_small

FIRST_ROWS = 10
FEWEST_SHEETS = 64
"""That are made at once."""
BEGINNING = 80
"""Characters of a text that the owner sees before the campaign is made."""


def read_material(path: Path, options: Json) -> Material:
    """What the file holds. What would make the numbers wrong is refused; advice becomes notes."""
    insist_small({"experiment": path})
    experiment = read_experiment(path)
    with open_input(str(path)) as file:
        text = b"".join(iter(file.read, b"")).decode("utf-8")
    _insist_whole(path, experiment)
    findings = check_experiment(experiment)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        raise PlainlyError("; ".join(f"{shown(str(path))}:{item.line}: {_said(item)}" for item in errors))
    welcome = {
        "instructions": experiment.instructions,
        "consent": experiment.consent,
        "form": [asdict(field) for field in experiment.form],
    }
    head = {"name": experiment.name, "lang": experiment.lang, "answer_seconds": experiment.answer_seconds}
    return Material(
        items=tuple(Item(passage.id, _content(passage)) for passage in experiment.passages),
        settings=_plain({**options, **head, "welcome": welcome, "file": text}),
        columns=("passage", "version", "text", "words", "questions"),
        rows=tuple(_rows(experiment)[:FIRST_ROWS]),
        notes=tuple(f"{path.name}:{item.line}: {_said(item)}" for item in findings),
        lang=experiment.lang,
    )


def experiment_of(campaign: Campaign) -> Experiment:
    """The experiment of a campaign, as its file had it."""
    settings = campaign.settings
    welcome = settings["welcome"]
    return Experiment(
        name=settings["name"],
        lang=settings["lang"],
        passages=tuple(_passage(item.content) for item in campaign.items),
        instructions=welcome["instructions"],
        consent=welcome["consent"],
        form=tuple(Field(**{**field, "options": tuple(field["options"])}) for field in welcome["form"]),
        answer_seconds=settings["answer_seconds"],
    )


def sheet_of(campaign: Campaign, number: int) -> Sheet:
    """The sheet of participant `number`, from 1."""
    if number > MOST_PARTICIPANTS:
        raise PlainlyError(f"an experiment is for {MOST_PARTICIPANTS} participants at most")
    size = min(max(FEWEST_SHEETS, 1 << (number - 1).bit_length()), MOST_PARTICIPANTS)
    return _plan(experiment_of(campaign), size, campaign.settings["seed"]).sheets[number - 1]


@lru_cache(maxsize=16)
def _plan(experiment: Experiment, participants: int, seed: int) -> Plan:
    """Kept, because all participants begin at once. A longer plan begins with a shorter one, so sizes may double."""
    return make_plan(experiment, participants, seed)


def _content(passage: Passage) -> Json:
    content: Json = _plain(
        {
            "seconds": passage.seconds,
            "id": passage.id,
            "versions": [{"id": version.id, "text": version.text} for version in passage.versions],
            "questions": [
                {
                    "id": item.id,
                    "text": item.text,
                    "answers": item.answers,
                    "correct": item.correct,
                    "type": item.type,
                }
                for item in passage.questions
            ],
        }
    )
    return content


def _passage(content: Json) -> Passage:
    return Passage(
        id=content["id"],
        versions=tuple(Version(**version) for version in content["versions"]),
        questions=tuple(Question(**{**item, "answers": tuple(item["answers"])}) for item in content["questions"]),
        seconds=content["seconds"],
    )


def _plain(content: Any) -> Any:
    """As it comes back from JSON, with lists for tuples."""
    return json.loads(json.dumps(content, allow_nan=False))


def _rows(experiment: Experiment) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for passage in experiment.passages:
        for version in passage.versions:
            text = " ".join(version.text.split())
            start = text if len(text) <= BEGINNING else f"{text[:BEGINNING]}…"
            count = len(words(version.text, experiment.lang))
            rows.append((passage.id, version.id, start, str(count), str(len(passage.questions))))
    return rows


def _said(finding: Finding) -> str:
    return f"{finding.place}: {finding.message} [{finding.rule}]"


def _insist_whole(path: Path, experiment: Experiment) -> None:
    """YAML can spell half a character; no browser and no database takes it."""
    try:
        json.dumps(asdict(experiment), ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise PlainlyError(f"{shown(str(path))}: half a character, such as \\ud800, in a text") from None
