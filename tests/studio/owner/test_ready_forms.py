"""The form of the C-Score paper, by its name and by a button in the wizard; and the bar of practice there."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.forms import FORMS, ready_form, with_forms
from plainly.studio.texts import languages, say
from plainly.studio.welcome import bar_of, checked_welcome, filled_in

ASKED = ["age", "gender", "profession", "domain_background", "native_language", "level"]
"""Temnikova and Maneva (2013), Table 1; named as the columns that the replication of the paper reads."""


def test_it_asks_what_the_paper_asked() -> None:
    welcome = checked_welcome(with_forms({"form": "c-score"}, "en"))
    assert [field["id"] for field in welcome["form"]] == ASKED
    given = {
        **{"age": "24", "gender": "female", "profession": "Student", "domain_background": "no"},
        **{"native_language": "English", "level": "native speaker"},
    }
    assert filled_in(welcome, True, given, say("en")) == given
    with pytest.raises(PlainlyError):
        filled_in(welcome, True, {**given, "age": "7"}, say("en"))


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("name", FORMS)
def test_it_has_words_in_every_language(name: str, lang: str) -> None:
    for field in ready_form(name, say(lang)):
        for text in (field["label"], *field["options"]):
            assert text
            assert not text.startswith("forms.")


def test_names_of_forms() -> None:
    with pytest.raises(PlainlyError, match=r"unknown form 'c-core'.*c-score"):
        with_forms({"form": "c-core"}, "en")
    own = {"form": [{"id": "a", "label": "A"}]}
    assert with_forms(own, "en") == own
    assert with_forms(None, "en") is None


def test_the_api_takes_its_name(owner: Any) -> None:
    assert [field["id"] for field in owner.get("/api/forms").json()["forms"]["c-score"]] == ASKED
    german = owner.get("/api/forms?interface=de").json()["forms"]["c-score"]
    assert german[0]["label"] == "Wie alt sind Sie?"
    assert owner.get("/api/forms?interface=xx").status_code == 422
    data = {
        "kind": "ranking",
        "lang": "en",
        "name": "x",
        "interface": "de",
        "welcome": json.dumps({"form": "c-score"}),
    }
    files = {"texts": ("texts.csv", "id,text\na,One.\nb,Two.\n")}
    made = owner.post("/api/campaigns", data=data, files=files)
    assert made.status_code == 201, made.text
    assert made.json()["welcome"]["form"][0] == {**german[0], "required": True, "options": []}
    change = {"revision": made.json()["revision"], "interface": "en", "welcome": {"form": "c-score"}}
    changed = owner.patch(f"/api/campaigns/{made.json()['id']}", json=change)
    assert changed.json()["welcome"]["form"][0]["label"] == "How old are you?"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_button_and_the_bar(owner: Any, browse: Callable[..., Any], tmp_path: Any) -> None:
    page = browse("/campaigns/new")
    page.set_default_timeout(20_000)
    texts = tmp_path / "texts.csv"
    texts.write_text("id,text\na,One.\nb,Two.\n", "utf-8")
    page.locator("#ranking-file-texts").set_input_files(texts)
    page.locator("#lang").select_option("en")
    page.locator("#interface").select_option("de")
    page.locator("#campaign-name").fill("Forms")
    page.get_by_role("button", name="Add a question").click()
    page.locator(".label-text").fill("Is it raining?")
    page.locator(".column").fill("gender")  # a question of one's own stays
    page.get_by_role("button", name="Use the form of the C-Score paper").click()
    page.wait_for_function("() => document.querySelectorAll('.entry').length === 6")
    page.get_by_role("button", name="Use the form of the C-Score paper").click()
    page.get_by_label("Practice answers that must be right, %").fill("60")
    page.get_by_role("button", name="Create as draft").click()
    page.wait_for_function("() => !location.pathname.endsWith('/new')")
    campaign = owner.get(f"/api{page.url[page.url.index('/campaigns') :]}").json()
    rest = [name for name in ASKED if name != "gender"]
    assert [field["id"] for field in campaign["welcome"]["form"]] == ["gender", *rest]
    assert campaign["welcome"]["form"][0]["label"] == "Is it raining?"
    assert campaign["welcome"]["form"][1]["label"] == "Wie alt sind Sie?"
    assert bar_of(campaign["welcome"]) == 0.6
