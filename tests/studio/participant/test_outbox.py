"""Unsent answers: only the studio itself can refuse them, and nothing that was given is thrown away."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from ...waiting import until

Look = Callable[..., Any]
HTML = "<html><body>Request rejected</body></html>"
WATCH = """
window.order = [];
const send = window.fetch;
window.fetch = (...given) => {
  if (String(given[0]).endsWith("/responses")) order.push("sent");
  return send(...given);
};
const draw = Element.prototype.replaceChildren;
Element.prototype.replaceChildren = function (...given) {
  if (this.id === "task") order.push("drawn");
  return draw.apply(this, given);
};
"""


def begin(page: Any) -> None:
    page.get_by_role("button", name="Start").click()
    page.locator(".ranking").wait_for()


def count(page: Any, expected: str) -> None:
    page.wait_for_function("expected => document.getElementById('count').textContent === expected", arg=expected)


def settled(page: Any) -> None:
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('plainly:'))")


def put_aside(page: Any) -> list[Any]:
    found = page.evaluate(
        "Object.keys(localStorage).filter(key => key.startsWith('plainly-refused:'))"
        ".map(key => localStorage.getItem(key))"
    )
    return [json.loads(each) for each in found]


@pytest.mark.parametrize("status", [400, 403, 404, 413, 422])
def test_what_a_proxy_refuses_is_kept_and_sent_again(sqlite_studio: Any, look: Look, status: int) -> None:
    campaign = sqlite_studio.campaign()
    page = look(sqlite_studio.invite(campaign), refusals=True)
    begin(page)
    left = [2]

    def refuse(route: Any) -> None:
        if left[0]:
            left[0] -= 1
            route.fulfill(status=status, content_type="text/html", body=HTML)
        else:
            route.continue_()

    page.route("**/responses", refuse)
    page.keyboard.press("ArrowRight")
    page.locator("#banner").wait_for(state="visible")
    assert "One answer" in page.locator("#banner").text_content()
    assert page.locator(".ranking").is_visible()  # and work goes on
    settled(page)
    assert [each.answer["choice"] for each in sqlite_studio.given(campaign)] == ["second"]
    assert put_aside(page) == []


def test_a_proxy_with_little_room_gets_them_one_by_one(sqlite_studio: Any, look: Look) -> None:
    campaign = sqlite_studio.campaign()
    page = look(sqlite_studio.invite(campaign), refusals=True)
    begin(page)
    sizes = []

    def refuse_many(route: Any) -> None:
        sizes.append(len(route.request.post_data_json["responses"]))
        if sizes[-1] > 1 or len(sizes) == 1:
            route.fulfill(status=413, content_type="text/html", body=HTML)
        else:
            route.continue_()

    page.route("**/responses", refuse_many)
    for _ in range(3):
        page.keyboard.press("ArrowLeft")

    def all_sent() -> bool:
        page.evaluate("dispatchEvent(new Event('online'))")  # it is tried again
        return len(sqlite_studio.given(campaign)) == 3

    until(all_sent)
    settled(page)
    assert max(sizes) == 3
    assert len(sqlite_studio.given(campaign)) == 3


def test_what_the_studio_refuses_is_put_aside(sqlite_studio: Any, look: Look) -> None:
    campaign = sqlite_studio.campaign()
    link = sqlite_studio.invite(campaign)
    here = look(link)
    begin(here)
    there = look(link)
    there.locator(".ranking").wait_for()
    there.keyboard.press("ArrowRight")
    settled(there)
    here.keyboard.press("ArrowLeft")  # was answered there
    here.wait_for_function("() => document.getElementById('notice').textContent.includes('not accepted')")
    settled(here)
    [kept] = put_aside(here)
    assert kept["answer"] == {"choice": "first"}
    assert kept["error"] == "This task has been answered before."


def test_a_whole_request_that_the_studio_refuses_is_put_aside(sqlite_studio: Any, look: Look) -> None:
    campaign = sqlite_studio.campaign()
    page = look(sqlite_studio.invite(campaign), refusals=True)
    begin(page)
    words = json.dumps({"error": "too much"})
    page.route("**/responses", lambda route: route.fulfill(status=413, content_type="application/json", body=words))
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('notice').textContent.includes('could not be read')")
    settled(page)
    assert [each["error"] for each in put_aside(page)] == ["too much"]


def test_the_page_of_a_foreign_network_does_not_end_the_study(sqlite_studio: Any, look: Look) -> None:
    page = look("about:blank", refusals=True)
    refused = []

    def refuse(route: Any) -> None:
        if len(refused) < 1:
            refused.append(route.request.url)
            route.fulfill(status=404, content_type="text/html", body=HTML)
        else:
            route.continue_()

    page.route("**/api/p/*", refuse)
    page.goto(sqlite_studio.invite(sqlite_studio.campaign()))
    page.get_by_role("button", name="Start").wait_for()
    assert refused


def test_an_answer_is_sent_before_the_next_task_is_drawn(sqlite_studio: Any, look: Look) -> None:
    page = look("about:blank")
    page.add_init_script(WATCH)
    page.goto(sqlite_studio.invite(sqlite_studio.campaign()))
    begin(page)
    page.evaluate("order.length = 0")
    page.keyboard.press("ArrowRight")
    count(page, "1/10")
    assert page.evaluate("order.slice(0, 2)") == ["sent", "drawn"]


def test_another_tab_asks_once_for_many_answers(sqlite_studio: Any, look: Look) -> None:
    campaign = sqlite_studio.campaign()
    link = sqlite_studio.invite(campaign)
    one = look(link)
    begin(one)
    other = one.context.new_page()
    other.clock.install()
    other.goto(link)
    other.locator(".ranking").wait_for()
    asked: list[str] = []
    shown: list[str] = []
    other.expose_function("note", lambda text: shown.append(text))
    other.evaluate(
        "new MutationObserver(() => note(document.getElementById('count').textContent))"
        ".observe(document.getElementById('count'), {childList: true, characterData: true, subtree: true})"
    )
    other.on("request", lambda request: asked.append(request.url) if request.method == "GET" else None)
    for done in range(1, 7):
        one.keyboard.press("ArrowLeft")
        count(one, f"{done}/10")
    settled(one)
    count(other, "6/10")
    other.clock.run_for(10_000)
    settled(other)
    assert 1 <= len(asked) <= 3
    numbers = [int(each.partition("/")[0]) for each in shown]
    assert numbers == sorted(numbers)  # what was sent elsewhere does not come back for a moment
    assert len(sqlite_studio.given(campaign)) == 6
