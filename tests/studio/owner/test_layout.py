"""Pages of owners keep to one grid, also on a phone; the report leads back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from .conftest import good

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def open_page(owner: httpx.Client, look: Callable[..., Any], server: str) -> Callable[..., Any]:
    def opened(path: str, **settings: Any) -> Any:
        page = look(f"{server}/login", **settings)
        cookies = [{"name": key, "value": value, "url": server} for key, value in owner.cookies.items()]
        page.context.add_cookies(cookies)
        page.goto(f"{server}{path}")
        return page

    return opened


@pytest.fixture
def judged(owner: httpx.Client, make: Callable[..., Any]) -> str:
    """A ranking in which two people have judged all pairs."""
    made = make(options='{"matches": 2}')
    base = f"/api/campaigns/{made['id']}"
    good(owner.patch(base, json={"revision": made["revision"], "status": "open"}))
    for link in good(owner.post(f"{base}/participants", json={"count": 2}), 201)["links"]:
        secret = link["link"].rpartition("/")[2]
        state = good(owner.post(f"/api/p/{secret}/welcome", json={"consent": True, "fields": {}}))
        sent = [
            {"client_id": f"r{task['id']}", "task": task["id"], "answer": {"choice": "first"}, "seconds": 9.0}
            for task in state["tasks"]
        ]
        good(owner.post(f"/api/p/{secret}/responses", json={"responses": sent}))
    return str(made["id"])


def test_on_a_phone_the_ranking_is_a_list_of_cards(open_page: Callable[..., Any], judged: str) -> None:
    page = open_page(f"/campaigns/{judged}", viewport={"width": 390, "height": 800})
    row = page.locator("#results tbody tr").first
    row.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for box in page.locator("#results .scroll").all():
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth"), "nothing scrolls sideways"
    wording = row.locator("td").last.bounding_box()
    assert wording["width"] > 250, "the wording has the whole width"


def test_labels_of_a_row_begin_at_one_height_and_so_do_their_fields(open_page: Callable[..., Any]) -> None:
    page = open_page("/users")
    for what in ("label", "input, select"):
        tops = [one.locator(what).bounding_box()["y"] for one in page.locator("#new-user .grid .field").all()[:3]]
        assert max(tops) - min(tops) < 1, what


def test_kinds_are_not_broken_in_the_list(open_page: Callable[..., Any], make: Callable[..., Any]) -> None:
    make("A name that is long enough to leave no room at all for what stands in the columns beside it " * 2)
    page = open_page("/", viewport={"width": 800, "height": 800})
    kind = page.locator("td.whole").first
    kind.evaluate("cell => { cell.textContent = 'Comprehension'; }")
    lines = "cell => { const all = document.createRange(); all.selectNodeContents(cell);"
    lines += " return all.getClientRects().length; }"
    assert kind.evaluate(lines) == 1


def test_the_report_leads_back_to_its_campaign(open_page: Callable[..., Any], judged: str) -> None:
    page = open_page(f"/campaigns/{judged}/report")
    page.get_by_role("link", name="Back to the campaign").click()
    page.locator("#campaign").wait_for()
    assert page.url.endswith(f"/campaigns/{judged}")


def test_head_and_tasks_of_participants_have_the_same_edges(
    owner: httpx.Client, make: Callable[..., Any], look: Callable[..., Any], server: str
) -> None:
    campaign = make()["id"]
    link = good(owner.post(f"/api/campaigns/{campaign}/preview"))["link"]
    page = look(server + "/p/" + link.rpartition("/")[2], viewport={"width": 1500, "height": 800})
    page.locator("#task h1").first.wait_for()
    edges = "one => { const style = getComputedStyle(one); const box = one.getBoundingClientRect();"
    edges += " return [box.left + parseFloat(style.paddingLeft), box.right - parseFloat(style.paddingRight)]; }"
    head, task = (page.locator(name).evaluate(edges) for name in (".shell", "main"))
    assert head == pytest.approx(task, abs=1)
