"""What nobody waits for: while a study is held, progress, files, uploads and other dashboards answer all the same."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import httpx
import pytest

from plainly.studio.apart import Ended, TookTooLong
from plainly.studio.kinds.dashboards import Summary, counted

from ...waiting import LONG, until
from .conftest import answer, good

AT_ONCE = {"wait": 0}


class Gate:
    """A study of the toy kind, held after its first part until somebody opens."""

    def __init__(self) -> None:
        self.held = threading.Event()
        self.opened = threading.Event()
        self.campaign = ""

    def growing(self, _: Any, campaign: Any, people: Any, given: Any, say: Any) -> Iterator[Summary]:
        yield Summary(headlines=(counted("first", len(given)),))
        if campaign.id == self.campaign:
            self.held.set()
            assert self.opened.wait(LONG)
        code = people[0].code if people else ""
        yield Summary(headlines=(counted("first", len(given)), counted("last", 7)), suspicious={code: ("odd",)})


@pytest.fixture
def gate(toy: ModuleType, running: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made = Gate()
    made.campaign = running["id"]
    monkeypatch.setattr(toy.Toy, "growing", lambda *given: made.growing(*given))
    yield made
    made.opened.set()


def labels(found: Any) -> list[str]:
    return [figure["label"] for figure in found["results"]["figures"]]


def test_while_a_study_is_held_everything_else_answers(
    owner: httpx.Client, running: dict[str, Any], gate: Gate, make_toy: Callable[..., Any]
) -> None:
    path = f"/api/campaigns/{running['id']}"
    good(owner.get(f"{path}/summary", params=AT_ONCE))
    assert gate.held.wait(LONG)
    found = good(owner.get(f"{path}/summary", params=AT_ONCE))
    assert [one["done"] for one in found["participants"]] == [2, 1]
    assert found["computing"] is True
    assert found["answers"] == 3
    assert labels(found) == ["first"]
    assert "answers.csv" in [file["name"] for file in good(owner.get(f"{path}/exports"))["exports"]]
    assert owner.get(f"{path}/export.zip").status_code == 200
    assert owner.get(f"/campaigns/{running['id']}/exports").status_code == 200
    data, files = {"kind": "toy", "lang": "en"}, {"words": ("words.txt", "ant\n")}
    good(owner.post("/api/campaigns/check", data=data, files=files))
    other = make_toy("Other")
    assert labels(good(owner.get(f"/api/campaigns/{other['id']}/summary"))) == ["first", "last"]
    assert not gate.opened.is_set()
    gate.opened.set()
    found = good(owner.get(f"{path}/summary"))
    assert found["computing"] is False
    assert labels(found) == ["first", "last"]
    assert found["participants"][0]["remarks"] == ["odd"]


def test_progress_goes_on_while_a_study_is_held(owner: httpx.Client, running: dict[str, Any], gate: Gate) -> None:
    path = f"/api/campaigns/{running['id']}"
    good(owner.get(f"{path}/summary", params=AT_ONCE))
    assert gate.held.wait(LONG)
    before = good(owner.get(f"{path}/summary", params=AT_ONCE))
    links = good(owner.post(f"{path}/participants", json={"count": 1}), 201)["links"]
    answer(owner.base_url, links[0]["link"], [{"yes": True}])
    known = {**AT_ONCE, "known": before["version"], "results": before["results"]["version"]}
    found = good(owner.get(f"{path}/summary", params=known))
    assert [one["done"] for one in found["participants"]] == [2, 1, 1]
    assert found["results"] == {
        "version": before["results"]["version"],
        "older": True,
        "at": before["results"]["at"],
        "answers": 3,
    }  # the rest is known


def test_files_do_not_wait_behind_a_report(
    owner: httpx.Client, running: dict[str, Any], toy: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, opened = threading.Event(), threading.Event()

    def slow(*_: Any) -> str:
        held.set()
        assert opened.wait(LONG)
        return "<title>Report</title>"

    monkeypatch.setattr(toy.Toy, "report", slow, raising=False)
    path = f"/api/campaigns/{running['id']}"
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(httpx.get, f"{owner.base_url}{path}/report", cookies=dict(owner.cookies), timeout=LONG)
        assert held.wait(LONG)
        assert owner.get(f"{path}/export.zip").status_code == 200
        good(owner.get(f"{path}/summary"))
        assert not asked.done()
        opened.set()
        assert asked.result().text == "<title>Report</title>"


@pytest.mark.parametrize(("error", "word"), [(TookTooLong, "limit"), (Ended, "fault"), (RuntimeError, "fault")])
def test_a_study_that_is_ended_shows_what_it_had(
    owner: httpx.Client,
    app: Any,
    running: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    error: type[Exception],
    word: str,
) -> None:
    live, path = app.state.live, f"/api/campaigns/{running['id']}/summary"
    whole = live._do

    def cut(*job: Any) -> Iterator[Any]:
        parts = whole(*job)
        yield next(parts)
        yield next(parts)
        raise error

    monkeypatch.setattr(live, "_do", cut)
    found = good(owner.get(path))
    assert (found["ended"], found["computing"], found["answers"]) == (word, False, 3)
    assert labels(found) == ["answers"]
    monkeypatch.setattr(live, "_do", whole)
    monkeypatch.setattr("plainly.studio.live.REST", 0)
    good(owner.post(f"/api/campaigns/{running['id']}/participants", json={"count": 1}), 201)
    until(lambda: good(owner.get(path))["ended"] == "", "a whole study")


def test_a_first_part_takes_the_place_of_no_whole(
    owner: httpx.Client, app: Any, running: dict[str, Any], gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/campaigns/{running['id']}"
    gate.opened.set()
    assert labels(good(owner.get(f"{path}/summary"))) == ["first", "last"]
    monkeypatch.setattr("plainly.studio.live.REST", 0)
    gate.opened.clear()
    gate.held.clear()
    good(owner.post(f"{path}/participants", json={"count": 1}), 201)
    good(owner.get(f"{path}/summary", params=AT_ONCE))
    assert gate.held.wait(LONG)
    found = good(owner.get(f"{path}/summary", params=AT_ONCE))
    assert labels(found) == ["first", "last"]
    assert (found["results"]["older"], found["computing"]) == (True, True)


def test_a_slow_study_rests(
    owner: httpx.Client, app: Any, running: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that took a second is followed by four of rest: until then the old results are shown."""
    moment = [100.0]
    monkeypatch.setattr("plainly.studio.live.monotonic", lambda: moment[0])
    live, path = app.state.live, f"/api/campaigns/{running['id']}"
    whole = live._do

    def slow(*job: Any) -> Iterator[Any]:
        moment[0] += 1
        yield from whole(*job)

    monkeypatch.setattr(live, "_do", slow)
    assert good(owner.get(f"{path}/summary"))["results"]["older"] is False
    good(owner.post(f"{path}/participants", json={"count": 1}), 201)
    moment[0] += 3.9
    assert good(owner.get(f"{path}/summary"))["results"]["older"] is True
    moment[0] += 0.2
    assert good(owner.get(f"{path}/summary"))["results"]["older"] is False
