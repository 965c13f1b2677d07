"""Drafts made anew, copies, and items that are added to campaigns that run; and what that means for who has begun."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import func, select

from plainly.studio.store import tables

from .conftest import TEXTS, good

Make = Callable[..., Any]
MORE = "id,text\nt5,A new text.\nt6,Yet another text.\n"
OUTPUTS = "id,source,a,b\n1,One two three.,One.,Two.\n2,Four five six.,Four.,Five.\n"
MORE_OUTPUTS = "id,source,a,b\n3,Seven eight.,Seven.,Eight.\n"
PAIRS = "id,source,simplification\n1,The feline slept.,The cat slept.\n2,Rain fell.,It rained.\n"
MORE_PAIRS = "source,simplification\nThe vessel sank.,The ship sank.\n"
EXPERIMENT = """
name: Short
lang: en
passages:
- id: one
  versions:
  - {id: original, text: The feline slept upon the sofa.}
  - {id: simple, text: The cat slept on the sofa.}
  questions:
  - {id: q1, text: "Who slept?", correct: a cat, distractors: [a dog, a bird, a fish]}
- id: two
  versions:
  - {id: original, text: Rain fell incessantly all day.}
  - {id: simple, text: It rained all day.}
  questions:
  - {id: q2, text: "What fell?", correct: rain, distractors: [snow, hail, ash]}
