"""The demo sets are whole, and the toy systems do what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plainly.demo
from plainly.base.errors import UnknownName
from plainly.demo import DEMO_LANGUAGES, demo_corpus, demo_outputs
from plainly.demo.systems import SYSTEMS, splitter, substituter
from plainly.text.languages import get_language

from ..cases import each

FOLDER = Path(plainly.demo.__file__).parent
FILES = sorted(FOLDER.rglob("*.txt"))
NEGATIONS = {
    "en": {"not", "no", "never", "cannot", "without", "nor", "none", "unless"},
    "de": {"nicht", "kein", "keine", "keinen", "keiner", "nie", "niemals", "ohne", "weder", "noch"},
}

languages = pytest.mark.parametrize("lang", DEMO_LANGUAGES)


def sources(lang: str) -> list[str]:
    return (FOLDER / lang / "sources.txt").read_text(encoding="utf-8").split("\n")[:-1]


def negations(text: str, lang: str) -> list[str]:
    return sorted(word for word in re.findall(r"\w+", text.lower()) if word in NEGATIONS[lang])


def numbers(text: str) -> list[str]:
    return sorted(re.findall(r"[0-9]+", text))


def test_there_are_ten_files_a_language() -> None:
    assert len(FILES) == 20


@languages
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_files_hold_what_the_toy_systems_write(lang: str, name: str) -> None:
    stale = "run: python -m plainly.demo"
    assert demo_outputs(lang)[name] == [SYSTEMS[name](text, lang) for text in sources(lang)], stale


@each("path", FILES)
def test_a_file_has_60_clean_lines(path: Path) -> None:
    text = path.read_bytes().decode("utf-8")
    assert text.endswith("\n")
    assert "\r" not in text
    lines = text[:-1].split("\n")
    assert len(lines) == 60
    for line in lines:
        assert line
        assert line == line.strip()
        assert "  " not in line


@languages
def test_the_corpus_is_whole(lang: str) -> None:
    corpus = demo_corpus(lang)
    assert corpus.lang == lang
    assert corpus.sources == sources(lang)
    assert len(set(corpus.sources)) == 60
    assert {len(group) for group in corpus.references} == {3}
    assert set(corpus.outputs) == {*SYSTEMS, "careful-writer", "hasty-model"}
    assert corpus.outputs == demo_outputs(lang)


@pytest.mark.parametrize(
    "make", [demo_corpus, demo_outputs, *(SYSTEMS[name] for name in ("splitter", "substituter"))]
)
def test_another_language_is_refused(make) -> None:  # type: ignore[no-untyped-def]
    arguments = ["A text.", "xx"] if make in SYSTEMS.values() else ["xx"]
    with pytest.raises(UnknownName, match="'xx'"):
        make(*arguments)


@languages
@pytest.mark.parametrize("name", SYSTEMS)
@settings(deadline=None)
@given(text=st.text())
def test_a_system_survives_any_text_and_says_the_same_twice(name: str, lang: str, text: str) -> None:
    result = SYSTEMS[name](text, lang)
    assert isinstance(result, str)
    assert SYSTEMS[name](text, lang) == result


@languages
def test_the_systems_change_a_good_share(lang: str) -> None:
    texts = sources(lang)
    outputs = demo_outputs(lang)
    changed = {name: sum(a != b for a, b in zip(texts, outputs[name], strict=True)) for name in SYSTEMS}
    assert changed["identity"] == 0
    assert changed["truncation"] == 60
    assert changed["splitter"] >= 12
    assert changed["substituter"] >= 20


@languages
@pytest.mark.parametrize("system", [splitter, substituter])
def test_numbers_and_negations_are_kept(lang: str, system) -> None:  # type: ignore[no-untyped-def]
    for text in sources(lang):
        result = system(text, lang)
        assert numbers(result) == numbers(text)
        new = ["not"] if "This does not apply if" in result else []  # for "unless"
        old = [word for word in negations(text, lang) if word != "unless" or not new]
        assert negations(result, lang) == sorted(old + new)


@languages
def test_the_substituter_touches_only_words_of_its_table(lang: str) -> None:
    table = get_language(lang).easy_words
    for text in sources(lang):
        before, after = (re.split(r"(\W+)", version) for version in (text, substituter(text, lang)))
        for old, new in zip(before, after, strict=True):
            assert old == new or table[old.lower()] == new.lower()


@languages
def test_a_table_leads_nowhere_twice(lang: str) -> None:
    table = get_language(lang).easy_words
    assert len(table) >= {"en": 120, "de": 80}[lang]
    for difficult, easy in table.items():
        assert difficult == difficult.lower() != easy


def test_case_and_articles_are_kept() -> None:
    assert substituter("Physicians, a Physician, PURCHASE", "en") == "Physicians, a Doctor, BUY"
    assert substituter("an enormous house, the enormous house", "en") == "an enormous house, the huge house"
    assert substituter("Zahlreiche Häuser", "de") == "Viele Häuser"


@each(
    "lang, text, result",
    [
        ("en", "We waited; it was late.", "We waited. It was late."),
        ("en", "He ran, but the bus had left.", "He ran. But the bus had left."),
        ("en", "He likes apples, pears, and the sea.", "He likes apples, pears, and the sea."),
        ("en", "If he comes, and she does too, we go.", "If he comes, and she does too, we go."),
        ("en", "They sold the barn, which was old.", "They sold the barn. This was old."),
        ("en", "The barn, which was old, burned.", "The barn was old. It burned."),
        ("en", "The book that I read is old.", "The book that I read is old."),
        ("en", "Pets (e.g. cats) may stay.", "Pets may stay. For example: cats."),
        ("de", "Wir warteten; es war spät.", "Wir warteten. Es war spät."),
        ("de", "Er baute ein Haus, das verkauft wurde.", "Er baute ein Haus. Dieses wurde verkauft."),
        (
            "de",
            "Er hat ein Haus, das leer steht und verkauft wird.",
            "Er hat ein Haus, das leer steht und verkauft wird.",
        ),
        ("de", "Er blieb, denn es regnete.", "Er blieb. Denn es regnete."),
        ("de", "Er rannte, doch der Bus war schon weg.", "Er rannte. Doch der Bus war schon weg."),
        ("de", "Er sagt, dass er kommt, und sie ist froh.", "Er sagt, dass er kommt, und sie ist froh."),
    ],
)
def test_the_splitter_splits_where_it_may(lang: str, text: str, result: str) -> None:
    assert splitter(text, lang) == result
