"""Adjudication: annotations side by side become gold, with its history; over HTTP and in a browser."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.cli import main
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.adjudication import Adjudication, Gold
from plainly.studio.kinds.base import Campaign, Given, Kind, Material, Person
from plainly.studio.store import archive, campaigns, golds, people, tasks
from plainly.studio.store.people import visitor
from plainly.studio.store.responses import Sent, record

from ...waiting import until

Work = tuple[list[Person], list[Given]]
PASSWORD = "correct horse battery"


@pytest.fixture
def how(kind: Kind) -> Adjudication:
    assert kind.adjudication is not None
    return kind.adjudication


# --- Pure -----------------------------------------------------------------------------------------------------------


def test_pairs_with_most_disagreement_come_first(how: Adjudication, campaign: Campaign, work: Work) -> None:
    found = {one.item: one for one in how.disputes(campaign, work[1])}
    assert list(found) == ["a", "b", "c"], "d was done by one person only"
    # words that differ, of those of both sides: a 1 and 4, 1 and 4; b 0, 4 and 7, 0; c no one and 2
    assert [one.share for one in found.values()] == [4 / 16, 4 / 17, 1 / 12]


def test_those_who_are_left_out_are_not_there(how: Adjudication, campaign: Campaign, work: Work) -> None:
    out = replace(work[0][1], left_out="asleep")
    given = [replace(one, person=out) if one.person.number == 2 else one for one in work[1]]
    assert how.disputes(campaign, given) == []
    assert [one["code"] for one in how.side_by_side(campaign, "a", given)["annotations"]] == ["P001"]


def test_who_marked_what_and_where_they_differ(how: Adjudication, campaign: Campaign, work: Work) -> None:
    found = how.side_by_side(campaign, "a", work[1])
    assert found["task"]["source"] == ["The", "feline", "slept", "because", "it", "was", "tired", "."]
    assert [(one["code"], len(one["groups"])) for one in found["annotations"]] == [("P001", 4), ("P002", 3)]
    told = [(one["group"]["label"], one["by"], one["difference"]) for one in found["compared"]]
    assert told == [
        ("hyperonym", ["P002"], "label"),
        ("synonym", ["P001"], "label"),
        ("delcst", ["P001", "P002"], "none"),
        ("synonym", ["P001"], "some"),
        ("split", ["P001", "P002"], "none"),
    ]


def test_a_decision_says_of_each_group_who_had_it(
    how: Adjudication, campaign: Campaign, work: Work, tools: SimpleNamespace
) -> None:
    groups = [tools.group([1], [1], "hyperonym"), tools.group([3], [], "delcst"), tools.group([6], [6], "synonym")]
    kept = how.decided(campaign, "a", work[1], {"groups": groups, "erroneous": False})
    assert [(one["label"], one["of"]) for one in kept["groups"]] == [
        ("hyperonym", ["P002"]),
        ("delcst", ["P001", "P002"]),
        ("synonym", []),
    ]
    assert how.kept(campaign, "a", kept) == kept, "an archive brings it back"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([], "a decision has groups and erroneous"),
        ({"groups": []}, "a decision has groups and erroneous"),
        ({"groups": [], "erroneous": False, "of": []}, "a decision has groups and erroneous"),
        ({"groups": [{"source": [0], "target": [], "label": "inmod"}], "erroneous": False}, "can only stand in"),
        ({"groups": [{"source": [0], "target": [], "label": "nonsense"}], "erroneous": False}, "nonsense"),
        ({"groups": [{"source": [99], "target": [], "label": "delmod"}], "erroneous": False}, "out of range"),
        ({"groups": [{"source": [0], "target": [], "label": "delmod", "of": ["P1"]}], "erroneous": False}, "of"),
    ],
)
def test_what_cannot_be_right_is_refused(
    how: Adjudication, campaign: Campaign, work: Work, content: Any, words: str
) -> None:
    with pytest.raises(PlainlyError, match=words):
        how.decided(campaign, "a", work[1], content)


def test_nobody_decides_what_nobody_has_annotated(how: Adjudication, campaign: Campaign) -> None:
    with pytest.raises(PlainlyError, match="nobody has annotated"):
        how.decided(campaign, "a", [], {"groups": [], "erroneous": False})


def test_where_all_agree_nobody_need_decide(
    how: Adjudication, kind: Kind, campaign: Campaign, tools: SimpleNamespace
) -> None:
    same = {"c": tools.answer(tools.group([1, 2], [3], "p2a")), "d": tools.answer(erroneous=True)}
    given = [*tools.given(kind, campaign, tools.person(1), same), *tools.given(kind, campaign, tools.person(2), same)]
    assert dict(how.agreed(campaign, given)) == {
        "c": {
            "groups": [{"source": [1, 2], "target": [3], "label": "p2a", "of": ["P001", "P002"]}],
            "erroneous": False,
            "erroneous_of": [],
        },
        "d": {"groups": [], "erroneous": True, "erroneous_of": ["P001", "P002"]},
    }


def test_earlier_decisions_are_kept_and_the_newest_stands(how: Adjudication, campaign: Campaign, work: Work) -> None:
    first, second = (
        how.decided(
            campaign, "a", work[1], {"groups": [{"source": [1], "target": [1], "label": label}], "erroneous": False}
        )
        for label in ("synonym", "hyperonym")
    )
    files = {
        file.name: file.content
        for file in how.exports(campaign, [Gold("a", first, "Ada", "t1"), Gold("a", second, "Bob", "t2")])
    }
    assert set(files) == {"gold.jsonl", "gold.aln", "gold.crp", "gold-history.jsonl"}
    assert files["gold.aln"] == "a 1:1:hyperonym\n"
    (row,) = map(json.loads, files["gold.jsonl"].splitlines())
    assert (row["annotator"], row["groups"]) == ("gold", [{"source": [1], "target": [1], "label": "hyperonym"}])
    history = [json.loads(line) for line in files["gold-history.jsonl"].splitlines()]
    assert [(one["by"], one["time"], one["stands"], one["groups"][0]["of"]) for one in history] == [
        ("Ada", "t1", False, ["P001"]),
        ("Bob", "t2", True, ["P002"]),
    ]
    assert how.exports(campaign, []) == []


# --- Over HTTP ------------------------------------------------------------------------------------------------------


def good(reply: Any, status: int = 200) -> Any:
    assert reply.status_code == status, (reply.status_code, reply.text[:300])
    return reply.json()


@pytest.fixture
def owner(client: Any, app: Any) -> Any:
    words = {"code": app.state.setup_code, "name": "Ada", "password": PASSWORD}
    client.headers["X-CSRF-Token"] = good(client.post("/api/setup", json=words))["csrf"]
    return client


@pytest.fixture
def annotated(app: Any, material: Material, work: Work) -> str:
    """A campaign in which two people have annotated; the third pair is the same for both."""
    with app.state.database.writing() as session:
        row = campaigns.create(
            session,
            kind="operations",
            name="What was done?",
            lang="en",
            interface="en",
            welcome={"instructions": "", "consent": "", "form": []},
            material=material,
            seed=7,
        )
        campaigns.change(session, row.id, row.revision, status="open")
        campaign_id = row.id
        secrets = [one.secret for one in people.invite(session, campaign_id, 2)]
        for number, secret in enumerate(secrets, 1):
            who = tasks.begin(session, visitor(session, secret, changes=True), True, {})
            places = {one["place"]: one["id"] for one in tasks.ahead(session, who)}
            own = [one for one in work[1] if one.person.number == number]
            sent = [Sent(f"s{one.place}", places[one.place], "answer", _same(one), 3.0) for one in own]
            assert not record(session, who, sent).refused
    return str(campaign_id)


def _same(one: Given) -> Any:
    groups = [group for group in one.answer["groups"] if one.task["pair"] != "c" or group["label"] != "inoth"]
    return {**one.answer, "groups": groups}


def test_from_two_annotations_to_gold(
    owner: Any, annotated: str, app: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = f"/api/campaigns/{annotated}/adjudication"
    items = good(owner.get(base))["items"]
    assert [(one["name"], one["differences"], one["decided"]) for one in items] == [
        ("a", 3, None),
        ("b", 3, None),
        ("c", 0, None),
    ]
    assert good(owner.post(f"{base}/agreed"), 201) == {"decided": 1}
    assert good(owner.post(f"{base}/agreed"), 201) == {"decided": 0}
    content = {"groups": [{"source": [1], "target": [1], "label": "hyperonym"}], "erroneous": False}
    assert good(owner.post(f"{base}/0", json={"content": content, "base": 0}), 201)["number"] == 1
    late = owner.post(f"{base}/0", json={"content": content, "base": 0})
    assert (late.status_code, late.json()["error"]) == (
        409,
        "somebody else has decided this in the meantime; load it again",
    )
    assert good(owner.post(f"{base}/0", json={"content": content, "base": 1}), 201)["number"] == 2
    found = good(owner.get(f"{base}/0"))
    assert [(one["number"], one["by"]) for one in found["golds"]] == [(1, "Ada"), (2, "Ada")]
    assert found["golds"][1]["content"]["groups"][0]["of"] == ["P002"]
    packed = zipfile.ZipFile(io.BytesIO(owner.get(f"/api/campaigns/{annotated}/export.zip").content))
    for name in ("annotations.jsonl", "gold.jsonl", "gold-history.jsonl", "campaign.json"):
        packed.extract(name, tmp_path)
    files = ["--annotations", str(tmp_path / "annotations.jsonl"), "--gold", str(tmp_path / "gold.jsonl")]
    assert main(["operations", "agreement", *files, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    to_gold = {row["second"]: row for row in told["matching"] if row["first"] == "gold"}
    assert to_gold["P002"]["pairs"] == 2
    # gold has 1 + 2 groups in a and c, P002 has 3 + 2, and P001 4 + 2; they share 3 and 2
    assert to_gold["P002"]["groups"]["value"] == pytest.approx(2 * 3 / (3 + 5))
    assert to_gold["P001"]["groups"]["value"] == pytest.approx(2 * 2 / (3 + 6))
    whole = archive.read((tmp_path / "campaign.json").read_text("utf-8"), "campaign.json")
    with app.state.database.writing() as session:
        copy = archive.restore(session, whole, "campaign.json", new_links=True)
        again = archive.archived(session, copy.id)
    assert again["golds"] == whole["golds"]
    assert [(one["place"], one["by"]) for one in again["golds"]] == [(2, "Ada"), (0, "Ada"), (0, "Ada")]


@pytest.mark.parametrize(
    "damage",
    [{"place": 4}, {"place": -1}, {"by": ""}, {"by": 5}, {"time": "yesterday"}, {"content": {"groups": []}}],
)
def test_an_archive_with_damaged_gold_is_refused(
    owner: Any, annotated: str, app: Any, damage: dict[str, Any]
) -> None:
    good(owner.post(f"/api/campaigns/{annotated}/adjudication/agreed"), 201)
    with app.state.database.writing() as session:
        whole = archive.archived(session, annotated)
        whole["golds"][0] |= damage
        with pytest.raises(PlainlyError, match="this archive is damaged: gold 1"):
            archive.restore(session, whole, "campaign.json", new_links=True)
        session.rollback()


def test_an_archive_from_before_there_was_gold(owner: Any, annotated: str, app: Any) -> None:
    with app.state.database.writing() as session:
        whole = archive.archived(session, annotated)
        del whole["golds"]
        copy = archive.restore(session, whole, "campaign.json", new_links=True)
        assert list(golds.rows(session, copy.id)) == []


def test_only_owners_adjudicate(owner: Any, annotated: str, client: Any) -> None:
    good(owner.post("/api/users", json={"name": "Bob", "password": PASSWORD, "role": "analyst"}), 201)
    page = f"/campaigns/{annotated}/adjudication"
    assert owner.get(page).status_code == 200
    assert page in owner.get(f"/campaigns/{annotated}").text
    client.headers["X-CSRF-Token"] = good(client.post("/api/login", json={"name": "Bob", "password": PASSWORD}))[
        "csrf"
    ]
    base = f"/api/campaigns/{annotated}/adjudication"
    body = {"content": {"groups": [], "erroneous": False}, "base": 0}
    replies = [
        *(client.get(address) for address in (page, base, f"{base}/0")),
        *(client.post(f"{base}/{last}", json=body) for last in ("0", "agreed")),
    ]
    assert {reply.status_code for reply in replies} == {403}
    assert page not in client.get(f"/campaigns/{annotated}").text


def test_items_that_do_not_exist(owner: Any, annotated: str) -> None:
    base = f"/api/campaigns/{annotated}/adjudication"
    assert owner.get(f"{base}/4").status_code == 404
    assert owner.get(f"{base}/{10**12}").status_code == 422
    body = {"content": {"groups": [], "erroneous": False}, "base": 0}
    assert owner.post(f"{base}/4", json=body).status_code == 404
    nobody = owner.post(f"{base}/3", json=body)
    assert nobody.status_code == 201, "one annotation is enough to make gold of it"


def test_kinds_that_have_no_adjudication() -> None:
    assert {name: get_kind(name).adjudication for name in ("ranking", "ratings", "comprehension")} == {
        "ranking": None,
        "ratings": None,
        "comprehension": None,
    }


# --- In a browser ---------------------------------------------------------------------------------------------------


@pytest.fixture
def open_page(browser: Any, owner: Any, server: str) -> Any:
    contexts = []
    faults: list[str] = []

    def opened(path: str, width: int = 1280, **settings: Any) -> Any:
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **settings))
        cookies = [{"name": name, "value": value, "url": server} for name, value in owner.cookies.items()]
        contexts[-1].add_cookies(cookies)
        page = contexts[-1].new_page()
        page.on("console", lambda told: faults.append(told.text) if told.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"{server}{path}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults


def gold_of(app: Any, campaign_id: str, place: int) -> Any:
    with app.state.database.reading() as session:
        found = [one.content for one in golds.rows(session, campaign_id) if one.place == place]
    return found[-1] if found else None


def wait_for_pair(page: Any, name: str) -> None:
    page.locator("#case-title").get_by_text(f"Pair {name}", exact=True).wait_for()


def labels(content: Any) -> list[tuple[str, list[str]]]:
    return [(group["label"], group["of"]) for group in content["groups"]]


def test_gold_is_made_by_clicks(open_page: Callable[..., Any], annotated: str, app: Any) -> None:
    page = open_page(f"/campaigns/{annotated}/adjudication")
    page.get_by_text("0 of 2 disputed pairs decided").first.wait_for()
    page.get_by_role("button", name="Accept the one pair on which everybody agrees").click()
    until(lambda: gold_of(app, annotated, 2))
    page.get_by_role("button", name="Go to the next disputed pair").click()
    wait_for_pair(page, "a")
    assert page.locator(".annotator h4").all_text_contents() == ["P001", "P002"]
    assert page.locator(".gold .group").count() == 2, "what all agree on is there from the beginning"
    page.locator(".annotator").nth(1).locator(".word", has_text="feline").click()  # one click takes the group
    assert page.locator(".gold .group").count() == 3
    page.locator(".differences .is-taken", has_text="P002 ✓").wait_for()
    page.get_by_role("button", name="Save as gold, next pair").click()
    wait_for_pair(page, "b")
    found = gold_of(app, annotated, 0)
    assert labels(found) == [("hyperonym", ["P002"]), ("delcst", ["P001", "P002"]), ("split", ["P001", "P002"])]
    page.get_by_role("button", name="Take all P001").click()
    page.get_by_role("button", name="Save as gold, next pair").click()
    page.get_by_text("All disputed pairs are decided.").first.wait_for()
    page.get_by_text("2 of 2 disputed pairs decided").first.wait_for()
    assert [label for label, _ in labels(gold_of(app, annotated, 1))] == ["synonym", "delmod", "delprop"]


def test_gold_is_made_by_keyboard_alone(open_page: Callable[..., Any], annotated: str, app: Any) -> None:
    page = open_page(f"/campaigns/{annotated}/adjudication#0")
    wait_for_pair(page, "a")
    page.locator(".differences .take").first.wait_for()
    page.keyboard.press(".")
    page.keyboard.press("Enter")  # hyperonym, by P002
    page.locator(".differences .is-taken", has_text="P002").wait_for()
    assert page.evaluate("document.activeElement.className").endswith("take"), "the focus stays"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")  # synonym, it and It
    assert page.locator(".gold .group").count() == 4
    page.keyboard.press("u")
    assert page.locator(".gold .group").count() == 3
    page.locator(".gold .word", has_text="tired").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    page.keyboard.press("s")  # one of the adjudicator's own
    page.keyboard.press("d")
    until(lambda: gold_of(app, annotated, 0))
    assert labels(gold_of(app, annotated, 0)) == [
        ("hyperonym", ["P002"]),
        ("delcst", ["P001", "P002"]),
        ("synonym", []),
        ("split", ["P001", "P002"]),
    ]
    wait_for_pair(page, "b")
    page.keyboard.press("1")
    assert page.locator(".gold .group").count() == 3, "all that P001 has"


def test_who_leaves_is_asked_before_work_is_lost(open_page: Callable[..., Any], annotated: str, app: Any) -> None:
    page = open_page(f"/campaigns/{annotated}/adjudication#0")
    page.get_by_role("button", name="Take all P001").click()
    page.get_by_role("button", name="All pairs").first.click()
    page.get_by_text("Your changes have not been saved").wait_for()
    page.get_by_role("button", name="Cancel").click()
    assert page.locator(".gold .group").count() == 4
    page.get_by_role("button", name="All pairs").first.click()
    page.get_by_role("button", name="Leave without saving").click()
    page.locator("#overview table").wait_for()
    assert gold_of(app, annotated, 0) is None


@pytest.mark.parametrize("width", [320, 390])
def test_it_fits_on_a_phone(open_page: Callable[..., Any], annotated: str, width: int) -> None:
    page = open_page(f"/campaigns/{annotated}/adjudication#0", width)
    page.locator(".differences .take").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_overview_fits_on_a_phone_in_german(open_page: Callable[..., Any], annotated: str) -> None:
    page = open_page(f"/campaigns/{annotated}/adjudication", 390, locale="de-DE")
    page.locator("#overview table").wait_for()
    assert "strittigen" in page.locator("p.bar").inner_text()
    assert page.locator("p.bar").evaluate("bar => bar.scrollWidth <= bar.clientWidth")
