"""Campaigns: files are checked with their lines, owners do not write over each other."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.kinds import KINDS, get_kind
from plainly.studio.kinds.options import completed

from .conftest import TEXTS, WELCOME, good

Make = Callable[..., Any]


def check(owner: httpx.Client, texts: str | bytes, name: str = "texts.csv", **data: str) -> httpx.Response:
    return owner.post(
        "/api/campaigns/check", data={"kind": "ranking", "lang": "en", **data}, files={"texts": (name, texts)}
    )


def test_a_check_shows_the_first_rows(owner: httpx.Client) -> None:
    found = good(check(owner, TEXTS))
    assert found["columns"][:2] == ["id", "text"]
    assert found["rows"][0][:2] == ["t1", "The cat sat on the mat."]
    assert found["items"] == 4
    assert found["lang"] == "en"
    assert good(owner.get("/api/campaigns"))["campaigns"] == []  # nothing was made


def test_a_check_says_what_is_wrong_in_which_line(owner: httpx.Client) -> None:
    cases: dict[str | bytes, str] = {
        "id,text\nt1,one\nt1,two\n": "texts.csv, line 3: ",
        "": "texts.csv",
        b"id,text\nt1,\xff\xfe\n": "texts.csv",
        "id,words\nt1,one\n": "texts.csv",
    }
    for texts, said in cases.items():
        reply = check(owner, texts)
        assert reply.status_code == 422
        assert said in reply.json()["error"]
        assert "/tmp" not in reply.json()["error"]  # the name that the owner gave, not ours


def test_forms_that_are_refused(owner: httpx.Client) -> None:
    cases = [
        ("texts.exe", {}),
        ("texts.csv", {"kind": "tea"}),
        ("texts.csv", {"lang": "klingonisch"}),
        ("texts.csv", {"options": "no json"}),
        ("texts.csv", {"options": "[1]"}),
        ("texts.csv", {"options": '{"no such option": 1}'}),
        ("texts.csv", {"options": '{"matches": 0}'}),
        ("texts.csv", {"options": '{"matches": 1e999}'}),
        ("texts.csv", {"options": '{"matches": 1' + "0" * 400 + "}"}),
        ("texts.csv", {"options": "[" * 100_000}),
    ]
    for name, data in cases:
        reply = check(owner, TEXTS, name, **data)
        assert reply.status_code == 422, (name, data, reply.text)
        assert reply.json()["error"]


def test_a_form_without_a_file_or_with_a_strange_one(owner: httpx.Client) -> None:
    assert owner.post("/api/campaigns/check", data={"kind": "ranking"}).status_code == 422
    assert owner.post("/api/campaigns/check").status_code == 422
    assert owner.post("/api/campaigns/check", json={"kind": "ranking"}).status_code == 422
    files = {"texts": ("texts.csv", TEXTS), "other": ("other.csv", TEXTS)}
    assert owner.post("/api/campaigns/check", data={"kind": "ranking"}, files=files).status_code == 422
    files = {"texts": ("texts.csv", TEXTS), "kind": ("other.csv", "ranking")}
    assert owner.post("/api/campaigns/check", files=files).status_code == 422
    path = {"texts": ("../../../etc/../texts.csv", TEXTS)}
    assert good(owner.post("/api/campaigns/check", data={"kind": "ranking", "lang": "en"}, files=path))["items"] == 4


def test_half_a_character_is_refused(owner: httpx.Client) -> None:
    lines = '{"id": "t1", "text": "half \\ud83d"}\n{"id": "t2", "text": "whole"}\n'
    reply = check(owner, lines, "texts.jsonl")
    assert reply.status_code == 422
    assert "character" in reply.json()["error"]


def test_a_file_may_bring_its_own_welcome(owner: httpx.Client, toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of comprehension do; what the owner writes counts more."""
    read = toy.Toy.read

    def with_welcome(self: Any, files: Any, options: Any) -> Any:
        material = read(self, files, options)
        return replace(material, settings={**material.settings, "welcome": {"consent": "From the file."}})

    monkeypatch.setattr(toy.Toy, "read", with_welcome)
    files = {"words": ("words.txt", "ant\nbee\n")}
    found = good(owner.post("/api/campaigns/check", data={"kind": "toy", "lang": "en"}, files=files))
    assert found["welcome"] == {"consent": "From the file."}
    for given, kept in (
        ({}, "From the file."),
        ({"consent": "", "form": []}, "From the file."),
        ({"consent": "Mine."}, "Mine."),
    ):
        data = {"kind": "toy", "lang": "en", "name": "Toy", "welcome": json.dumps(given)}
        assert good(owner.post("/api/campaigns", data=data, files=files), 201)["welcome"]["consent"] == kept


