"""Practice, checks and repeats from the owner's files to the dashboard and the exports, over HTTP."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from plainly.studio.store import campaigns

from ...waiting import LONG
from .conftest import good

TEXTS = "id,text\n" + "".join(f"t{number},{'long ' * number}text.\n" for number in range(6))
PRACTICE = "first,second,easier,why\nplain,an elaborate formulation,first,BECAUSE-IT-IS-SHORT\n"
CHECKS = "first,second,easier\nshort,a text that is much longer,first\nbrief,another one of many words,first\n"
FILES = {"texts": ("texts.csv", TEXTS), "practice": ("p.csv", PRACTICE), "checks": ("c.csv", CHECKS)}


@pytest.fixture
def campaign(owner: httpx.Client) -> dict[str, Any]:
    """Eight pairs of five texts; two of the pairs come once more."""
    options = json.dumps({"matches": 3, "repeats": 0.2, "fail_after": 2})
    data = {"kind": "ranking", "lang": "en", "name": "Gold", "options": options, "welcome": "{}"}
    found = good(owner.post("/api/campaigns/check", data=data, files=FILES))
    assert "practice: 1 answer to give, with feedback" in found["notes"]
    assert "repeats: 20 % of the tasks are shown once more, in addition" in found["notes"]
    made = good(owner.post("/api/campaigns", data=data, files=FILES), 201)
    path = f"/api/campaigns/{made['id']}"
    return dict(good(owner.patch(path, json={"revision": made["revision"], "status": "open"})))


class Reader:
    """A participant who always knows which text is shorter, but for checks where they do not look."""

    def __init__(self, owner: httpx.Client, campaign: str) -> None:
        link = good(owner.post(f"/api/campaigns/{campaign}/participants", json={"count": 1}), 201)["links"][0]["link"]
        self.client = httpx.Client(base_url=f"{owner.base_url}/api/p/{link.rsplit('/', 1)[1]}", timeout=LONG)
        self.state = good(self.client.post("/welcome", json={"consent": True, "fields": {}}))
        self.seen = json.dumps({key: self.state[key] for key in ("tasks", "last", "campaign")})
        self.sent = 0

    def answer(self, wrong: Callable[[Any], bool] = lambda task: False) -> dict[str, Any]:
        task = self.state["tasks"][0]
        shorter = "first" if len(task["first"]) < len(task["second"]) else "second"
        choice = {"first": "second", "second": "first"}[shorter] if wrong(task) else shorter
        self.sent += 1
        one = {"client_id": f"c{self.sent}", "task": task["id"], "answer": {"choice": choice}, "seconds": 3}
        self.state = good(self.client.post("/responses", json={"responses": [one]}))
        self.seen += json.dumps({key: self.state[key] for key in ("tasks", "last", "campaign")})
        return self.state


@pytest.fixture
def join(owner: httpx.Client) -> Iterator[Callable[[str], Reader]]:
    """A new participant of a campaign."""
    readers: list[Reader] = []

    def joined(campaign: str) -> Reader:
        readers.append(Reader(owner, campaign))
        return readers[-1]

    yield joined
    for reader in readers:
        reader.client.close()


def is_check(task: Any) -> bool:
    return not task["first"].endswith("text.")


def table(owner: httpx.Client, campaign: str, name: str) -> list[dict[str, str]]:
    text = owner.get(f"/api/campaigns/{campaign}/exports/{name}").raise_for_status().text
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_from_the_files_to_the_dashboard(owner: httpx.Client, campaign: dict[str, Any], join: Any) -> None:
    name = campaign["id"]
    careful, careless = join(name), join(name)
    assert careful.answer(wrong=lambda task: True)["feedback"] | {"task": 0} == {
        **{"task": 0, "right": 0.0, "why": "BECAUSE-IT-IS-SHORT", "outcome": "again", "share": 0.0},
        "expected": careful.state["feedback"]["expected"],
    }
    assert careful.answer()["feedback"]["outcome"] == "passed"
    assert careful.state["progress"] == {"done": 0, "total": 9 + 2 + 2}
    while careful.state["tasks"]:
        careful.answer()
        assert "feedback" not in careful.state, "it belongs to practice"
    assert careful.state["participant"]["finished"]
    for secret in ("BECAUSE", "expected", "repeats", "check"):  # nothing tells what is a check, or what is right
        assert secret not in careful.seen
    assert careless.answer()["feedback"]["outcome"] == "passed"
    while careless.state["tasks"]:
        careless.answer(wrong=is_check)
    assert "screened" in careless.state["participant"]
    summary = good(owner.get(f"/api/campaigns/{name}/summary"))
    remarks = {one["code"]: one["remarks"] for one in summary["participants"]}
    assert not any("checks" in remark for remark in remarks["P001"])
    assert "failed 2 of 2 attention checks" in remarks["P002"]
    told = {one["label"]: one for one in summary["results"]["figures"]}
    assert told["Failed attention checks"]["value"] == 2
    assert told["Same answer the second time, %"]["value"] == 100
    study = table(owner, name, "judgements.csv")
    assert sum(row["rater"] == "P001" for row in study) == 9
    assert {row["first"] for row in study} <= {f"t{number}" for number in range(6)}
    assert [row["right"] for row in table(owner, name, "practice.csv")] == ["0", "1", "1"]
    marked = table(owner, name, "checks.csv")
    assert [row["right"] for row in marked if row["participant"] == "P002" and row["check"] == "1"] == ["0", "0"]
    mine = [row for row in marked if row["participant"] == "P001"]
    path = f"/api/campaigns/{name}"
    rows = good(owner.get(f"{path}/participants/2"))["rows"]
    assert [(one["answer"], one["right"]) for one in rows if one["role"] == "check"].count(
        ("a text that is much longer > short", 0)
    ) == 1, "which check was failed, and how"
    assert {one["right"] for one in rows if one["role"] in ("", "repeat")} == {None}
    owner.put(f"{path}/participants/2/left-out", json={"reason": "failed checks"}).raise_for_status()
    reasons = {(row["participant"], row["left_out"]) for row in table(owner, name, "checks.csv")}
    assert reasons == {("P001", ""), ("P002", "failed checks")}
    assert (
        sorted((row["check"], row["repeat"], row["right"]) for row in mine)
        == [("0", "1", "1")] * 2 + [("1", "0", "1")] * 2
    )


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_items_that_are_added_leave_them_alone(owner: httpx.Client, campaign: dict[str, Any], app: Any) -> None:
    path = f"/api/campaigns/{campaign['id']}"
    data = {"revision": str(campaign["revision"])}
    more = {"texts": ("more.csv", "id,text\nu1,one more text.\nu2,and one more text.\n")}
    good(owner.post(f"{path}/items", data=data, files=more))
    with app.state.database.reading() as session:
        settings = campaigns.get(session, campaign["id"]).settings
    assert [len(settings["gold"][name]) for name in ("practice", "checks")] == [1, 2]
    assert settings["repeats"] == 0.2


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_draft_keeps_its_practice_when_options_change(owner: httpx.Client, app: Any) -> None:
    data = {"kind": "ranking", "lang": "en", "name": "Gold", "interface": "en", "welcome": "{}"}
    made = good(owner.post("/api/campaigns", data=data, files=FILES), 201)
    options = json.dumps({"question": "harder"})
    again = {**data, "options": options, "revision": str(made["revision"])}
    good(owner.put(f"/api/campaigns/{made['id']}/draft", data=again))
    with app.state.database.reading() as session:
        (task,) = campaigns.get(session, made["id"]).settings["gold"]["practice"]
    assert task["expected"] == "second"  # the harder one
