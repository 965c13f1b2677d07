"""The dashboard's numbers, pictures, reports and files."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from plainly.base.plain_data import plain_data
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.dashboards import Grid, Picture, Summary

from .conftest import answer, good


def test_the_summary_has_progress_and_results(owner: httpx.Client, running: dict[str, Any]) -> None:
    found = good(owner.get(f"/api/campaigns/{running['id']}/summary"))
    assert found["answers"] == 3
    assert found["pace"] == 0.5  # the median of 0.5, 0.5 and 1.25 seconds
    assert [one["remarks"] for one in found["participants"]] == [[], []]
    assert found["results"]["figures"][0]["value"] == 3
    assert found["results"]["older"] is False


def test_nothing_new_costs_nothing(
    owner: httpx.Client, app: Any, running: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/campaigns/{running['id']}/summary"
    version = good(owner.get(path))["version"]
    kind = get_kind("toy")
    monkeypatch.setattr(type(kind), "summary", lambda *_: pytest.fail("computed again"))
    assert good(owner.get(path, params={"known": version})) == {"version": version}


def test_whatever_changes_is_seen(owner: httpx.Client, running: dict[str, Any]) -> None:
    path = f"/api/campaigns/{running['id']}"

    def more() -> None:
        links = good(owner.post(f"{path}/participants", json={"count": 1}), 201)["links"]
        answer(owner.base_url, links[0]["link"], [{"yes": True}])

    changes: list[Callable[[], object]] = [
        more,
        lambda: good(owner.post(f"{path}/participants/2/revoke"), 204),
        lambda: good(owner.patch(path, json={"revision": running["revision"], "name": "Other"})),
        lambda: good(owner.delete(f"{path}/participants/2"), 204),
    ]
    version = good(owner.get(f"{path}/summary"))["version"]
    for change in changes:
        change()
        newer = good(owner.get(f"{path}/summary", params={"known": version}))["version"]
        assert newer != version
        version = newer


def test_a_picture_is_an_image_of_its_own(
    owner: httpx.Client, running: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"name": "<script>alert(1)</script>", "value": 3}]
    encoding = {"x": {"field": "value", "type": "quantitative"}, "y": {"field": "name", "type": "nominal"}}
    spec = {"data": {"values": rows}, "mark": {"type": "bar", "fill": "var(--accent)"}, "encoding": encoding}
    made = Summary(pictures=(Picture("bars", "Bars", "Three.", spec),))
    monkeypatch.setattr(type(get_kind("toy")), "summary", lambda *_: made)
    path = f"/api/campaigns/{running['id']}"
    assert good(owner.get(f"{path}/summary"))["results"]["pictures"] == [
        {"name": "bars", "title": "Bars", "words": "Three."}
    ]
    reply = owner.get(f"{path}/pictures/bars.svg", params={"width": 500})
    assert reply.headers["Content-Type"].startswith("image/svg+xml")
    assert "sandbox" in reply.headers["Content-Security-Policy"]
    assert reply.text.startswith("<svg")
    assert "<script" not in reply.text
    assert "var(--accent)" in reply.text
    assert "--accent: #005f9e" in reply.text
    assert owner.get(f"{path}/pictures/other.svg").status_code == 404
    assert owner.get(f"{path}/pictures/bars.svg", params={"width": 9999}).status_code == 422


def test_numbers_that_json_cannot_hold() -> None:
    numpy = pytest.importorskip("numpy")
    grid = Grid("t", ("a",), ((float("nan"), numpy.float64(2.5), numpy.int64(3), float("inf")),))
    assert json.dumps(plain_data({"rows": grid.rows})) == '{"rows": [[null, 2.5, 3, null]]}'


def test_exports_one_by_one_and_all_at_once(owner: httpx.Client, running: dict[str, Any]) -> None:
    path = f"/api/campaigns/{running['id']}"
    names = [file["name"] for file in good(owner.get(f"{path}/exports"))["exports"]]
    assert names == ["answers.csv", "participants.csv", "campaign.json"]
    reply = owner.get(f"{path}/exports/answers.csv")
    assert reply.headers["Content-Disposition"] == 'attachment; filename="answers.csv"'
    assert len(list(csv.DictReader(io.StringIO(reply.text)))) == 3
    with zipfile.ZipFile(io.BytesIO(owner.get(f"{path}/export.zip").content)) as archive:
        assert archive.namelist() == names
        assert archive.read("answers.csv").decode() == reply.text
        people = list(csv.DictReader(io.StringIO(archive.read("participants.csv").decode())))
    assert [row["participant"] for row in people] == ["P001", "P002"]
    assert people[0]["median_seconds"] == "0.5"
    assert "form.age" in people[0]
    assert "Maria" not in str(people)  # notes are for the owner alone
    assert owner.get(f"{path}/exports/..%2f..%2fetc").status_code == 404


def test_forms_are_safe_for_spreadsheets(owner: httpx.Client, make_toy: Callable[..., Any]) -> None:
    form = '{"form": [{"id": "job", "label": "Job", "kind": "text"}]}'
    made = make_toy(welcome=form)
    good(owner.patch(f"/api/campaigns/{made['id']}", json={"revision": 1, "status": "open"}))
    link = good(owner.post(f"/api/campaigns/{made['id']}/participants", json={}), 201)["links"][0]["link"]
    fields = {"job": '=HYPERLINK("http://evil")'}
    good(owner.post(f"/api/p/{link.rsplit('/', 1)[1]}/welcome", json={"consent": True, "fields": fields}))
    rows = list(csv.DictReader(io.StringIO(owner.get(f"/api/campaigns/{made['id']}/exports/participants.csv").text)))
    assert rows[0]["form.job"] == '\'=HYPERLINK("http://evil")'


def test_a_report_is_shut_in(owner: httpx.Client, running: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"/campaigns/{running['id']}/report"
    assert owner.get(path).status_code == 404  # the toy kind has none
    page = "<!DOCTYPE html><title>x</title><script>document.title = 'y'</script>"
    monkeypatch.setattr(type(get_kind("toy")), "report", lambda *_: page, raising=False)
    for address in (path, f"/api{path}"):
        reply = owner.get(address)
        assert reply.text == page
        policy = reply.headers["Content-Security-Policy"]
        assert policy.startswith("sandbox allow-scripts allow-downloads; default-src 'none'")
        # printf "document.title = 'y'" | openssl dgst -sha256 -binary | base64
        assert "'sha256-YO4KUMobNbtAxBCb9AG0M/Lpw4t3DwirObf5TvQ8Oj4='" in policy
        assert "allow-same-origin" not in policy
