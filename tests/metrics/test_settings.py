"""A setting says all of itself where it is declared, and a class that forgets to is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from plainly.base.errors import PlainlyError, UnknownName
from plainly.metrics import Metric, get, metric_class, names, setting, settings_of, signature_fields
from plainly.metrics.bleu import Bleu
from plainly.metrics.settings import lowercase_setting

from ..cases import each


def test_a_field_without_a_description_is_refused() -> None:
    with pytest.raises(PlainlyError, match=r"Raw\.longest is a field, so a setting: describe it by setting\("):

        class Raw(Metric):
            longest: int = 6


def test_a_new_default_must_be_described_again() -> None:
    for body in ({"__annotations__": {"lowercase": "bool"}, "lowercase": False}, {"lowercase": False}):
        with pytest.raises(PlainlyError, match=r"Cased\.lowercase is a new default .* loses its description"):
            type("Cased", (Bleu,), dict(body))

    @dataclass(frozen=True, kw_only=True)
    class Cased(Bleu):
        lowercase: bool = lowercase_setting(False)

    assert Cased().settings()["lowercase"] == "mixed"


def test_settings_need_the_decorator() -> None:
    class Bare(Bleu):
        power: int = setting(2, help="of what")

    with pytest.raises(PlainlyError, match=r"Bare has settings \(power\), so it must be a dataclass"):
        Bare()


@dataclass(frozen=True, kw_only=True)
class Weighed(Bleu):
    constants: ClassVar[int] = 3

    power: int = setting(2, short="p", help="of what", differs="other powers", unsaid="2")
    kind: str = setting("", choices=("soft", "hard"), help="how", decided="soft, as a rule")
    where: str = setting("here", help="where it runs", signed=False)
    switch: bool = setting(False, help="on or off")
    parts: tuple[str, ...] = setting((), help="of which", shown=False)


def test_signatures_say_what_is_signed() -> None:
    signature = Weighed(where="there", switch=True).signature("1")
    assert "there" not in signature
    assert "|switch:True|" in signature
    assert "|p:" not in signature
    assert "|p:3|" in Weighed(power=3).signature("1")
    assert "|power:2|" in Weighed().signature("1", long=True)
    assert signature_fields(Weighed)["power"].differs == "other powers"
    assert signature_fields(Weighed)["smooth"].about == "smoothing in BLEU"  # as its parent says


def test_values_are_checked() -> None:
    assert Weighed(kind="hard").kind == "hard"
    with pytest.raises(UnknownName, match="unknown kind of bleu 'herd'; did you mean 'hard'"):
        Weighed(kind="herd")
    with pytest.raises(PlainlyError, match="switch must be True or False, not 'yes'"):
        Weighed(switch="yes")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [("power", "3", 3), ("kind", "hard", "hard"), ("switch", "yes", True), ("parts", "a, b", ("a", "b"))],
)
def test_values_are_read_from_text(name: str, text: str, value: Any) -> None:
    assert settings_of(Weighed)[name].read(text) == value


@pytest.mark.parametrize(("name", "wanted"), [("power", "a whole number"), ("switch", "yes or no")])
def test_what_is_no_value(name: str, wanted: str) -> None:
    with pytest.raises(PlainlyError, match=f"{name} must be {wanted}, not 'maybe'"):
        settings_of(Weighed)[name].read("maybe")


@each("name", names())
def test_all_settings_are_described(name: str) -> None:
    for one in settings_of(metric_class(name)).values():
        assert one.help
        assert one.default is not None or one.decided or one.kind in (str, tuple)
    said = set(get(name).settings()) if not metric_class(name).languages else set()
    assert said <= signature_fields(metric_class(name)).keys()
