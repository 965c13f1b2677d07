"""The whole circle in a real browser: from a platform to the study, through it, and back with the code."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from plainly.studio.security.secrets import new_secret

from ..crowd_platform import CrowdPlatform, crowd_platform
from ..end_to_end.studies import Ranking
from .conftest import good

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

Browse = Callable[..., Any]
FORM = [{"id": "level", "label": "Your level", "kind": "choice", "options": ["A1", "B1"], "required": True}]
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def platform() -> Iterator[CrowdPlatform]:
    with crowd_platform() as made:
        yield made


@pytest.fixture
def campaign(make: Callable[..., Any], owner: httpx.Client) -> Any:
    made = make(welcome=json.dumps({"form": FORM}))
    return good(owner.patch(f"/api/campaigns/{made['id']}", json={"revision": 1, "status": "open"}))


def settle(owner: httpx.Client, campaign: Any, platform: CrowdPlatform, **more: Any) -> None:
    path = f"/api/campaigns/{campaign['id']}"
    revision = good(owner.get(path))["revision"]
    arrival = {"on": True, "preset": "prolific", "code": "own", "back": platform.back, **more}
    platform.study = good(owner.put(f"{path}/arrival", json={"revision": revision, "arrival": arrival}))["link"][
        "address"
    ]


def send(page: Any, platform: CrowdPlatform, who: str) -> None:
    """From the platform to the page of the open link."""
    page.goto(f"{platform.url}/study?pid={who}")
    page.click("#open")
    page.locator("#begin").wait_for()


def begin(page: Any, level: str = "B1") -> None:
    page.click("#begin")
    page.wait_for_url("**/p/*")
    page.get_by_label(level).check()
    page.get_by_role("button", name="Start").click()


def test_the_whole_circle(
    browse: Browse, owner: httpx.Client, campaign: Any, platform: CrowdPlatform, faults_of: Callable[..., list[str]]
) -> None:
    settle(owner, campaign, platform)
    page = browse("/login", cookies=None, viewport={"width": 390, "height": 800})
    send(page, platform, "5f1")
    assert faults_of(page) == []
    begin(page)
    link = page.url
    Ranking().answer(page, 0)
    page.locator("[data-screen=finished] .code strong").wait_for()
    shown = page.locator(".code strong").inner_text()
    assert "P001" not in page.locator("main").inner_text()
    assert faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("link", name="Finish and go back").click()
    page.get_by_text("Welcome back").wait_for()
    (row,) = good(owner.get(f"/api/campaigns/{campaign['id']}/arrival/people"))["people"]
    assert platform.returned == [shown] == [row["completion"]]
    assert (row["platform_id"], row["status"], row["reason"]) == ("5f1", "finished", "odd"), "nobody is so quick"
    assert set(platform.referrers) <= {"", f"{platform.url}/study?pid=5f1"}, "personal links stay secret"

    send(page, platform, "5f1")  # no second try: this browser sees its last page, with the code
    page.click("#begin")
    page.wait_for_url(link)
    expect(page.locator(".code strong")).to_have_text(shown)
    other = browse("/login", cookies=None)
    send(other, platform, "5f1")
    other.click("#begin")
    other.get_by_role("heading", name="You have already taken part").wait_for()
    assert shown not in other.content()


def test_one_who_returns_goes_on_where_they_stopped(
    browse: Browse, owner: httpx.Client, campaign: Any, platform: CrowdPlatform
) -> None:
    settle(owner, campaign, platform)
    page = browse("/login", cookies=None)
    send(page, platform, "5f1")
    begin(page)
    Ranking().answer(page, 0, most=2)
    page.get_by_text("2/").wait_for()
    first = page.url
    send(page, platform, "5f1")
    page.click("#begin")
    page.wait_for_url(first)  # the same browser: the same link
    page.get_by_text("2/").wait_for()
    other = browse("/login", cookies=None)
    send(other, platform, "5f1")
    other.click("#begin")
    other.wait_for_url("**/p/*")
    other.get_by_text("2/").wait_for()
    assert other.url != first
    assert len(good(owner.get(f"/api/campaigns/{campaign['id']}/arrival/people"))["people"]) == 1


def test_full_and_screened_out(
    browse: Browse, owner: httpx.Client, campaign: Any, platform: CrowdPlatform, faults_of: Callable[..., list[str]]
) -> None:
    failure = {"failure_code": "SCREENED", "failure_back": platform.back}
    settle(owner, campaign, platform, quota=1, screen={"level": ["A1"]}, **failure)
    page = browse("/login", cookies=None)
    send(page, platform, "5f1")
    begin(page, "A1")
    page.get_by_role("heading", name="You cannot take part in this study").wait_for()
    expect(page.locator(".code strong")).to_have_text("SCREENED")
    expect(page.locator("#progress")).to_be_hidden()
    expect(page.locator("#undo")).to_be_hidden()
    said = page.locator("main").inner_text()
    assert "Please press the button to finish." in said
    assert "nothing more you need to do" not in said
    assert "completion" not in said
    assert faults_of(page) == []
    page.reload()
    page.get_by_role("link", name="Finish and go back").click()
    page.get_by_text("Welcome back").wait_for()
    assert platform.returned == ["SCREENED"]
    send(page, platform, "5f2")
    begin(page)
    page.locator("#task .match, #text-first").first.wait_for()
    late = browse("/login", cookies=None)
    send(late, platform, "5f3")
    late.click("#begin")
    late.get_by_role("heading", name="The study is full").wait_for()
    assert faults_of(late) == []


def test_the_campaign_is_opened_on_the_page_that_settled_the_link(browse: Browse, make: Callable[..., Any]) -> None:
    page = browse(f"/campaigns/{make()['id']}/participants")
    page.locator("#open-settings summary").click()
    page.check("#open-on")
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator("#open-form .message.good").wait_for()
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator("dialog").get_by_role("button", name="Open", exact=True).click()
    page.locator("#campaign .badge.open").wait_for()


def test_the_owner_settles_it_and_decides(
    browse: Browse,
    owner: httpx.Client,
    campaign: Any,
    platform: CrowdPlatform,
    faults_of: Callable[..., list[str]],
    tmp_path: Path,
) -> None:
    page = browse(f"/campaigns/{campaign['id']}/participants")
    page.locator("#open-settings summary").click()
    page.check("#open-on")
    page.select_option("#preset", "prolific")
    page.fill("#quota", "2")
    page.select_option("#group", "level")
    page.get_by_label("Quota of “B1”").fill("1")
    page.select_option("#code", "fixed")
    page.fill("#fixed_code", "C0DE")
    page.fill("#back", "http://example.org/?c={code}")
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator("#open-form .message.bad").wait_for()
    assert "https://" in page.locator("#open-form .message.bad").inner_text()
    page.fill("#back", platform.back)
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator("#open-form .message.good").wait_for()
    address = page.locator("#open-address").inner_text()
    assert address.endswith("PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}")
    platform.study = address.split("?")[0]
    guest = browse("/login", cookies=None)
    send(guest, platform, "5f1")
    begin(guest)
    Ranking().answer(guest, 0)
    guest.locator(".code strong").wait_for()
    expect(guest.locator(".code strong")).to_have_text("C0DE")
    page.reload()
    page.locator("#came tbody tr").wait_for()
    assert page.locator("#open-state tbody tr").all_inner_texts() == ["All\t2\t1\t0", "B1\t1\t1\t0"]
    assert "Look at it: finished, but something is odd." in page.locator("#came tbody").inner_text()
    page.get_by_label("Decision on P001").select_option("approve")
    page.reload()
    expect(page.get_by_label("Decision on P001")).to_have_value("approve")
    for summary in page.locator("summary").all():
        summary.click()
    assert faults_of(page) == []
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save ids to approve").click()
    saved.value.save_as(tmp_path / "approve.csv")
    assert (tmp_path / "approve.csv").read_text() == "5f1\n"
    (tmp_path / "demographics.csv").write_text("Participant id,Age\n5f1,34\nelsewhere,19\n")
    page.locator("#platform-file").set_input_files(tmp_path / "demographics.csv")
    page.get_by_role("button", name="Read the file").click()
    page.get_by_label("Age", exact=True).check()
    assert "elsewhere" in page.locator("#platform-found").inner_text()
    page.get_by_role("button", name="Take over what is ticked").click()
    page.get_by_text("Taken over: Age. Participants: 1.").wait_for()
    page.get_by_role("button", name="Leave out P001").click()
    page.get_by_role("textbox", name="Reason").fill("too quick")
    page.locator("dialog").get_by_role("button", name="Leave out").click()
    page.get_by_text("you left this person out of the results (too quick)").wait_for()
    assert page.locator("#open-state tbody tr").first.inner_text() == "All\t2\t0\t0"
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save ids to reject").click()
    saved.value.save_as(tmp_path / "reject.csv")
    assert (tmp_path / "reject.csv").read_text() == ""
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_what_mechanical_turk_takes(browse: Browse, owner: httpx.Client, campaign: Any, tmp_path: Path) -> None:
    path = f"/api/campaigns/{campaign['id']}/arrival"
    revision = good(owner.get(f"/api/campaigns/{campaign['id']}"))["revision"]
    found = good(owner.put(path, json={"revision": revision, "arrival": {"on": True, "preset": "mturk"}}))
    given = {"workerId": "W1", "assignmentId": "A1", "hitId": "H1"}
    arriving = {"secret": new_secret(), "parameters": given}
    good(owner.post(f"/api/j/{found['link']['address'].rpartition('/')[2]}", json=arriving))
    page = browse(f"/campaigns/{campaign['id']}/participants")
    page.get_by_label("Decision on P001").select_option("reject")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save ids to reject").click()
    saved.value.save_as(tmp_path / "reject.csv")
    rows = list(csv.reader((tmp_path / "reject.csv").read_text().splitlines()))
    # The worker reads the last cell, so it says nothing that is meant for the owner.
    assert rows == [
        ["HITId", "AssignmentId", "WorkerId", "Approve", "Reject"],
        ["H1", "A1", "W1", "", "Your work could not be accepted."],
    ]
