"""The pages in a real browser: what an owner does, by mouse and by keyboard, on a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from plainly.studio.texts import say

from ..comprehension.conftest import EXPERIMENT
from .conftest import OWNER, TEXTS, answer, good

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect

Browse = Callable[..., Any]
Faults = Callable[[Any], list[str]]
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1200, "height": 800}
HOSTILE = '<b>bold</b> & "quotes" مرحبا {{ 7 }} averylongnamewithoutanyblanksaverylongnamewithoutanyblanks'


@pytest.fixture
def pages(owner: httpx.Client, running: dict[str, Any]) -> list[str]:
    """All pages of a studio with a hostile name in it."""
    path = f"/api/campaigns/{running['id']}"
    good(owner.patch(path, json={"revision": running["revision"], "name": HOSTILE}))
    good(owner.post("/api/users", json={"name": HOSTILE[:100], "password": "a long password"}), 201)
    tabs = ("", "/participants", "/settings", "/exports")
    return ["/", "/campaigns/new", "/users", "/account", *(f"/campaigns/{running['id']}{tab}" for tab in tabs)]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_everybody_can_use_it(browse: Browse, faults_of: Faults, pages: list[str], scheme: str) -> None:
    """Nothing that axe-core knows is wrong, and nothing scrolls sideways on a phone."""
    viewport = DESK if scheme == "light" else PHONE
    page = browse("/", viewport=viewport, color_scheme=scheme)
    for path in pages:
        page.goto(path)
        page.wait_for_load_state("networkidle")
        if path == "/campaigns/new":
            page.locator("summary").first.click()
            page.get_by_role("button", name="Add a question").click()
        assert faults_of(page) == [], path
        for width in (viewport, PHONE):
            page.set_viewport_size(width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width["width"], path
        page.set_viewport_size(viewport)
        assert "<b>bold</b>" not in page.evaluate("document.querySelector('main').innerHTML")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_pages_for_those_who_are_not_logged_in(browse: Browse, faults_of: Faults, lang: str) -> None:
    page = browse("/", cookies=None, viewport=PHONE, locale=lang)
    assert page.url.endswith("/login?next=/")
    assert page.locator("html").get_attribute("lang") == lang
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert faults_of(page) == []
    page.fill("#name", OWNER[0])
    page.fill("#password", "wrong password")
    page.keyboard.press("Enter")
    page.locator(".message.bad").wait_for()
    assert page.locator(".message.bad").inner_text() == say(lang)("login.wrong")
    other = "de" if lang == "en" else "en"
    page.select_option("#language", other)
    expect(page.locator("html")).to_have_attribute("lang", other)


def test_the_first_owner_from_the_link_in_the_terminal(browser: Any, client: httpx.Client, app: Any) -> None:
    page = browser.new_page(base_url=str(client.base_url))
    page.goto(f"/setup?code={app.state.setup_code}")
    page.fill("#name", "Ada")
    page.fill("#password", "correct horse battery")
    page.fill("#repeat", "correct horse")
    page.click("button.primary")
    assert "not the same" in page.locator(".message.bad").inner_text()
    page.fill("#repeat", "correct horse battery")
    page.click("button.primary")
    page.wait_for_url(str(client.base_url))
    assert page.locator("h1").inner_text() == "Campaigns"
    page.click("#logout")
    page.wait_for_url("**/login")
    page.close()


def test_a_campaign_by_keyboard_alone(browse: Browse, owner: httpx.Client, tmp_path: Path) -> None:
    """From the wizard over the links to the dashboard, without a mouse."""
    (tmp_path / "texts.csv").write_text(TEXTS, "utf-8")
    (tmp_path / "bad.csv").write_text("id,text\nt1,one\nt1,two\n", "utf-8")
    page = browse("/")

    def tab_to(selector: str) -> None:
        for _ in range(80):
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                shown = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                choice = page.evaluate("document.activeElement.matches('.choice input')")  # its box shows the focus
                assert shown != "none" or choice
                return
            page.keyboard.press("Tab")
        pytest.fail(f"the keyboard does not reach {selector}")

    tab_to('a[href="/campaigns/new"]')
    page.keyboard.press("Enter")
    page.wait_for_url("**/campaigns/new")
    tab_to('[name="kind"]')
    page.keyboard.press("ArrowRight")
    assert page.locator('.of-kind[data-kind="operations"]').is_visible()
    page.keyboard.press("ArrowLeft")
    tab_to("#ranking-file-texts")
    page.locator("#ranking-file-texts").set_input_files(tmp_path / "bad.csv")  # the dialog belongs to the system
    tab_to("#check")
    page.keyboard.press("Enter")
    page.locator("#checked .message.bad").wait_for()
    assert "bad.csv, line 3: " in page.locator("#checked .message.bad").inner_text()
    page.locator("#ranking-file-texts").set_input_files(tmp_path / "texts.csv")
    page.keyboard.press("Enter")
    page.locator("#checked .message.good").wait_for()
    assert "Items: 4" in page.locator("#checked .message.good").inner_text()
    assert page.locator("#checked td").nth(1).inner_text() == "The cat sat on the mat."
    page.locator("#lang").focus()
    page.keyboard.type("English")
    tab_to("#campaign-name")
    page.keyboard.type("By keyboard")
    tab_to("#consent")
    page.keyboard.type("I agree.")
    tab_to(".add")
    page.keyboard.press("Enter")
    page.keyboard.type("How old are you?")
    tab_to("#wizard .primary")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/campaigns/(?!new)"))
    campaign = page.url.rsplit("/", 1)[1]
    made = good(owner.get(f"/api/campaigns/{campaign}"))
    assert made["welcome"]["form"] == [
        {"id": "q1", "label": "How old are you?", "kind": "text", "options": [], "required": True}
    ]
    tab_to('[data-status="open"]')
    page.keyboard.press("Enter")
    page.locator("dialog").wait_for()
    page.keyboard.press("Escape")
    assert good(owner.get(f"/api/campaigns/{campaign}"))["status"] == "draft"
    page.keyboard.press("Enter")
    page.locator("dialog").wait_for()
    page.keyboard.press("Enter")
    page.locator(".badge.open").wait_for()
    assert good(owner.get(f"/api/campaigns/{campaign}"))["status"] == "open"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_links_are_shown_copied_renewed_and_revoked(
    browse: Browse, owner: httpx.Client, running: dict[str, Any]
) -> None:
    page = browse(f"/campaigns/{running['id']}/participants", permissions=["clipboard-read", "clipboard-write"])
    page.fill("#notes", "Tom\nمريم")
    page.click("#invite .primary")
    page.locator(".links li").nth(1).wait_for()
    link = page.locator(".links a").first.inner_text()
    page.get_by_role("button", name="Copy Link of P003").click()
    page.get_by_text("Copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == link
    assert httpx.get(link.replace("/p/", "/api/p/")).status_code == 200
    page.get_by_role("button", name="Revoke P003").click()
    page.locator("dialog .danger").click()
    page.locator(".badge.revoked").wait_for()
    assert httpx.get(link.replace("/p/", "/api/p/")).status_code == 403
    page.get_by_role("button", name="Delete P002").click()
    page.locator("dialog .danger").click()
    expect(page.locator("#people tbody tr")).to_have_count(3)
    page.reload()
    assert page.locator(".links").count() == 0


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_notes_are_no_formulas_in_the_file_of_links(browse: Browse, running: dict[str, Any]) -> None:
    page = browse(f"/campaigns/{running['id']}/participants", permissions=["clipboard-read", "clipboard-write"])
    page.fill("#notes", "=1+1\nTom;=cmd|' /C calc'!A0\n＝1\nAnn-Marie; 3")
    page.click("#invite .primary")
    page.locator(".links li").nth(3).wait_for()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save").click()
    notes = [line.split("\t")[1] for line in saved.value.path().read_text("utf-8").splitlines()[1:]]
    assert notes == ["'=1+1", "Tom;'=cmd|' /C calc'!A0", "'＝1", "Ann-Marie; 3"]
    page.get_by_role("button", name="Copy all").click()
    page.get_by_text("Copied.").wait_for()
    assert "\t'=1+1\t" in page.evaluate("navigator.clipboard.readText()")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_dashboard_lives(browse: Browse, owner: httpx.Client, running: dict[str, Any]) -> None:
    page = browse("/")
    page.clock.install()
    page.goto(f"/campaigns/{running['id']}")
    page.get_by_text("Answers included: 3.").wait_for()
    assert page.locator("#progress tbody tr").count() == 2
    assert "Live." in page.locator("#live").inner_text()
    links = good(owner.post(f"/api/campaigns/{running['id']}/participants", json={"count": 1}), 201)["links"]
    answer(owner.base_url, links[0]["link"], [{"yes": True}])
    page.clock.fast_forward(11_000)
    page.get_by_text("Answers included: 4.").wait_for()
    assert page.locator("#progress tbody tr").count() == 3
    page.context.set_offline(True)
    page.clock.fast_forward(11_000)
    page.locator("#live.off").wait_for()
    page.context.set_offline(False)
    page.clock.fast_forward(11_000)
    page.locator("#live:not(.off)").wait_for()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_second_of_two_owners_may_load_again(
    browse: Browse, owner: httpx.Client, running: dict[str, Any]
) -> None:
    page = browse(f"/campaigns/{running['id']}/settings")
    change = {"revision": running["revision"], "name": "By somebody else"}
    good(owner.patch(f"/api/campaigns/{running['id']}", json=change))
    page.fill("#campaign-name", "Mine")
    page.click("#settings .primary")
    page.locator("#settings .message.bad").wait_for()
    assert "somebody else" in page.locator("#settings .message.bad").inner_text()
    page.get_by_role("button", name="Load again").click()
    expect(page.locator("h1")).to_have_text("By somebody else")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_way_back_has_its_own_words(browse: Browse, owner: httpx.Client, running: dict[str, Any]) -> None:
    path = f"/campaigns/{running['id']}"
    revision = running["revision"]
    expected = {"paused": ("open", "Resume"), "closed": ("open", "Reopen"), "archived": ("closed", "Take out")}
    page = browse(path)
    for status, (back, label) in expected.items():
        good(owner.patch(f"/api{path}", json={"revision": revision, "status": status}))
        revision += 1
        page.reload()
        button = page.locator(f'[data-status="{back}"]')
        assert button.inner_text().startswith(label)
        button.click()
        assert page.locator("dialog #question").inner_text().startswith(label.split()[0])
        page.keyboard.press("Escape")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_point_of_the_ranking_tells_the_wording(
    browse: Browse, owner: httpx.Client, make: Callable[..., Any]
) -> None:
    made = make()
    good(owner.patch(f"/api/campaigns/{made['id']}", json={"revision": 1, "status": "open"}))
    (link,) = good(owner.post(f"/api/campaigns/{made['id']}/participants", json={"count": 1}), 201)["links"]
    answer(owner.base_url, link["link"], [{"choice": "first"}, {"choice": "second"}], 0.5)
    page = browse(f"/campaigns/{made['id']}")
    page.locator(".spot").first.wait_for()
    spot, image = page.locator(".spot").first, page.locator("#results img").first
    name, _, wording = str(spot.get_attribute("title")).partition(": ")
    assert f"{name},{wording}" in TEXTS.replace('"', "")
    inner, outer = spot.bounding_box(), image.bounding_box()
    assert outer["x"] < inner["x"] + inner["width"] / 2 < outer["x"] + outer["width"]
    assert outer["y"] < inner["y"] + inner["height"] / 2 < outer["y"] + outer["height"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_no_zero_is_negative(browse: Browse, running: dict[str, Any]) -> None:
    page = browse(f"/campaigns/{running['id']}")
    script = """async () => {
        const { number } = await import("/static/owner/dom.js");
        return [-0, -0.0001, -3].map((one) => number(one));
    }"""
    said = page.evaluate(script)
    assert said == ["0", "0", "−3"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_the_wizard_takes_over_what_a_file_says_and_forgets_it_again(browse: Browse, tmp_path: Path) -> None:
    german = EXPERIMENT.replace("lang: en", "lang: de")
    (tmp_path / "storms.yaml").write_text(german, "utf-8")
    page = browse("/campaigns/new")
    page.check('[value="comprehension"]')
    page.locator("#comprehension-file-experiment").set_input_files(tmp_path / "storms.yaml")
    page.click("#check")
    page.locator("#checked .message.good").wait_for()
    assert page.input_value("#instructions")
    assert page.locator("#form-fields .entry").count() == 2
    assert [page.input_value(one) for one in ("#campaign-name", "#interface", "#lang")] == ["storms", "de", "de"]
    page.fill("#consent", "Written by hand")
    page.check('[value="ranking"]')
    assert page.input_value("#consent") == "Written by hand"  # what somebody has changed stays
    assert [page.input_value(one) for one in ("#campaign-name", "#interface", "#lang")] == ["", "en", ""]
    page.select_option("#lang", "de")
    assert page.input_value("#interface") == "de"
    page.reload()
    page.check('[value="comprehension"]')
    page.locator("#comprehension-file-experiment").set_input_files(tmp_path / "storms.yaml")
    page.click("#check")
    page.locator("#checked .message.good").wait_for()
    page.check('[value="ratings"]')
    assert page.input_value("#instructions") == ""
    assert page.locator("#form-fields .entry").count() == 0


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_question_without_wording_is_pointed_at(browse: Browse, tmp_path: Path) -> None:
    (tmp_path / "texts.csv").write_text(TEXTS, "utf-8")
    page = browse("/campaigns/new")
    page.locator("#ranking-file-texts").set_input_files(tmp_path / "texts.csv")
    page.fill("#campaign-name", "Ages")
    page.select_option("#lang", "en")
    page.click(".add")
    page.click("#wizard .primary")
    page.locator(".messages .message.bad").wait_for()
    assert page.locator(".messages .message.bad").inner_text().startswith("Question 1 ")
    field = page.locator(".label-text")
    assert field.get_attribute("aria-invalid") == "true"
    expect(field).to_be_focused()
    field.fill("How old are you?")
    page.select_option(".entry .kind", "number")
    page.fill(".entry .least", "0")
    page.fill(".entry .most", "120")
    page.click("#wizard .primary")
    page.wait_for_url(re.compile("/campaigns/(?!new)"))
    page.goto(f"{page.url}/settings")
    assert [page.input_value(f".entry .{name}") for name in ("least", "most")] == ["0", "120"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_page_that_is_not_there_in_german(browse: Browse) -> None:
    for path in ("/nowhere", "/campaigns/abc"):
        page = browse(path, watched=False, locale="de")
        assert page.locator(".message.bad").inner_text() == say("de")("common.missing")


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_german_readers_find_words_and_numbers_as_they_write_them(browse: Browse, running: dict[str, Any]) -> None:
    page = browse("/campaigns/new", locale="de")
    names = page.locator("#lang option").all_inner_texts()
    assert names[0] == say("de")("owner.lang.file")
    assert page.input_value("#lang") == ""
    plain = [name for name in names[1:] if name.isascii()]  # where umlauts stand is the browser's to know
    assert plain == sorted(plain, key=str.casefold)
    assert "Deutsch" in plain
    page.goto(f"/campaigns/{running['id']}/exports")
    sizes = page.locator("tbody tr td:last-child").all_inner_texts()
    assert any("," in size for size in sizes)
    assert not any("." in size for size in sizes)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_an_analyst_sees_no_buttons_to_edit_with(
    browse: Browse, analyst: httpx.Client, running: dict[str, Any]
) -> None:
    page = browse(f"/campaigns/{running['id']}/settings", cookies=analyst)
    assert page.locator("#form-fields .entry").count() == 1
    assert page.locator("#form-fields button:visible").count() == 0


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_deleting_asks_for_the_name(browse: Browse, owner: httpx.Client, running: dict[str, Any]) -> None:
    page = browse(f"/campaigns/{running['id']}/settings")
    page.click("#delete")
    page.fill("dialog input", "Something else")
    page.click("dialog .danger")
    assert owner.get(f"/api/campaigns/{running['id']}").status_code == 200
    page.click("#delete")
    page.fill("dialog input", "Toy")
    page.click("dialog .danger")
    page.wait_for_url(str(owner.base_url))
    assert owner.get(f"/api/campaigns/{running['id']}").status_code == 404


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_users_by_page(browse: Browse, owner: httpx.Client) -> None:
    page = browse("/users")
    page.fill("#name", "Bob")
    page.fill("#password", "a long password")
    page.click("#new-user .primary")
    page.locator('[data-name="Bob"]').wait_for()
    page.fill("#name", "Bob")
    page.fill("#password", "a long password")
    page.click("#new-user .primary")
    page.locator("#new-user .message.bad").wait_for()  # there is one already
    assert page.get_by_role("button", name="Load again").count() == 0
    page.locator('[data-name="Ada"] .role').select_option("analyst")
    page.locator("#users-messages .message.bad").wait_for()
    assert page.locator(".message.bad").count() == 1  # the old error is gone
    page.locator(".message.bad").wait_for()  # there must be an owner
    assert page.locator('[data-name="Ada"] .role').input_value() == "owner"
    page.locator('[data-name="Bob"] .delete').click()
    page.locator("dialog .danger").click()
    expect(page.locator("[data-user]")).to_have_count(1)
    assert len(good(owner.get("/api/users"))["users"]) == 1


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_report_runs_its_scripts_and_reaches_nothing(
    browse: Browse, running: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from plainly.studio.kinds import get_kind

    script = "fetch('/api/me').then(() => document.title = 'reached', () => document.title = 'shut in')"
    page_text = f"<!DOCTYPE html><html lang='en'><title>x</title><script>{script}</script></html>"
    monkeypatch.setattr(type(get_kind("toy")), "report", lambda *_: page_text, raising=False)
    page = browse(f"/campaigns/{running['id']}/report", watched=False)  # the browser tells what it forbids
    expect(page).to_have_title("shut in")
    assert page.evaluate("(() => { try { return document.cookie } catch { return 'no cookies' } })()") == "no cookies"
