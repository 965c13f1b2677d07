"""Instructions with formatting and pictures: what becomes of them, and what never runs; and how to see them again."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from plainly.studio.formatting import DEEPEST, formatted
from plainly.studio.store import images

from ..owner.conftest import OWNER, good

Look = Callable[..., Any]
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
JPEG = b"\xff\xd8\xff\xe0" + b"\0" * 40
WEBP = b"RIFF\x24\0\0\0WEBPVP8 " + b"\0" * 40
ATTACKS = [
    "<script>window.ran = 1</script>",
    "<img src=x onerror=window.ran=1>",
    "[click](javascript:window.ran=1)",
    "[click](JaVaScRiPt&#58;window.ran=1)",
    "[click](data:text/html,<script>window.ran=1</script>)",
    "[click](vbscript:window.ran=1)",
    "[click](//evil.example/)",
    "[click](http://evil.example/)",
    '[click](https://a.example/" onclick="window.ran=1)',
    "[click](<https://a.example/ onclick=window.ran=1>)",
    '![x" onerror="window.ran=1](cat.png)',
    "![x](javascript:window.ran=1)",
    "![x](https://evil.example/cat.png)",
    "![x](../../../api/me)",
    "![x](cat.svg)",
    "<svg onload=window.ran=1>",
    "# <iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
    "- <a href=javascript:window.ran=1>x</a>",
    "<https://evil.example/>",
    "[click][ref]\n\n[ref]: javascript:window.ran=1",
    "**<style>@import 'https://evil.example/'</style>**",
    "{{ 7*7 }} ${7*7}",
]
TAGS = {"p", "h2", "h3", "ul", "ol", "li", "strong", "em", "br", "a", "img"}


def nodes(tree: list[Any]) -> Iterator[dict[str, Any]]:
    for node in tree:
        if isinstance(node, dict):
            yield node
            yield from nodes(node.get("children", []))


def test_what_is_formatted() -> None:
    text = "# Read\n\nBoth **texts**,\nthen *choose*.\n\n- one\n- two [here](https://a.example/?q=1)\n\n"
    text += "![A cat](cat.png)"
    assert formatted(text) == [
        {"tag": "h2", "children": ["Read"]},
        {
            "tag": "p",
            "children": [
                "Both ",
                {"tag": "strong", "children": ["texts"]},
                ",",
                {"tag": "br"},
                "then ",
                {"tag": "em", "children": ["choose"]},
                ".",
            ],
        },
        {
            "tag": "ul",
            "children": [
                {"tag": "li", "children": ["one"]},
                {
                    "tag": "li",
                    "children": ["two ", {"tag": "a", "children": ["here"], "href": "https://a.example/?q=1"}],
                },
            ],
        },
        {"tag": "p", "children": [{"tag": "img", "src": "cat.png", "alt": "A cat"}]},
    ]
    assert formatted("2 < 3 & a_b_c\n\n3. three") == [
        {"tag": "p", "children": ["2 < 3 & a_b_c"]},
        {"tag": "ol", "children": [{"tag": "li", "children": ["three"]}], "start": 3},
    ]
    assert formatted("") == []


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_but_a_few_elements(attack: str) -> None:
    for node in nodes(formatted(attack)):
        assert node["tag"] in TAGS
        assert set(node) <= {"tag", "children", "href", "src", "alt", "start"}
        assert node.get("href", "https://").startswith("https://")
        assert node.get("src", "cat.png") == "cat.png"


def test_texts_that_are_meant_to_be_deep_or_slow() -> None:
    for text in (
        "*a " * 6000,
        "[" * 20_000,
        "![" * 10_000,
        "**a *b " * 2500 + "** *" * 100,
        "- " * 9000,
        "1. " * 6000,
    ):
        tree = formatted(text)
        json.dumps(tree)  # no deeper than anybody can read it

        def depth(node: Any) -> int:
            return 1 + max(map(depth, node.get("children", [])), default=0) if isinstance(node, dict) else 0

        assert max(map(depth, tree), default=0) <= DEEPEST


@pytest.mark.parametrize(("content", "ending"), [(PNG, "png"), (JPEG, "jpg"), (WEBP, "webp")])
def test_pictures_are_known_by_what_they_hold(content: bytes, ending: str) -> None:
    assert images.ending_of(content) == ending


@pytest.fixture
def owner(client: httpx.Client, app: Any) -> httpx.Client:
    name, password = OWNER
    me = good(client.post("/api/setup", json={"code": app.state.setup_code, "name": name, "password": password}))
    client.headers["X-CSRF-Token"] = me["csrf"]
    return client


def make(owner: httpx.Client, instructions: str, **more: Any) -> dict[str, Any]:
    data = {
        "kind": "ranking",
        "lang": "en",
        "name": "A",
        "welcome": json.dumps({"instructions": instructions, **more}),
    }
    texts = "id,text\na,One text.\nb,Two texts.\nc,Three texts.\n"
    return dict(good(owner.post("/api/campaigns", data=data, files={"texts": ("t.csv", texts)}), 201))


def send(owner: httpx.Client, made: Any, name: str, content: bytes) -> httpx.Response:
    return owner.post(f"/api/campaigns/{made['id']}/images", files={"file": (name, content)})


def test_pictures_of_a_draft(owner: httpx.Client) -> None:
    made = make(owner, "![A cat](my-cat.png)")
    path = f"/api/campaigns/{made['id']}"
    early = owner.patch(path, json={"revision": 1, "status": "open"})
    words = "the instructions: there is no picture my-cat.png; add it under Settings, or take it out"
    assert (early.status_code, early.json()["error"]) == (422, words)
    assert good(send(owner, made, "../My Cät!.JPG", PNG), 201)["name"] == "my-c-t.png"
    assert good(send(owner, made, "my cat.png", PNG), 201)["name"] == "my-cat.png"
    assert send(owner, made, "my cat.png", PNG).status_code == 409
    for wrong in (b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"", b"GIF89a", b"<script>1</script>", PNG[1:]):
        assert send(owner, made, "x.png", wrong).status_code == 422
    assert send(owner, made, "x.png", PNG + b"0" * images.LARGEST).status_code == 413
    assert owner.post(f"{path}/images", data={"file": "x"}, files={"other": ("x", PNG)}).status_code == 422
    shown = owner.get(f"{path}/images/my-cat.png")
    assert shown.content == PNG
    assert shown.headers["Content-Type"] == "image/png"
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in shown.headers["Content-Security-Policy"]
    assert owner.get(f"{path}/images/none.png").status_code == 404
    assert owner.get(f"{path}/images/%2e%2e%2fme").status_code == 404
    good(owner.delete(f"{path}/images/my-c-t.png"), 204)
    assert [one["name"] for one in good(owner.get(f"{path}/images"))["images"]] == ["my-cat.png"]
    copy = good(owner.post(f"{path}/duplicate", json={"name": "B"}), 201)
    assert owner.get(f"/api/campaigns/{copy['id']}/images/my-cat.png").content == PNG
    good(owner.patch(path, json={"revision": 1, "status": "open"}))
    assert send(owner, made, "late.png", PNG).status_code == 409
    assert owner.delete(f"{path}/images/my-cat.png").status_code == 409
    link = good(owner.post(f"{path}/participants", json={"count": 1}), 201)["links"][0]["link"]
    token = link.rsplit("/", 1)[1]
    with httpx.Client(base_url=owner.base_url) as browser:
        assert browser.get(f"/api/p/{token}/images/my-cat.png").content == PNG
        assert browser.get(f"/api/p/{token}/images/none.png").status_code == 404
        assert browser.get("/api/p/nobody/images/my-cat.png").status_code == 404
        assert browser.get(f"{path}/images/my-cat.png").status_code == 401


def test_no_more_pictures_than_there_may_be(owner: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "MOST", 1)
    made = make(owner, "")
    good(send(owner, made, "a.png", PNG), 201)
    assert "at most" in send(owner, made, "b.png", PNG).json()["error"]


def test_pictures_travel_with_the_campaign(owner: httpx.Client, app: Any) -> None:
    from plainly.studio.store import archive

    made = make(owner, "![A cat](cat.png)")
    good(send(owner, made, "cat.png", PNG), 201)
    with app.state.database.reading() as session:
        content = json.loads(archive.written(archive.archived(session, made["id"])))
    with app.state.database.writing() as session:
        copy = archive.restore(session, content, "x").id
    assert owner.get(f"/api/campaigns/{copy}/images/cat.png").content == PNG
    for wrong in ("<svg/>", "***"):
        content["images"] = [
            {"name": "cat.png", "content": base64.b64encode(wrong.encode()).decode() + "*" * (wrong == "***")}
        ]
        with app.state.database.writing() as session, pytest.raises(ValueError, match="damaged"):
            archive.restore(session, content, "x")
    del content["images"]  # as an older plainly wrote it
    with app.state.database.writing() as session:
        archive.restore(session, content, "x")


def opened(owner: httpx.Client, made: Any) -> str:
    return str(good(owner.post(f"/api/campaigns/{made['id']}/preview"))["link"])


def test_attacks_in_instructions_and_consent(owner: httpx.Client, look: Look) -> None:
    text = "\n\n".join(ATTACKS)
    made = make(owner, text, consent=text)
    page = look(opened(owner, made), refusals=True)
    page.locator(".welcome").wait_for()
    found = page.locator(".welcome .instructions, .welcome .consent")
    tags = found.evaluate_all(
        "boxes => boxes.flatMap(box => [...box.querySelectorAll('*')].map(one => one.localName))"
    )
    assert {*tags} <= {*TAGS, "label", "input", "span"}
    links = page.locator(".welcome a").evaluate_all("all => all.map(a => [a.getAttribute('href'), a.rel])")
    assert all(href.startswith("https://a.example/") and rel == "noopener noreferrer" for href, rel in links)
    handlers = page.evaluate(
        "[...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).length"
    )
    assert handlers == 0
    for link in page.locator(".welcome .instructions a").all():
        link.evaluate(
            "a => { a.removeAttribute('target'); a.addEventListener('click', e => e.preventDefault()); a.click(); }"
        )
    assert page.evaluate("window.ran") is None
    assert "<script>" in page.locator(".instructions").inner_text()  # shown as the text that it is


def test_instructions_with_a_picture_can_be_read_again(owner: httpx.Client, look: Look) -> None:
    made = make(
        owner, "# How it works\n\nRead **both** texts.\n\n![A cat](cat.png)", form=[{"id": "age", "label": "Age"}]
    )
    good(send(owner, made, "cat.png", PNG), 201)
    page = look(opened(owner, made))
    page.locator(".instructions h2", has_text="How it works").wait_for()
    assert page.locator(".instructions strong").inner_text() == "both"
    page.wait_for_function("document.querySelector('.instructions img')?.naturalWidth === 1")
    assert page.locator("#instructions").is_hidden()
    page.fill("#field-age", "33")
    page.reload()
    page.locator(".welcome").wait_for()
    assert page.input_value("#field-age") == "33"  # kept until it is sent
    page.click("button.primary")
    page.locator(".ranking").wait_for()
    assert page.evaluate("Object.keys(localStorage).filter(key => key.endsWith(':welcome')).length") == 0
    page.keyboard.press("?")
    again = page.locator("dialog.again")
    again.locator("h2", has_text="How it works").wait_for()
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    page.keyboard.press("ArrowLeft")  # answers nothing while the instructions are open
    page.keyboard.press("Escape")
    again.wait_for(state="detached")
    assert page.locator("#count").inner_text().startswith("0/")
    page.click("#instructions")
    again.locator("button").click()
    again.wait_for(state="detached")


@pytest.mark.parametrize("kind", ["operations", "comprehension", "ratings"])
def test_instructions_in_every_kind(kind: str, owner: httpx.Client, look: Look) -> None:
    slot, name, content = {
        "operations": ("pairs", "p.csv", "source,simplification\nThe feline slept.,The cat slept.\n"),
        "comprehension": ("experiment", "e.yaml", EXPERIMENT),
        "ratings": ("outputs", "o.csv", "id,source,a\n1,The feline slept.,The cat slept.\n"),
    }[kind]
    data = {"kind": kind, "lang": "en", "name": "A", "welcome": json.dumps({"instructions": "*Do it well.*"})}
    made = good(owner.post("/api/campaigns", data=data, files={slot: (name, content)}), 201)
    page = look(opened(owner, made))
    page.click("button.primary")
    page.locator("#instructions").wait_for()
    for _ in range(2 if kind == "ratings" else 1):  # also while a scale has the focus
        page.keyboard.press("?")
        page.locator("dialog.again").wait_for()
        assert page.locator("dialog.again em").inner_text() == "Do it well."
        page.keyboard.press("Escape")
        page.locator("dialog.again").wait_for(state="detached")
        if kind == "ratings":
            page.locator("input[type=radio]").first.focus()


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
