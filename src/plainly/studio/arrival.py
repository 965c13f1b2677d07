"""Open links: what an owner settles for those who come by one, and what is believed of the address that they bring.

That address is hostile: only named parameters are kept, and they say who somebody claims to be, no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any
from urllib.parse import quote, urlsplit

from plainly.base.errors import PlainlyError, UnknownName
from plainly.studio.entered_texts import any_text, one_line
from plainly.studio.kinds.base import Json
from plainly.studio.kinds.dashboards import Say

PRESETS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "plain": ((), ""),
    "prolific": (("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"), "PROLIFIC_PID"),
    "mturk": (("workerId", "assignmentId", "hitId"), "workerId"),
}
"""What platforms put into the address: the parameters, and the one that says who comes."""
OWN = "own"
"""Parameters that the owner names."""
LOOKING = ("assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE")
"""What MTurk says of workers who look at a task before they accept it."""
CODES = ("none", "own", "fixed")
"""What those get who are done: nothing, a code of their own, or all the same code, as Prolific gives one a study."""
HERE = ("127.0.0.1", "localhost", "::1")
"""Where a return address needs no HTTPS: to try it out."""
MOST_PARAMETERS = 20
LONGEST_VALUE = 200
LONGEST_ADDRESS = 500
MOST_PEOPLE = 1_000_000
LONGEST_HOLD = 60 * 24 * 30
"""Minutes."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,49}")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@+-]{0,99}")
_CODE = re.compile(r"[A-Za-z0-9_-]{1,60}")
_ADDRESS = re.compile(r"[!-~]*")


class OnlyLooking(PlainlyError):
    """Somebody looks at the task before accepting it: nobody is made of them."""


@dataclass(frozen=True)
class Arrival:
    """The open link of a campaign, and what becomes of those who come by it."""

    on: bool = False
    """Whether new people may come; those who have come may go on anyway."""
    preset: str = "plain"
    parameters: tuple[str, ...] = ()
    """Of the address: these are kept."""
    identifies: str = ""
    """The parameter that says who it is; empty: the browser does."""
    quota: int | None = None
    """As many may finish."""
    group: str = ""
    """A field of the form: its answers may have quotas of their own."""
    groups: Mapping[str, int] = field(default_factory=dict)
    """How many may finish of those with this answer. Answers that are not named have no bound of their own."""
    hold: int = 60
    """Minutes without a sign of life after which a place may go to somebody else."""
    code: str = "none"
    fixed_code: str = ""
    back: str = ""
    """Where those go who are done; {code} becomes the code."""
    screen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Answers to fields of the form with which one cannot take part."""
    failure_code: str = ""
    failure_back: str = ""

    @classmethod
    def kept(cls, value: Json) -> Arrival:
        """As it stands in the database."""
        read: dict[str, Any] = {**value}
        if value:
            read["parameters"] = tuple(value["parameters"])
            read["screen"] = {name: tuple(answers) for name, answers in value["screen"].items()}
        return cls(**read)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            **asdict(self),
            "parameters": list(self.parameters),
            "screen": {name: list(answers) for name, answers in self.screen.items()},
        }

    @property
    def completes(self) -> bool:
        """Whether those who are done get a code or a way back."""
        return self.code != "none" or bool(self.back)

    def completion(self, own: str) -> dict[str, str]:
        """What one gets who is done: a code and a way back, where there are any."""
        return _given({"own": own, "fixed": self.fixed_code}.get(self.code, ""), self.back)

    @property
    def failure(self) -> dict[str, str]:
        """What one gets who was screened out."""
        return _given(self.failure_code, self.failure_back)

    def screens(self, answers: Mapping[str, str]) -> str:
        """The field of the form because of which one cannot take part; empty: none."""
        return next((name for name, refused in self.screen.items() if answers.get(name) in refused), "")

    def cell(self, answers: Mapping[str, str]) -> str | None:
        """The group of one who filled in the form; None where there are no groups."""
        return answers.get(self.group) if self.group else None


def _given(code: str, back: str) -> dict[str, str]:
    found = {"code": code, "back": back.replace("{code}", quote(code, safe=""))}
    return {name: value for name, value in found.items() if value}


def checked_arrival(value: Any, welcome: Json) -> Arrival:
    """The open link as it is kept; raises PlainlyError for one that cannot be. `welcome` has the form."""
    if not isinstance(value, Mapping):
        raise PlainlyError("the open link must be a table")
    known = [one.name for one in fields(Arrival)]
    for key in value:
        if key not in known:
            raise UnknownName("setting of the open link", str(key), known)
    preset = _one_of(value.get("preset", "plain"), "preset", (*PRESETS, OWN))
    names, identifies = PRESETS.get(preset) or _own(value)
    group, groups = _groups(value, _choices(welcome))
    code = _one_of(value.get("code", "none"), "code", CODES)
    made = Arrival(
        on=_switch(value.get("on", False)),
        preset=preset,
        parameters=names,
        identifies=identifies,
        quota=None if value.get("quota") is None else _whole(value["quota"], 1, MOST_PEOPLE, "the quota"),
        group=group,
        groups=groups,
        hold=_whole(value.get("hold", Arrival.hold), 1, LONGEST_HOLD, "the minutes that a place is held"),
        code=code,
        fixed_code=_code(value.get("fixed_code", ""), "the code", needed=code == "fixed"),
        back=checked_address(value.get("back", ""), "the return address", coded=code != "none"),
        screen=_screened(value.get("screen", {}), _choices(welcome)),
        failure_code=_code(value.get("failure_code", ""), "the code of those screened out"),
        failure_back=checked_address(
            value.get("failure_back", ""),
            "the return address of those screened out",
            coded=bool(value.get("failure_code")),
        ),
    )
    if made.screen and made.failure_code and made.failure_code == made.fixed_code:
        raise PlainlyError("those screened out need another code than those who are done")
    return made


def believed(arrival: Arrival, given: Iterable[tuple[str, Any]], say: Say) -> tuple[dict[str, str], str | None]:
    """The parameters that are kept of an address, and who comes; refused in words for participants.

    Raises OnlyLooking for one who has not accepted the task yet.
    """
    found: dict[str, str] = {}
    for name, value in given:
        if name not in arrival.parameters:
            continue
        if name in found:
            raise PlainlyError(say("arrival.twice", name=name))
        try:
            found[name] = one_line(value, name, LONGEST_VALUE, empty=True)
        except PlainlyError:
            raise PlainlyError(say("arrival.odd", name=name)) from None
    name, looking = LOOKING
    if arrival.preset == "mturk" and found.get(name, looking) == looking:
        raise OnlyLooking(say("arrival.looking"))
    kept = {name: value for name, value in found.items() if value}
    if not arrival.identifies:
        return kept, None
    who = kept.get(arrival.identifies, "")
    if not who:
        raise PlainlyError(say("arrival.nobody", name=arrival.identifies))
    if not _ID.fullmatch(who):
        raise PlainlyError(say("arrival.odd", name=arrival.identifies))
    return kept, who


def checked_address(value: Any, what: str, *, coded: bool) -> str:
    """A return address: HTTPS, nobody's name in it, and {code} at most once and not in the name of the server."""
    text = one_line(value, what, LONGEST_ADDRESS, empty=True)
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    plain = text.replace("{code}", "")
    if not host or "@" in parts.netloc or (port is not None and port == 0) or not _ADDRESS.fullmatch(text):
        raise PlainlyError(f"{what} must be an address as https://example.org/done?code={{code}}")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in HERE):
        raise PlainlyError(f"{what} must begin with https://")
    if "{" in plain or "}" in plain or "{" in parts.netloc or "\\" in text:
        raise PlainlyError(f"{what} may have {{code}} in it, after the name of the server, and no other braces")
    if "{code}" in text and not coded:
        raise PlainlyError(f"{what} has {{code}} in it, but there is no code")
    return text


