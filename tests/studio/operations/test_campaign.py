"""A whole campaign over HTTP: an owner makes it, two people annotate, the export says what the dashboard says."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from plainly.cli import main

PAIRS = """id,source,simplification
a,The feline slept because it was tired.,The cat slept. It was tired.
b,She was elected in May.,People elected her in May.
"""
GROUPS = {
    "P001": {
        "a": [{"source": [1], "target": [1], "label": "synonym"}, {"source": [], "target": [3], "label": "split"}],
        "b": [{"source": [1, 2], "target": [1], "label": "p2a"}],
    },
    "P002": {
        "a": [{"source": [1], "target": [1], "label": "hyperonym"}, {"source": [], "target": [3], "label": "split"}],
        "b": [{"source": [1, 2], "target": [1], "label": "p2a"}],
    },
}


def good(reply: Any, status: int = 200) -> Any:
    assert reply.status_code == status, (reply.status_code, reply.text[:300])
    return reply.json()


@pytest.fixture
def owner(client: Any, app: Any) -> Any:
    words = {"code": app.state.setup_code, "name": "Ada", "password": "correct horse battery"}
    client.headers["X-CSRF-Token"] = good(client.post("/api/setup", json=words))["csrf"]
    return client


def annotate(client: Any, secret: str) -> None:
    """Saves work that goes on, something impossible, and then the finished pairs."""
    state = good(client.post(f"/api/p/{secret}/welcome", json={"consent": True, "fields": {}}))
    groups = GROUPS[state["participant"]["code"]]
    for number, task in enumerate(state["tasks"]):
        wrong = [{"source": [0], "target": [], "label": "inmod"}]
        assert "pair" not in task  # its name may tell which system wrote it
        right = groups["ab"[task["place"]]]
        steps = [(right, False), (wrong, True), (right, True)]
        sent = [
            {
                "client_id": f"{number}.{step}",
                "task": task["id"],
                "answer": {"groups": marked, "erroneous": False, "done": done, "seconds": 10},
                "seconds": 1.5,
            }
            for step, (marked, done) in enumerate(steps)
        ]
        first = good(client.post(f"/api/p/{secret}/responses", json={"responses": sent[:1]}))
        assert first["progress"] == {"done": number, "total": 2}, "work that goes on is not done"
        assert first["tasks"][0]["answer"]["groups"], "it comes back when the page is opened again"
        then = good(client.post(f"/api/p/{secret}/responses", json={"responses": sent[1:]}))
        assert [refused["client_id"] for refused in then["refused"]] == [f"{number}.1"]
        assert "can only stand in the target alone" in then["refused"][0]["error"]
    assert then["participant"]["finished"]


def test_from_the_file_to_the_export(owner: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    form = {"kind": "operations", "lang": "en", "name": "What was done?", "options": json.dumps({"start": "rules"})}
    files = {"pairs": ("pairs.csv", PAIRS)}
    looked = good(owner.post("/api/campaigns/check", data=form, files=files))
    assert looked["columns"] == ["pair", "source", "simplification", "groups"]
    bad = owner.post("/api/campaigns/check", data=form, files={"pairs": ("pairs.csv", "id,source\n1,a\n")})
    assert (bad.status_code, "pairs.csv, line 2: " in bad.json()["error"]) == (422, True)
    made = good(owner.post("/api/campaigns", data=form, files=files), 201)
    base = f"/api/campaigns/{made['id']}"
    good(owner.patch(base, json={"revision": made["revision"], "status": "open"}))
    links = good(owner.post(f"{base}/participants", json={"count": 2}), 201)
    for one in links["links"]:
        annotate(owner, one["link"].rpartition("/")[2])
    results = good(owner.get(f"{base}/summary"))["results"]
    archive = zipfile.ZipFile(io.BytesIO(owner.get(f"{base}/export.zip").content))
    archive.extract("annotations.jsonl", tmp_path)
    assert {"P001.aln", "P001.crp", "P002.aln", "P002.crp", "work.csv"} <= set(archive.namelist())
    arguments = ["operations", "agreement", "--annotations", str(tmp_path / "annotations.jsonl"), "--format", "json"]
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    kappa = next(
        row["davies_fleiss"] for row in told["overall"] if (row["variant"], row["side"]) == ("labels", "source")
    )
    shown = next(one for one in results["figures"] if one["label"].startswith("Agreement, source: kappa"))
    assert shown["value"] == kappa["value"]
    for picture in results["pictures"]:
        reply = owner.get(f"{base}/pictures/{picture['name']}.svg")
        assert reply.status_code == 200
        assert "<svg" in reply.text
