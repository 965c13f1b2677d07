"""Tables with columns of any names: known releases, what owners say, and honest complaints; aliases of labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from .conftest import good

SIMPEVAL = """original_id,original,generation,system,rating_1
1,Rain fell incessantly.,It rained all day.,A,90
1,Rain fell incessantly.,It rained.,B,70
2,The feline reposed.,The cat slept.,A,80
2,The feline reposed.,A cat was asleep.,B,60
"""
ODD = """nr,before,by,after
1,Rain fell incessantly.,A,It rained all day.
2,The feline reposed.,A,The cat slept.
"""
ALN = "1 0:0:literal\n2 1:1:synonym\n"
CRP = "1\nRain fell .\nWater fell .\n2\nThe feline slept .\nThe cat slept .\n"


def check(owner: httpx.Client, kind: str, files: dict[str, tuple[str, str]], **data: Any) -> httpx.Response:
    coded = {name: value if isinstance(value, str) else json.dumps(value) for name, value in data.items()}
    return owner.post("/api/campaigns/check", data={"kind": kind, **coded}, files=files)


def test_simpeval_is_understood_as_released(owner: httpx.Client) -> None:
    found = good(check(owner, "ratings", {"outputs": ("simpeval.csv", SIMPEVAL)}, lang="en"))
    assert found["columns"] == ["id", "source", "A", "B"]
    assert found["rows"][0] == ["1", "Rain fell incessantly.", "It rained all day.", "It rained."]
    assert found["tables"]["outputs"]["release"] == "SimpEval"
    assert found["tables"]["outputs"]["called"]["output"] == "generation"


def test_other_columns_are_told_and_can_be_named(owner: httpx.Client) -> None:
    files = {"outputs": ("odd.csv", ODD)}
    refused = check(owner, "ratings", files, lang="en")
    assert refused.status_code == 422
    assert refused.json()["error"].startswith("odd.csv: needs id and source; found nr, before, by, after")
    assert refused.json()["tables"]["outputs"]["columns"] == ["nr", "before", "by", "after"]
    assert refused.json()["tables"]["outputs"]["guess"] == {"id": "nr"}
    columns = {"outputs": {"id": "nr", "source": "before", "system": "by", "output": "after"}}
    found = good(check(owner, "ratings", files, lang="en", columns=columns))
    assert found["rows"] == [
        ["1", "Rain fell incessantly.", "It rained all day."],
        ["2", "The feline reposed.", "The cat slept."],
    ]
    data = {"kind": "ratings", "lang": "en", "name": "Odd", "columns": json.dumps(columns)}
    assert good(owner.post("/api/campaigns", data=data, files=files), 201)["items"] == 2


def test_columns_of_ranking_and_operations(owner: httpx.Client) -> None:
    texts = "nr,sentence\n1,One.\n2,Two.\n3,Three.\n"
    pairs = "l,r\n1,2\n2,3\n"
    found = good(
        check(
            owner,
            "ranking",
            {"texts": ("texts.csv", texts), "pairs": ("pairs.csv", pairs)},
            lang="en",
            options={"pairs": "fixed"},
            columns={"texts": {"id": "nr", "text": "sentence"}, "pairs": {"first": "l", "second": "r"}},
        )
    )
    assert found["items"] == 3
    assert "pairs: 2" in found["notes"]
    found = good(
        check(
            owner,
            "operations",
            {"pairs": ("pairs.csv", "complex,simple\nThe feline slept.,The cat slept.\n")},
            lang="en",
            columns={"pairs": {"source": "complex", "simplification": "simple"}},
        )
    )
    assert found["rows"][0][1:3] == ["The feline slept .", "The cat slept ."]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"tea": {"id": "nr"}}, "unknown file"),
        ({"outputs": {"tea": "nr"}}, "unknown column"),
        ({"outputs": {"id": "no such"}}, "there is no column"),
        ({"outputs": {"id": 7}}, "must be a text"),
        ({"outputs": ["id"]}, "must be a table"),
        ([1], "must be a table"),
    ],
)
def test_columns_that_are_refused(owner: httpx.Client, columns: Any, said: str) -> None:
    reply = check(owner, "ratings", {"outputs": ("odd.csv", ODD)}, lang="en", columns=columns)
    assert reply.status_code == 422
    assert said in reply.json()["error"]


def test_aliases_of_labels_and_pairs_left_out(owner: httpx.Client) -> None:
    files = {"pairs": ("gold.aln", ALN), "crp": ("gold.crp", CRP)}
    refused = check(owner, "operations", files, lang="en", options={"start": "file"})
    assert refused.status_code == 422
    assert "unknown label 'literal'" in refused.json()["error"]
    assert "Other names of labels" in refused.json()["error"]
    named = {"start": "file", "aliases": ["literal = synonym"]}
    found = good(check(owner, "operations", files, lang="en", options=named))
    assert found["rows"][0][3] == "Rain → Water (synonym)"
    left = good(check(owner, "operations", files, lang="en", options={"start": "file", "leave_out": True}))
    assert left["items"] == 1
    assert "pairs left out because they have unknown labels: 1; labels: literal" in left["notes"]
    for wrong in (["literal"], ["literal = tea"], ["synonym = move"], ["a = move", "a = split"]):
        options = {"start": "file", "aliases": wrong}
        assert check(owner, "operations", files, lang="en", options=options).status_code == 422, wrong


def test_a_language_that_nobody_says_is_guessed(owner: httpx.Client) -> None:
    found = good(check(owner, "ratings", {"outputs": ("simpeval.csv", SIMPEVAL)}))
    assert (found["lang"], found["guess"]) == ("", "en")
    german = "source,simplification\nDie Katze schlief auf dem alten Sofa.,Die Katze schlief auf dem Sofa.\n"
    refused = check(owner, "operations", {"pairs": ("paare.csv", german)})
    assert refused.status_code == 422
    assert refused.json()["guess"] == "de"


def test_columns_in_the_browser(browse: Any, owner: httpx.Client, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text(ODD, "utf-8")
    page = browse("/campaigns/new")
    page.check('[name="kind"][value="ratings"]')
    assert not page.locator("#ratings-option-raters").is_visible()  # only where sources are shared out
    page.locator(".of-kind:not([hidden]) summary").click()
    page.select_option("#ratings-option-assignment", "shared")
    assert page.locator("#ratings-option-raters").is_visible()
    page.select_option("#ratings-option-assignment", "same")
    page.set_input_files("#ratings-file-outputs", tmp_path / "odd.csv")
    page.click("#check")
    page.locator("#checked .message.bad").wait_for()
    assert "English" in page.locator("#checked .message.warn").inner_text()
    assert page.input_value("#lang") == "en"
    assert page.input_value("#column-outputs-id") == "nr"  # a guess to be confirmed
    for name, column in (("source", "before"), ("system", "by"), ("output", "after")):
        page.select_option(f"#column-outputs-{name}", column)
    page.click("#checked .mapping button")
    page.locator("#checked .message.good").wait_for()
    page.fill("#campaign-name", "Odd columns")
    page.click("button.primary")
    page.locator("h1", has_text="Odd columns").wait_for()
    assert good(owner.get("/api/campaigns"))["campaigns"][0]["name"] == "Odd columns"
