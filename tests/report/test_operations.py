"""The section on operations, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.report.test_page import Parsed

from plainly.cli import main
from plainly.corpus import Corpus
from plainly.inference import Resampling
from plainly.metrics import get
from plainly.operations import AnnotatedPair, Group
from plainly.operations.profile import profile, tagged
from plainly.operations.tagger import Tagger
from plainly.report.operations import section

Look = Callable[..., Any]
FEW = Resampling(resamples=50)


@pytest.fixture
def page(page_of: Callable[..., str], demo_corpus: Corpus, tmp_path: Path) -> Path:
    found = profile(
        tagged(demo_corpus, Tagger("rules", "en")), demo_corpus, [get("sari"), get("bleu")], resampling=FEW
    )
    path = tmp_path / "report.html"
    path.write_text(page_of(demo_corpus, operations=found), "utf-8")
    return path


def test_charts_and_examples(look: Look, page: Path) -> None:
    opened = look(page)
    assert opened.locator('#operations figure[data-chart="operations"] .picture svg').count() == 1
    assert opened.locator('#operations figure[data-chart="operations-scores"] .picture svg').count() == 2
    synonym = opened.locator("#operations details", has_text="Synonym")
    synonym.locator("summary").click()
    assert synonym.locator("mark").count() >= 4  # in the source and in the output of each of two systems
    cells = opened.locator('#operations figure[data-chart="operations"] svg text').all_text_contents()
    assert {"careful-writer", "hasty-model", "references", "Synonym", "Deletion of a modifier"} <= set(cells)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("width", [1200, pytest.param(360, marks=pytest.mark.slow)])
def test_everybody_can_read_it(
    look: Look, faults_of: Callable[..., list[str]], page: Path, scheme: str, width: int
) -> None:
    opened = look(page, color_scheme=scheme, viewport={"width": width, "height": 740})
    opened.evaluate("document.querySelectorAll('#operations details').forEach(d => { d.open = true; })")
    assert faults_of(opened, serious=True) == []
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_tokens_and_names(look: Look, hostile_texts: list[str], page_of: Any, tmp_path: Path) -> None:
    name = "</script><b>evil"
    corpus = Corpus(hostile_texts, [[text] for text in hostile_texts], {name: hostile_texts[::-1]})
    pairs = [
        AnnotatedPair(str(i), (text,), (other,), (Group((0,), (0,), "synonym"),), name)
        for i, (text, other) in enumerate(zip(hostile_texts, hostile_texts[::-1], strict=True))
    ]
    path = tmp_path / "hostile.html"
    path.write_text(page_of(corpus, operations=profile(pairs, corpus, [get("sari")], resampling=FEW)), "utf-8")
    opened = look(path)
    assert opened.evaluate("window.hacked === undefined")
    opened.locator("#operations details:has(.example) > summary").first.click()
    assert opened.locator("#operations .example dd mark").first.inner_text() == hostile_texts[0]


@pytest.mark.slow
def test_the_verdict_names_operations_and_no_sentence_their_codes(demo_corpus: Corpus, page_of: Any) -> None:
    found = profile(
        tagged(demo_corpus, Tagger("rules", "en")), demo_corpus, [get("sari")], resampling=Resampling(resamples=1000)
    )
    page = Parsed(page_of(demo_corpus, operations=found))
    text = " ".join(page.text.split())
    first = text.partition("Telling segments")[0]
    assert "More often in careful-writer than in hasty-model: " in first
    assert "synonym (98 % against 8 % of the segments)" in first  # 59 and 5 of 60; two wrong numbers are none
    shown = section(found, [get("sari")])
    prose = " ".join(
        [
            *shown.short,
            *(one.answer for one in shown.charts),
            *(panel.alt for one in shown.charts for panel in one.panels),
        ]
    )
    codes = [name for name in found.typology.operations if name not in ("synonym", "move", "split", "merge")]
    assert not [code for code in codes if re.search(rf"\b{code}\b", f"{prose} {first}")]
    assert "Rewarded by SARI: " in prose
    shares = {doing.origin: doing.operations["synonym"].pairs.count for doing in found.doings}
    assert (shares["careful-writer"], shares["hasty-model"]) == (59, 5)


def test_words_of_the_section(demo_corpus: Corpus) -> None:
    found = section(profile(tagged(demo_corpus, Tagger("rules", "en")), demo_corpus, resampling=FEW))
    assert found.annotators == "rules"
    assert found.trust.startswith("Rules know no meaning")
    assert found.short[0].startswith("careful-writer most often does: ")
    assert [chart.name for chart in found.charts] == ["operations"]  # without metrics nothing is explained


def test_systems_stand_in_the_order_of_the_page(demo_corpus: Corpus) -> None:
    names = ["hasty-model", "careful-writer"]
    turned = profile(tagged(demo_corpus, Tagger("rules", "en")), demo_corpus, resampling=FEW)
    found = section(turned, systems=names)
    assert [said.partition(" most")[0] for said in found.short] == names
    assert list(dict.fromkeys(row[0] for row in found.charts[0].rows)) == [*names, "references"]


def test_a_system_that_changes_nothing(page_of: Callable[..., str], look: Look, tmp_path: Path) -> None:
    texts = ["The cat slept.", "Rain fell."]
    corpus = Corpus(texts, [[text] for text in texts], {"copy": texts})
    found = profile(tagged(corpus, Tagger("rules", "en")), corpus, [get("fkgl")], resampling=FEW)
    assert section(found).short == ["copy changes nothing."]
    assert section(found).charts == []
    path = tmp_path / "copy.html"
    path.write_text(page_of(corpus, operations=found), "utf-8")
    assert "copy changes nothing." in look(path).locator("#operations").inner_text()


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "r.html"
    assert main(["report", "--demo", "--operations", "rules", "--quiet", "--resamples", "50", "-o", str(path)]) == 0
    assert "Which operations do the systems make?" in path.read_text("utf-8")
    assert main(["report", "--demo", "--operations", "guess", "--quiet", "-o", str(path)]) == 2
