"""Linguistic features: worked by hand, held against published values, robust, and computed once."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import plainly
from plainly import metrics
from plainly.base.errors import MissingResource, PlainlyError
from plainly.cli import main
from plainly.corpus import Corpus
from plainly.metrics.linguistic import FEATURES
from plainly.metrics.linguistic.markers import count_markers
from plainly.models.parsers import Parsed, parser_for, spacy_pipelines
from plainly.scoring import runnable
from plainly.text.frequency import RANKED
from plainly.text.languages import LANGUAGES

from ..cases import each
from ..real import NOT_HERE, SHARED

NAMES = list(FEATURES)
BY_PARSER = {"tags", "lemmas", "dependencies", "entities", "parser"}
WITHOUT_PARSER = [name for name in NAMES if not FEATURES[name].needs & BY_PARSER]

needs_parsers = pytest.mark.skipif(
    parser_for("en") is None or parser_for("de") is None, reason="the extra `parsers` is not installed"
)
needs_own_parsers = pytest.mark.skipif(
    [parser and parser.name for parser in map(parser_for, ("en", "de"))] != [spacy_pipelines.ENGLISH, "hanta"],
    reason="values of the parsers that the extra `parsers` brings; other pipelines are installed here, or none",
)


def value(name: str, output: str | None, source: str | None = None, lang: str = "en") -> float:
    corpus = Corpus([source], [], {"it": [output]}, lang=lang)
    metric = metrics.get(name, lang=lang)
    return float(metric.score(metric.measure(corpus, "it")[0]).value)


# Each value was counted by hand, as the comment says.
OF_TEXT = [
    ("words", "The cat-lover's dog -- it's 3 -- ran...", 6),  # The, cat-lover's, dog, it's, 3, ran
    ("characters", "  Two  cats.\n", 9),  # "Two cats."
    ("sentences", "Dr. No left. Did he? Yes!", 3),
    ("word-length", "Two cats, 10 dogs.", 13 / 4),  # 3, 4, 2, 4
    ("discourse-marker-share", "However, on the other hand it rained, for example.", 3 / 9),
    ("type-token-ratio", "Cats like cats and a cat liked me.", 5 / 8),  # cat 3, like 2, and, a, I/me
    ("function-word-share", "The cat sat on it.", 3 / 6),  # the, on, it
    ("noun-share", "The cat sat on the mat.", 2 / 7),
    ("verb-share", "The cat sat on the mat.", 1 / 7),
    ("adposition-share", "The cat sat on the mat.", 1 / 7),
    ("determiner-share", "The cat sat on the mat.", 2 / 7),
    ("punctuation-mark-share", "The cat sat on the mat.", 1 / 7),
    ("adjective-share", "She bought red shoes yesterday.", 1 / 6),
    ("pronoun-share", "She bought red shoes yesterday.", 1 / 6),
    ("auxiliary-share", "She has slept and can swim.", 2 / 7),
    ("coordinator-share", "She has slept and can swim.", 1 / 7),
    ("subordinator-share", "She slept because it rained.", 1 / 6),
    ("particle-share", "She did not want to go.", 2 / 7),  # not, to
    ("numeral-share", "She saw 3 dogs.", 1 / 5),
    ("proper-noun-share", "Anna saw London.", 2 / 4),
    ("symbol-share", "She laughed 🙂", 1 / 3),
    ("named-entity-share", "Angela Merkel visited Paris in 2015.", 3 / 7),
    ("multiword-share", "The bus driver slept.", 1 / 5),  # bus is a part of bus driver
    ("parse-height", "The law was passed by the parliament.", 4),  # passed - by - parliament - the
    ("parse-height", "She sleeps. The law was passed by the parliament.", 3),  # 2 and 4
    ("clauses-per-sentence", "She said that the man who lives next door had not come because it was raining.", 4),
    ("clause-length", "She said that the man who lives next door had not come because it was raining.", 16 / 4),
    ("subordinate-share", "She said that the man who lives next door had not come because it was raining.", 3 / 4),
    ("relative-share", "She said that the man who lives next door had not come because it was raining.", 1 / 4),
    ("passive-share", "The law was passed, and they left.", 1 / 2),
    ("coordinate-share", "He wants to go home, and she stays.", 1 / 3),  # wants, go, stays
    ("noun-phrase-length", "The law was passed by the parliament.", 2),  # the law; the parliament
    ("verb-phrase-length", "The law was passed by the parliament.", 5),  # all but the law
    ("prepositional-phrase-length", "The law was passed by the parliament.", 3),
    ("prepositional-phrase-share", "The law was passed by the parliament.", 1 / 7),
    ("root-has-subject", "She sleeps. Go home!", 1 / 2),
    ("root-is-verb", "She sleeps. A cat.", 1 / 2),
    ("root-is-noun", "She sleeps. A cat.", 1 / 2),
    ("non-projective-share", "She sleeps. He sings.", 0),
]


@needs_own_parsers
@pytest.mark.parametrize(("name", "text", "expected"), OF_TEXT)
def test_features_of_a_text(name: str, text: str, expected: float) -> None:
    assert value(name, text) == pytest.approx(expected)


@needs_own_parsers
def test_every_feature_of_a_text_has_a_worked_example() -> None:
    """Those that are not worked by hand: ranks, tested below, and two that no plain sentence has."""
    worked = {name for name, _, _ in OF_TEXT}
    single = {name for name, feature in FEATURES.items() if "source" not in feature.needs}
    assert single - worked == {
        "word-rank-mean",
        "word-rank-max",
        "adverb-share",
        "interjection-share",
        "other-token-share",
    }


def test_word_ranks() -> None:
    """wordfreq's most frequent English word is "the" (rank 0); a word out of its list ranks behind all."""
    assert value("word-rank-mean", "The the") == 0
    assert value("word-rank-max", "the qzxqzx") == pytest.approx(math.log1p(RANKED))
    assert value("word-rank-mean", "the 17 qzxqzx") == pytest.approx(math.log1p(RANKED) / 2), "17 is no word"


