"""Each kind of campaign in a real browser, from an empty studio to numbers, on either database.

An owner logs in, makes the campaign from a file, previews it and invites two people. They answer by keyboard alone.
The owner sees it on the dashboard and takes the export home, where the command line says the same.
"""

from __future__ import annotations

import csv
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plainly.cli import main

from .studies import STUDIES, Study

OWNER = ("Ada", "correct horse battery")
FOCUSED = """() => {
  const here = document.activeElement;
  return [here.tagName, here.type ?? '', Boolean(here.checked || here.value)];
}"""


def log_in(page: Any, server: str) -> None:
    """The first owner, by the link of the terminal; then out, and in again."""
    name, password = OWNER
    page.fill("#name", name)
    page.fill("#password", password)
    page.fill("#repeat", password)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{server}/")
    page.click("#logout")
    page.wait_for_url(f"{server}/login")
    page.fill("#name", name)
    page.fill("#password", password)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{server}/")


def make(page: Any, server: str, study: Study, folder: Path) -> str:
    """By the wizard; the id of the campaign."""
    path = folder / study.file
    path.write_text(study.content, "utf-8")
    page.goto(f"{server}/campaigns/new")
    page.locator(f"[name=kind][value={study.kind}]").check()
    page.set_input_files(f"#{study.kind}-file-{study.slot}", path)
    page.select_option("#lang", "en")
    page.click("#check")
    page.locator("#checked .message.good").wait_for()
    assert page.locator("#checked tbody tr").count() >= 2
    page.fill("#campaign-name", f"A study of {study.kind}")
    page.click("#wizard .primary")
    page.wait_for_url(re.compile("/campaigns/(?!new)"))
    return str(page.url.rsplit("/", 1)[1])


def welcome(page: Any) -> None:
    """Consent and form, whatever they ask, by keyboard alone."""
    page.wait_for_function("() => document.body.dataset.screen === 'welcome'")
    for _ in range(40):
        tag, kind, filled = page.evaluate(FOCUSED)
        if tag == "BUTTON" and kind == "submit":
            page.keyboard.press("Enter")
            page.wait_for_function("() => document.body.dataset.screen !== 'welcome'")
            return
        if kind in ("radio", "checkbox"):
            page.keyboard.press("Space")
        elif kind in ("number", "text") and not filled:
            page.keyboard.type("33")
        page.keyboard.press("Tab")
    pytest.fail("the keyboard does not reach the end of the form")


def preview(page: Any, study: Study) -> None:
    """The owner does what participants do; it counts nowhere."""
    with page.context.expect_page() as opened:
        page.click("#preview")
    seen = opened.value
    welcome(seen)
    study.answer(seen, 0, most=1)
    seen.close()


def invite(page: Any, campaign: str) -> list[str]:
    page.click('[data-status="open"]')
    page.locator("dialog").wait_for()
    page.keyboard.press("Enter")
    page.locator(".badge.open").wait_for()
    page.click(f'.tabs a[href="/campaigns/{campaign}/participants"]')
    page.fill("#count", "2")
    page.click("#invite .primary")
    page.locator(".links li").nth(1).wait_for()
    return list(page.locator(".links a").all_inner_texts())


def take_home(page: Any, campaign: str, folder: Path) -> None:
    page.click(f'.tabs a[href="/campaigns/{campaign}/exports"]')
    with page.expect_download() as download:
        page.click('a[href$="/export.zip"]')
    download.value.save_as(folder / "export.zip")
    with zipfile.ZipFile(folder / "export.zip") as archive:
        archive.extractall(folder)


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.kind)
@pytest.mark.parametrize(
    "database_url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)], indirect=True
)
def test_from_an_empty_studio_to_numbers(
    app: Any,
    server: str,
    look: Callable[..., Any],
    study: Study,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = look(f"{server}/setup?code={app.state.setup_code}")
    log_in(page, server)
    campaign = make(page, server, study, tmp_path)
    preview(page, study)
    for who, link in enumerate(invite(page, campaign)):
        participant = look(link)
        welcome(participant)
        study.answer(participant, who)

    page.click(f'.tabs a[href="/campaigns/{campaign}"]')
    page.locator("#progress tbody tr").nth(1).wait_for()
    reply = page.context.request.get(f"{server}/api/campaigns/{campaign}/summary")
    summary = reply.json()
    page.get_by_text(f"Answers included: {summary['results']['answers']}.").wait_for()
    assert [(one["code"], one["status"]) for one in summary["participants"]] == [
        ("P001", "finished"),
        ("P002", "finished"),
    ]
    assert all(one["done"] == one["total"] > 1 for one in summary["participants"])
    done = sum(one["done"] - study.beside for one in summary["participants"])
    assert done == summary["results"]["answers"]  # no preview
    assert not summary["results"]["older"]

    take_home(page, campaign, tmp_path)
    with (tmp_path / "participants.csv").open(encoding="utf-8", newline="") as file:
        assert [(row["participant"], row["status"]) for row in csv.DictReader(file)] == [
            ("P001", "finished"),
            ("P002", "finished"),
        ]

    def run(*arguments: str) -> Any:
        capsys.readouterr()
        assert main([*arguments, "--format", "json"]) in (None, 0)
        return json.loads(capsys.readouterr().out)

    study.compare(tmp_path, summary["results"], run)