def test_a_campaign_from_files_to_archive(owner: httpx.Client, make: Make) -> None:
    made = make("Plain or not?")
    assert made["status"] == "draft"
    assert made["welcome"]["form"][0]["id"] == "age"
    path = f"/api/campaigns/{made['id']}"
    assert good(owner.get(path)) == made
    for revision, status in enumerate(("open", "paused", "open", "closed", "archived"), 1):
        assert good(owner.patch(path, json={"revision": revision, "status": status}))["status"] == status
    assert owner.patch(path, json={"revision": 6, "status": "draft"}).status_code == 409
    assert [row["status"] for row in good(owner.get("/api/campaigns"))["campaigns"]] == ["archived"]
    good(owner.delete(path), 204)
    assert owner.get(path).status_code == 404


def test_of_two_owners_the_second_is_told(owner: httpx.Client, make: Make) -> None:
    path = f"/api/campaigns/{make()['id']}"
    assert good(owner.patch(path, json={"revision": 1, "name": "First"}))["revision"] == 2
    late = owner.patch(path, json={"revision": 1, "name": "Second"})
    assert late.status_code == 409
    assert "somebody else" in late.json()["error"]
    assert good(owner.get(path))["name"] == "First"


def test_participants_all_see_the_same_welcome(owner: httpx.Client, make: Make) -> None:
    path = f"/api/campaigns/{make()['id']}"
    changed = {**WELCOME, "consent": "Other words."}
    assert good(owner.patch(path, json={"revision": 1, "welcome": changed}))["welcome"]["consent"] == "Other words."
    good(owner.patch(path, json={"revision": 2, "status": "open"}))
    assert owner.patch(path, json={"revision": 3, "welcome": WELCOME}).status_code == 409
    assert good(owner.patch(path, json={"revision": 3, "name": "Renamed"}))["name"] == "Renamed"


def test_the_language_must_be_known(owner: httpx.Client) -> None:
    data = {"kind": "ranking", "name": "No language"}
    reply = owner.post("/api/campaigns", data=data, files={"texts": ("texts.csv", TEXTS)})
    assert reply.status_code == 422
    assert "language" in reply.json()["error"]


def test_changes_that_are_refused(owner: httpx.Client, make: Make) -> None:
    path = f"/api/campaigns/{make()['id']}"
    cases = [{"name": ""}, {"name": "two\nlines"}, {"interface": "xx"}, {"status": "tea"}, {"x": 1}]
    for changed in cases:
        assert owner.patch(path, json={"revision": 1, **changed}).status_code == 422, changed
    assert good(owner.get(path))["revision"] == 1


def test_every_kind_has_labels_in_every_language(owner: httpx.Client) -> None:
    for lang in ("en", "de"):
        kinds = good(owner.get("/api/kinds", headers={"Accept-Language": lang}))["kinds"]
        assert {kind["name"] for kind in kinds} >= {"ranking", "operations", "comprehension", "ratings"}
        for kind in kinds:
            for part in (*kind["files"], *kind["options"], *(c for o in kind["options"] for c in o["choices"])):
                assert not part["label"].startswith(f"{kind['name']}."), part


@pytest.mark.parametrize("name", list(KINDS))
def test_defaults_of_options_are_what_they_must_be(name: str) -> None:
    kind = get_kind(name)
    defaults = json.loads(json.dumps({option.name: option.default for option in kind.options}))
    assert completed(kind, {}) == completed(kind, defaults)
    with pytest.raises(PlainlyError):
        completed(kind, {"no such option": 1})
