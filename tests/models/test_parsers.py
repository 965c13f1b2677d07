"""Which parser serves which language, spaCy pipelines that the user has, and one inventory of labels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from plainly.base.errors import MissingResource, UnknownName
from plainly.models.parsers import Token, choice, missing_parser, parse, parser_for, parsers, spacy_pipelines
from plainly.models.parsers.labels import renamed, rule_for

FRENCH = find_spec("fr_core_news_sm") is not None
needs_french = pytest.mark.skipif(not FRENCH, reason="the pipeline fr_core_news_sm is not installed")


@pytest.fixture
def fresh_choice() -> Iterator[None]:
    parsers.cache_clear()
    yield
    parsers.cache_clear()


def install(folder: Path, name: str, lang: str, pipeline: list[str]) -> None:
    """What pip leaves of a spaCy pipeline, as far as it is looked at before the first text."""
    (folder / name).mkdir()
    (folder / name / "meta.json").write_text(
        json.dumps({"lang": lang, "name": name, "version": "3.9.1", "pipeline": pipeline}), encoding="utf-8"
    )
    info = folder / f"{name}-3.9.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 3.9.1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[spacy_models]\n{name} = {name}\n", encoding="utf-8")


@pytest.mark.usefixtures("fresh_choice")
def test_pipelines_of_the_user_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any of them; without a name the one that plainly knows, then the larger, then those on a transformer."""
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, "xx_core_web_trf", "xx", ["transformer", "tagger", "parser", "ner"])
    install(tmp_path, "xx_core_web_md", "xx", ["tok2vec", "tagger", "parser", "lemmatizer"])
    install(tmp_path, "xx_names_only_lg", "xx", ["tok2vec", "ner"])
    install(tmp_path, "en_core_web_lg", "en", ["tok2vec", "tagger", "parser"])
    assert list(parsers("xx")) == ["xx_core_web_md", "xx_core_web_trf"]
    chosen = parser_for("xx")
    assert isinstance(chosen, spacy_pipelines.SpacyPipeline)
    assert (chosen.name, chosen.version) == ("xx_core_web_md", "3.9.1")
    assert chosen.provides == {"tags", "lemmas", "dependencies"}
    assert parser_for("xx", "xx_core_web_trf") is parsers("xx")["xx_core_web_trf"]
    assert list(parsers("en"))[-1] == "en_core_web_lg"
    with pytest.raises(UnknownName, match="unknown parser for 'xx' 'xx_core_web_mdd'; did you mean 'xx_core_web_md'"):
        parser_for("xx", "xx_core_web_mdd")


@pytest.mark.usefixtures("fresh_choice")
def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_pipelines, "installed", lambda lang: [])
    assert parser_for("en") is None
    assert missing_parser("en") == "there is no parser for 'en': pip install 'plainly[parsers]'"
    with pytest.raises(MissingResource, match=r"cannot parse 'en': there is no parser for 'en': pip install"):
        parse(["A text."], "en")


def test_no_language_is_parsed_as_another() -> None:
    assert parser_for("is") is None
    assert missing_parser("is") == "there is no parser for 'is'; install a spaCy pipeline of Icelandic"


@pytest.mark.usefixtures("fresh_choice")
@pytest.mark.skipif(not choice.GermanParser.installed(), reason="the extra `parsers` is not installed")
def test_what_a_parser_lacks_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_pipelines, "installed", lambda lang: [])
    assert missing_parser("de", {"tags", "lemmas"}) is None
    why = (
        "hanta, the parser for 'de' here, gives no dependencies and no entities; "
        "install a spaCy pipeline of German: python -m spacy download de_core_news_sm"
    )
    assert missing_parser("de", {"tags", "dependencies", "entities"}) == why


@needs_french
@pytest.mark.slow  # the pipeline takes seconds to load
def test_a_french_pipeline() -> None:
    """A passive with an agent, as UD annotates it; two blanks make no token."""
    chosen = parser_for("fr")
    assert chosen is not None
    assert chosen.name == "fr_core_news_sm"
    (sentence,) = parse(["La loi a été votée  par le parlement."], "fr")[0].sentences
    assert [(token.text, token.pos, sentence[token.head].text, token.dep) for token in sentence] == [
        ("La", "DET", "loi", "det"),
        ("loi", "NOUN", "votée", "nsubj:pass"),
        ("a", "AUX", "votée", "aux:tense"),
        ("été", "AUX", "votée", "aux:pass"),
        ("votée", "VERB", "votée", "root"),
        ("par", "ADP", "parlement", "case"),
        ("le", "DET", "parlement", "det"),
        ("parlement", "NOUN", "votée", "obl:agent"),
        (".", "PUNCT", "votée", "punct"),
    ]
    assert sentence[4].lemma == "voter"


@needs_french
@pytest.mark.slow  # the pipeline takes seconds to load
@pytest.mark.parametrize("text", ["", " ", "...", "🙂", "mot " * 5_000], ids=lambda text: ascii(text[:4]))
def test_a_pipeline_survives_any_text(text: str) -> None:
    tokens = parse([text], "fr")[0].tokens
    assert "".join(token.text for token in tokens) == "".join(text.split())


def sentence(*rows: str) -> tuple[Token, ...]:
    """Tokens from "word lemma pos tag head raw_dep"."""
    split = (row.split() for row in rows)
    return tuple(Token(text, lemma, pos, tag, int(head), "", dep) for text, lemma, pos, tag, head, dep in split)


def test_german_labels_of_spacy() -> None:
    """ "Das Buch wurde von Anna, die singt, gelesen" as TIGER draws it: the auxiliary heads the participle."""
    parsed = sentence(
        "Das der DET ART 1 nk",
        "Buch Buch NOUN NN 2 sb",
        "wurde werden AUX VAFIN 2 ROOT",
        "von von ADP APPR 9 sbp",
        "Anna Anna PROPN NE 3 nk",
        ", -- PUNCT $, 4 punct",
        "die die PRON PRELS 7 sb",
        "singt singen VERB VVFIN 4 rc",
        ", -- PUNCT $, 4 punct",
        "gelesen lesen VERB VVPP 2 oc",
    )
    rule = rule_for(frozenset({"sb", "nk", "oc", "ROOT"}))
    assert [token.dep for token in renamed(parsed, rule)] == [
        *("det", "nsubj", "root", "obl:agent", "pobj", "punct", "nsubj", "acl:relcl", "punct", "xcomp:pass")
    ]


def test_a_german_perfect_is_no_passive() -> None:
    parsed = sentence("hat haben AUX VAFIN 0 ROOT", "schnell schnell ADJ ADJD 2 mo", "gesagt sagen VERB VVPP 0 oc")
    rule = rule_for(frozenset({"nk"}))
    assert [token.dep for token in renamed(parsed, rule)] == ["root", "advmod", "xcomp"]


def test_universal_labels_stay_as_they_are() -> None:
    rule = rule_for(frozenset({"obj", "nsubj", "dobj"}))
    assert rule(Token("", raw_dep="nsubj:pass"), Token("")) == "nsubj:pass"
    assert rule(Token("", raw_dep="ROOT"), Token("")) == "root"
