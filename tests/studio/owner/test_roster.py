"""The table of participants in a real browser: sorted, filtered, turned page by page; results stand above it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import httpx
import pytest

from plainly.studio.kinds.dashboards import Summary, counted

from .conftest import answer, good

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)]
expect = pytest.importorskip("playwright.sync_api", reason="no browser").expect


@pytest.fixture
def many(owner: httpx.Client, running: dict[str, Any], toy: ModuleType, monkeypatch: pytest.MonkeyPatch) -> str:
    """25 people; P002 and P014 are odd, P025 has answered once."""
    path = f"/api/campaigns/{running['id']}/participants"
    links = good(owner.post(path, json={"count": 23, "notes": ["Zoe", "Tom"]}), 201)["links"]
    answer(owner.base_url, links[-1]["link"], [{"yes": True}])
    odd = {"P002": ("one",), "P014": ("one", "two")}
    monkeypatch.setattr(
        toy.Toy, "summary", lambda self, c, p, given, say: Summary((counted("answers", len(given)),), suspicious=odd)
    )
    return str(running["id"])


def codes(page: Any) -> list[str]:
    return [text.split()[0] for text in page.locator("tbody th").all_inner_texts()]


def test_the_dashboard_shows_ten_people_below_the_results(browse: Callable[..., Any], many: str) -> None:
    page = browse(f"/campaigns/{many}")
    page.locator("#progress .badge.look").first.wait_for()
    assert codes(page) == [f"P{number:03}" for number in range(1, 11)]
    places = [page.locator(one).bounding_box()["y"] for one in ("#results", "#progress")]
    assert places == sorted(places)
    page.get_by_role("button", name="Next").click()
    assert codes(page) == [f"P{number:03}" for number in range(11, 21)]
    page.get_by_role("button", name="Next").click()
    assert codes(page) == [f"P{number:03}" for number in range(21, 26)]
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    page.get_by_text("21–25 of 25").wait_for()
    page.get_by_role("button", name="Show all").click()
    assert len(codes(page)) == 25


def test_people_are_sorted_by_a_column(browse: Callable[..., Any], many: str) -> None:
    page = browse(f"/campaigns/{many}")
    page.locator("#progress .badge.look").first.wait_for()
    page.get_by_role("button", name="Anything unusual").click()
    assert codes(page)[:3] == ["P014", "P002", "P001"]  # the oddest first, those with nothing in their order
    assert page.locator("[aria-sort=descending]").inner_text().startswith("Anything unusual")
    assert page.evaluate("document.activeElement.dataset.sort") == "remarks"
    page.get_by_role("button", name="Anything unusual").click()
    assert codes(page)[:2] == ["P002", "P014"]  # what is not known stays last
    page.get_by_label("Sort by").select_option("done")
    assert codes(page)[:3] == ["P001", "P002", "P025"]
    page.get_by_role("button", name="Participant").click()
    page.get_by_role("button", name="Participant").click()
    assert codes(page)[0] == "P025"


def test_only_some_are_shown_and_the_choice_stays(browse: Callable[..., Any], many: str, owner: httpx.Client) -> None:
    page = browse("/")
    page.clock.install()
    page.goto(f"/campaigns/{many}")
    page.locator("#progress .badge.look").first.wait_for()
    page.get_by_label("Show", exact=True).select_option("odd")
    assert codes(page) == ["P002", "P014"]
    good(owner.post(f"/api/campaigns/{many}/participants", json={"count": 1}), 201)
    page.clock.fast_forward(11_000)
    expect(page.locator("#tiles .value").first).to_have_text("26")
    assert codes(page) == ["P002", "P014"]
    page.get_by_label("Show", exact=True).select_option("active")
    assert codes(page) == ["P002", "P025"]
    page.get_by_label("Show", exact=True).select_option("")
    page.get_by_label("Find").fill("zoe")
    assert codes(page) == ["P003"]
    page.get_by_label("Find").fill("nobody")
    page.get_by_text("No participant matches.").wait_for()


def test_where_people_are_invited_the_table_does_the_same(browse: Callable[..., Any], many: str) -> None:
    page = browse(f"/campaigns/{many}/participants")
    assert len(codes(page)) == 10
    page.get_by_label("Find").fill("p02")
    assert codes(page) == [f"P{number:03}" for number in range(20, 26)]
    page.get_by_role("button", name="Revoke P025").click()
    page.locator("dialog .danger").click()
    page.locator(".badge.revoked").wait_for()
    assert codes(page) == [f"P{number:03}" for number in range(20, 26)]


def test_a_study_that_was_ended_says_so(
    browse: Callable[..., Any], many: str, app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plainly.studio.apart import TookTooLong

    whole = app.state.live._do

    def cut(*job: Any) -> Any:
        yield next(whole(*job))
        raise TookTooLong

    monkeypatch.setattr(app.state.live, "_do", cut)
    page = browse(f"/campaigns/{many}")
    page.get_by_text("took longer than five minutes").wait_for()
    assert len(codes(page)) == 10
