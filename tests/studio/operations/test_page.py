"""The page in a real browser: by keyboard alone, on a narrow screen, from right to left, for everybody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plainly.operations.guide import guide
from plainly.studio.kinds.base import Material
from plainly.studio.store.overview import given

from ...waiting import until

Read = Callable[..., Material]
Write = Callable[..., Path]
Link = Callable[..., str]
ARABIC = [("1", "كان القط نائما على السجادة القديمة في الغرفة .", "نام القط على السجادة .")]
LONG = [("1", "word " * 120 + "incomprehensibilities" * 4, "word " * 80)]


def stored(app: Any) -> dict[str, Any]:
    with app.state.database.reading() as session:
        return {one.task["pair"]: one.answer for one in given(session, app.state.last_campaign)}


def wait_until_stored(page: Any, app: Any, right: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    until(lambda: right(stored(app)))
    return stored(app)


def focused(page: Any) -> str:
    token: str = page.evaluate("document.activeElement.querySelector('.token')?.textContent ?? ''")
    return token


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def chosen(page: Any) -> list[str]:
    tokens: list[str] = page.locator(".word[aria-pressed=true] .token").all_text_contents()
    return tokens


def said(page: Any) -> str:
    words: str = page.locator("#status").text_content()
    return words


def test_a_pair_is_annotated_by_keyboard_alone(look: Any, link: Link, material: Material, app: Any) -> None:
    page = look(link(material))
    assert focused(page) == "The", "work begins at the first word"
    press(page, "ArrowRight", "Space", "Tab", "ArrowRight", "Space")
    assert chosen(page) == ["feline", "cat"]
    press(page, "s")
    assert "Synonym: feline → cat" in said(page)
    wait_until_stored(page, app, lambda found: len(found.get("a", {"groups": []})["groups"]) == 1)
    press(page, "End", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "Space", "s")  # the new full stop: a split
    assert "Split" in said(page)
    press(page, "Shift+Tab")
    assert focused(page) == "feline", "each text remembers its place"
    press(page, "ArrowRight", "ArrowRight", "Space", "i")
    found = wait_until_stored(page, app, lambda found: len(found["a"]["groups"]) == 3)
    assert found["a"]["groups"] == [
        {"source": [1], "target": [1], "label": "synonym"},
        {"source": [3], "target": [], "label": "delcst"},
        {"source": [], "target": [3], "label": "split"},
    ]
    assert not found["a"]["done"]
    press(page, "u")
    wait_until_stored(page, app, lambda found: len(found["a"]["groups"]) == 2)
    press(page, "e")
    wait_until_stored(page, app, lambda found: found["a"]["erroneous"])
    press(page, "e", "d")
    page.locator("h1", has_text="Pair 2").wait_for()
    found = wait_until_stored(page, app, lambda found: found["a"]["done"])
    assert not found["a"]["erroneous"]
    assert found["a"]["seconds"] > 0
    assert page.locator("#count").text_content() == "1/4"


def test_only_labels_that_fit_the_sides_are_offered(look: Any, link: Link, material: Material) -> None:
    page = look(link(material))

    def offered() -> list[str]:
        names: list[str] = page.eval_on_selector_all("[data-label]", "each => each.map((one) => one.dataset.label)")
        return names

    assert offered() == []
    press(page, "Space")
    assert offered() == ["neg2pos", "delcst", "delmod", "delprop", "deloth", "fromImp", "merge"]
    press(page, "s")  # synonym and split do not fit words of the source alone
    assert "No label fits" in said(page)
    assert page.locator(".group").count() == 0
    press(page, "Tab", "Space")
    assert "synonym" in offered()
    assert not {"delcst", "incst", "split"} & set(offered())
    press(page, "Shift+Tab", "Space")
    assert offered() == ["pos2neg", "incst", "inmod", "inprop", "inoth", "split", "toImp", "fromImp"]
    press(page, "Escape")
    assert chosen(page) == []


def test_shift_and_arrows_select_several_words_and_escape_lets_go(look: Any, link: Link, material: Material) -> None:
    page = look(link(material))
    press(page, "Shift+ArrowRight", "Shift+ArrowRight")
    assert chosen(page) == ["The", "feline", "slept"]
    press(page, "Shift+ArrowLeft")
    assert chosen(page) == ["The", "feline"], "the way back lets go of words"
    page.locator("#side-source + .words-row .word").nth(5).click(modifiers=["Shift"])
    assert chosen(page) == ["The", "feline", "slept", "because", "it", "was"]
    press(page, "Escape")
    assert chosen(page) == []


def test_groups_are_edited_deleted_and_brought_back(look: Any, link: Link, material: Material, app: Any) -> None:
    page = look(link(material))
    words = page.locator("#side-source + .words-row .word")
    words.nth(1).click()
    page.locator("[data-label=delmod]").click()
    assert page.locator(".group strong").all_text_contents() == ["Deletion of a modifier"]
    assert "2 del" not in words.nth(1).inner_text()
    assert "1 delM" in words.nth(1).inner_text(), "words carry the label, not colour alone"
    words.nth(1).click()  # a word with a label opens its group
    assert page.locator("[data-label=delmod]").get_attribute("aria-pressed") == "true"
    words.nth(2).click()
    page.locator("[data-label=deloth]").click()
    found = wait_until_stored(page, app, lambda found: found["a"]["groups"][0]["label"] == "deloth")
    assert found["a"]["groups"] == [{"source": [1, 2], "target": [], "label": "deloth"}]
    words.nth(4).click()
    words.nth(1).click()
    words.nth(2).click()
    page.locator("[data-label=delprop]").click()  # takes all words of the first group, which is gone
    assert page.locator(".group").count() == 1
    assert "Group 1 is gone" in said(page)
    page.get_by_role("button", name="Undo", exact=True).click()
    assert page.locator(".group strong").all_text_contents() == ["Other deletion"]
    page.get_by_role("button", name="Edit group 1").click()
    assert chosen(page) == ["feline", "slept"]
    press(page, "Delete")
    wait_until_stored(page, app, lambda found: found["a"]["groups"] == [])
    assert "Nothing is marked yet" in page.locator(".groups").inner_text()


def test_work_is_there_again_after_a_reload_and_in_the_list(
    look: Any, link: Link, material: Material, app: Any
) -> None:
    page = look(link(material))
    press(page, "Space", "o")
    wait_until_stored(page, app, lambda found: "a" in found)
    page.reload()
    page.wait_for_selector(".group")
    assert page.locator(".group strong").all_text_contents() == ["Other deletion"]
    press(page, "n")
    page.locator("h1", has_text="Pair 2").wait_for()
    press(page, "d")
    page.locator("h1", has_text="Pair 1").wait_for()
    press(page, "l")
    page.wait_for_selector("dialog .pair")
    states = page.locator("dialog .pair").all_inner_texts()
    assert ["not done" in state for state in states] == [True, False, True, True]
    page.locator("dialog .pair").nth(1).click()
    page.locator("h1", has_text="Pair 2").wait_for()
    assert "Done" in page.locator("h1 .badge").inner_text()
    page.get_by_role("button", name="Not done yet").click()
    wait_until_stored(page, app, lambda found: not found["b"]["done"])


def test_all_pairs_done_is_the_end_and_can_be_looked_at_again(look: Any, link: Link, material: Material) -> None:
    page = look(link(material))
    for number in range(1, 5):
        page.locator("h1", has_text=f"Pair {number}").wait_for()
        press(page, "d")
    page.wait_for_selector("body[data-screen=finished]")
    page.locator("#task button").click()
    page.wait_for_selector(".operations")
    assert page.locator("#count").text_content() == "4/4"


def test_the_guide_is_one_key_away(look: Any, link: Link, material: Material) -> None:
    page = look(link(material))
    press(page, "g")
    assert page.locator("dialog dt").count() == 27 + len(guide("en").rules)
    examples = [e for entry in (*guide("en").rules, *guide("en").labels.values()) for e in entry.examples]
    assert page.locator("dialog .example").count() == len(examples)
    assert page.locator("dialog .is-wrong").count() == sum(example.wrong for example in examples)
    shown = page.locator("dialog .example", has_text="tree").first.inner_text()
    assert " ".join(shown.split()).startswith("✓ Right: They study the delC growth move of delC trees p2s.")
    press(page, "s")
    assert page.locator(".group").count() == 0, "letters are no labels while the guide is open"
    press(page, "Escape")
    page.locator("dialog").wait_for(state="detached")
    assert focused(page) == "The", "focus goes back to where it was"


def test_who_marks_a_faulty_pair_and_labels_is_told(look: Any, link: Link, material: Material, app: Any) -> None:
    page = look(link(material))
    hint = page.locator(".not-alone")
    press(page, "e")
    assert not hint.is_visible(), "the flag alone is right"
    press(page, "e", "Space", "m", "e")
    assert "no other label, but one group is marked" in hint.inner_text()
    assert "It should have no other label" in said(page)
    wait_until_stored(page, app, lambda found: "a" in found and found["a"]["erroneous"] and found["a"]["groups"])
    assert page.get_by_role("button", name="Done, next pair").is_enabled(), "it is a hint and holds nobody up"
    hint.get_by_role("button").click()
    assert not hint.is_visible()
    wait_until_stored(page, app, lambda found: not found["a"]["groups"])
    press(page, "u")
    assert hint.is_visible(), "it can be undone"


@pytest.mark.parametrize("interface", ["en", "de"])
def test_nothing_is_left_without_words(look: Any, link: Link, material: Material, interface: str) -> None:
    page = look(link(material, interface=interface))
    press(page, "Space", "g")
    assert "operations." not in page.locator("body").inner_text()


def test_labels_of_ones_own_are_explained_in_their_own_words(look: Any, link: Link, read: Read, write: Write) -> None:
    rest = "shapes: [both], computational: replace, linguistic: other, yawat: k"
    words = "title: Kürzer, definition: Nun kürzer., example_source: lang, example_target: kurz"
    own = f"name: ours\nlang: de\nlabels:\n  - {{name: kurz, {words}, {rest}}}\n"
    page = look(link(read({"pairs": write("pairs.csv"), "typology": write("own.yaml", own)})))
    press(page, "Space", "Tab", "Space", "k")
    assert page.locator(".group strong").all_text_contents() == ["Kürzer"]
    assert page.get_by_role("button", name="Faulty pair").count() == 0
    press(page, "g")
    assert page.locator("dialog dt").count() == 1
    assert "Nun kürzer." in page.locator("dialog dd").inner_text()
    assert "kurz" in page.locator("dialog dd").inner_text()


@pytest.mark.parametrize(("rows", "layout"), [(LONG, "rows"), (ARABIC, "columns")], ids=["long", "arabic"])
def test_a_narrow_screen_needs_no_scrolling_sideways(
    look: Any, link: Link, read: Read, write: Write, layout: str, rows: Any
) -> None:
    lang = "ar" if rows is ARABIC else "en"
    start = "rules" if rows is ARABIC else "nothing"
    page = look(link(read({"pairs": write("pairs.csv", rows)}, layout=layout, start=start, lang=lang), lang), 360)
    for keys in ([], ["Space"], ["g"], ["Escape"]):
        press(page, *keys)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    press(page, "l")
    page.wait_for_selector("dialog")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_word_in_focus_is_not_hidden_by_the_labels(look: Any, link: Link, read: Read, write: Write) -> None:
    page = look(link(read({"pairs": write("pairs.csv", LONG)})), 360)
    press(page, "Space", "End", "ArrowUp")
    seen = page.evaluate(
        """() => {
            const box = document.activeElement.getBoundingClientRect();
            const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            return document.activeElement.contains(found);
        }"""
    )
    assert seen


def test_arrows_follow_what_is_seen_from_right_to_left(look: Any, link: Link, read: Read, write: Write) -> None:
    page = look(link(read({"pairs": write("pairs.csv", ARABIC)}, lang="ar"), "ar"))
    row = page.locator("#side-source + .words-row")
    assert row.get_attribute("dir") == "rtl"
    boxes = [row.locator(".word").nth(place).bounding_box() for place in (0, 1)]
    assert boxes[0]["x"] > boxes[1]["x"], "the first word stands on the right"
    press(page, "ArrowLeft")
    assert focused(page) == "القط"
    press(page, "ArrowRight")
    assert focused(page) == "كان"
    press(page, "Space", "Tab", "Space", "s")
    before, after = (page.locator(".change bdi").nth(place).bounding_box() for place in (0, 1))
    assert before["x"] < after["x"], "the arrow of an English page points from the source to the simplification"
    assert page.locator(".change bdi").first.inner_text() == "كان"


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (360, "dark")])
def test_axe_finds_no_fault(
    look: Any, faults_of: Callable[[Any], list[str]], link: Link, read: Read, write: Write, scheme: str, width: int
) -> None:
    page = look(link(read({"pairs": write("pairs.csv")}, start="rules")), width, color_scheme=scheme)
    assert faults_of(page) == []
    press(page, "Space")
    page.locator(".word[aria-pressed=false]").first.click()
    assert page.locator("[data-label]").count()
    assert faults_of(page) == []
    press(page, "e", "g")
    page.locator("dialog details summary").click()
    assert faults_of(page) == []
    press(page, "Escape", "l")
    page.wait_for_selector("dialog .pair")
    assert faults_of(page) == []


def test_hostile_words_stay_words(look: Any, link: Link, read: Read, write: Write) -> None:
    rows = [
        ("1", '<img src=x onerror="window.hacked=1"> {{7*7}} \u202eabc', "</script><script>window.hacked=2</script>")
    ]
    page = look(link(read({"pairs": write("pairs.csv", rows)})))
    press(page, "Space", "o")
    assert page.evaluate("window.hacked") is None
    assert page.locator(".word img").count() == 0
    assert page.locator(".word .token").first.inner_text() == "<img"


def middle(page: Any, side: str, position: int) -> tuple[float, float]:
    box = page.locator(f"#side-{side} + .words-row .word").nth(position).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_words_are_selected_by_dragging_over_them(look: Any, link: Link, material: Material) -> None:
    page = look(link(material))
    page.mouse.move(*middle(page, "source", 1))
    page.mouse.down()
    for position in (2, 3, 4, 3):
        page.mouse.move(*middle(page, "source", position))
    page.mouse.up()
    assert chosen(page) == ["feline", "slept", "because"], "the way back lets go of words"
    assert "3" in said(page)
    page.locator("#side-target + .words-row .word").nth(1).click()
    assert chosen(page) == ["feline", "slept", "because", "cat"], "what was selected stays"
    page.locator("#side-source + .words-row .word").nth(2).click()
    assert chosen(page) == ["feline", "because", "cat"], "a click after a drag is a click"
    press(page, "Escape")
    page.mouse.move(*middle(page, "source", 2))
    page.mouse.down()
    page.mouse.move(*middle(page, "source", 3))
    page.mouse.move(*middle(page, "source", 2))
    page.mouse.up()
    assert chosen(page) == ["slept"], "back where it began, a drag is no click that lets the word go"
    press(page, "Space")
    assert chosen(page) == [], "keys work as ever"


def test_a_finger_drags_across_and_scrolls_up_and_down(look: Any, link: Link, read: Read, write: Write) -> None:
    many = [("1", "word " * 150, "word " * 100)]
    page = look(link(read({"pairs": write("pairs.csv", many)})), width=390, has_touch=True, is_mobile=True)
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def drag(start: tuple[float, float], *, across: float = 0, down: float = 0) -> None:
        touch("touchStart", start)
        for step in range(1, 11):
            touch("touchMove", (start[0] + across * step / 10, start[1] + down * step / 10))
        touch("touchEnd")

    x, y = middle(page, "source", 0)
    drag((x, y), across=middle(page, "source", 3)[0] - x)
    assert len(chosen(page)) == 4
    press(page, "Escape")
    assert page.evaluate("scrollY") == 0
    drag(middle(page, "source", 30), down=-300)
    until(lambda: page.evaluate("scrollY") > 0, "the page to scroll")
    assert chosen(page) == []
