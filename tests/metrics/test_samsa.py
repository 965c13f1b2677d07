"""SAMSA by hand, on the paper's running example, and beside published values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly import metrics
from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.cli import main
from plainly.compat.easse.samsa import corpus_samsa, get_samsa_sentence_scores, sentence_samsa
from plainly.corpus import Corpus
from plainly.demo import demo_corpus
from plainly.metrics.base import Array
from plainly.metrics.samsa import measure_segment
from plainly.models.parsers import DEPENDENCIES, missing_parser
from plainly.models.scenes import Scene, Word

needs_parser = pytest.mark.skipif(
    missing_parser("en", {DEPENDENCIES}) is not None, reason="the extra `parsers` is not installed"
)


def words(text: str) -> tuple[Word, ...]:
    return tuple(Word.of(word) for word in text.split())


def scene(main: str, *participants: str, others: str = "") -> Scene:
    return Scene(words(main), tuple(map(words, participants)), words(others))


def samsa(scenes: Sequence[Scene], *sentences: str, penalised: bool = True) -> float:
    return measure_segment(scenes, [words(sentence) for sentence in sentences], penalised).samsa


# "He came back home and played piano", the running example of Sulem et al. 2018, with its scenes in UCCA.
PIANO = [scene("came", "he", "home", others="back"), scene("played", "he", "piano")]


def test_the_running_example() -> None:
    # Each scene has its own sentence: 2/2 * (1 + 1)/2.
    assert samsa(PIANO, "he came back home", "he played piano") == 1
    # Nothing is split: 1/2 * (1 + 1)/2, where the ablated variant sees no fault.
    assert samsa(PIANO, "he came back home and played piano") == 0.5
    assert samsa(PIANO, "he came back home and played piano", penalised=False) == 1
    # The second scene keeps one of two participants and no main relation: 1/2 * (1 + (0 + 1/2)/2)/2.
    assert samsa(PIANO, "he came back home") == pytest.approx(1 / 2 * (1 + 1 / 4) / 2)
    # The first scene loses a participant: 2/2 * ((1 + 1/2)/2 + 1)/2.
    assert samsa(PIANO, "he came back", "he played piano") == pytest.approx(0.875)
    # More sentences than scenes tear a scene apart: 0, in the ablated variant too.
    assert samsa(PIANO, "he came", "he was home", "he played piano") == 0
    assert samsa(PIANO, "he came", "he was home", "he played piano", penalised=False) == 0
    # An output without a sentence keeps nothing.
    assert samsa(PIANO) == 0


def test_words_count_only_in_the_sentence_of_their_scene() -> None:
    # "piano" is in the output, but not where its scene went: 2/2 * (1 + (1 + 1/2)/2)/2.
    assert samsa(PIANO, "he came back home to his piano", "he played") == pytest.approx(0.875)


def test_with_as_many_sentences_as_scenes_each_gets_one() -> None:
    # Both scenes share most words with the first sentence. The second scene must take the other one, so it keeps
    # one participant of two: 2/2 * (1 + (0 + 1/2)/2)/2.
    assert samsa(PIANO, "he came back home and played piano", "he slept") == pytest.approx(0.625)
    # With a third scene, more scenes than sentences, both may go to the first: 2/3 * (1 + 1 + 1)/3.
    three = [*PIANO, scene("slept", "he")]
    assert samsa(three, "he came back home and played piano", "he slept") == pytest.approx(2 / 3)


def test_a_unit_of_several_centres_needs_them_all() -> None:
    both = [scene("came", "john mary")]
    assert samsa(both, "john and mary came") == 1
    assert samsa(both, "john came") == 0.5


def test_a_participant_without_a_name_counts_half() -> None:
    # The paper's rule for implicit units ("traveling is fun"): (1 + (1/2 + 1)/2)/2.
    assert samsa([Scene(words("sold"), ((), words("car")))], "car sold") == pytest.approx(0.875)


def test_a_scene_without_participants_rests_on_its_main_relation() -> None:
    assert samsa([scene("go")], "go now") == 1
    assert samsa([scene("go")], "now") == 0


def test_what_counts_as_the_same_word() -> None:
    source = [Scene((Word.of("children", "child"),))]
    assert samsa(source, "children") == samsa(source, "child") == 1
    # Trigrams, the blanks at both ends included, of "organisation" and "organization": 9 of 12 are the same.
    assert samsa([scene("organisation")], "organization") == 1
    # " st", "sta", "tat" of 5 and 6: 2 * 3 / 11 is less than 0.6.
    assert samsa([scene("state")], "statue") == 0
    # Function words are the same only if they are spelt the same.
    function = [Scene((Word.of("somewhere", pos="SCONJ"),))]
    assert samsa(function, "somewheres") == 0


WORD = st.sampled_from(["he", "she", "home", "piano", "came", "played", "red", "car", "sold", "cars"])
UNITS = st.lists(WORD, min_size=1, max_size=2).map(" ".join)
SCENES = st.lists(st.builds(lambda main, parts: scene(main, *parts), UNITS, st.lists(UNITS, max_size=3)), min_size=1)
SENTENCES = st.lists(st.lists(WORD, min_size=1, max_size=8).map(" ".join), max_size=5)


@given(SCENES, SENTENCES)
def test_bounds(scenes: list[Scene], sentences: list[str]) -> None:
    full, ablated = samsa(scenes, *sentences), samsa(scenes, *sentences, penalised=False)
    assert 0 <= full <= ablated <= 1 + 1e-9
    if 0 < len(sentences) <= len(scenes):
        assert full == pytest.approx(ablated * len(sentences) / len(scenes))


@given(SCENES)
def test_a_copy_is_penalised_for_its_scenes_alone(scenes: list[Scene]) -> None:
    copy = " ".join(word.text for each in scenes for word in each.words)
    assert samsa(scenes, copy) == pytest.approx(1 / len(scenes))


# -- with a parser ---------------------------------------------------------------------------------------------------


def score(source: str | None, output: str | None, name: str = "samsa", **settings: str) -> float:
    metric = metrics.get(name, **settings)
    return float(metric.score(metric.measure(Corpus([source], outputs={"s": [output]}), "s").sum(axis=0)).value)


CALL = "John arrived home and gave Mary a call."  # scenes: arrived (John), gave (John, Mary, call)


@needs_parser
def test_from_texts() -> None:
    assert score(CALL, "John arrived home. John gave Mary a call.") == 100
    assert score(CALL, CALL) == 50
    assert score(CALL, CALL, "samsa:ablated") == 100
    # A pronoun is another word than the name: 2/2 * (1 + (1 + 2/3)/2)/2.
    assert score(CALL, "John arrived home. He gave Mary a call.") == pytest.approx(100 * (1 + (1 + 2 / 3) / 2) / 2)
    # "called" has the lemma of "call", but nothing was given: 1/2 * (1 + (0 + 1)/2)/2.
    assert score(CALL, "John arrived home and called Mary.") == pytest.approx(37.5)
    assert score(CALL, "John arrived. He was home. John gave Mary a call.") == 0
    assert score(CALL, "") == 0
    assert score("The cat sat on the mat.", "The cat sat on the mat.") == 100


@needs_parser
def test_what_cannot_be_scored_is_counted() -> None:
    metric = metrics.get("samsa")
    corpus = Corpus(["A fine day.", None, CALL, CALL], outputs={"s": ["A day.", "He came.", None, CALL]})
    rows = metric.measure(corpus, "s")
    assert rows[:, 0].tolist() == [0, 0, 0, 1]
    assert not rows[:3].any()
    result = metric.score(rows)
    assert np.isnan(result.value[:3]).all()
    assert result.value[3] == 50
    assert {name: float(values[3]) for name, values in result.components.items()} == {
        "scenes": 2, "sentences": 1, "main_relations": 1, "participants": 1,
    }  # fmt: skip


@needs_parser
def test_copies_of_the_demo() -> None:
    """A copy keeps every scene; what it loses is the penalty m/n, which the components tell."""
    corpus = demo_corpus("en")
    corpus = corpus.with_outputs({"copy": corpus.sources})
    ablated, full = (metrics.get(name) for name in ("samsa:ablated", "samsa"))
    rows = full.measure(corpus, "copy")
    assert ablated.score(ablated.measure(corpus, "copy")).value == pytest.approx(np.full(len(corpus), 100.0))
    parts = full.score(rows)
    assert parts.value == pytest.approx(100 * parts.components["sentences"] / parts.components["scenes"])


@pytest.mark.slow
@needs_parser
def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "--demo", "--metrics", "samsa", "--no-intervals"]) == 0
    printed = capsys.readouterr().out
    assert "samsa|lang:en|variant:full|scenes:dependency|parser:" in printed


def test_a_language_without_trees() -> None:
    with pytest.raises(MissingResource, match=r"samsa cannot be computed: there is no parser for 'ur'"):
        score("x", "x", lang="ur")


def test_bad_settings() -> None:
    with pytest.raises(UnknownName, match="origin of scenes"):
        metrics.get("samsa", scenes="amr")
    with pytest.raises(PlainlyError, match="scenes='ucca' and ucca=FOLDER together"):
        metrics.get("samsa", scenes="ucca")
    with pytest.raises(PlainlyError, match="together"):
        metrics.get("samsa", ucca="folder")
    with pytest.raises(UnknownName, match="variant of samsa"):
        metrics.get("samsa:short")


# "Birds sing", one scene: birds (A) sing (P). Written by hand in UCCA's standard format.
BIRDS = """<root annotationID="0" passageID="1"><layer layerID="0">
<node ID="0.1" type="Word"><attributes text="Birds" /></node>
<node ID="0.2" type="Word"><attributes text="sing" /></node></layer><layer layerID="1">
<node ID="1.1" type="FN"><attributes /><edge toID="1.2" type="H" /></node>
<node ID="1.2" type="FN"><attributes /><edge toID="1.3" type="A" /><edge toID="1.4" type="P" /></node>
<node ID="1.3" type="FN"><attributes /><edge toID="0.1" type="Terminal" /></node>
<node ID="1.4" type="FN"><attributes /><edge toID="0.2" type="Terminal" /></node></layer></root>"""


@needs_parser
def test_scenes_from_ucca_files(tmp_path: Path) -> None:
    (tmp_path / "birds.xml").write_text(BIRDS, encoding="utf-8")
    settings = {"scenes": "ucca", "ucca": str(tmp_path)}
    assert score("Birds sing", "A bird sings.", **settings) == 100  # by the lemmas of the parser
    assert score("Birds sing", "A bird flies.", **settings) == 50
    assert math.isnan(score("Cats sing", "Cats sing.", **settings))  # there is no passage for it
    signature = metrics.get("samsa", **settings).signature()
    assert "|scenes:ucca|ucca:" in signature
    assert str(tmp_path) not in signature  # what is in the folder counts, not where it is


@needs_parser
def test_with_the_interface_of_easse() -> None:
    copies = get_samsa_sentence_scores([CALL, "A fine day."], [CALL, "A day."], lowercase=True)
    assert copies[0] == sentence_samsa(CALL, CALL) == corpus_samsa([CALL, "A fine day."], [CALL, "A day."]) == 50
    assert math.isnan(copies[1])


# -- beside published values -----------------------------------------------------------------------------------------

# The mean of 126 values for the QATS test set that EASSE's repository has as the target of a test
# (github.com/feralvam/easse, tests/test_samsa.py). EASSE itself gives 38.17, by a comment there.
PUBLISHED = 40.864794606114


@pytest.fixture(scope="module")
def qats(shared: Path) -> Array:
    """Our values for the QATS test set."""
    lines = (shared / "data" / "qats" / "qats.test.tsv").read_text(encoding="utf-8").split("\n")[1:-1]
    sources, outputs, *_ = zip(*(line.split("\t") for line in lines), strict=True)
    return np.array(get_samsa_sentence_scores(sources, outputs))


@needs_parser
def test_beside_the_published_mean(qats: Array) -> None:
    assert len(qats) == 126
    assert abs(qats.mean() - PUBLISHED) < 5
