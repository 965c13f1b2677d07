"""Example campaigns: each is made at one click, and runs through a preview."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from plainly.studio.examples import example
from plainly.studio.kinds import KINDS

from .conftest import good

WELL = {"ranking": {"choice": "tie"}, "operations": {"groups": [], "erroneous": False, "done": True, "seconds": 3.0}}


def answer(kind: str, task: dict[str, Any], public: dict[str, Any]) -> dict[str, Any]:
    """What somebody might say."""
    if kind == "ratings":
        each = {scale["name"]: public["highest"] for scale in public["scales"]}
        return {"ratings": [each for _ in task["outputs"]]}
    if kind == "comprehension":
        return {"ready": {}, "reading": {"before": 0}, "question": {"place": 0, "before": 0}}[task["phase"]]
    return WELL[kind]


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("toy", "book")])
def test_an_example_runs_through_a_preview(owner: httpx.Client, kind: str, lang: str) -> None:
    made = good(owner.post("/api/examples", json={"kind": kind}, headers={"Accept-Language": lang}), 201)
    assert (made["status"], made["kind"], made["lang"], made["interface"]) == ("draft", kind, lang, lang)
    assert made["welcome"]["instructions"].startswith("# ")
    assert made["welcome"]["consent"]
    token = good(owner.post(f"/api/campaigns/{made['id']}/preview"))["link"].rsplit("/", 1)[1]
    fields = {field["id"]: field["options"][0] for field in made["welcome"]["form"] if field["options"]}
    with httpx.Client(base_url=owner.base_url) as browser:
        whole = good(browser.get(f"/api/p/{token}"))
        state = good(browser.post(f"/api/p/{token}/welcome", json={"consent": True, "fields": fields}))
        for number in range(100):
            if state["participant"]["finished"]:
                break
            task = state["tasks"][0]
            given = answer(kind, task, whole["campaign"]["public"])
            sent = {"client_id": f"c{number}", "task": task["id"], "answer": given, "seconds": 3.0}
            state = good(browser.post(f"/api/p/{token}/responses", json={"responses": [sent]}))
            assert state["refused"] == []
    assert state["participant"]["finished"]
    assert number >= 4
    assert good(owner.get(f"/api/campaigns/{made['id']}/draft"))["files"]  # so that it can be changed


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_example_experiment_follows_our_own_advice(lang: str) -> None:
    assert example("comprehension", lang).material.notes == ()


@pytest.mark.parametrize(("lang", "share"), [("en", "0.1"), ("de", "0,1")])
def test_settings_say_options_as_people_write_them(owner: httpx.Client, lang: str, share: str) -> None:
    made = good(owner.post("/api/examples", json={"kind": "ratings"}), 201)
    page = owner.get(f"/campaigns/{made['id']}/settings", headers={"Accept-Language": lang}).text
    cells = re.findall(r"<dd[^>]*>\s*(.*?)\s*</dd>", page, re.DOTALL)
    assert "fluency, meaning, simplicity" in cells
    assert share in cells


def test_examples_that_are_refused(owner: httpx.Client, analyst: httpx.Client) -> None:
    assert owner.post("/api/examples", json={"kind": "tea"}).status_code == 422
    assert analyst.post("/api/examples", json={"kind": "ranking"}).status_code == 403
    assert good(owner.get("/api/campaigns"))["campaigns"] == []


@pytest.mark.parametrize("kind", ["ranking", "operations", "comprehension", "ratings"])
def test_an_example_at_one_click(browse: Any, owner: httpx.Client, kind: str) -> None:
    page = browse("/")
    page.click(f'[data-example="{kind}"]')
    page.wait_for_url(lambda url: url.endswith("/settings"))
    assert page.locator("h1").inner_text().startswith("Example: ")
    made = good(owner.get("/api/campaigns"))["campaigns"][0]
    page.goto(good(owner.post(f"/api/campaigns/{made['id']}/preview"))["link"])
    page.locator(".welcome .instructions h2").wait_for()
    for choice in page.locator(".options input[type=radio]").all()[:1]:
        choice.check()
    page.check('[name="consent"]')
    page.click("button.primary")
    page.locator("#instructions").wait_for()
    page.wait_for_function("document.querySelector('#task').textContent.length > 50")
