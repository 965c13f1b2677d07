"""Single items, people and answers: searched, paged, and without what tells who somebody is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from plainly.studio.store import browsing

from ..end_to_end.studies import STUDIES, Study
from .conftest import answer, good
from .test_leaving_out import leave_out, take_part


def test_items_with_the_numbers_of_their_answers(owner: httpx.Client, running: dict[str, Any]) -> None:
    path = f"/api/campaigns/{running['id']}/items"
    found = good(owner.get(path))
    assert (found["total"], found["offset"], found["size"]) == (2, 0, browsing.PAGE)
    assert [(one["place"], one["name"], one["wording"]) for one in found["rows"]] == [
        (0, "w0", "ant"),
        (1, "w1", "bee"),
    ]
    assert [(one["tasks"], one["answers"]) for one in found["rows"]] == [(2, 2), (2, 1)]
    assert [one["name"] for one in good(owner.get(path, params={"order": "fewest"}))["rows"]] == ["w1", "w0"]
    assert [one["name"] for one in good(owner.get(path, params={"q": "BE"}))["rows"]] == ["w1"]
    assert [one["name"] for one in good(owner.get(path, params={"q": "w bee"}))["rows"]] == ["w1"]
    assert good(owner.get(path, params={"q": "ant bee"}))["total"] == 0
    assert good(owner.get(path, params={"offset": 5}))["rows"] == []
    for wrong in ({"offset": -1}, {"order": "best"}, {"q": "x" * 201}):
        assert owner.get(path, params=wrong).status_code == 422


def test_the_answers_about_one_item(owner: httpx.Client, running: dict[str, Any]) -> None:
    leave_out(owner, running["id"], 1)
    path = f"/api/campaigns/{running['id']}/items/0"
    found = good(owner.get(path))
    assert (found["name"], found["wording"], found["total"]) == ("w0", "ant", 2)
    first, second = found["rows"]
    assert (first["code"], first["answer"]) == ("P001", "yes: True")
    assert 0 < first["seconds"] <= 2.0  # what is believed of the 2 seconds that the browser claims
    assert first["left_out"]
    assert (second["code"], second["place"], second["left_out"]) == ("P002", 0, "")
    assert [one["code"] for one in good(owner.get(path, params={"q": "p002"}))["rows"]] == ["P002"]
    assert owner.get(f"/api/campaigns/{running['id']}/items/2").status_code == 404
    assert owner.get(f"/campaigns/{running['id']}/items/2").status_code == 404


def test_one_person_without_personal_data_for_analysts(
    owner: httpx.Client, analyst: httpx.Client, running: dict[str, Any]
) -> None:
    path = f"/campaigns/{running['id']}/participants"
    found = good(owner.get(f"/api{path}/1"))
    assert (found["code"], found["note"], found["total"]) == ("P001", "Maria", 2)
    assert [(one["items"][0]["name"], one["answer"], one["answered"]) for one in found["rows"]] == [
        ("w0", "yes: True", True),
        ("w1", "yes: False", True),
    ]
    unanswered = good(owner.get(f"/api{path}/2"))["rows"][1]
    assert (unanswered["answered"], unanswered["answer"], unanswered["seconds"]) == (False, "", None)
    for address in (f"/api{path}/1", f"{path}/1"):
        assert "Maria" in owner.get(address).text
        assert "Maria" not in analyst.get(address).text
    assert "note" not in good(analyst.get(f"/api{path}/1"))
    assert [one["place"] for one in good(analyst.get(f"/api{path}/1", params={"q": "bee"}))["rows"]] == [1]
    for number in (3, 0, 1_000_001):
        assert owner.get(f"/api{path}/{number}").status_code in (404, 422)


def test_what_one_person_said_at_the_end(owner: httpx.Client, make_toy: Callable[..., Any]) -> None:
    asked = {"comments": True, "after": [{"id": "tiring", "label": "Was it tiring?", "kind": "yes-no"}]}
    made = make_toy(options=json.dumps({"extra": False}), welcome=json.dumps(asked))
    good(owner.patch(f"/api/campaigns/{made['id']}", json={"revision": 1, "status": "open"}))
    (link,) = good(owner.post(f"/api/campaigns/{made['id']}/participants", json={"count": 1}), 201)["links"]
    answer(owner.base_url, link["link"], [{"yes": True}, {"yes": False}])
    said = {"fields": {"tiring": "yes"}, "comment": "<b>Thanks</b>"}
    with httpx.Client(base_url=owner.base_url) as browser:
        good(browser.post(f"/api/p/{link['link'].rsplit('/', 1)[1]}/after", json=said))
    path = f"/campaigns/{made['id']}/participants/1"
    found = good(owner.get(f"/api{path}"))
    assert (found["after"], found["comment"]) == ({"tiring": "yes"}, "<b>Thanks</b>")
    page = owner.get(path).text
    assert "after.tiring" in page
    assert "&lt;b&gt;Thanks" in page


def test_the_preview_is_nobody(owner: httpx.Client, running: dict[str, Any]) -> None:
    path = f"/api/campaigns/{running['id']}"
    link = good(owner.post(f"{path}/preview"))["link"]
    token = link.rsplit("/", 1)[1]
    state = good(owner.post(f"/api/p/{token}/welcome", json={"consent": True, "fields": {}}))
    sent = {"client_id": "a", "task": state["tasks"][0]["id"], "answer": {"yes": True}}
    good(owner.post(f"/api/p/{token}/responses", json={"responses": [sent]}))
    assert good(owner.get(f"{path}/items"))["rows"][0]["answers"] == 2
    assert good(owner.get(f"{path}/items/0"))["total"] == 2


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.kind)
def test_answers_of_every_kind_in_words(owner: httpx.Client, study: Study) -> None:
    data = {"kind": study.kind, "lang": "en", "name": "A study"}
    made = good(owner.post("/api/campaigns", data=data, files={study.slot: (study.file, study.content)}), 201)
    path = f"/api/campaigns/{made['id']}"
    good(owner.patch(path, json={"revision": 1, "status": "open"}))
    link = good(owner.post(f"{path}/participants", json={}), 201)["links"][0]["link"]
    take_part(owner.base_url, study, link, 0)
    rows = good(owner.get(f"{path}/participants/1"))["rows"]
    told = [one["answer"] for one in rows if one["role"] == ""]
    expected = {  # whichever tasks this person was given
        "ranking": r"t\d",
        "operations": r"\w+ → \w+ \(synonym\)",
        "comprehension": r"Which way should people go\? Up the stairs\. ✓",
        "ratings": r"[\w-]+: fluency (\d), meaning \1, simplicity \1",
    }[study.kind]
    assert any(re.fullmatch(expected, one) for one in told), told
    assert all(told) or study.kind == "comprehension"  # "ready" says nothing
    assert all(one["items"] for one in rows if one["role"] == "")
    items = good(owner.get(f"{path}/items"))
    per_task = 2 if study.kind == "ranking" else 1
    assert sum(one["answers"] for one in items["rows"]) == per_task * len(told)
    assert all(one["wording"] for one in items["rows"])
    one = good(owner.get(f"{path}/items/{items['rows'][0]['place']}"))
    assert one["total"] >= items["rows"][0]["answers"]  # with checks
    for page in ("/items", "/items/0", "/participants/1"):
        assert owner.get(path.removeprefix("/api") + page).status_code == 200


def test_pages_are_turned_and_searched(
    owner: httpx.Client, make_toy: Callable[..., Any], browse: Callable[..., Any]
) -> None:
    made = make_toy(words="".join(f"word{number}\n" for number in range(120)))
    page = browse(f"/campaigns/{made['id']}/items")
    names = page.locator("#rows tbody th")
    assert names.count() == 50
    page.click("#on")
    page.get_by_text("51 to 100 of 120").wait_for()
    assert names.first.inner_text() == "w50"
    page.click("#on")
    page.get_by_text("101 to 120 of 120").wait_for()
    assert page.locator("#on").is_disabled()
    page.fill("#q", "word117")
    page.keyboard.press("Enter")
    page.get_by_text("1 to 1 of 1").wait_for()
    assert "q=word117" in page.url
    page.reload()
    assert names.all_inner_texts() == ["w117"]
    names.first.locator("a").click()
    page.wait_for_url("**/items/117")
    page.get_by_text("Nothing found.").wait_for()


def test_from_participants_to_one_and_their_items(
    owner: httpx.Client, running: dict[str, Any], browse: Callable[..., Any]
) -> None:
    page = browse(f"/campaigns/{running['id']}/participants")
    page.locator("#people a", has_text="P001").click()
    page.wait_for_url("**/participants/1")
    page.get_by_text("yes: False").wait_for()
    page.locator("#rows a", has_text="w1").click()
    page.wait_for_url("**/items/1")
    assert page.locator("#rows tbody tr").count() == 1
