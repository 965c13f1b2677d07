"""A campaign from its owner through two participants in a browser to the export, which the command line reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plainly.cli import main

from .conftest import lines

KEYS = [("2", "3", "4"), ("3", "3", "x")]


@pytest.fixture
def owner(app: Any, client: Any) -> Any:
    """Logged in, as far as HTTP goes."""
    given = {"code": app.state.setup_code, "name": "Ada", "password": "correct horse battery"}
    client.headers["X-CSRF-Token"] = client.post("/api/setup", json=given).raise_for_status().json()["csrf"]
    return client


def test_from_the_owner_to_the_numbers(owner: Any, look: Callable[..., Any], tmp_path: Path, capsys: Any) -> None:
    options = json.dumps({"checks": 0.2, "scales": ["fluency", "meaning", "simplicity"]})
    data = {"kind": "ratings", "lang": "en", "options": options, "name": "Three systems"}
    wrong = owner.post("/api/campaigns/check", data=data, files={"outputs": ("mine.csv", "id,source,a\n1,,x\n")})
    assert (wrong.status_code, wrong.json()["error"]) == (422, "mine.csv:2: source is empty")
    files = {"outputs": ("mine.jsonl", lines(2))}
    checked = owner.post("/api/campaigns/check", data=data, files=files).raise_for_status().json()
    assert checked["columns"] == ["id", "source", "cut", "plain", "reference"]
    campaign = owner.post("/api/campaigns", data=data, files=files).raise_for_status().json()
    home = f"/api/campaigns/{campaign['id']}"
    owner.patch(home, json={"revision": campaign["revision"], "status": "open"}).raise_for_status()
    links = owner.post(f"{home}/participants", json={"count": 2}).raise_for_status().json()["links"]
    for link, keys in zip(links, KEYS, strict=True):
        page = look(link["link"])
        page.locator("[type=submit]").click()
        for number in range(1, 9):  # six outputs and two checks
            page.locator(".ratings").wait_for()
            for key in (*keys, "Enter"):
                page.keyboard.press(key)
            page.wait_for_function("n => document.getElementById('count').textContent === `${n}/8`", arg=number)
        page.wait_for_function("() => document.body.dataset.screen === 'finished'")
    export = owner.get(f"{home}/exports/ratings.csv").raise_for_status()
    (tmp_path / "ratings.csv").write_bytes(export.content)
    assert main(["ratings", "score", str(tmp_path / "ratings.csv"), "--format", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    summary = owner.get(f"{home}/summary").raise_for_status().json()
    told = {(row[0], row[1]): row[7] for row in summary["results"]["tables"][0]["rows"]}
    for row in content["systems"]:
        expected = {"fluency": 2.5, "meaning": 3.0, "simplicity": 4.0}[row["scale"]]
        assert row["mean"]["value"] == expected
        assert told[row["scale"], row["system"]] == row["mean"]
    assert summary["results"]["signatures"] == [content["signature"]]
    # A copy must have 4 or 5 in meaning: both failed. Words in random order must have 1 or 2 in fluency: P002 failed.
    found = [(row["rater"], row["checks"], row["failed"]) for row in content["raters"]]
    assert found == [("P001", 2, 1), ("P002", 2, 2)]
    remarks = {one["code"]: one["remarks"] for one in summary["participants"]}
    assert "failed 1 of 2 attention checks" in remarks["P001"]
    assert "failed 2 of 2 attention checks" in remarks["P002"]
    assert b"<svg" in owner.get(f"{home}/pictures/scale-1.svg").raise_for_status().content
