"""The open link over HTTP: what owners settle, what platforms send, what attackers try."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from plainly.studio.security.secrets import new_secret
from plainly.studio.settings import Settings
from plainly.studio.store import tables

from ...waiting import LONG
from .conftest import good

Make = Callable[..., Any]
LEVEL = {"id": "level", "label": "Level", "kind": "choice", "options": ["A1", "B1"], "required": True}
PROLIFIC = {"on": True, "preset": "prolific", "code": "own", "back": "https://app.example.org/complete?cc={code}"}


class OpenLink:
    """A campaign with an open link, as its owner has it, and as strangers find it."""

    def __init__(self, owner: httpx.Client, made: Any) -> None:
        self.owner = owner
        self.base = f"/api/campaigns/{made['id']}"
        self.stranger = httpx.Client(base_url=owner.base_url, timeout=LONG)
        good(owner.patch(self.base, json={"revision": 1, "status": "open"}))

    def settle(self, **arrival: Any) -> httpx.Response:
        revision = self.owner.get(self.base).json()["revision"]
        return self.owner.put(f"{self.base}/arrival", json={"revision": revision, "arrival": arrival})

    @property
    def slug(self) -> str:
        return str(good(self.owner.get(f"{self.base}/arrival"))["link"]["address"].rsplit("/", 1)[1])

    def come(self, who: str, secret: str = "", **more: str) -> httpx.Response:
        given = {"secret": secret or new_secret(), "parameters": {"PROLIFIC_PID": who, **more}}
        return self.stranger.post(f"/api/j/{self.slug}", json=given)

    def whole(self, who: str, answers: int = 2, **fields: str) -> Any:
        """One who comes, begins, and answers; the last state."""
        secret = new_secret()
        good(self.come(who, secret, STUDY_ID="study", SESSION_ID=f"s-{who}"))
        base = f"/api/p/{secret}"
        state = good(self.stranger.post(f"{base}/welcome", json={"consent": True, "fields": fields}))
        for number in range(answers):
            one = {"client_id": f"c{number}", "task": state["tasks"][0]["id"], "answer": {"yes": True}}
            state = good(self.stranger.post(f"{base}/responses", json={"responses": [one]}))
        return state

    def people(self) -> list[Any]:
        return list(good(self.owner.get(f"{self.base}/arrival/people"))["people"])


@pytest.fixture
def link(owner: httpx.Client, make_toy: Make) -> Any:
    made = make_toy(options=json.dumps({"extra": False}), welcome=json.dumps({"form": [LEVEL]}))
    found = OpenLink(owner, made)
    good(found.settle(**PROLIFIC))
    yield found
    found.stranger.close()


def test_from_the_link_to_the_code(link: OpenLink) -> None:
    found = good(link.owner.get(f"{link.base}/arrival"))
    assert found["link"]["filled"].endswith(
        f"/j/{link.slug}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&STUDY_ID={{{{%STUDY_ID%}}}}&SESSION_ID={{{{%SESSION_ID%}}}}"
    )
    state = link.whole("5f1", level="B1")
    code = state["participant"]["completion"]["code"]
    assert len(code) == 12
    assert state["participant"]["completion"]["back"] == f"https://app.example.org/complete?cc={code}"
    (row,) = link.people()
    assert (row["platform_id"], row["completion"], row["status"]) == ("5f1", code, "finished")
    assert (row["suggestion"], row["reason"]) == ("approve", "done")
    assert row["minutes"] >= 0
    assert "completion" not in link.whole("5f2", 1, level="B1")["participant"], "only at the end"
    assert link.people()[1]["completion"] == ""
    assert {one["suggestion"] for one in link.people()} == {"approve", "wait"}


def test_the_table_has_the_code_of_those_screened_out_and_says_who_never_began(link: OpenLink) -> None:
    good(
        link.settle(
            **{**PROLIFIC, "quota": 2, "group": "level", "groups": {"B1": 1}},
            screen={"level": ["A1"]},
            failure_code="NOPE",
        )
    )
    secret = new_secret()
    link.whole("5f1", level="B1")
    assert link.whole("5f2", 0, level="A1")["participant"]["screened"] == {"code": "NOPE"}
    good(link.come("5f3", secret))
    told = link.stranger.post(f"/api/p/{secret}/welcome", json={"consent": True, "fields": {"level": "B1"}})
    assert told.status_code == 409, "the group is full"
    _, screened, late = link.people()
    assert (screened["completion"], screened["reason"]) == ("NOPE", "screened")
    assert (late["completion"], late["status"], late["reason"]) == ("", "gone", "absent")


def test_looking_at_the_page_makes_nobody(link: OpenLink) -> None:
    for method in ("GET", "HEAD"):
        link.stranger.request(method, f"/j/{link.slug}?PROLIFIC_PID=5f1")
    assert link.people() == []
    page = link.stranger.get(f"/j/{link.slug}?PROLIFIC_PID=5f1&evil=%22%3E%3Cscript%3E").text
    assert "<script>" not in page
    assert "evil" not in page


@pytest.mark.parametrize(("query", "status", "words"), [
    ("", 422, "PROLIFIC_PID is missing"), ("PROLIFIC_PID=a&PROLIFIC_PID=b", 422, "twice"),
    ("PROLIFIC_PID[]=a", 422, "missing"), (f"PROLIFIC_PID={'a' * 3000}", 422, "not what it should be"),
    ("PROLIFIC_PID=a%00b", 422, "not what it should be"), ("PROLIFIC_PID=%E2%80%AEa", 422, "not what it should be"),
    ("PROLIFIC_PID=a&x=" + "y" * 5000, 200, "Begin"), ("PROLIFIC_PID=%FF", 422, "not what it should be"),
])  # fmt: skip
def test_odd_addresses(link: OpenLink, query: str, status: int, words: str) -> None:
    reply = link.stranger.get(f"/j/{link.slug}?{query}")
    assert (reply.status_code, words in reply.text) == (status, True)


@pytest.mark.parametrize("body", [
    {"secret": "short", "parameters": {"PROLIFIC_PID": "a"}},
    {"secret": "x" * 65, "parameters": {"PROLIFIC_PID": "a"}},
    {"secret": "../../../../../etc/passwd", "parameters": {"PROLIFIC_PID": "a"}},
    {"secret": "x" * 22, "parameters": {"PROLIFIC_PID": ["a"]}},
    {"secret": "x" * 22, "parameters": {"PROLIFIC_PID": "a b"}},
    {"secret": "x" * 22, "parameters": {"STUDY_ID": "a"}},
    {"secret": "x" * 22, "parameters": {f"p{n}": "a" for n in range(51)}},
    {"secret": "x" * 22, "parameters": [], "number": 1},
    {"secret": "x" * 22}, [], "x",
])  # fmt: skip
def test_forged_arrivals_make_nobody(link: OpenLink, body: Any) -> None:
    assert link.stranger.post(f"/api/j/{link.slug}", json=body).status_code == 422
    assert link.people() == []


def test_arrivals_from_other_sites_and_of_any_size_are_refused(link: OpenLink) -> None:
    given = {"secret": new_secret(), "parameters": {"PROLIFIC_PID": "5f1"}}
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert link.stranger.post(f"/api/j/{link.slug}", json=given, headers=headers).status_code == 403
    large = {"secret": new_secret(), "parameters": {"PROLIFIC_PID": "5" * 70_000}}
    assert link.stranger.post(f"/api/j/{link.slug}", json=large).status_code in (401, 413)
    assert link.people() == []


def test_an_arrival_that_is_replayed_makes_nobody_more(link: OpenLink) -> None:
    secret = new_secret()
    assert [good(link.come("5f1", secret))["new"] for _ in range(3)] == [True, False, False]
    assert good(link.come("5f1"))["new"] is False
    assert link.stranger.get(f"/api/p/{secret}").status_code == 404, "the newer browser has the link now"
    assert len(link.people()) == 1


def test_the_secret_of_somebody_else_gives_nothing(link: OpenLink) -> None:
    """Whoever knows a link can open it anyway; under another name it makes nobody."""
    secret = new_secret()
    good(link.come("5f1", secret))
    assert link.come("5f2", secret).status_code == 409
    assert [one["platform_id"] for one in link.people()] == ["5f1"]


def test_the_name_of_somebody_who_is_done_gives_no_code(link: OpenLink) -> None:
    code = link.whole("5f1", level="B1")["participant"]["completion"]["code"]
    secret = new_secret()
    reply = link.come("5f1", secret)
    assert reply.status_code == 409
    assert code not in reply.text
    assert "already taken part" in reply.json()["title"]
    assert link.stranger.get(f"/api/p/{secret}").status_code == 404


def test_full_is_said_with_a_headline(link: OpenLink) -> None:
    good(link.settle(**PROLIFIC, quota=1, group="level", groups={"A1": 0}))
    link.whole("5f1", level="B1")
    reply = link.come("5f2")
    assert (reply.status_code, reply.json()["title"]) == (409, "The study is full")
    places = good(link.owner.get(f"{link.base}/arrival"))["places"]
    assert places == {"held": 0, "done": 1, "groups": [{"name": "A1", "quota": 0, "held": 0, "done": 0}]}


def test_one_who_finds_the_group_full_is_told_so_again(link: OpenLink) -> None:
    good(link.settle(**PROLIFIC, group="level", groups={"A1": 0}))
    secret = new_secret()
    good(link.come("5f1", secret))
    for level in ("A1", "B1"):
        reply = link.stranger.post(f"/api/p/{secret}/welcome", json={"consent": True, "fields": {"level": level}})
        assert (reply.status_code, reply.json()["title"]) == (409, "The study is full")
    assert link.stranger.get(f"/api/p/{secret}").json()["title"] == "The study is full"
    (row,) = link.people()
    assert (row["status"], row["reason"]) == ("gone", "absent")


def test_screened_out_people_get_their_own_code(link: OpenLink) -> None:
    failure = {"failure_code": "SCREENED", "failure_back": "https://app.example.org/no?cc={code}"}
    good(link.settle(**PROLIFIC, **failure, screen={"level": ["A1"]}))
    state = link.whole("5f1", 0, level="A1")
    expected = {"code": "SCREENED", "back": "https://app.example.org/no?cc=SCREENED"}
    assert state["participant"]["screened"] == expected
    assert state["tasks"] == []
    (row,) = link.people()
    assert (row["status"], row["suggestion"], row["screened"]) == ("screened", "look", "level")


def test_the_last_page_stays_after_the_study_was_closed(link: OpenLink) -> None:
    secret = new_secret()
    good(link.come("5f1", secret))
    base = f"/api/p/{secret}"
    state = good(link.stranger.post(f"{base}/welcome", json={"consent": True, "fields": {"level": "B1"}}))
    sent = [
        {"client_id": f"c{n}", "task": one["id"], "answer": {"yes": True}} for n, one in enumerate(state["tasks"])
    ]
    code = good(link.stranger.post(f"{base}/responses", json={"responses": sent}))["participant"]["completion"]
    revision = link.owner.get(link.base).json()["revision"]
    good(link.owner.patch(link.base, json={"revision": revision, "status": "closed"}))
    assert good(link.stranger.get(base))["participant"]["completion"] == code
    assert link.stranger.post(f"{base}/responses", json={"responses": sent}).status_code == 409


@pytest.mark.parametrize("back", [
    "http://example.org/?c={code}", "javascript:alert(1)", "//example.org", "https://", "https://a@b.org/{code}",
    "https://{code}.example.org/", "https://example.org/{code}{other}", "https://example.org/\nx", "data:text/html,x",
    "https:\\\\example.org", "https://example.org/ü", "https://example.org:x/", f"https://e.org/{'a' * 500}",
])  # fmt: skip
def test_return_addresses_that_cannot_be(link: OpenLink, back: str) -> None:
    for name in ("back", "failure_back"):
        reply = link.settle(on=True, code="own", failure_code="NO", **{name: back})
        assert (reply.status_code, "return address" in reply.text) == (422, True), reply.text


def test_the_address_of_the_link_never_decides_where_people_go(link: OpenLink) -> None:
    good(link.come("5f1", back="https://evil.example", return_url="https://evil.example", code="X"))
    page = link.stranger.get(f"/j/{link.slug}?PROLIFIC_PID=5f1&back=https://evil.example&next=//evil.example").text
    assert "evil" not in page
    assert "evil" not in json.dumps(link.people())


@pytest.mark.parametrize(("arrival", "words"), [
    ({"colour": "red"}, "colour"), ({"preset": "x"}, "preset"), ({"quota": 0}, "quota"), ({"quota": "5"}, "quota"),
    ({"quota": True}, "quota"), ({"hold": 0}, "minutes"), ({"group": "nothing"}, "nothing"),
    ({"group": "level", "groups": {"C2": 1}}, "C2"), ({"groups": {"A1": 1}}, "field"),
    ({"group": "level", "groups": {"A1": -1}}, "A1"), ({"code": "fixed"}, "code"),
    ({"code": "fixed", "fixed_code": "a b"}, "code"), ({"screen": {"level": ["A1", "B1"]}}, "every answer"),
    ({"screen": {"level": ["C2"]}}, "C2"), ({"screen": {"age": ["4"]}}, "age"), ({"on": "yes"}, "on must"),
    ({"preset": "own", "parameters": ["a b"]}, "parameter"), ({"preset": "own", "parameters": ["a", "a"]}, "twice"),
    ({"preset": "own", "parameters": ["a"], "identifies": "b"}, "b"),
    ({"preset": "own", "parameters": [f"p{n}" for n in range(21)]}, "20"),
    ({"back": "https://example.org/{code}"}, "there is no code"),
    ({"code": "fixed", "fixed_code": "X", "failure_code": "X", "screen": {"level": ["A1"]}}, "another code"),
])  # fmt: skip
def test_settings_that_cannot_be(link: OpenLink, arrival: Any, words: str) -> None:
    reply = link.settle(**arrival)
    assert (reply.status_code, words in reply.json()["error"]) == (422, True), reply.text


def test_two_owners_settle_at_once(link: OpenLink) -> None:
    reply = link.owner.put(f"{link.base}/arrival", json={"revision": 1, "arrival": {}})
    assert reply.status_code == 409


def test_who_people_are_is_for_owners_only(link: OpenLink, analyst: httpx.Client) -> None:
    code = link.whole("PERSON5f1", level="B1")["participant"]["completion"]["code"]
    for path in ("/arrival", "/arrival/people", "/arrival/people.csv"):
        assert analyst.get(f"{link.base}{path}").status_code == 403
    paths = [link.base, *(f"{link.base}/{name}" for name in ("participants", "summary"))]
    names = [one["name"] for one in good(link.owner.get(f"{link.base}/exports"))["exports"]]
    paths += [f"{link.base}/exports/{name}" for name in names]
    pages = [f"{link.base.removeprefix('/api')}{tab}" for tab in ("", "/participants", "/settings", "/exports")]
    for reader in (analyst, link.owner):
        for path in (*paths, *pages):
            text = reader.get(path).text
            assert "PERSON5f1" not in text, path
            assert code not in text, path
    rows = list(csv.DictReader(io.StringIO(link.owner.get(f"{link.base}/arrival/people.csv").text)))
    assert [(row["platform_id"], row["parameter.SESSION_ID"]) for row in rows] == [("PERSON5f1", "s-PERSON5f1")]


EXPORT = """Submission id,Participant id,Status,Age,Language
x1,5f1,APPROVED,34,"German, English"
x2,5f2,RETURNED,51,=cmd|x
x3,elsewhere,APPROVED,19,French
"""


def imported(link: OpenLink, content: str = EXPORT, name: str = "export.csv", **fields: str) -> httpx.Response:
    return link.owner.post(f"{link.base}/arrival/platform", files={"file": (name, content)}, data=fields)


def test_what_the_platform_knows_becomes_columns(link: OpenLink, app: Any) -> None:
    for who in ("5f1", "5f2", "5f3"):
        link.whole(who, level="B1")
    found = good(imported(link))
    assert (found["id_column"], found["matched"]) == ("Participant id", 2)
    assert (found["unmatched"], found["missing"]) == (["elsewhere"], ["P003"])
    assert found["columns"] == ["Submission id", "Status", "Age", "Language"]
    before = link.owner.get(f"{link.base}/exports/participants.csv").text
    assert "platform." not in before, "nothing was stored without columns"
    good(imported(link, columns='["Age", "Language"]'))
    rows = list(csv.DictReader(io.StringIO(link.owner.get(f"{link.base}/exports/participants.csv").text)))
    assert [(row["platform.Age"], row["platform.Language"]) for row in rows] == [
        ("34", "German, English"),
        ("51", "'=cmd|x"),
        ("", ""),
    ]
    assert "APPROVED" not in str(rows)
    good(link.owner.delete(f"{link.base}/participants/1"), 204)
    with app.state.database.reading() as session:
        assert "German" not in str([row.platform for row in session.query(tables.Participant)])


def test_who_withdrew_is_told_so_on_coming_back(link: OpenLink) -> None:
    secret = new_secret()
    good(link.come("5f1", secret))
    assert link.come("5f2", secret).status_code == 409  # nobody's browser does this
    good(link.stranger.post(f"/api/p/{secret}/withdraw", json={"sure": True}))
    reply = link.come("5f1", secret)
    assert reply.status_code == 409
    assert reply.json()["title"] == "You have withdrawn"


def test_what_the_platform_knows_and_what_is_worth_money_is_for_owners_only(
    link: OpenLink, analyst: httpx.Client
) -> None:
    codes = {"code": "fixed", "fixed_code": "CANARY1", "failure_code": "CANARY2", "screen": {"level": ["A1"]}}
    good(link.settle(**{**PROLIFIC, **codes, "failure_back": "https://example.org/CANARY3"}))
    link.whole("5f1", level="B1")
    good(imported(link, "Participant id,Age\n5f1,CANARY4\n", columns='["Age"]'))
    own = f"{link.base}/exports"
    names = [one["name"] for one in good(analyst.get(own))["exports"]]
    for name in names:
        assert "CANARY" not in analyst.get(f"{own}/{name}").text, name
    packed = zipfile.ZipFile(io.BytesIO(analyst.get(f"{link.base}/export.zip").content))
    assert [name for name in packed.namelist() if b"CANARY" in packed.read(name)] == []
    sizes = [{one["name"]: one["bytes"] for one in good(who.get(own))["exports"]} for who in (analyst, link.owner)]
    assert sizes[0]["campaign.json"] < sizes[1]["campaign.json"]
    whole = "".join(link.owner.get(f"{own}/{name}").text for name in names)
    assert [f"CANARY{number}" in whole for number in (1, 2, 3, 4)] == [True] * 4


@pytest.mark.parametrize(("content", "fields", "words"), [
    ("a,b\n1,2\n", {}, "which column"), (EXPORT, {"columns": '["Shoes"]'}, "Shoes"),
    (EXPORT, {"columns": '{"a": 1}'}, "list"), (EXPORT, {"columns": "[1]"}, "list"),
    (EXPORT, {"columns": "["}, "JSON"),
    (EXPORT, {"columns": '["Participant id"]'}, "Participant id"), ("", {}, "empty"),
    ("Participant id,Age\n5f1\n", {}, "cell"), (EXPORT, {"id_column": "Name"}, "which column"),
    ("Participant id,Age\n5f1,\x00\n", {"columns": '["Age"]'}, "NUL byte"),
])  # fmt: skip
def test_exports_of_platforms_that_cannot_be(link: OpenLink, content: str, fields: Any, words: str) -> None:
    link.whole("5f1", level="B1")
    reply = imported(link, content, **fields)
    assert (reply.status_code, words in reply.json()["error"]) == (422, True), reply.text
    assert "/tmp" not in reply.text


@pytest.fixture
def counted(settings: Settings, app: Any) -> Settings:
    """A studio that counts requests."""
    object.__setattr__(settings, "limited", True)
    return settings


def test_one_address_makes_no_crowd(counted: Settings, link: OpenLink, app: Any) -> None:
    made, refused = 0, None
    for number in range(90):
        reply = link.come(f"p{number}")
        if reply.status_code == 429:
            refused = reply
            break
        made += good(reply)["new"]
    assert made == 60  # as Limits says
    assert refused is not None
    assert int(refused.headers["Retry-After"]) >= 1
    assert link.come("p1").status_code == 200, "who has come before may come again"
    assert len(link.people()) == 60


def test_nobody_is_approved_before_it_is_known_what_is_odd(link: OpenLink, monkeypatch: pytest.MonkeyPatch) -> None:
    from plainly.studio.live import LiveResults

    with monkeypatch.context() as patch:
        patch.setattr(LiveResults, "want", lambda *_: None)
        link.whole("5f1", level="B1")
        assert [(one["suggestion"], one["reason"]) for one in link.people()] == [("wait", "unchecked")]
    assert [(one["suggestion"], one["reason"]) for one in link.people()] == [("approve", "done")]
