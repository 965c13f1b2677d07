"""What participants see before the first task: instructions, consent, and a form. The same for all kinds."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus.readers.files import shown
from plainly.studio.entered_texts import any_text, one_line
from plainly.studio.kinds.base import Json
from plainly.studio.kinds.dashboards import Say

KINDS = ("text", "number", "choice", "yes-no")
PARTS = ("instructions", "consent", "form", "practice", "after", "comments", "least_seconds", "thanks", "withdrawal")
BAR = 0.75
"""Which share of the practice must be right, unless the owner says another."""
KEYS = ("id", "label", "kind", "options", "required", "least", "most")
LONGEST = 20_000
LONGEST_FIELD = 1000
LONGEST_COMMENT = 2000
MOST_SECONDS = 600
"""That participants may be held up at a task."""
WITHDRAWALS = ("delete", "keep")
"""What becomes of the answers of those who withdraw."""
LARGEST_BOUND = 1e15
MOST_FIELDS = 50
MOST_OPTIONS = 200
_ID = re.compile(r"\w[\w.:-]{0,99}")


def checked_welcome(value: Any) -> dict[str, Any]:
    """The welcome of a campaign as it is kept; raises PlainlyError for one that cannot be."""
    if not isinstance(value, Mapping):
        raise PlainlyError(f"welcome must be a table with {', '.join(PARTS)}")
    for key in value:
        if key not in PARTS:
            raise UnknownName("part of the welcome", str(key), PARTS)
    return {
        "instructions": any_text(value.get("instructions") or "", "the instructions", LONGEST),
        "consent": any_text(value.get("consent") or "", "the consent", LONGEST),
        "form": _form(value.get("form"), "the form"),
        **_around(value),
        **({"practice": _practice(value["practice"])} if value.get("practice") else {}),
    }


def _form(form: Any, called: str) -> list[dict[str, Any]]:
    form = form or []
    if not isinstance(form, (list, tuple)) or len(form) > MOST_FIELDS:
        raise PlainlyError(f"{called} must be a list of {MOST_FIELDS} fields at most")
    fields = [_field(entry, f"field {number} of {called}") for number, entry in enumerate(form, 1)]
    names = [field["id"] for field in fields]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise PlainlyError(f"{called} asks for {name!r} twice")
    return fields


def _around(value: Mapping[str, Any]) -> dict[str, Any]:
    """What comes with the tasks and after them; what is as usual is not kept."""
    found: dict[str, Any] = {"after": _form(value.get("after"), "the questionnaire after the tasks")}
    found["comments"] = value.get("comments") or False
    if not isinstance(found["comments"], bool):
        raise PlainlyError("comments must be true or false")
    least = found["least_seconds"] = value.get("least_seconds") or 0
    if isinstance(least, bool) or not isinstance(least, (int, float)) or not 0 <= least <= MOST_SECONDS:
        raise PlainlyError(f"least_seconds must be a number from 0 to {MOST_SECONDS}")
    found["thanks"] = any_text(value.get("thanks") or "", "the thanks", LONGEST)
    withdrawal = value.get("withdrawal") or WITHDRAWALS[0]
    if withdrawal not in WITHDRAWALS:
        raise UnknownName("way to withdraw", str(withdrawal), WITHDRAWALS)
    found["withdrawal"] = withdrawal if withdrawal != WITHDRAWALS[0] else ""
    return {name: kept for name, kept in found.items() if kept}


def keeps_answers(welcome: Json) -> bool:
    """Whether the answers of those who withdraw are kept."""
    return bool(welcome.get("withdrawal", WITHDRAWALS[0]) == "keep")


def bar_of(welcome: Json) -> float:
    """Which share of the practice must be right."""
    return float(welcome.get("practice", {}).get("bar", BAR))


def _practice(value: Any) -> dict[str, float]:
    if not isinstance(value, Mapping) or set(value) != {"bar"}:
        raise PlainlyError("practice must be a table with the bar: the share that must be right")
    bar = value["bar"]
    if isinstance(bar, bool) or not isinstance(bar, (int, float)) or not 0 <= bar <= 1:
        raise PlainlyError("practice: the bar must be a number from 0 to 1")
    return {"bar": float(bar)}


def filled_in(
    welcome: Json, consent: bool, fields: Mapping[str, Any], say: Say, part: str = "form"
) -> dict[str, str]:
    """What a participant filled in, as it is kept: nothing that the form does not ask for; refused in words.

    `part` is the form before the tasks, or the one after them.
    """
    if not consent:
        raise PlainlyError(say("link.consent"))
    form = {field["id"]: field for field in welcome.get(part, ())}
    for name in fields:
        if name not in form:
            raise PlainlyError(say("link.not_asked", name=shown(name[:100])))
    kept = {}
    for name, field in form.items():
        value = fields.get(name)
        try:
            text = one_line("" if value is None else value, field["label"], LONGEST_FIELD, empty=True)
        except PlainlyError:
            raise PlainlyError(say("link.one_line", label=field["label"], most=LONGEST_FIELD)) from None
        if not text and field["required"]:
            raise PlainlyError(say("link.missing", label=field["label"]))
        if text:
            kept[name] = _checked(field, text, say)
    return kept


def _checked(field: Json, text: str, say: Say) -> str:
    label = field["label"]
    if field["kind"] == "number":
        try:
            number = float(text.replace(",", "."))
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise PlainlyError(say("participant.number_needed", label=label))
        least, most = field.get("least"), field.get("most")
        if (least is not None and number < least) or (most is not None and number > most):
            which = "least" if most is None else "most" if least is None else "between"
            raise PlainlyError(say(f"participant.number_{which}", label=label, least=least, most=most))
        return text.replace(",", ".")
    options = ("yes", "no") if field["kind"] == "yes-no" else field["options"]
    if options and text not in options:
        raise PlainlyError(say("link.one_of", label=label, options=", ".join(options)))
    return text


def _field(entry: Any, where: str) -> dict[str, Any]:
    if not isinstance(entry, Mapping):
        raise PlainlyError(f"{where} must be a table with id, label and kind")
    for key in entry:
        if key not in KEYS:
            raise UnknownName(f"key of {where}:", str(key), KEYS)
    name = one_line(entry.get("id"), f"{where}: id", 100)
    if not _ID.fullmatch(name):
        raise PlainlyError(f"{where}: an id has letters, digits, and - . : _ only, not {name!r}")
    kind = entry.get("kind", "text")
    if kind not in KINDS:
        raise UnknownName(f"kind in {where}:", str(kind), KINDS)
    options = entry.get("options") or []
    if not isinstance(options, (list, tuple)) or len(options) > MOST_OPTIONS:
        raise PlainlyError(f"{where}: options must be a list of {MOST_OPTIONS} texts at most")
    texts = [one_line(option, f"{where}: an option", LONGEST_FIELD) for option in options]
    for place, option in enumerate(texts):
        if option in texts[:place]:
            raise PlainlyError(f"{where}: the option {option!r} is there twice")
    if (kind == "choice") != bool(texts) or len(texts) == 1:
        raise PlainlyError(f"{where}: a choice, and nothing else, has two options at least")
    required = entry.get("required", True)
    if not isinstance(required, bool):
        raise PlainlyError(f"{where}: required must be true or false")
    label = one_line(entry.get("label"), f"{where}: label", LONGEST_FIELD)
    bounds = {key: _bound(entry[key], f"{where}: {key}") for key in ("least", "most") if entry.get(key) is not None}
    if bounds and kind != "number":
        raise PlainlyError(f"{where}: only a number has least and most")
    if len(bounds) == 2 and bounds["least"] > bounds["most"]:
        raise PlainlyError(f"{where}: least is more than most")
    return {"id": name, "label": label, "kind": kind, "options": texts, "required": required, **bounds}


def _bound(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < LARGEST_BOUND:
        raise PlainlyError(f"{where} must be a number")
    return value
