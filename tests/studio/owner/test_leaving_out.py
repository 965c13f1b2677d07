"""People who are left out: kept with the reason, counted nowhere, and counted again when this is taken back."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from plainly.cli import main
from plainly.studio.store import archive, tables

from ...waiting import LONG, until
from ..end_to_end.studies import STUDIES, Study
from .conftest import good

WHY = "failed 2 of 2 checks, and was quick"


def leave_out(owner: httpx.Client, campaign: str, number: int, reason: str = WHY) -> None:
    good(owner.put(f"/api/campaigns/{campaign}/participants/{number}/left-out", json={"reason": reason}), 204)


def summary_of(client: httpx.Client, campaign: str, **asked: Any) -> Any:
    """The newest one: results rest for a moment between two runs."""
    found: dict[str, Any] = {}

    def newest() -> bool:
        found.update(good(client.get(f"/api/campaigns/{campaign}/summary", params=asked)))
        return found["results"]["older"] is False

    until(newest, "results of now")
    return found


def test_one_who_is_left_out_counts_no_more(owner: httpx.Client, running: dict[str, Any]) -> None:
    path = f"/api/campaigns/{running['id']}"
    before = summary_of(owner, running["id"])
    leave_out(owner, running["id"], 1)
    assert good(owner.get(f"{path}/summary", params={"known": before["version"]})).keys() > {"version"}
    found = summary_of(owner, running["id"])
    assert (found["answers"], found["left_out"], found["pace"]) == (1, 1, 1.25)
    assert found["results"]["figures"][0]["value"] == 1
    first, second = found["participants"]
    assert (first["left_out"], first["left_out_by"], first["pace"]) == (WHY, "Ada", 0.5)
    assert first["left_out_at"].startswith("20")
    assert (second["left_out"], second["left_out_by"], second["left_out_at"]) == ("", "", None)

    everybody = summary_of(owner, running["id"], everybody=True)
    assert (everybody["answers"], everybody["left_out"]) == (3, 1)
    assert everybody["results"]["figures"] == before["results"]["figures"]

    leave_out(owner, running["id"], 1, "")
    again = summary_of(owner, running["id"])
    assert (again["answers"], again["left_out"], again["results"]) == (
        3,
        0,
        {**before["results"], **{key: again["results"][key] for key in ("version", "at")}},
    )
    assert again["participants"][0]["left_out_by"] == "Ada"  # who took it back


def test_reasons_that_are_none(owner: httpx.Client, analyst: httpx.Client, running: dict[str, Any]) -> None:
    path = f"/api/campaigns/{running['id']}/participants"
    for reason in ("no", "0", "False", "two\nlines", "x" * 301):
        assert owner.put(f"{path}/1/left-out", json={"reason": reason}).status_code == 422, reason
    assert owner.put(f"{path}/99/left-out", json={"reason": WHY}).status_code == 404
    assert analyst.put(f"{path}/1/left-out", json={"reason": WHY}).status_code == 403
    assert [one["left_out"] for one in good(analyst.get(path))["participants"]] == ["", ""]


def test_exports_and_the_archive_keep_all(owner: httpx.Client, app: Any, running: dict[str, Any]) -> None:
    leave_out(owner, running["id"], 1)
    path = f"/api/campaigns/{running['id']}"
    rows = list(csv.DictReader(io.StringIO(owner.get(f"{path}/exports/participants.csv").text)))
    assert [row["left_out"] for row in rows] == [WHY, ""]
    assert rows[0]["left_out_at"].startswith("20")
    assert len(list(csv.reader(io.StringIO(owner.get(f"{path}/exports/answers.csv").text)))) == 4
    content = archive.read(owner.get(f"{path}/exports/campaign.json").text, "campaign.json")
    with app.state.database.writing() as session:
        made = archive.restore(session, content, "campaign.json", new_links=True)
        first = session.query(tables.Participant).filter_by(campaign_id=made.id, number=1).one()
        assert (first.left_out, first.left_out_by) == (WHY, "Ada")
        for one in content["participants"]:  # an older archive
            for key in ("left_out", "left_out_by", "left_out_at"):
                del one[key]
        older = archive.restore(session, content, "campaign.json", new_links=True)
        assert session.query(tables.Participant).filter_by(campaign_id=older.id, left_out="").count() == 2


def test_what_was_left_out_is_dealt_out_again(
    owner: httpx.Client, make: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of three pairs were judged by the first; left out, the second gets them as if nobody had."""
    made = make(options=json.dumps({"sharing": "shared", "per_person": 3, "matches": 3}))
    path = f"/api/campaigns/{made['id']}"
    good(owner.patch(path, json={"revision": 1, "status": "open"}))
    links = good(owner.post(f"{path}/participants", json={"count": 3}), 201)["links"]

    def pairs(link: str) -> set[frozenset[str]]:
        token = link.rsplit("/", 1)[1]
        state = good(owner.post(f"/api/p/{token}/welcome", json={"consent": True, "fields": {}}))
        return {frozenset((task["first"], task["second"])) for task in state["tasks"]}

    first = pairs(links[0]["link"])
    assert not first & pairs(links[1]["link"])
    leave_out(owner, made["id"], 1)
    assert pairs(links[2]["link"]) == first


