"""The tokeniser `spacy` against spaCy and against published counts."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainly._kernels import Vocabulary
from plainly.base.errors import MissingResource, PlainlyError
from plainly.text import spacy_tokenizer
from plainly.text.languages import LANGUAGES, OWN_ENTRIES
from plainly.text.tokenizers import get_tokenizer, tokenizers_for

SPACY = get_tokenizer("spacy")


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("de", "Er kam z. B. am 3. Mai, bzw. um 18.30 Uhr.", "Er kam z. B. am 3. Mai , bzw. um 18.30 Uhr ."),
        ("en", "We  don't\tknow.\n", "We do n't know ."),
        ("fr", "L'homme d'affaires n'est pas là.", "L' homme d' affaires n' est pas là ."),
        ("ur", "یہ ایک جملہ ہے۔", "یہ ایک جملہ ہے ۔"),
        ("zh", "我们走吧。", "我 们 走 吧 。"),
        ("de", "", ""),
        ("de", " \n", ""),
    ],
)
def test_a_line(code: str, text: str, expected: str) -> None:
    assert SPACY.tokens(text, lang=code) == expected.split()


@settings(deadline=None)
@given(
    st.sampled_from(["de", "en", "ar", "zh"]), st.text(max_size=40) | st.text(alphabet=" .:-)(zBa'’\n", max_size=40)
)
def test_equal_to_spacy_on_any_text(code: str, text: str) -> None:
    theirs = [token.text for token in spacy_tokenizer._tokenizer(code)(text) if not token.is_space]
    assert SPACY.tokens(text, lang=code) == ["_".join(token.split()) for token in theirs]


def test_words_per_text_meet_the_published_ones(shared: Path) -> None:
    # Origin: spaCy 3.8.18, blank German and English, run with the code of rstodden/easse-de.
    oracle = json.loads((shared / "oracle" / "easse_de.json").read_text("utf-8"))["datasets"]
    for name, stem in {"DEplain-web": "deplain_web", "GEOlino": "geolino"}.items():
        for side, ending in {"source": "orig", "reference": "simp"}.items():
            path = shared / "data" / "german" / stem / f"{stem}.test.{ending}"
            lines = [line.strip() for line in path.read_text("utf-8").split("\n")[:-1]]
            assert len(lines) == oracle[name]["n"]
            for lang in ("de", "en"):
                ids, _ = SPACY.encode(Vocabulary(), lines, False, lang)
                expected = oracle[name][f"words_per_{side}"][f"spacy-{lang}|lc=False"]
                assert len(ids) / len(lines) == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("code", [code for code, language in LANGUAGES.items() if not language.spacy_needs])
def test_languages_that_need_spacy_alone(code: str) -> None:
    assert "".join(SPACY.tokens("a b.", lang=code)) == "ab."


@pytest.mark.parametrize("code", [code for code, language in LANGUAGES.items() if language.spacy_needs])
def test_languages_that_need_more_say_what(code: str) -> None:
    if "spacy" in tokenizers_for(code):
        pytest.skip("it is all here")
    with pytest.raises(MissingResource) as caught:
        SPACY.tokens("a b.", lang=code)
    assert str(caught.value).endswith(f"pip install {' '.join(LANGUAGES[code].spacy_needs)}")


def test_without_spacy_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    spacy_tokenizer._tokenizer.cache_clear()
    with pytest.raises(MissingResource, match=r"pip install 'plainly\[languages\]'"):
        SPACY.tokens("Ein Satz.", lang="de")
    assert "spacy" not in tokenizers_for("de")


def test_a_language_that_spacy_does_not_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tlh.toml").write_text('name = "Klingon"\niso639_3 = "tlh"\n', "utf-8")
    monkeypatch.setenv(OWN_ENTRIES, str(tmp_path))
    with pytest.raises(PlainlyError, match=r"spaCy has no tokenizer for Klingon \(tlh\)"):
        SPACY.tokens("Qapla'", lang="tlh")


def test_a_blank_inside_a_token_becomes_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    # What spaCy gives for Vietnamese with pyvi, which is not among our dependencies.
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

    words = Doc(Vocab(), ["Hà Nội", "đẹp", "."], [True, False, False])
    monkeypatch.setattr(spacy_tokenizer, "_tokenizer", lambda lang: lambda text: words)
    assert SPACY.tokens("Hà Nội đẹp.", lang="vi") == ["Hà_Nội", "đẹp", "."]


def test_the_version_is_in_long_signatures() -> None:
    assert list(SPACY.versions()) == ["spacy"]
    assert get_tokenizer("13a").versions() == {}