"""


def put(
    owner: httpx.Client, made: Any, files: Any = None, revision: int | None = None, **data: Any
) -> httpx.Response:
    said = {"name": made["name"], "lang": made["lang"], "interface": made["interface"], "welcome": made["welcome"]}
    whole = {**said, "revision": revision or made["revision"], "options": made["options"], **data}
    coded = {name: value if isinstance(value, str) else json.dumps(value) for name, value in whole.items()}
    return owner.put(f"/api/campaigns/{made['id']}/draft", data=coded, files=files or {"none": ("", b"")})


def make_of(owner: httpx.Client, kind: str, slot: str, name: str, content: str, **options: Any) -> Any:
    data = {"kind": kind, "lang": "en", "name": kind, "options": json.dumps(options)}
    return good(owner.post("/api/campaigns", data=data, files={slot: (name, content)}), 201)


def opened(owner: httpx.Client, made: Any, people: int) -> list[str]:
    """The links of so many participants, of a campaign that runs."""
    path = f"/api/campaigns/{made['id']}"
    good(owner.patch(path, json={"revision": made["revision"], "status": "open"}))
    links = good(owner.post(f"{path}/participants", json={"count": people}), 201)["links"]
    return [one["link"].rsplit("/", 1)[1] for one in links]


def begin(owner: httpx.Client, token: str) -> dict[str, Any]:
    with httpx.Client(base_url=owner.base_url) as browser:
        return dict(good(browser.post(f"/api/p/{token}/welcome", json={"consent": True, "fields": {}})))


def add(owner: httpx.Client, made: Any, slot: str, name: str, content: str, **data: Any) -> httpx.Response:
    now = good(owner.get(f"/api/campaigns/{made['id']}"))
    data = {"revision": str(now["revision"]), **{key: json.dumps(value) for key, value in data.items()}}
    return owner.post(f"/api/campaigns/{made['id']}/items", data=data, files={slot: (name, content)})


def tasks_of(app: Any, made: Any) -> dict[int, list[dict[str, Any]]]:
    with app.state.database.reading() as session:
        query = (
            select(tables.Participant.number, tables.Task.content)
            .join(tables.Task, tables.Task.participant_id == tables.Participant.id)
            .where(tables.Participant.campaign_id == made["id"])
            .order_by(tables.Task.place)
        )
        found: dict[int, list[dict[str, Any]]] = {}
        for number, content in session.execute(query):
            found.setdefault(number, []).append(content)
        return found


def test_everything_of_a_draft_can_be_changed(owner: httpx.Client, make: Make, app: Any) -> None:
    made = make()
    path = f"/api/campaigns/{made['id']}"
    assert good(owner.get(f"{path}/draft"))["files"] == {"texts": "texts.csv"}
    good(owner.post(f"{path}/preview"))
    options = {**made["options"], "matches": 2, "ties": True}
    new = good(put(owner, made, options=options, name="Other", lang="de", interface="de", seed="77"))
    assert new["options"]["ties"] is True
    assert (new["name"], new["lang"], new["interface"], new["seed"]) == ("Other", "de", "de", 77)
    assert (new["items"], new["revision"]) == (4, made["revision"] + 1)
    with app.state.database.reading() as session:  # the tasks of the preview were those of other options
        assert session.scalar(select(func.count()).select_from(tables.Participant)) == 0
    newer = good(put(owner, new, files={"texts": ("more.csv", f"{TEXTS}t9,The last one.\n")}))
    assert newer["items"] == 5
    assert newer["seed"] == 77  # it stays
    assert good(owner.get(f"{path}/draft"))["files"] == {"texts": "more.csv"}


def test_files_of_a_draft_can_go(owner: httpx.Client) -> None:
    files = {"texts": ("t.csv", TEXTS), "pairs": ("p.csv", "first,second\nt1,t2\n")}
    data = {"kind": "ranking", "lang": "en", "name": "A", "options": json.dumps({"pairs": "fixed"})}
    made = good(owner.post("/api/campaigns", data=data, files=files), 201)
    assert "there is a file of pairs" in put(owner, made, options={"pairs": "balanced"}).json()["error"]
    good(put(owner, made, options={"pairs": "balanced"}, without=["pairs"]))
    assert good(owner.get(f"/api/campaigns/{made['id']}/draft"))["files"] == {"texts": "t.csv"}
    refused = put(owner, made, revision=2, options={}, without=["texts"])
    assert "the file for 'texts' is missing" in refused.json()["error"]


def test_of_two_owners_who_edit_at_once_the_second_is_told(owner: httpx.Client, make: Make) -> None:
    made = make()
    good(put(owner, made, name="First", options={"matches": 2}))
    late = put(owner, made, name="Second", options={"matches": 3})
    assert late.status_code == 409
    assert "somebody else" in late.json()["error"]
    now = good(owner.get(f"/api/campaigns/{made['id']}"))
    assert (now["name"], now["options"]["matches"]) == ("First", 2)


def test_drafts_that_are_refused(owner: httpx.Client, make: Make, analyst: httpx.Client) -> None:
    made = make()
    for wrong in (
        {"options": {"matches": 0}},
        {"options": [1]},
        {"lang": "klingonisch"},
        {"interface": "xx"},
        {"name": ""},
        {"welcome": {"tea": 1}},
        {"seed": "-1"},
        {"seed": "x"},
        {"revision": "99999999999999"},
        {"without": 7},
        {"kind": "ratings"},
        {"columns": {"texts": {"id": "no such"}}},
    ):
        assert put(owner, made, **wrong).status_code == 422, wrong
    assert put(owner, made, seed="9999999999").status_code == 200  # the largest there is
    path = f"/api/campaigns/{made['id']}"
    for method, address in (("GET", "draft"), ("PUT", "draft"), ("POST", "duplicate"), ("POST", "items")):
        assert analyst.request(method, f"{path}/{address}").status_code == 403
    good(owner.patch(path, json={"revision": 2, "status": "open"}))
    assert put(owner, made, revision=3).status_code == 409


def test_a_check_uses_the_files_of_the_draft(owner: httpx.Client, make: Make) -> None:
    made = make()
    data = {"kind": "ranking", "lang": "en", "options": json.dumps({"matches": 1}), "campaign": made["id"]}
    found = good(owner.post("/api/campaigns/check", data=data, files={"none": ("", b"")}))
    assert found["items"] == 4
    assert owner.post("/api/campaigns/check", data={**data, "campaign": "nosuch"}).status_code == 404


def test_a_copy_has_no_people_and_can_be_changed(owner: httpx.Client, make: Make, app: Any) -> None:
    made = make(options=json.dumps({"matches": 2, "ties": True}))
    [token] = opened(owner, made, 1)
    begin(owner, token)
    copy = good(owner.post(f"/api/campaigns/{made['id']}/duplicate", json={"name": "Again"}), 201)
    assert (copy["name"], copy["status"], copy["items"], copy["revision"]) == ("Again", "draft", 4, 1)
    assert copy["welcome"] == made["welcome"]
    assert copy["options"] == made["options"]
    assert copy["id"] != made["id"]
    assert copy["seed"] != made["seed"]
    assert good(owner.get(f"/api/campaigns/{copy['id']}/participants"))["participants"] == []
    assert good(put(owner, copy, options={**copy["options"], "matches": 1}))["options"]["matches"] == 1
    assert good(owner.get(f"/api/campaigns/{made['id']}"))["options"]["matches"] == 2
    now = good(owner.get(f"/api/campaigns/{made['id']}"))
    good(owner.patch(f"/api/campaigns/{made['id']}", json={"revision": now["revision"], "status": "closed"}))
    good(owner.post(f"/api/campaigns/{made['id']}/duplicate", json={"name": "And again"}), 201)
    assert owner.post(f"/api/campaigns/{made['id']}/duplicate", json={"name": ""}).status_code == 422
    assert owner.post("/api/campaigns/nosuch/duplicate", json={"name": "A"}).status_code == 404


def test_texts_added_to_a_ranking(owner: httpx.Client, make: Make, app: Any) -> None:
    """Who has begun keeps the pairs; matches keep their names; new texts meet as many others as the old ones."""
    made = make(options=json.dumps({"matches": 2}))
    first, second = opened(owner, made, 2)
    begin(owner, first)
    before = tasks_of(app, made)[1]
    grown = good(add(owner, made, "texts", "more.csv", MORE))
    assert (grown["added"], grown["items"]) == (2, 6)
    begin(owner, second)
    after = tasks_of(app, made)
    assert after[1] == before
    old = {frozenset((one["first"], one["second"])): one["match"] for one in before}
    new = {frozenset((one["first"], one["second"])): one["match"] for one in after[2]}
    assert old.items() < new.items()
    assert len({*new.values()}) == len(new)  # no name stands for two pairs
    met = [name for pair in new for name in pair]
    assert {name: met.count(name) for name in ("t5", "t6")} == {"t5": 2, "t6": 2}
    state = good(httpx.get(f"{owner.base_url}/api/p/{first}"))
    assert state["progress"] == {"done": 0, "total": len(before)}
    assert owner.get(f"/api/campaigns/{made['id']}/export.zip").status_code == 200


def test_adaptive_pairs_find_new_texts(owner: httpx.Client, make: Make, app: Any) -> None:
    texts = "id,text\n" + "".join(f"t{number},Text number {number}.\n" for number in range(1, 5))
    made = make(texts=texts, options=json.dumps({"pairs": "swiss", "per_person": 10}))
    [token] = opened(owner, made, 1)
    state = begin(owner, token)
    good(add(owner, made, "texts", "more.csv", MORE))
    seen: set[str] = set()
    with httpx.Client(base_url=owner.base_url) as browser:
        for number in range(10):
            task = state["tasks"][0]
            sent = {"client_id": f"c{number}", "task": task["id"], "answer": {"choice": "first"}, "seconds": 2.0}
            state = good(browser.post(f"/api/p/{token}/responses", json={"responses": [sent]}))
            seen.update((task["first"], task["second"]))
    assert state["participant"]["finished"]
    assert {"A new text.", "Yet another text."} <= seen


def test_pairs_of_a_file_need_new_pairs(owner: httpx.Client, app: Any) -> None:
    files = {"texts": ("t.csv", TEXTS), "pairs": ("p.csv", "first,second\nt1,t2\nt3,t4\n")}
    data = {"kind": "ranking", "lang": "en", "name": "A", "options": json.dumps({"pairs": "fixed"})}
    made = good(owner.post("/api/campaigns", data=data, files=files), 201)
    [token] = opened(owner, made, 1)
    refused = add(owner, made, "texts", "more.csv", MORE)
    assert "give the new pairs, too" in refused.json()["error"]
    now = good(owner.get(f"/api/campaigns/{made['id']}"))
    files = {"texts": ("m.csv", MORE), "pairs": ("q.csv", "first,second\nt5,t1\nt6,t5\n")}
    path = f"/api/campaigns/{made['id']}/items"
    good(owner.post(path, data={"revision": str(now["revision"])}, files=files))
    begin(owner, token)
    pairs = {frozenset((one["first"], one["second"])): one["match"] for one in tasks_of(app, made)[1]}
    assert pairs == {
        frozenset(("t1", "t2")): "1",
        frozenset(("t3", "t4")): "2",
        frozenset(("t5", "t1")): "3",
        frozenset(("t6", "t5")): "4",
    }


def test_outputs_added_to_ratings(owner: httpx.Client, app: Any) -> None:
    made = make_of(owner, "ratings", "outputs", "o.csv", OUTPUTS, checks=0, scales=["meaning | Same? | no | yes"])
    first, second = opened(owner, made, 2)
    begin(owner, first)
    before = tasks_of(app, made)[1]
    assert good(add(owner, made, "outputs", "more.csv", MORE_OUTPUTS))["items"] == 3
    begin(owner, second)
    after = tasks_of(app, made)
    assert after[1] == before
    assert {page["item"] for page in after[2]} == {"1", "2", "3"}
    assert "there already: 3" in add(owner, made, "outputs", "more.csv", MORE_OUTPUTS).json()["error"]
    check = "id,source,output,meaning\nc,One.,Two.,1..2\n"
    files = {"outputs": ("m.csv", MORE_OUTPUTS), "checks": ("c.csv", check)}
    path = f"/api/campaigns/{made['id']}/items"
    assert "cannot be added" in owner.post(path, data={"revision": "3"}, files=files).json()["error"]
    turned = "id,source,system,output,role\n9,S.,a,O.,reference\n"
    assert "or the reverse" in add(owner, made, "outputs", "more.csv", turned).json()["error"]


def test_pairs_added_to_operations(owner: httpx.Client, app: Any) -> None:
    made = make_of(owner, "operations", "pairs", "p.csv", PAIRS, sharing="shared", people=1, overlap=50)
    first, second = opened(owner, made, 2)
    begin(owner, first)
    before = tasks_of(app, made)[1]
    assert good(add(owner, made, "pairs", "more.csv", MORE_PAIRS))["items"] == 3  # without an id: the next number
    begin(owner, second)
    after = tasks_of(app, made)
    assert after[1] == before
    assert {task["pair"] for task in after[2]} == {"1", "2", "3"}


def test_what_cannot_be_added_to(owner: httpx.Client, make: Make) -> None:
    draft = make()
    assert "is a draft" in add(owner, draft, "texts", "more.csv", MORE).json()["error"]
    study = make_of(owner, "comprehension", "experiment", "e.yaml", EXPERIMENT)
    assert not study["grows"]
    opened(owner, study, 1)
    refused = add(owner, study, "experiment", "e.yaml", EXPERIMENT)
    assert refused.status_code == 422
    assert "balanced" in refused.json()["error"]
    opened(owner, draft, 1)
    path = f"/api/campaigns/{draft['id']}/items"
    late = owner.post(path, data={"revision": "1"}, files={"texts": ("more.csv", MORE)})
    assert late.status_code == 409
    assert "there already: t1" in add(owner, draft, "texts", "t.csv", TEXTS).json()["error"]
    assert add(owner, draft, "texts", "more.csv", MORE, options=[1]).status_code == 422
    some = make(options=json.dumps({"per_person": 2}))
    opened(owner, some, 1)
    assert "would never be judged" in add(owner, some, "texts", "more.csv", MORE).json()["error"]


def test_a_draft_is_edited_and_copied_in_the_browser(browse: Any, owner: httpx.Client, tmp_path: Path) -> None:
    made = make_of(owner, "ratings", "outputs", "outputs.csv", OUTPUTS, checks=0)
    page = browse(f"/campaigns/{made['id']}/settings")
    page.click(f'a[href="/campaigns/{made["id"]}/edit"]')
    page.wait_for_load_state("networkidle")
    assert "outputs.csv is kept" in page.locator("#wizard").inner_text()
    page.locator(".of-kind summary").click()
    page.fill("#ratings-option-scales", "adequacy | Is it enough? | no | yes")
    page.fill("#campaign-name", "Another name")
    page.click("#check")
    page.locator("#checked .message.good").wait_for()
    page.click("button.primary")
    page.wait_for_url("**/settings")
    new = good(owner.get(f"/api/campaigns/{made['id']}"))
    assert new["name"] == "Another name"
    assert new["options"]["scales"][0]["name"] == "adequacy"
    page.goto(f"/campaigns/{made['id']}/edit")
    good(owner.patch(f"/api/campaigns/{made['id']}", json={"revision": 2, "name": "Meanwhile"}))
    page.click("button.primary")
    page.locator(".message.bad", has_text="somebody else").wait_for()
    page.goto(f"/campaigns/{made['id']}")
    page.click("#duplicate")
    page.locator("dialog button.primary").click()
    page.wait_for_url(lambda url: url.endswith("/settings"))
    assert page.locator("h1").inner_text() == "Meanwhile (copy)"
    good(owner.patch(f"/api/campaigns/{made['id']}", json={"revision": 3, "status": "open"}))
    (tmp_path / "more.csv").write_text(MORE_OUTPUTS, "utf-8")
    page.goto(f"/campaigns/{made['id']}/settings")
    page.set_input_files("#add-outputs", tmp_path / "more.csv")
    page.click("#add button:not([type])")
    page.locator("#add .message.good").wait_for()
    assert good(owner.get(f"/api/campaigns/{made['id']}"))["items"] == 3