def _own(value: Json) -> tuple[tuple[str, ...], str]:
    given = value.get("parameters", ())
    if not isinstance(given, (list, tuple)) or len(given) > MOST_PARAMETERS:
        raise PlainlyError(f"the parameters must be a list of {MOST_PARAMETERS} names at most")
    names = tuple(one_line(name, "the name of a parameter", 50) for name in given)
    for name in names:
        if not _NAME.fullmatch(name):
            raise PlainlyError(f"a parameter is named by letters, digits, and - . _ only, not {name!r}")
    if len(set(names)) != len(names):
        raise PlainlyError("a parameter is named twice")
    identifies = any_text(value.get("identifies", ""), "the parameter that says who it is", 50)
    if identifies and identifies not in names:
        raise UnknownName("parameter", identifies, names)
    return names, identifies


def _choices(welcome: Json) -> dict[str, tuple[tuple[str, ...], bool]]:
    """The answers of each field that has a few, and whether it must be answered."""
    found = {}
    for entry in welcome.get("form", ()):
        options = ("yes", "no") if entry["kind"] == "yes-no" else tuple(entry["options"])
        if options:
            found[entry["id"]] = (options, entry["required"])
    return found


def _groups(value: Json, choices: Mapping[str, tuple[tuple[str, ...], bool]]) -> tuple[str, dict[str, int]]:
    group = any_text(value.get("group", ""), "the field of the groups", 100)
    given = value.get("groups", {})
    if not isinstance(given, Mapping):
        raise PlainlyError("the quotas of groups must be a table")
    if not group:
        if given:
            raise PlainlyError("quotas of groups need a field of the form")
        return "", {}
    if group not in choices:
        raise UnknownName("field of the form with a list of answers:", group, list(choices))
    options, required = choices[group]
    if not required:
        raise PlainlyError(f"quotas by {group!r} need a question that must be answered")
    for name in given:
        if name not in options:
            raise UnknownName(f"answer to {group!r}:", str(name), options)
    return group, {name: _whole(most, 0, MOST_PEOPLE, f"the quota of {name!r}") for name, most in given.items()}


def _screened(value: Any, choices: Mapping[str, tuple[tuple[str, ...], bool]]) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, Mapping):
        raise PlainlyError("what screens out must be a table: a field of the form, and a list of its answers")
    found = {}
    for name, answers in value.items():
        if name not in choices:
            raise UnknownName("field of the form with a list of answers:", str(name), list(choices))
        options = choices[name][0]
        if not isinstance(answers, (list, tuple)):
            raise PlainlyError(f"the answers to {name!r} that screen out must be a list")
        for answer in answers:
            if answer not in options:
                raise UnknownName(f"answer to {name!r}:", str(answer), options)
        if set(options) <= set(answers):
            raise PlainlyError(f"every answer to {name!r} would screen out")
        if answers:
            found[name] = tuple(answers)
    return found


def _code(value: Any, what: str, *, needed: bool = False) -> str:
    text = one_line(value, what, 60, empty=not needed)
    if text and not _CODE.fullmatch(text):
        raise PlainlyError(f"{what} has letters, digits, - and _ only")
    return text


def _one_of(value: Any, what: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise UnknownName(what, str(value), known)
    return str(value)


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise PlainlyError("on must be true or false")
    return value


def _whole(value: Any, least: int, most: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise PlainlyError(f"{what} must be a whole number from {least} to {most:,}")
    return value
