"""Every text that the participants' page asks for is there, in every language, and no other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from plainly.studio.texts import languages, say

STUDIO = Path(__file__).parents[3] / "src" / "plainly" / "studio"
MADE_UP = {"unsent", "unsent_one", "kept", "kept_one", "copied", "copy_failed"}
MADE_UP |= {"back_more", "code_more", "screened_back", "screened_code", "screened_nothing"}
"""Whose keys a script puts together."""


@pytest.mark.parametrize("lang", languages())
def test_words_of_participants(lang: str) -> None:
    files = [STUDIO / "templates" / "participant.html", STUDIO / "pages" / "participant.py"]
    files += [STUDIO / "static" / "participant.js", *(STUDIO / "static" / "participant").glob("*.js")]
    used = {key for path in files for key in re.findall(r"participant\.([a-z_]+)[\"']", path.read_text("utf-8"))}
    assert used - {"html", "js", "css"} | MADE_UP == set(say(lang).section("participant"))


def test_placeholders_are_filled_in() -> None:
    script = (STUDIO / "static" / "participant.js").read_text("utf-8")
    script += "".join(path.read_text("utf-8") for path in (STUDIO / "static" / "participant").glob("*.js"))
    for key, text in say("en").section("participant").items():
        for name in re.findall(r"\{(\w+)\}", text):
            assert re.search(rf"[{{,] {name}\b", script), f"{key} needs {name}"


def test_refusals_are_said_in_the_language_of_the_page(sqlite_studio: Any) -> None:
    httpx = pytest.importorskip("httpx")
    form = [{"id": "age", "label": "Wie alt sind Sie?", "kind": "number"}]
    link = sqlite_studio.invite(sqlite_studio.campaign(interface="de", welcome={"form": form}))
    address = link.replace("/p/", "/api/p/")

    def welcome(**fields: str) -> Any:
        return httpx.post(f"{address}/welcome", json={"consent": True, "fields": fields})

    assert welcome().json() == {"error": "Wie alt sind Sie?: Bitte füllen Sie dieses Feld aus."}
    assert welcome(age="alt").json()["error"].startswith("Wie alt sind Sie?: Bitte geben Sie eine Zahl ")
    assert "höchstens 1000 Zeichen" in welcome(age="1" * 2000).json()["error"]
    assert welcome(age="4", name="Tom").json() == {"error": "Das Formular fragt nicht nach name."}
    refused = httpx.post(f"{address}/welcome", json={"consent": False, "fields": {}})
    assert refused.json() == {"error": "Sie können nur teilnehmen, wenn Sie zustimmen."}
    [task, *_] = welcome(age="4").json()["tasks"]
    response = {"client_id": "one", "task": task["id"], "answer": {"choice": "both"}}
    reply = httpx.post(f"{address}/responses", json={"responses": [response]}).json()
    assert reply["refused"][0]["error"].startswith("Diese Antwort passt nicht zur Aufgabe: ")


def test_a_busy_server_is_told_in_the_language_of_the_page(sqlite_studio: Any, look: Any) -> None:
    page = look("about:blank", refusals=True)
    words = '{"error": "the database is locked"}'
    page.route("**/welcome", lambda route: route.fulfill(status=503, content_type="application/json", body=words))
    page.goto(sqlite_studio.invite(sqlite_studio.campaign(interface="de")))
    page.get_by_role("button", name="Los").click()
    page.get_by_role("alert").wait_for()
    assert page.get_by_role("alert").text_content() == "Keine Verbindung"
