"""The pages of scoring in a real browser: drop files, see scores, compare; by keyboard, narrow, for everybody."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import plainly
from plainly.corpus.readers import read_corpus
from plainly.demo import demo_inputs

from .conftest import DEMO, good, line_files

Look = Callable[..., Any]
Faults = Callable[[Any], list[str]]
DROP = """files => {
    const data = new DataTransfer();
    for (const [name, content] of files) {
        data.items.add(new File([Uint8Array.from(atob(content), letter => letter.charCodeAt(0))], name));
    }
    const place = document.querySelector('#drop');
    for (const kind of ['dragenter', 'dragover', 'drop']) {
        place.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
}"""
PATIENCE = 60_000


@pytest.fixture
def visit(owner: httpx.Client, look: Look) -> Look:
    """visit(path, who, **settings of the context): a page of the studio, as somebody who is logged in.

    The owner comes first in the list of fixtures, so that pages are closed before the server is.
    """

    def opened(path: str, who: httpx.Client = owner, **settings: Any) -> Any:
        page = look("about:blank", **{"base_url": str(owner.base_url), **settings})
        page.set_default_timeout(PATIENCE)
        cookies = [{"name": one.name, "value": str(one.value), "url": str(owner.base_url)} for one in who.cookies.jar]
        page.context.add_cookies(cookies)
        page.goto(path)
        return page

    return opened


def dropped(page: Any, *paths: str | None) -> None:
    files = [[Path(str(path)).name, base64.b64encode(Path(str(path)).read_bytes()).decode()] for path in paths]
    page.evaluate(DROP, files)


def fits(page: Any) -> None:
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window


def test_drop_files_see_scores_and_compare_two_runs(visit: Look, owner: httpx.Client, faults_of: Faults) -> None:
    page = visit("/runs")
    for name, expected in (("splitter", 1), ("substituter", 2)):
        page.goto("/runs")
        dropped(page, DEMO.sources, *DEMO.references, DEMO.systems[name])
        roles = page.locator("#chosen select")
        assert [role.input_value() for role in roles.all()] == ["source", *["reference"] * 3, "system"]
        assert page.locator("#run-name").input_value() == name
        page.get_by_label(f"Name of the system in {name}.txt").fill("mine")
        page.locator("#run-name").fill(f"Run <{name}>")
        assert faults_of(page) == []
        page.get_by_role("button", name="Score").click()
        page.wait_for_url("**/runs/*")
        page.locator("#scores table").first.wait_for()
        assert len(good(owner.get("/api/runs"))["runs"]) == expected
    run = good(owner.get(page.url.replace("/runs/", "/api/runs/")))
    assert run["name"] == "Run <substituter>"
    row = page.locator("#scores tbody tr").filter(has=page.get_by_role("rowheader", name="mine"))
    shown = f"{run['evaluation']['systems']['mine']['sari']['score']['value']:.2f}"
    assert shown in row.inner_text()
    heads = page.locator("#scores thead").first.locator("th").all_inner_texts()
    assert heads[:3] == ["system", "SARI ↑", "BLEU ↑"]  # as asked for; one system has no rank
    assert faults_of(page) == []
    page.get_by_role("link", name="Report").click()
    page.wait_for_url("**/report")
    assert "Run <substituter>" in page.title()
    page.goto("/runs")
    for box in page.get_by_role("checkbox", name="Compare Run").all():
        box.check()
    page.get_by_role("button", name="Compare 2 runs").click()
    page.wait_for_url("**/runs/compare?ids=*")
    first = good(owner.get("/api/runs"))["runs"][1]
    before = good(owner.get(f"/api/runs/{first['id']}"))["evaluation"]["systems"]["mine"]["sari"]["score"]["value"]
    difference = run["evaluation"]["systems"]["mine"]["sari"]["score"]["value"] - before
    cells = page.locator(".compared tbody tr").first.locator("td").all_inner_texts()
    assert f"{before:.2f}" in cells[0]
    assert f"{difference:+.2f} to 1".replace("-", "−") in cells[1]
    picture = page.locator("figure img").first
    picture.scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('figure img').naturalWidth > 100")
    assert "SARI" in str(picture.get_attribute("alt"))
    assert faults_of(page) == []


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_page_begins_with_the_answer(visit: Look, done: Callable[..., Any], faults_of: Faults, lang: str) -> None:
    run = done([], test_set="demo-en", metrics="")
    page = visit(f"/runs/{run['id']}", locale=lang)
    page.locator("#scores table").first.wait_for()
    corpus = read_corpus(DEMO)
    comparison = plainly.evaluate(corpus.sources, corpus.outputs, corpus.references).compare()
    assert page.locator(".known p").all_inner_texts() == [one.text(lang) for one in comparison.verdict.sentences()]
    systems, baselines = page.locator("#scores table").all()
    assert systems.get_by_role("rowheader").all_inner_texts() == list(comparison.verdict.order)
    assert baselines.get_by_role("rowheader").all_inner_texts() == ["identity"]
    first = systems.locator("tbody tr").first
    assert first.locator("td").first.locator("sup").inner_text().strip() == "a"
    assert first.locator("td").first.locator(".badge").count() == 1
    assert baselines.locator(".badge").count() == 0
    assert faults_of(page) == []


def test_odd_texts_are_said_above_all_scores(visit: Look, done: Callable[..., Any], faults_of: Faults) -> None:
    lines = Path(DEMO.systems["splitter"]).read_text(encoding="utf-8").splitlines(keepends=True)
    shifted = ("system", ("shifted.txt", "".join([*lines[1:], lines[0]]).encode()))
    twice = [("system", (name, Path(DEMO.systems["substituter"]).read_bytes())) for name in ("a.txt", "b.txt")]
    run = done([*line_files(), shifted, *twice])
    assert [words.split()[-1] for words in run["said"]["cautions"]] == ["sorted?", "twice?"]
    page = visit(f"/runs/{run['id']}", locale="de")
    assert page.locator(".message.warn").all_inner_texts()[1] == (
        "a und b haben dieselben Ausgaben: Wurde eine Datei zweimal angegeben?"
    )
    assert page.locator(".message.warn ~ .known").count() == 1
    assert faults_of(page) == []


def test_what_is_wrong_with_a_file_is_said_on_the_page(visit: Look, tmp_path: Path) -> None:
    page = visit("/runs", refusals=True)
    page.get_by_role("button", name="Score").click()
    page.get_by_text("Please choose files, or a test set.").wait_for()
    bad = tmp_path / "my system.txt"
    bad.write_bytes(b"One.\nTw\xf6.\n")
    page.set_input_files("#files", [str(bad)])
    page.get_by_role("button", name="Score").click()
    page.locator(".message.bad").wait_for()
    assert "my system.txt, line 2: " in page.locator(".message.bad").inner_text()
    page.get_by_role("button", name="Remove my system.txt").click()
    assert page.locator("#chosen table").count() == 0
    assert page.evaluate("document.activeElement.id") == "files"


def test_keyboard_alone_scores_the_demo_set_and_deletes_the_run(visit: Look, owner: httpx.Client) -> None:
    page = visit("/runs", locale="de-DE")
    assert page.locator("h1").inner_text() == "Systeme messen"
    page.locator("#test-set").focus()
    page.keyboard.type("Demo-Testset von plainly: German")
    assert page.locator("#test-set").input_value() == "demo-de"
    assert page.locator("#lang").is_disabled()
    page.locator("#run-name").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/*")
    page.locator("#scores table").first.wait_for()
    assert "," in page.locator("#scores tbody td").first.inner_text()  # numbers as Germans write them
    page.locator("#delete").focus()
    page.keyboard.press("Enter")
    page.locator("dialog").wait_for()
    page.keyboard.press("Shift+Tab")  # nothing is deleted by pressing Enter twice
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs")
    assert good(owner.get("/api/runs"))["runs"] == []


def test_narrow_screens_and_axe(visit: Look, done: Callable[..., Any], faults_of: Faults) -> None:
    name = "W" * 120
    systems = [("system", (f"{'x' * 60}{i}.txt", Path(DEMO.systems["splitter"]).read_bytes())) for i in range(3)]
    first = done(line_files() + systems, name=name, baselines="possible")
    second = done(line_files() + systems, name="Übung", metrics="sari,bleu,fkgl")
    page = visit("/runs", viewport={"width": 360, "height": 640})
    page.set_input_files("#files", [str(demo_inputs("de").sources), *DEMO.references])
    page.locator("#more summary").click()
    page.locator("#metrics input").first.wait_for()
    for path in (None, f"/runs/{first['id']}", f"/runs/compare?ids={first['id']},{second['id']}"):
        if path is not None:
            page.goto(path)
            page.wait_for_load_state("networkidle")
        fits(page)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert faults_of(page) == [], scheme


def test_analysts_look_and_change_nothing(visit: Look, analyst: httpx.Client, faults_of: Faults) -> None:
    page = visit("/runs", analyst)
    page.get_by_text("Owners start them").wait_for()
    assert page.locator("form").count() == 0
    assert faults_of(page) == []
