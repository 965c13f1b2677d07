"""One participant in two windows: no work is lost unseen, and what is shown is what is stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plainly.studio.kinds.base import Material
from plainly.studio.store.overview import given

Link = Callable[..., str]
SYNONYM = "button[data-label=synonym]"


def stored(app: Any) -> dict[str, Any]:
    with app.state.database.reading() as session:
        found = given(session, app.state.last_campaign)
    return {one.task["pair"]: [group["source"] for group in one.answer["groups"]] for one in found}


def settled(page: Any) -> None:
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.startsWith('plainly:'))")


def label(page: Any, place: int) -> None:
    """The words at this place of both texts become synonyms."""
    for side in page.locator(".side").all():
        side.locator(".word").nth(place).click()
    page.locator(SYNONYM).click()


def groups(page: Any, count: int) -> None:
    """Waits until so many groups are shown."""
    page.wait_for_function("count => document.querySelectorAll('.groups .group').length === count", arg=count)


def test_a_save_from_a_state_that_is_gone_is_refused_in_words(
    look: Any, link: Link, material: Material, app: Any
) -> None:
    address = link(material)
    here = look(address)
    there = look(address)
    label(there, 0)
    label(there, 1)
    settled(there)
    before = stored(app)
    label(here, 2)  # knows nothing of the other two
    here.locator("#notice").wait_for(state="visible")
    assert "changed in another window" in here.locator("#notice").inner_text()
    groups(here, 2)  # what is stored
    assert stored(app) == before
    label(here, 2)
    settled(here)
    groups(here, 3)
    [kept] = stored(app).values()
    assert kept == [[0], [1], [2]]


def test_saves_of_one_window_follow_each_other_while_the_server_is_slow(
    look: Any, link: Link, material: Material, app: Any
) -> None:
    page = look(link(material), refusals=True)
    page.context.set_offline(True)
    for place in range(3):
        label(page, place)
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    label(page, 3)
    settled(page)
    assert page.locator("#notice").is_hidden()
    [kept] = stored(app).values()
    assert kept == [[0], [1], [2], [3]]
    page.reload()
    page.wait_for_selector(".operations .word")
    groups(page, 4)
    label(page, 4)
    settled(page)
    [kept] = stored(app).values()
    assert len(kept) == 5


def test_a_second_tab_shows_what_the_first_one_saved(look: Any, link: Link, material: Material, app: Any) -> None:
    address = link(material)
    one = look(address)
    label(one, 0)
    settled(one)
    other = look(address, beside=one)
    groups(other, 1)
    label(other, 1)
    groups(one, 2)
    assert "another window" in one.locator("#notice").inner_text()
    label(one, 2)
    settled(one)
    groups(other, 3)
    [kept] = stored(app).values()
    assert kept == [[0], [1], [2]]


def test_the_server_keeps_the_answer_that_stands(link: Link, material: Material, client: Any) -> None:
    path = "/api/p/" + link(material).rsplit("/", 1)[1]
    [first, *_] = client.post(f"{path}/welcome", json={"consent": True}).json()["tasks"]
    assert first["base"] == ""
    empty = {"groups": [], "erroneous": False, "done": False, "seconds": 1}

    def send(name: str, base: str | None) -> dict[str, Any]:
        one = {"client_id": name, "task": first["id"], "answer": empty, "base": base}
        reply: dict[str, Any] = client.post(f"{path}/responses", json={"responses": [one]}).json()
        return reply

    assert send("a", "")["stored"] == ["a"]
    assert client.get(f"{path}/tasks/{first['id']}").json()["base"] == "a"
    assert send("a", "")["stored"] == ["a"]  # a repeat is no second answer
    [refused] = send("b", "")["refused"]
    assert "Task 1 was changed" in refused["error"]
    assert send("c", "a")["stored"] == ["c"]
    assert send("d", None)["stored"] == ["d"]  # who does not say where it started from is not asked
    both = [
        {"client_id": "e", "task": first["id"], "answer": empty, "base": "d"},
        {"client_id": "f", "task": first["id"], "answer": empty, "base": "e"},
    ]
    assert client.post(f"{path}/responses", json={"responses": both}).json()["stored"] == ["e", "f"]
