"""The page of ratings in a real browser: keyboard alone, all answers, axe-core, 360 pixels, right to left."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plainly.studio.kinds.base import Given
from plainly.studio.settings import sqlite_url

from ...waiting import until

Look = Callable[..., Any]
Invite = Callable[..., list[str]]
Stored = Callable[[], list[Given]]
FOCUSED = """() => {
  const here = document.activeElement;
  return (here.closest('fieldset')?.querySelector('legend') ?? here).textContent;
}"""
ARABIC = "".join(
    json.dumps(
        {"id": f"a{n}", "source": "عادت السفينة إلى الميناء بعد رحلة طويلة.", "outputs": {"x": "عادت السفينة."}}
    )
    + "\n"
    for n in range(2)
)


@pytest.fixture
def database_url(tmp_path: Path) -> str:
    """What the page does has nothing to do with the make of the database."""
    return sqlite_url(tmp_path / "studio.sqlite")


def begin(page: Any) -> Any:
    page.locator("[type=submit]").focus()
    page.keyboard.press("Enter")
    page.locator(".ratings").wait_for()
    return page


def done(page: Any, count: int) -> None:
    """Waits until so many pages are done."""
    page.wait_for_function("n => document.getElementById('count').textContent.startsWith(`${n}/`)", arg=count)


def sent(stored: Stored, page: Any, count: int) -> list[Given]:
    """The answers on the server, as soon as there are so many."""
    until(lambda: len(stored()) == count, f"{count} answers")
    return stored()


def test_keyboard_alone(invite: Invite, look: Look, stored: Stored) -> None:
    page = begin(look(invite(checks=0)[0]))
    assert page.evaluate(FOCUSED) == "Is the text good, fluent language?"
    page.keyboard.press("4")  # and on to the next scale
    assert page.evaluate(FOCUSED) == "Does the text say the same as the original?"
    page.keyboard.press("Enter")  # two are missing: it says so, and nothing is sent
    assert page.locator(".problem").text_content() == "2 ratings are missing."
    assert page.evaluate(FOCUSED) == "Does the text say the same as the original?"
    page.keyboard.press("x")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(FOCUSED) == "Does the text say the same as the original?"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("2")  # another mind, and on to what is open
    assert page.evaluate(FOCUSED) == "Is the text easy to understand?"
    page.keyboard.press("9")  # there is no such value
    assert page.evaluate(FOCUSED) == "Is the text easy to understand?"
    page.keyboard.press("5")
    assert page.evaluate(FOCUSED) == "Next"
    page.keyboard.press("Enter")
    done(page, 1)
    assert sent(stored, page, 1)[0].answer == {"ratings": [{"fluency": 2, "meaning": None, "simplicity": 5}]}
    page.keyboard.press("u")  # back again, with what was said
    done(page, 0)
    assert page.locator("input:checked").evaluate_all("all => all.map(one => one.value)") == ["2", "", "5"]
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    done(page, 1)
    other = [{"fluency": 3, "meaning": None, "simplicity": 5}]  # the first one goes, and then this one comes
    until(lambda: [one.answer["ratings"] for one in stored()] == [other], "the answer in the place of the first one")
    assert stored()[0].revisions == 1
    for count in range(2, 19):
        page.locator(".ratings").wait_for()  # these keys are quicker than the server, which sends ten pages at a time
        for key in ("1", "2", "3", "Enter"):
            page.keyboard.press(key)
        done(page, count)
    page.wait_for_function("() => document.body.dataset.screen === 'finished'")
    assert len(sent(stored, page, 18)) == 18
    assert all(one.seconds is not None and one.seconds >= 0 for one in stored())


def test_the_mouse_and_a_reload(invite: Invite, look: Look, stored: Stored) -> None:
    page = begin(look(invite(checks=0, unsure=False)[0]))
    assert page.get_by_text("I cannot judge this").count() == 0
    page.keyboard.press("x")  # not allowed here
    assert page.locator("input:checked").count() == 0
    page.locator(".scale").nth(0).locator(".point").nth(4).click()
    page.locator(".scale").nth(2).locator(".point").nth(0).click()
    page.reload()
    page.locator(".ratings").wait_for()
    assert page.locator("input:checked").evaluate_all("all => all.map(one => one.value)") == ["5", "1"]
    page.get_by_role("button", name="Next").click()
    assert page.locator(".problem").text_content() == "One rating is missing."
    page.locator(".scale").nth(1).locator(".point").nth(2).click()
    page.get_by_role("button", name="Next").click()
    assert sent(stored, page, 1)[0].answer == {"ratings": [{"fluency": 5, "meaning": 3, "simplicity": 1}]}
    done(page, 1)
    assert page.locator("input:checked").count() == 0, "a new page begins empty"


def test_sliders(invite: Invite, look: Look, stored: Stored) -> None:
    page = begin(look(invite(answers="slider", checks=0, interface="de")[0]))
    slider = page.get_by_role("slider").first
    assert slider.get_attribute("aria-valuetext") == "noch nicht bewertet"
    line, end = slider.bounding_box(), page.locator(".below .end").last.bounding_box()
    assert abs(line["x"] + line["width"] - end["x"] - end["width"]) < 4, "the name of an end stands at that end"
    looks = "slider => getComputedStyle(slider).appearance"
    assert slider.evaluate(looks) == "none"  # a bare line: no thumb and no filled bar suggest an answer
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "51"
    assert slider.evaluate(looks) == "auto"
    page.keyboard.press("End")
    assert slider.get_attribute("aria-valuetext") == "100"
    page.keyboard.press("Enter")
    assert page.locator(".problem").text_content() == "Es fehlen noch 2 Bewertungen."
    page.keyboard.press("7")
    page.keyboard.press("x")
    page.keyboard.press("Enter")
    answer = sent(stored, page, 1)[0].answer
    assert answer == {"ratings": [{"fluency": 100, "meaning": 70, "simplicity": None}]}
    done(page, 1)
    page.keyboard.press("u")
    done(page, 0)
    assert page.locator("output").all_text_contents() == ["100", "70", "Kann ich nicht beurteilen"]
    assert page.get_by_role("checkbox").nth(2).is_checked()


def test_ten_steps_and_own_words(invite: Invite, look: Look, stored: Stored) -> None:
    page = begin(look(invite(points=10, checks=0, scales=["fun | Is it fun? | dull | a joy"])[0]))
    assert page.evaluate(FOCUSED) == "Is it fun?"
    assert page.get_by_role("radio", name="10: a joy").count() == 1
    page.keyboard.press("0")
    page.keyboard.press("Enter")
    assert sent(stored, page, 1)[0].answer == {"ratings": [{"fun": 10}]}


def test_all_outputs_of_a_source(invite: Invite, look: Look, stored: Stored) -> None:
    page = begin(look(invite(layout="together", checks=0)[0], viewport={"width": 1000, "height": 500}))
    assert page.locator(".output").count() == 3
    assert page.locator(".source blockquote").count() == 1
    for key in "111222":
        page.keyboard.press(key)
    assert page.evaluate(FOCUSED) == "Text 3 of 3: Is the text good, fluent language?"
    quote, deck, head = (
        page.locator(name).bounding_box() for name in (".output:last-child blockquote", ".deck", "header")
    )
    assert head["y"] + head["height"] <= quote["y"] < deck["y"], "the text of the output can be seen"
    for key in "333":
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    ratings = sent(stored, page, 1)[0].answer["ratings"]
    assert [list(one.values()) for one in ratings] == [[n] * 3 for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("scheme", "answers", "size"),
    [
        ("light", "likert", (1200, 800)),
        ("dark", "likert", (360, 640)),
        ("light", "slider", (360, 640)),
        ("dark", "slider", (1200, 800)),
    ],
)
def test_axe_finds_nothing_and_everything_fits(
    invite: Invite,
    look: Look,
    faults_of: Callable[[Any], list[str]],
    scheme: str,
    answers: str,
    size: tuple[int, int],
) -> None:
    interface = "de" if scheme == "dark" else "en"
    link = invite(answers=answers, points=10, layout="together", interface=interface)[0]
    page = begin(look(link, color_scheme=scheme, viewport={"width": size[0], "height": size[1]}))
    page.keyboard.press("3")
    page.keyboard.press("Enter")  # with what is missing marked
    assert faults_of(page) == []
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window
    for target in page.locator(".point, .unsure, input[type=range], main button").all():
        assert target.bounding_box()["height"] >= 43


def test_long_words_break(invite: Invite, look: Look) -> None:
    long = json.dumps({"id": "1", "source": "s" * 3000, "outputs": {"a": "o" * 3000}}) + "\n"
    scale = f"{'n' * 40} | {'q' * 300} | {'l' * 100} | {'h' * 100}"
    page = begin(look(invite(outputs=long, scales=[scale])[0], viewport={"width": 360, "height": 640}))
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window


def test_right_to_left(invite: Invite, look: Look, faults_of: Callable[[Any], list[str]]) -> None:
    page = begin(look(invite(outputs=ARABIC, lang="ar")[0], viewport={"width": 360, "height": 640}))
    quotes = page.locator("blockquote")
    assert (
        quotes.evaluate_all("all => all.map(one => [one.lang, getComputedStyle(one).direction])")
        == [["ar", "rtl"]] * 2
    )
    assert faults_of(page) == []


def test_a_hidden_source(invite: Invite, look: Look) -> None:
    page = begin(look(invite(source=False)[0]))
    assert page.locator(".source").count() == 0
    assert "committee" not in page.content().replace("The committee postponed its decision.", "")


def test_texts_are_texts(invite: Invite, look: Look) -> None:
    nasty = "<img src=x onerror=alert(1)><script>document.title = 'no'</script>"
    outputs = json.dumps({"id": "1", "source": nasty, "outputs": {"a": nasty}}) + "\n"
    page = begin(look(invite(outputs=outputs, scales=[f"s|{nasty}|{nasty}|{nasty}"], checks=0)[0]))
    assert page.locator("blockquote").all_text_contents() == [nasty] * 2
    assert page.locator(".ratings img, .ratings script").count() == 0
