"""A campaign by the API alone: from the file of the owner to the numbers, with readers who know only HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainly.cli import main

PASSWORD = "a long and winding road"


@pytest.fixture
def owner(client: Any, app: Any) -> Any:
    """The client, logged in as the first owner."""
    first = {"name": "ada", "password": PASSWORD, "code": app.state.setup_code}
    reply = client.post("/api/setup", json=first)
    assert reply.status_code == 200, reply.text
    client.headers["X-CSRF-Token"] = reply.json()["csrf"]
    return client


def upload(owner: Any, text: str, **fields: str) -> Any:
    address = "/api/campaigns" if "name" in fields else "/api/campaigns/check"
    data = {"kind": "comprehension", **fields}
    return owner.post(address, data=data, files={"experiment": ("storms.yaml", text.encode("utf-8"))})


def read_along(owner: Any, link: str, choices: list[int | None]) -> None:
    """A reader who chooses these places, one question after the other."""
    api = link.replace("/p/", "/api/p/")
    state = owner.post(f"{api}/welcome", json={"consent": True, "fields": {"age": "=1+1", "level": "some"}})
    assert state.status_code == 422  # no number
    state = owner.post(f"{api}/welcome", json={"consent": True, "fields": {"age": "30", "level": "some"}}).json()
    left = iter(choices)
    while state["tasks"]:
        (task,) = state["tasks"]
        begun = {"client_id": f"b{task['id']}", "task": task["id"], "answer": {"done": False}, "seconds": 0}
        answers = {"ready": {"ready": True}, "reading": {"over": False}}
        answer = answers.get(task["phase"]) or {"place": next(left)}
        sent = {"client_id": f"a{task['id']}", "task": task["id"], "answer": answer, "seconds": 12.5}
        responses = [sent] if task["phase"] == "ready" else [begun, sent]
        reply = owner.post(f"{api}/responses", json={"responses": responses})
        assert reply.status_code == 200, reply.text
        state = reply.json()
        assert state["refused"] == []
    assert state["participant"]["finished"]


def test_what_is_wrong_is_said_with_file_and_line(owner: Any, experiment_text: str) -> None:
    reply = upload(owner, experiment_text.replace("correct: An official alert.", "correct: A broken shutter."))
    line = 1 + experiment_text[: experiment_text.index("- id: storm-first")].count("\n")
    assert reply.status_code == 422
    assert reply.json()["error"].startswith(f"storms.yaml:{line}: storm-first: ")
    reply = upload(owner, "name: [")
    assert reply.status_code == 422
    assert reply.json()["error"].startswith("storms.yaml")


def test_from_the_file_to_the_numbers(owner: Any, experiment_text: str, tmp_path: Path) -> None:
    checked = upload(owner, experiment_text).json()
    assert checked["items"] == 2
    assert (checked["name"], checked["lang"]) == ("storms", "en")
    assert checked["welcome"]["instructions"] == "Read each text once. You cannot go back to it."
    made = upload(owner, experiment_text, name="Storms", options=json.dumps({"seed": 7})).json()
    assert [field["id"] for field in made["welcome"]["form"]] == ["age", "level"]
    assert made["lang"] == "en"
    home = f"/api/campaigns/{made['id']}"
    assert owner.patch(home, json={"revision": made["revision"], "status": "open"}).status_code == 200
    links = owner.post(f"{home}/participants", json={"count": 3}).json()["links"]
    read_along(owner, links[0]["link"], [0, 1, 2, 3, 0, 1, 2, 3])
    read_along(owner, links[1]["link"], [3, None, 1, 0, 2, 2, None, 1])

    for name in ("answers.csv", "plan.csv", "experiment.yaml"):
        (tmp_path / name).write_bytes(owner.get(f"{home}/exports/{name}").content)
    assert (tmp_path / "experiment.yaml").read_text("utf-8") == experiment_text
    arguments = ["comprehension", "score", str(tmp_path / "answers.csv")]
    arguments += ["--experiment", str(tmp_path / "experiment.yaml"), "--format", "json"]
    assert main([*arguments, "-o", str(tmp_path / "score.json")]) in (None, 0)
    printed = json.loads((tmp_path / "score.json").read_text("utf-8"))
    summary = owner.get(f"{home}/summary").json()
    assert summary["answers"] == summary["results"]["answers"] == 14  # of 16 questions; 12 more clicks are no answers
    results = summary["results"]
    assert results["signatures"] == [printed["signature"]]
    shown = [row[7]["value"] for row in results["tables"][0]["rows"]]
    assert shown == pytest.approx([row["scores"]["c-score-simple"]["value"] for row in printed["texts"]])
    assert [figure["value"] for figure in results["figures"][:2]] == [14, 2]

    design = ["comprehension", "design", str(tmp_path / "experiment.yaml"), "--participants", "3", "--seed", "7"]
    assert main([*design, "--quiet", "-o", str(tmp_path / "design.csv")]) in (None, 0)
    assert (tmp_path / "plan.csv").read_text("utf-8") == (tmp_path / "design.csv").read_text("utf-8")


def test_pictures_and_the_report(owner: Any, experiment_text: str) -> None:
    pytest.importorskip("vl_convert")
    made = upload(owner, experiment_text, name="Storms").json()
    home = f"/api/campaigns/{made['id']}"
    assert owner.get(f"{home}/report").status_code == 404  # nothing to tell yet
    owner.patch(home, json={"revision": made["revision"], "status": "open"})
    (link,) = owner.post(f"{home}/participants", json={"count": 1}).json()["links"]
    read_along(owner, link["link"], [0] * 8)
    summary = owner.get(f"{home}/summary").json()
    assert "chose answer A in 8 of 8 questions" in summary["participants"][0]["remarks"]
    for picture in summary["results"]["pictures"]:
        assert "<svg" in owner.get(f"{home}/pictures/{picture['name']}.svg").text
    assert "Storms" in owner.get(f"{home}/report").text