SOURCE = "The cats were chased by boys."
# The output's tokens: Boys chased the cat , the cat .
OUTPUT = "Boys chased the cat, the cat."
OF_PAIR = [
    # Forms of the source: The cats were chased by boys . In the output it has: chased, "."; not Boys, the, cat, ","
    ("forms-kept", 2 / 8),
    # Lemmas of the source: the cat be chase by boy . In the output it has boy chase the cat and the stop, once each.
    ("lemmas-kept", 5 / 8),
    ("lemmas-added", 3 / 8),  # a comma, the second "the", the second "cat"
    ("lemmas-deleted", 2 / 7),  # be, by
    ("words-rewritten", 3 / 8),  # Boys, the first "the", the first "cat"
    ("lemma-overlap", 4 / 6),  # boy chase the cat; and be, by
    ("joined-share", 0),
    ("passive-to-active", 1),
    ("height-reduced", 0),  # 3 (chased - by - boys), and 3 (chased - cat - the)
    ("word-length-reduced", 1),  # 23 / 6 and 22 / 7
    ("characters-removed", 0),  # both have 29
]


@needs_own_parsers
@pytest.mark.parametrize(("name", "expected"), OF_PAIR)
def test_features_of_a_pair(name: str, expected: float) -> None:
    assert value(name, OUTPUT, SOURCE) == pytest.approx(expected)


@needs_own_parsers
def test_every_feature_of_a_pair_has_a_worked_example() -> None:
    assert {name for name, _ in OF_PAIR} == {name for name, feature in FEATURES.items() if "source" in feature.needs}


@needs_own_parsers
@pytest.mark.parametrize(
    ("name", "output", "source", "expected"),
    [
        ("joined-share", "One and two.", "One. Two.", 1),
        ("joined-share", "", "One. Two.", math.nan),  # what is empty is not joined
        ("passive-to-active", "It was made.", "It was made by me.", 0),
        ("passive-to-active", "I made it.", "I had made it.", math.nan),  # there was no passive
        ("passive-to-active", "", "It was made by me.", math.nan),
        ("height-reduced", "It rains.", "She said that it was raining hard.", 1),
        ("characters-removed", "abc", "ab", -1),
        ("lemmas-added", "", "ab", math.nan),
        ("lemmas-deleted", "", "ab", 1),
        ("lemmas-kept", "A goose flies.", "A goose flies.", 1),
    ],
)
def test_edges_of_a_pair(name: str, output: str, source: str, expected: float) -> None:
    assert value(name, output, source) == pytest.approx(expected, nan_ok=True)


@needs_own_parsers
@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("noun-share", "Die Katze sitzt auf der Matte.", 2 / 7),
        ("determiner-share", "Die Katze sitzt auf der Matte.", 2 / 7),
        ("type-token-ratio", "Katzen mögen eine Katze.", 3 / 4),  # Katze twice
        ("discourse-marker-share", "Er blieb, weil es zum Beispiel regnete.", 2 / 7),  # weil; zum Beispiel
        ("sentences", "Am 3. Mai kam er. Sie ging.", 2),
    ],
)
def test_german(name: str, text: str, expected: float) -> None:
    assert value(name, text, lang="de") == pytest.approx(expected)


