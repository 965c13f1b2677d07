"""Language entries: what each must hold, how they are found and refused, and how a user adds one."""

from __future__ import annotations

import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

from plainly import metrics
from plainly.base.errors import PlainlyError, UnknownName
from plainly.text.languages import LANGUAGES, OWN_ENTRIES, Language, get_language
from plainly.text.sentences import SentenceSplitter
from plainly.text.tokenizers import TOKENIZERS, get_tokenizer

from ..cases import each

ENTRIES = Path(__file__).parents[2] / "src" / "plainly" / "text" / "languages" / "entries"


def test_every_language_of_spacy_has_an_entry() -> None:
    import spacy.lang

    theirs = {module.name for module in pkgutil.iter_modules(spacy.lang.__path__) if module.ispkg}
    assert theirs - {"xx"} <= set(LANGUAGES)  # xx stands for no language in particular


def test_all_entries_are_found() -> None:
    assert list(LANGUAGES) == sorted(path.stem for path in ENTRIES.glob("*.toml"))
    assert len(LANGUAGES) == len(list(LANGUAGES)) >= 78
    assert "de" in LANGUAGES
    assert "xx" not in LANGUAGES
    assert get_language("de") is LANGUAGES["de"]


@each("language", LANGUAGES.values())
def test_an_entry_is_sound(language: Language) -> None:
    assert language.name[0].isupper()
    assert len(language.iso639_3) == 3
    assert language.code in (language.iso639_3, language.code[:2])
    assert language.tokenizer in TOKENIZERS
    assert language.spaces == (language.tokenizer != "char")
    words = [
        language.stop_words,
        *(value for value in vars(language.sentences).values() if isinstance(value, frozenset)),
    ]
    for word in set().union(*words):
        assert word == word.lower()
        assert not word.endswith(".")


@each("language", LANGUAGES.values())
def test_names_lead_somewhere(language: Language) -> None:
    from pyphen import LANGUAGES as DICTIONARIES
    from wordfreq import available_languages

    for name in {*language.metrics, *language.readability}:
        defined = metrics.metric_class(name).languages
        assert defined is None or language.code in defined, name
    assert language.frequency_list is None or language.frequency_list in available_languages()
    source = language.syllable_source
    assert source in ("", "plainly") or source.removeprefix("pyphen-") in DICTIONARIES
    assert (source == "plainly") == (language.code == "en")  # its rules are those of English


def test_names_and_codes_differ() -> None:
    for facts in ("name", "iso639_3"):
        values = [getattr(language, facts) for language in LANGUAGES.values()]
        assert len(values) == len(set(values))


def test_what_english_and_german_have() -> None:
    english, german = get_language("en"), get_language("de")
    assert (english.name, english.direction, english.spaces, english.tokenizer) == ("English", "ltr", True, "13a")
    assert english.metrics == ("sari", "bleu", "fkgl")
    assert english.syllable_source == "plainly"
    assert english.syllable_versions == {}
    assert german.syllable_source == "pyphen-de_DE"
    assert list(german.syllable_versions) == ["pyphen"]
    assert german.sentence_source == "builtin"
    assert "fre" in german.readability
    assert get_language("th").count_syllables is None


@pytest.mark.parametrize("code", ["ar", "fa", "he", "ur"])
def test_right_to_left(code: str) -> None:
    assert get_language(code).direction == "rtl"


@pytest.mark.parametrize(
    ("code", "function_words", "others"),
    [
        ("en", "the of she don't n't", "cat year city won new people"),
        ("de", "der die und nicht werden", "haus jahr stadt gut neu"),
        ("fr", "le la et ne pas", "maison année ville grand"),
        ("es", "el la y no que", "casa año ciudad grande"),
        ("it", "il la e non che", "casa anno città grande"),
        ("nl", "de het en niet dat", "huis jaar stad groot"),
        ("pt", "o a e não que", "casa ano cidade grande"),
        ("ru", "и в не что он", "дом год город большой"),
    ],
)
def test_function_words_are_frequent(code: str, function_words: str, others: str) -> None:
    from plainly.text.frequency import word_ranks

    words = get_language(code).stop_words
    assert set(function_words.split()) <= words
    assert not words & set(others.split())
    ranks = word_ranks(code)
    whole = [word for word in words if word.isalpha() and len(word) > 1]
    assert sum(word not in ranks for word in whole) / len(whole) < 0.12  # English: pieces of short forms


@pytest.mark.parametrize(("variant", "code"), [("de-AT", "de"), ("pt_BR", "pt"), ("es-419", "es"), ("zh-cn", "zh")])
def test_a_region_is_dropped(variant: str, code: str) -> None:
    assert get_language(variant).code == code


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("german", "de"),
        ("German", "de"),
        ("germna", "de"),
        ("deu", "de"),
        ("DE", "de"),
        ("spa", "es"),
        ("ita", "it"),
        ("frensh", "fr"),
        ("sr-Latn", "sr"),  # other letters, other rules: not silently the same
    ],
)
def test_an_unknown_language_gets_a_suggestion(name: str, meant: str) -> None:
    with pytest.raises(UnknownName) as caught:
        get_language(name)
    assert str(caught.value) == f"unknown language {name!r}; did you mean {meant!r}?"