def test_notes_are_for_owners_alone(owner: httpx.Client, analyst: httpx.Client, running: dict[str, Any]) -> None:
    base = f"/campaigns/{running['id']}"
    for address in (f"/api{base}/participants", f"/api{base}/summary", f"{base}/participants", base):
        assert ("Maria" in owner.get(address).text) is (address != base)  # the dashboard asks for its data later
        assert "Maria" not in analyst.get(address).text, address
        assert '"note":' not in analyst.get(f"/api{base}/summary").text.replace(" ", "").split('"results"')[0]


def answers_to(study: Study, task: dict[str, Any], who: int, number: int) -> dict[str, Any]:
    """What a participant says; the third one is like nobody else."""
    if study.kind == "ranking":
        shorter = "first" if len(task["first"]) < len(task["second"]) else "second"
        return {"choice": shorter if who < 2 else "first"}
    if study.kind == "ratings":
        scales = ("fluency", "meaning", "simplicity")
        return {"ratings": [{scale: 1 + (number + who * place) % 5 for place, scale in enumerate(scales)}]}
    if study.kind == "operations":
        groups = [{"source": [who], "target": [number % 2], "label": "synonym"}]
        return {"groups": groups, "erroneous": False, "done": True, "seconds": 20 + who}
    if task["phase"] == "question":
        return {"place": (number + who) % 4}
    return {"ready": True} if task["phase"] == "ready" else {"over": False}


def take_part(base: Any, study: Study, link: str, who: int) -> None:
    token = link.rsplit("/", 1)[1]
    with httpx.Client(base_url=base, timeout=LONG) as browser:
        state = good(browser.get(f"/api/p/{token}"))
        fields = {field["id"]: (field["options"] or ["33"])[0] for field in state["campaign"]["welcome"]["form"]}
        state = good(browser.post(f"/api/p/{token}/welcome", json={"consent": True, "fields": fields}))
        number = 0
        while state["tasks"]:
            task = state["tasks"][0]
            sent = {"client_id": f"c{number}", "task": task["id"], "answer": answers_to(study, task, who, number)}
            sent["seconds"] = 3.0 + number % 3
            state = good(browser.post(f"/api/p/{token}/responses", json={"responses": [sent]}))
            assert state["refused"] == []
            number += 1
    assert state["participant"]["finished"]


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.kind)
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_command_line_passes_over_them_too(
    owner: httpx.Client, study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The dashboard without them has the numbers of the exported files; with them, those of files without reasons."""
    data = {"kind": study.kind, "lang": "en", "name": "A study"}
    made = good(owner.post("/api/campaigns", data=data, files={study.slot: (study.file, study.content)}), 201)
    path = f"/api/campaigns/{made['id']}"
    good(owner.patch(path, json={"revision": 1, "status": "open"}))
    for who, link in enumerate(good(owner.post(f"{path}/participants", json={"count": 3}), 201)["links"]):
        take_part(owner.base_url, study, link["link"], who)
    leave_out(owner, made["id"], 3)

    def run(*arguments: str) -> Any:
        capsys.readouterr()
        assert main([*arguments, "--format", "json"]) in (None, 0)
        return json.loads(capsys.readouterr().out)

    with zipfile.ZipFile(io.BytesIO(owner.get(f"{path}/export.zip").content)) as packed:
        packed.extractall(tmp_path)
    without, everybody = (summary_of(owner, made["id"], everybody=all_)["results"] for all_ in (False, True))
    assert without["answers"] * 3 == everybody["answers"] * 2
    study.compare(tmp_path, without, run)
    with pytest.raises(AssertionError):
        study.compare(tmp_path, everybody, run)
    for file in (*tmp_path.glob("*.csv"), *tmp_path.glob("*.jsonl")):  # as docs/studio.md says
        text = file.read_text("utf-8")
        file.write_text(
            re.sub(r', "left_out": "[^"]*"', "", text.replace("left_out", "was_left_out", 1))
            if file.suffix == ".csv"
            else re.sub(r', "left_out": "[^"]*"', "", text),
            "utf-8",
        )
    study.compare(tmp_path, everybody, run)
    report = owner.get(f"{path}/report")
    if report.status_code == 200:
        assert owner.get(f"{path}/report", params={"everybody": True}).text != report.text


def test_left_out_by_an_owner_and_counted_by_a_switch(
    owner: httpx.Client, running: dict[str, Any], browse: Callable[..., Any]
) -> None:
    page = browse(f"/campaigns/{running['id']}/participants")
    page.get_by_role("button", name="Leave out P001").click()
    page.locator("dialog input").fill(WHY)
    page.locator("dialog .primary").click()
    page.locator("#people .badge.look", has_text="left out").wait_for()
    page.get_by_role("button", name="Count again P001").wait_for()

    page.goto(f"/campaigns/{running['id']}")
    page.get_by_text("Participants left out of these results: 1.").wait_for()
    page.get_by_text("Answers included: 1.").wait_for()
    page.locator("#everybody").check()
    page.get_by_text("Answers included: 3.").wait_for()
    page.locator("#everybody").uncheck()
    page.get_by_text("Answers included: 1.").wait_for()
    assert WHY in page.locator("#progress").inner_text()
