"""Documents in the segment browser: what became of each sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plainly.corpus import Corpus
from plainly.report import segments
from plainly.report.segments import aligned_sentences

RIVER = "The river rises in the northern mountains and flows through seven towns."
MILLS = "Water mills once lined its banks, but most of them were demolished after the flood of 1910."
FISH = "Biologists have recently reintroduced salmon, which had been extinct there for decades."
OUTPUT = f"Listen! The river rises in the mountains. It flows through seven towns. {FISH}"
PHONE = {"viewport": {"width": 360, "height": 740}}


@pytest.fixture
def numbered() -> tuple[list[str], Callable[[str], int]]:
    texts: list[str] = []

    def number(text: str) -> int:
        texts.append(text)
        return len(texts) - 1

    return texts, number


def test_links_are_numbers_of_texts(numbered: tuple[list[str], Callable[[str], int]]) -> None:
    texts, number = numbered
    corpus = Corpus([f"{RIVER} {MILLS} {FISH}", RIVER, f"{RIVER} {FISH}"])
    found = aligned_sentences(corpus, {"a": [OUTPUT, "One. Two.", None]}, number)
    assert found is not None
    assert found[0][1:] == [None, None]  # one sentence only; no output
    said = [([texts[i] for i in source], [texts[j] for j in output]) for source, output in found[0][0] or []]
    assert said == [
        ([], ["Listen!"]),
        ([RIVER], ["The river rises in the mountains.", "It flows through seven towns."]),
        ([MILLS], []),
        ([FISH], [FISH]),
    ]


def test_none_where_there_is_nothing_to_align(
    numbered: tuple[list[str], Callable[[str], int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, number = numbered
    several = Corpus([f"{RIVER} {MILLS}"])
    assert aligned_sentences(Corpus([RIVER, None]), {"a": [RIVER, RIVER]}, number) is None
    assert aligned_sentences(several, {}, number) is None
    assert aligned_sentences(several, {"a": [RIVER]}, number) is not None
    monkeypatch.setattr(segments, "MOST", 1)
    assert aligned_sentences(several, {"a": [RIVER]}, number) is None


def test_in_the_browser(look: Any, tmp_path: Path, page_of: Any) -> None:
    source = f"{RIVER} {MILLS} {FISH}"
    corpus = Corpus([source, RIVER], [[RIVER], [RIVER]], {"it": [OUTPUT, RIVER]})
    path = tmp_path / "documents.html"
    path.write_text(page_of(corpus), "utf-8")
    page = look(path)
    assert page.locator(".aligned").count() == 1  # the other source is one sentence
    assert page.locator(".aligned td").count() == 0  # made when it is opened
    page.get_by_text("Sentence by sentence").click()
    page.wait_for_selector(".aligned td")
    page.get_by_label("Mark changes").uncheck()  # draws the page again
    page.get_by_text("Sentence by sentence").click()
    page.wait_for_selector(".aligned td")
    cells = page.locator(".aligned tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    assert cells == [
        ["(added)", "Listen!"],
        [RIVER, "The river rises in the mountains. It flows through seven towns."],
        [MILLS, "(deleted)"],
        [FISH, FISH],
    ]


def test_words_are_marked_within_a_pair(look: Any, tmp_path: Path, page_of: Any) -> None:
    corpus = Corpus([f"{RIVER} {FISH}"], [[RIVER]], {"it": [f"{FISH} The river rises in the hills."]})
    path = tmp_path / "marks.html"
    path.write_text(page_of(corpus), "utf-8")
    page = look(path)
    page.get_by_text("Sentence by sentence").click()
    page.wait_for_selector(".aligned td")
    row = page.locator(".aligned tbody tr").first
    assert row.locator("ins").all_text_contents() == ["[added: hills]"]
    assert page.locator(".aligned tbody tr").last.locator("ins, del, mark").count() == 0  # moved as a whole


def test_hostile_documents(look: Any, tmp_path: Path, page_of: Any, hostile_texts: list[str]) -> None:
    evil = " \n\n".join(hostile_texts)
    corpus = Corpus([f"{evil} \n\n{RIVER}"], [[evil]], {"it": [evil], "<b>evil": [RIVER]})
    path = tmp_path / "hostile.html"
    path.write_text(page_of(corpus), "utf-8")
    page = look(path, **PHONE)
    for summary in page.locator(".aligned summary").all():
        summary.click()
    page.wait_for_function("document.querySelectorAll('.aligned table').length === 2")
    page.get_by_label("Mark changes").check()
    assert page.evaluate("window.hacked") is None
    assert page.locator(".aligned img, .aligned script, .aligned b").count() == 0
    shown = page.locator(".aligned tbody td").all_inner_texts()
    assert any("<script>window.hacked = 1</script>" in text for text in shown)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
