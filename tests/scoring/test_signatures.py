"""Comparing signatures."""

from __future__ import annotations

import pytest

from plainly import metrics
from plainly.base.errors import PlainlyError
from plainly.metrics import signature_fields
from plainly.scoring.signatures import comparable, compare_signatures, parse_signature

from ..cases import each


@each("label", [*metrics.names(), "fkgl:easse", "sari:huggingface", "dale-chall:textstat"])
def test_short_and_long_signatures_of_one_setting_agree(label: str) -> None:
    metric = metrics.get(label)
    for references in ("10", "0-3"):
        short, long = metric.signature(references), metric.signature(references, long=True)
        assert compare_signatures(short, long) == []
        assert compare_signatures(long, short) == []


def test_a_tokeniser_brings_its_version_with_it() -> None:
    """The short signature says spacy, the long one its version, too."""
    pytest.importorskip("spacy")
    metric = metrics.configure("sari", {"tokenizer": "spacy"})
    short, long = metric.signature("1"), metric.signature("1", long=True)
    assert "spacy:" in long
    assert compare_signatures(short, long) == []
    assert compare_signatures(long, short) == []


def test_versions_that_both_name_are_compared() -> None:
    long = metrics.get("chrf").signature("1", long=True)
    older = long.replace("sacrebleu:2", "sacrebleu:1")
    assert [difference.field for difference in compare_signatures(long, older)] == ["sacrebleu"]


def test_each_difference_is_named_and_explained() -> None:
    first = metrics.get("sari").signature("10")
    second = metrics.get("sari", variant="star", tokenizer="none", lowercase=False).signature("8")
    found = {d.field: (d.first, d.second) for d in compare_signatures(first, second)}
    assert found == {
        "tokenizer": ("13a", "none"),
        "lowercase": ("lower", "mixed"),
        "references": ("10", "8"),
        "variant": ("easse", "star"),
    }
    known = signature_fields(metrics.metric_class("sari"))
    assert all(d.meaning == known[d.field].differs for d in compare_signatures(first, second))
    assert known["variant"].differs.startswith("another formula under the same name")


def test_a_field_that_only_one_has() -> None:
    only = compare_signatures("sari|tok:13a|variant:easse", "sari|tok:13a")
    assert [(d.field, d.first, d.second) for d in only] == [("variant", "easse", None)]


def test_values_may_hold_colons() -> None:
    assert parse_signature("bleu|smooth:floor:0.1").settings["smooth"] == "floor:0.1"


@pytest.mark.parametrize("text", ["", "sari|tok", "tok:13a|case:lower", "37.1"])
def test_what_is_not_a_signature(text: str) -> None:
    if text == "37.1":
        assert (parse_signature(text).name, parse_signature(text).settings) == ("37.1", {})
        return
    with pytest.raises(PlainlyError, match="not a signature"):
        parse_signature(text)


def test_signatures_of_sacrebleu_are_compared_with_ours() -> None:
    theirs = "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.3.1"
    ours = metrics.get("bleu")
    assert compare_signatures(theirs, ours.signature("1")) == []
    assert compare_signatures(f"BLEU|{theirs}", ours.signature("1", long=True)) == []
    differences = compare_signatures(theirs.replace("lc", "mixed"), ours.signature("10"))
    assert {(d.field, d.first, d.second) for d in differences} == {
        ("references", "1", "10"),
        ("lowercase", "mixed", "lower"),
    }
    later = theirs.replace("2.3.1", "2.4.0")
    assert [(d.field, d.first, d.second) for d in compare_signatures(theirs, later)] == [
        ("sacrebleu", "2.3.1", "2.4.0")
    ]


@pytest.mark.parametrize(
    ("name", "settings"),
    [("bleu", {"lowercase": False}), ("chrf", {}), ("chrf", {"word_order": 2}), ("ter", {"lowercase": False})],
)
def test_sacrebleu_signs_what_we_compute_alike(name: str, settings: dict[str, object]) -> None:
    from sacrebleu.metrics import BLEU, CHRF, TER

    peers = {
        "bleu": lambda: BLEU(),
        "chrf": lambda: CHRF(word_order=settings.get("word_order", 0)),
        "ter": lambda: TER(case_sensitive=True),
    }
    peer = peers[name]()
    score = peer.corpus_score(["The cat sat."], [["The cat sat down."]])
    theirs = f"{score.name}|{peer.get_signature()}"
    assert compare_signatures(theirs, metrics.get(name, **settings).signature("1", long=True)) == []