@pytest.mark.parametrize("name", WITHOUT_PARSER)
def test_features_without_a_parser_need_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_pipelines.SpacyPipeline, "parse", lambda *_: pytest.fail("parsed"))
    assert not math.isnan(value(name, "One cat sat here.", "Two cats sat there."))


def test_markers_are_the_longest_and_none_twice() -> None:
    words = ["In", "addition", "to", "this", "even", "if", "on", "the", "other", "hand"]
    assert count_markers(words, "en") == 3
    assert count_markers(["in", "addition"], "en") == 1
    assert count_markers(["So", "IN", "FACT"], "en") == 1
    assert count_markers([], "de") == 0


@pytest.mark.parametrize("lang", [code for code, entry in LANGUAGES.items() if entry.markers])
def test_lists_of_markers_are_clean(lang: str) -> None:
    listed = LANGUAGES[lang].markers
    assert len(listed) == len(set(listed)) > 70
    assert all(marker and marker == marker.lower() for marker in listed)


# The rest of this page is what every metric promises (see test_contract), for all features of one corpus at a time:
# to parse a corpus anew for each of them would take minutes.

TEXTS = st.lists(
    st.sampled_from(
        ["The", "cats", "were", "seen", "by", "a", "dog", ".", ",", "!", "and", "🙂", "3.5", "é", "漢", "it's"]
    ),
    max_size=8,
).map(" ".join) | st.text(max_size=25)
PATIENT = settings(suppress_health_check=list(HealthCheck))


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    n = draw(st.integers(1, 4))
    texts = st.lists(TEXTS | st.none(), min_size=n, max_size=n)
    return Corpus(draw(texts), [], {"it": draw(texts)})


@needs_parsers
@PATIENT
@given(corpus=corpora(), data=st.data())
def test_every_feature_keeps_the_contract(corpus: Corpus, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(corpus)))
    parts = corpus.slice(0, cut), corpus.slice(cut, len(corpus))
    for name in NAMES:
        metric = metrics.get(name)
        rows = metric.measure(corpus, "it")
        assert rows.shape == (len(corpus), 2)
        assert np.isfinite(rows).all()
        assert set(rows[:, 0]) <= {0, 1}
        np.testing.assert_array_equal(np.concatenate([metric.measure(part, "it") for part in parts]), rows)
        for i, output in enumerate(corpus.outputs["it"]):
            if output is None or ("source" in metric.facts.needs and corpus.sources[i] is None):
                assert not rows[i].any(), name
        low, high = metric.facts.range
        score = float(metric.score(rows.sum(axis=0)).value)
        assert math.isnan(score) == (not rows[:, 0].any())
        assert math.isnan(score) or low - 1e-9 <= score <= high + 1e-9, name


@each("name", NAMES)
def test_facts_and_signature(name: str) -> None:
    metric = metrics.get(name)
    facts = metric.facts
    assert facts.title
    assert facts.about
    assert facts.paper
    assert facts.range[0] < facts.range[1]
    assert metric.signature().startswith(f"{name}|lang:en|")
    parser = parser_for("en")
    wanted = f"|parser:{parser.identity}|" if parser else "|parser:none|"
    assert (wanted in metric.signature()) == bool(facts.needs & BY_PARSER)
    assert pickle.loads(pickle.dumps(metric)) == metric


def test_titles_and_signatures_tell_features_apart() -> None:
    assert len({metrics.get(name).signature() for name in NAMES}) == len(NAMES)
    assert len({feature.title for feature in FEATURES.values()}) == len(NAMES)