def test_where_nothing_is_near_all_are_listed() -> None:
    with pytest.raises(UnknownName, match=r"unknown language 'qq'; known: af, am, ar, .*, zh$"):
        get_language("qq")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(OWN_ENTRIES, str(tmp_path))
    return tmp_path


def test_a_language_of_the_users_own(own: Path) -> None:
    (own / "eo.toml").write_text('name = "Esperanto"\niso639_3 = "epo"\nstop_words = "la kaj"\n', "utf-8")
    esperanto = get_language("eo")
    assert esperanto == Language(
        code="eo",
        name="Esperanto",
        iso639_3="epo",
        stop_words=frozenset({"la", "kaj"}),
        sentences=SentenceSplitter(first_words=frozenset({"la", "kaj"})),
    )
    assert "eo" in LANGUAGES
    assert get_language("de").name == "German"


def test_the_language_that_the_page_adds(own: Path) -> None:
    page = (ENTRIES.parents[4] / "docs" / "languages.md").read_text("utf-8")
    (entry,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (own / "eo.toml").write_text(entry, "utf-8")
    assert get_language("eo").split_sentences("La 3. majo venis d-ro Zamenhof ktp. Li restis.") == [
        "La 3. majo venis d-ro Zamenhof ktp.",
        "Li restis.",
    ]
    (own / "src.txt").write_text("La kato dormas.\n", "utf-8")
    (own / "out.txt").write_text("Ĝi dormas. Bone.\n", "utf-8")
    command = re.findall(r"^plainly (score --lang eo .*)$", page, re.MULTILINE)[0].split()
    done = subprocess.run(  # in a new process: metrics ask for all languages when they are first imported
        [sys.executable, "-m", "plainly", *command, "--format", "json"], cwd=own, capture_output=True, check=True
    )
    scores = json.loads(done.stdout)["systems"]["mine"]
    assert scores["sentence-length"]["score"]["value"] == 1.5
    assert "lang:eo" in scores["sentence-length"]["signature"]


def test_a_language_of_plainly_cannot_be_replaced(own: Path) -> None:
    (own / "de.toml").write_text('name = "Deutsch"\niso639_3 = "deu"\n', "utf-8")
    with pytest.raises(PlainlyError, match=r"de\.toml: plainly has a language 'de'; rename yours, say to de-x-mine"):
        get_language("de")


def test_the_folder_must_be_there(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OWN_ENTRIES, str(own / "none"))
    with pytest.raises(PlainlyError, match=r"PLAINLY_LANGUAGES: .*none is no folder"):
        get_language("de")


@pytest.mark.parametrize(
    ("code", "text", "complaint"),
    [
        ("eo", "name = ", "Invalid value"),
        ("eo", 'name = "Esperanto"', "iso639_3 is missing"),
        ("eo", 'name = "Esperanto"\niso639_3 = "epo"\ntokeniser = "13a"', "unknown key 'tokeniser'"),
        ("eo", 'name = "Esperanto"\niso639_3 = "epo"\nspaces = "yes"', "spaces must be of type bool"),
        ("eo", 'name = "Esperanto"\niso639_3 = "epo"\nstop_words = ["la"]', "stop_words must be one text"),
        ("eo", 'name = "Esperanto"\niso639_3 = "epo"\ndirection = "up"', "direction must be one of ltr, rtl"),
        (
            "eo",
            'name = "Esperanto"\niso639_3 = "epo"\nsyllable_source = "eo"',
            "syllable_source must begin with pyphen-",
        ),
        ("eo", 'name = "Esperanto"\niso639_3 = "epo"\nsentences = "."', "sentences must be a table"),
        ("eo", 'name = "Esperanto"\niso639_3 = "epo"\n[sentences]\nstop = "."', "sentences: unknown key 'stop'"),
        ("Esperanto", 'name = "Esperanto"\niso639_3 = "epo"', "'Esperanto' is no code of a language"),
    ],
)
def test_a_bad_entry_is_named(code: str, text: str, complaint: str, own: Path) -> None:
    (own / f"{code}.toml").write_text(text, "utf-8")
    with pytest.raises(PlainlyError) as caught:
        get_language(code)
    assert str(caught.value).startswith(f"{own / code}.toml: ")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_turkish_has_two_letters_i() -> None:
    tokenizer = get_tokenizer("13a")
    assert tokenizer.tokens("IŞIK İZMİR", lowercase=True, lang="tr") == ["ışık", "izmir"]
    assert tokenizer.tokens("ISLAND", lowercase=True, lang="en") == ["island"]