SARI = "sari|lang:en|tok:13a|case:lower|refs:10|variant:easse|plainly:0.1.0"
BLEU = "bleu|lang:en|tok:13a|case:lower|refs:10|smooth:exp|plainly:0.1.0"


@each(
    "written, other, verdict",
    [
        ("SARI (EASSE 0.2.4)", SARI, None),
        ("SARI (EASSE 0.2.4)", SARI.replace("variant:easse", "variant:star"), False),
        ("EASSE v0.2.4", SARI, None),
        ("SARI", SARI, None),
        ("tok=13a", SARI, None),
        ("tok=intl", SARI, False),
        ("sari, 8 references", SARI, False),
        ("BLEU (sacrebleu 2.4)", SARI, False),
        ("BLEU (sacrebleu 2.4)", BLEU, None),
        ("BLEU (sacrebleu 2.4, tok=13a, lowercased, 10 references, smooth=exp)", BLEU, True),
        ("BLEU (sacrebleu 2.4)", "BLEU|nrefs:10|case:lc|eff:no|tok:13a|smooth:exp|version:2.4.0", None),
        ("chrF++ (sacrebleu)", "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.4.0", False),
    ],
)
def test_what_people_write_in_papers(written: str, other: str, verdict: bool | None) -> None:
    for pair in ((written, other), (other, written)):
        assert comparable(compare_signatures(*pair)) is verdict


@each("text", ["some remarks", "37.1 points", "SARI (smth=3)"])
def test_words_that_say_nothing_of_a_number(text: str) -> None:
    with pytest.raises(PlainlyError, match="not a signature"):
        parse_signature(text)


# Printed by sacrebleu 2.6.0 for three lines with two references: the long and the short form of one signature.
@each(
    "long, short",
    [
        ("BLEU|nrefs:2|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0", "BLEU|#:2|c:lc|e:no|tok:13a|s:exp|v:2.6.0"),
        (
            "chrF2|nrefs:2|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0",
            "#:2|c:mixed|e:yes|nc:6|nw:0|s:no|v:2.6.0",
        ),
        (
            "TER|nrefs:2|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0",
            "#:2|c:lc|t:tercom|nr:no|pn:yes|as:no|v:2.6.0",
        ),
    ],
)
def test_short_signatures_of_sacrebleu(long: str, short: str) -> None:
    assert {**parse_signature(short).settings, "beta": "2"} == {**parse_signature(long).settings, "beta": "2"}
    assert parse_signature(short).name == parse_signature(long).name


def test_signatures_as_sacrebleu_prints_them_here() -> None:
    theirs = pytest.importorskip("sacrebleu.metrics")
    outputs, references = ["The cat sat."] * 3, [["The cat sat."] * 3, ["A cat sat."] * 3]
    for metric, label in ((theirs.BLEU(lowercase=True), "bleu"), (theirs.CHRF(), "chrf"), (theirs.TER(), "ter")):
        named = metric.corpus_score(outputs, references).name
        for form in (str(metric.get_signature()), metric.get_signature().format(short=True)):
            found = compare_signatures(f"{named}|{form}", metrics.get(label).signature("2"))
            assert comparable(found) is True, (form, found)
    smoothed = theirs.CHRF(eps_smoothing=True)
    smoothed.corpus_score(outputs, references)
    assert (
        comparable(compare_signatures(f"chrF2|{smoothed.get_signature()}", metrics.get("chrf").signature("2")))
        is not True
    )


def test_what_papers_say_of_hugging_face() -> None:
    """Its SARI has one formula and one normalisation: nobody can choose (metrics/sari/sari.py of evaluate 0.4)."""
    easse, theirs = (metrics.get("sari", variant=variant).signature("10") for variant in ("easse", "huggingface"))
    for words in ("SARI (Hugging Face evaluate)", "SARI (evaluate 0.4.1)", "sari, HuggingFace's evaluate"):
        assert comparable(compare_signatures(easse, words)) is False
        assert comparable(compare_signatures(theirs, words)) is None  # the number of references is not said
        assert {d.field for d in compare_signatures(theirs, words)} == {"references", "empty_operation"}


def test_two_metrics_differ_in_nothing_but_that() -> None:
    """Settings of one say nothing of the other, so they are not listed."""
    for other in ("BLEU (sacrebleu)", metrics.get("bleu", lowercase=False).signature("1")):
        differences = compare_signatures(metrics.get("sari").signature("10"), other)
        assert [(d.field, d.first, d.second) for d in differences] == [("metric", "sari", "bleu")]