@needs_parsers
def test_each_distinct_text_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for names, and once for all the rest: each is left out where nobody asks for it."""
    parsed: dict[bool, list[str]] = {True: [], False: []}
    original = spacy_pipelines.SpacyPipeline.parse

    def parse(self: spacy_pipelines.SpacyPipeline, texts: list[str], needs: frozenset[str]) -> list[Parsed]:
        parsed[needs == {"entities"}].extend(texts)
        return original(self, texts, needs)

    monkeypatch.setattr(spacy_pipelines.SpacyPipeline, "parse", parse)
    outputs = {"one": ["Dogs bark.", "It rains."], "two": ["Dogs bark.", "It pours."]}
    plainly.evaluate(["Dogs bark loudly.", "It rains."], outputs, metrics=NAMES, threads=1, intervals=None)
    distinct = ["Dogs bark loudly.", "Dogs bark.", "It pours.", "It rains."]
    assert {names: sorted(texts) for names, texts in parsed.items()} == {True: distinct, False: distinct}


@needs_parsers
def test_a_parser_by_name() -> None:
    """The name chooses, the signature says which; a name that is not here is an error."""
    parser = parser_for("en")
    assert parser is not None
    named = metrics.get("noun-share", parser=parser.name)
    assert named.signature() == metrics.get("noun-share").signature()
    with pytest.raises(PlainlyError, match="unknown parser for 'en'"):
        plainly.evaluate(["a"], ["a"], metrics=["noun-share"], parser="en_core_web_none")


@needs_own_parsers
def test_the_group_leaves_out_what_the_language_lacks() -> None:
    chosen, left_out = runnable(["linguistic"], {"source"}, "en")
    assert chosen == NAMES
    assert not left_out
    chosen, left_out = runnable(["linguistic"], {"source"}, "de")
    assert set(chosen) | set(left_out) == set(NAMES)
    assert {name for name in NAMES if FEATURES[name].needs & {"dependencies", "entities"}} == set(left_out)
    assert left_out["parse-height"].startswith("hanta, the parser for 'de' here, gives no dependencies; install a")
    without_sources, left_out = runnable(["linguistic"], set(), "en")
    assert left_out["lemmas-kept"] == "it needs source"
    assert "noun-share" in without_sources


def test_a_language_without_a_parser() -> None:
    chosen, left_out = runnable(["linguistic"], {"source"}, "is")
    assert "word-length" in chosen
    assert left_out["noun-share"] == "there is no parser for 'is'; install a spaCy pipeline of Icelandic"
    assert left_out["discourse-marker-share"] == "plainly has no list of discourse markers for Icelandic"
    with pytest.raises(PlainlyError, match="noun-share cannot be computed: there is no parser for 'is'"):
        runnable(["noun-share"], {"source"}, "is")
    with pytest.raises(MissingResource, match="noun-share cannot be computed: there is no parser for 'is'"):
        plainly.evaluate(["a"], ["a"], lang="is", metrics=["noun-share"])


def test_a_language_without_blanks_has_no_words_to_count() -> None:
    left_out = runnable(["linguistic"], {"source"}, "zh")[1]
    assert left_out["words"] == "Chinese has no blanks between words"


@pytest.mark.slow
@needs_own_parsers
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_demo(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["score", "--demo", "--lang", lang, "--metrics", "linguistic", "--no-intervals", "--format", "json"]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    systems = json.loads(printed.out)["systems"]
    assert len(systems) == 6
    assert ("parse-height" in printed.out) == (lang == "en")
    if lang == "de":
        assert "gives no dependencies" in printed.err
        assert printed.err.count("left out") == 2, "one line a reason"


# Published German values: GitHub rstodden/easse-de, HTML report of GEOlino (see shared/oracle/README-easse-de.md).
# They were made with the lemmas of a spaCy pipeline; here HanTa gives them, so the last digit may differ.
PUBLISHED = {
    "Kept words proportion": ("forms-kept", 0.005),
    "Kept lemmas proportion": ("lemmas-kept", 0.02),
    "Added lemmas proportion": ("lemmas-added", 0.02),
    "Deleted lemmas proportion": ("lemmas-deleted", 0.02),
    "Rewritten words proportion": ("words-rewritten", 0.04),
}


@pytest.fixture(scope="module")
def geolino() -> Corpus:
    folder = SHARED / "data" / "german" / "geolino"
    if not folder.is_dir():
        pytest.skip(NOT_HERE)

    def lines(name: str) -> list[str]:
        return [line.strip() for line in (folder / name).read_text("utf-8").removesuffix("\n").split("\n")]

    systems = ["BLOOM-0-random.txt", "hda_LS.txt"]
    return Corpus(
        lines("geolino.test.orig"), [], {name: lines(f"system_outputs/{name}") for name in systems}, lang="de"
    )


@needs_own_parsers
@pytest.mark.slow
@pytest.mark.parametrize("system", ["BLOOM-0-random.txt", "hda_LS.txt"])
def test_published_german_values(geolino: Corpus, system: str) -> None:
    oracle = json.loads((SHARED / "oracle" / "easse_de.json").read_text("utf-8"))
    published = oracle["datasets"]["GEOlino"]["systems"][system]
    for title, (name, tolerance) in PUBLISHED.items():
        metric = metrics.get(name, lang="de")
        score = float(metric.score(metric.measure(geolino, system).sum(axis=0)).value)
        assert score == pytest.approx(published["published_report"][title], abs=tolerance + 0.005), title
        if name == "forms-kept":
            assert score == pytest.approx(published["features"]["kept_words_proportion"], abs=5e-4)
