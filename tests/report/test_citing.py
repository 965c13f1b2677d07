"""How to report a comparison: what the paragraph says, and that all it cites is there."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import UnknownName
from plainly.base.version import __version__
from plainly.cli import main
from plainly.corpus import catalogue
from plainly.corpus.corpus import Corpus
from plainly.metrics import GROUPS, get, metric_class
from plainly.metrics.registry import BUILT_IN
from plainly.report.citing import TESTS, how_to_report, known_papers, papers_of
from plainly.scoring import Evaluation, evaluate

OF_STUDIES = ("plainly-quality", "simplicity")
PARTS = {"bootstrap", "bca", "holm", "letters", *(part for _, *parts in TESTS.values() for part in parts)}
PLUGINS = {"comet", "comet-kiwi", "lens", "lens-salsa", "meaningbert", "sle", "sle-gain"}
# What each kind of entry cannot do without, as btxdoc says; a book or report of ours has an author, never an editor.
REQUIRED = {
    "article": {"author", "title", "journal", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "book": {"author", "title", "publisher", "year"},
    "techreport": {"author", "title", "institution", "year"},
    "phdthesis": {"author", "title", "school", "year"},
    "misc": {"author", "title", "year"},
}


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    rng = np.random.default_rng(5)
    sentence = "a cat sat on the old mat and saw many small red birds in tall green trees"
    words = np.array(sentence.split())
    texts = [" ".join(rng.choice(words, 9)) for _ in range(40)]
    worse = [" ".join(rng.permutation(text.split())[:6]) for text in texts]
    worst = [" ".join(rng.choice(words, 4)) for _ in texts]
    outputs = {"good_one": texts, "worse": worse, "worst": worst}
    return evaluate(
        sources=texts, references=[[text, text + " now"] for text in texts], outputs=outputs, metrics=["sari", "bleu"]
    )


def keys(bibtex: str) -> list[str]:
    return re.findall(r"^@\w+\{([^,]+),$", bibtex, re.MULTILINE)


@pytest.mark.parametrize("name", [*BUILT_IN, *OF_STUDIES])
def test_every_metric_that_names_a_paper_has_its_entry(name: str) -> None:
    named = set(re.findall(r"\b(?:19|20)\d\d\b", metric_class(name).facts.paper))
    names = {name, *(group for group, members in GROUPS.items() if name in members)}
    entries = [fields for fields in known_papers().values() if names & set(fields["of"])]
    assert named <= {str(fields["year"]) for fields in entries}
    if named:  # at least one of them is by who is named
        surnames = [str(fields["author"]).partition(",")[0] for fields in entries]
        assert any(surname in metric_class(name).facts.paper for surname in surnames)


def test_entries_are_cited_for_what_there_is() -> None:
    known = {*BUILT_IN, *OF_STUDIES, *GROUPS, *PARTS, *PLUGINS}
    for key, fields in known_papers().items():
        assert set(fields["of"]) <= known, key
    assert {name for fields in known_papers().values() for name in fields["of"]} >= PARTS | PLUGINS


@pytest.mark.parametrize("key", known_papers())
def test_entries_are_whole(key: str) -> None:
    fields = known_papers()[key]
    assert REQUIRED[str(fields["type"])] <= fields.keys()
    assert str(fields["year"]) in key
    assert all(str(value).count("{") == str(value).count("}") for value in fields.values())
    assert (
        not set(fields)
        - {*REQUIRED["article"], "of", "only", "type", "volume", "number", "pages"}
        - {*("booktitle", "publisher", "institution", "school", "howpublished")}
    )


def test_an_entry_is_bibtex_of_plain_letters() -> None:
    (popovic,) = papers_of(get("chrf"))
    assert popovic.said == "Popović 2015"
    assert popovic.bibtex.splitlines()[:2] == [
        "@inproceedings{popovic-2015-chrf,",
        r"  author = {Popovi{\'c}, Maja},",
    ]
    assert r"zrozumia{\l}o{\'s}{\'c}" in papers_of(get("pisarek", lang="pl"))[0].bibtex
    assert r"Readability \& Text" in papers_of(get("simplicity"))[0].bibtex
    for key in known_papers():
        assert key.isascii()


def test_a_formula_of_a_language_is_cited_for_that_language() -> None:
    assert [paper.key for paper in papers_of(get("smog"))] == ["mclaughlin-1969-smog"]
    german = [paper.key for paper in papers_of(get("smog", lang="de"))]
    assert german == ["mclaughlin-1969-smog", "bamberger-vanecek-1984-lesen"]


def test_the_paragraph_says_how_the_numbers_came_about(evaluation: Evaluation) -> None:
    found = evaluation.compare(resamples=200, seed=7)
    how = how_to_report(found, "my set")
    assert how.paragraph == (
        "We evaluated 3 systems on my set: 40 segments with 2 references each. "
        f"Scores were computed with plainly {__version__}: "
        "SARI (Xu et al. 2016) with tokeniser 13a, lower-cased, variant easse, signature "
        f"{evaluation['worse']['sari'].signature}; "
        "BLEU (Papineni et al. 2002; Post 2018) with tokeniser 13a, lower-cased, smoothing exp, signature "
        f"{evaluation['worse']['bleu'].signature}. "
        "We give 95% intervals of the percentile bootstrap (Efron 1979), from 200 resamples of segments (seed 7). "
        "We tested systems in pairs with a two-sided paired bootstrap test "
        f"(Koehn 2004; Riezler and Maxwell 2005) of {found.settings.trials} trials. "
        "p-values are calibrated for the number of segments (Hesterberg 2015). "
        "p-values are corrected by Holm's method (Holm 1979) over the tests of each metric: the 3 pairs of systems. "
        "Differences count as significant where the corrected p is below 0.05. "
        "Systems that share a letter (Piepho 2004) are not significantly different by that metric."
    )
    assert keys(how.bibtex) == [
        *("xu-etal-2016-optimizing", "papineni-etal-2002-bleu", "post-2018-call", "efron-1979-bootstrap"),
        *("koehn-2004-statistical", "riezler-maxwell-2005-pitfalls", "hesterberg-2015-teachers"),
        *("holm-1979-simple", "piepho-2004-algorithm", "plainly"),
    ]
    assert f"  version = {{{__version__}}},\n" in how.bibtex


def test_latex_cites_what_the_entries_have(evaluation: Evaluation) -> None:
    how = how_to_report(evaluation.compare(baseline="good_one", resamples=200), catalogue.info("asset-test"))
    cited = {key for found in re.findall(r"\\citep\{(.+?)\}", how.latex) for key in found.split(",")}
    assert cited == set(keys(how.bibtex))
    assert "alva-manchego-etal-2020-asset" in cited
    assert r"every system against good\_one with" in how.latex
    assert r"95\% intervals" in how.latex
    assert r"\texttt{sari\textbar{}\allowbreak{}lang:en" in how.latex
    assert "on ASSET, test part (Alva-Manchego et al. 2020): 40 segments" in how.paragraph
    assert "over the 2 tests of each metric." in how.paragraph


def test_other_settings_are_said(evaluation: Evaluation) -> None:
    settings: dict[str, Any] = {"method": "randomisation", "interval": "bca", "confidence": 0.9, "resamples": 200}
    how = how_to_report(evaluation.compare(**settings, family="all"))
    assert "on a test set: 40 segments" in how.paragraph
    assert (
        "90% intervals of the bias-corrected and accelerated (BCa) bootstrap (Efron 1979; Efron 1987)"
        in how.paragraph
    )
    assert "two-sided paired randomisation test (Riezler and Maxwell 2005)" in how.paragraph
    assert "over the tests of all metrics together: the 6 pairs of systems." in how.paragraph
    assert "is below 0.1." in how.paragraph
    assert "koehn-2004-statistical" not in keys(how.bibtex)


def test_baselines_and_runs_are_said(evaluation: Evaluation) -> None:
    corpus = evaluation.corpus
    assert isinstance(corpus, Corpus)
    texts = list(corpus.outputs["worse"])
    runs = {"model": {"1": texts, "2": list(reversed(texts)), "3": list(corpus.outputs["worst"])}}
    with_runs = evaluate(
        sources=list(corpus.sources),
        references=[list(one) for one in corpus.references],
        outputs={"good": list(corpus.outputs["good_one"]), **runs},
        metrics=["sari"],
        baselines=["identity"],
    )
    paragraph = how_to_report(with_runs.compare(resamples=200)).paragraph
    assert "We evaluated 2 systems and the baseline identity on" in paragraph
    assert "the 1 pair of systems and, apart from them, the 2 pairs with a baseline." in paragraph
    assert "The scores of model (3 runs) are means over runs" in paragraph


def test_tests_are_counted_by_family(evaluation: Evaluation) -> None:
    """Against one system, baselines are a family of their own, as they are in a comparison of all pairs."""
    corpus = evaluation.corpus
    assert isinstance(corpus, Corpus)
    scores = evaluate(
        sources=list(corpus.sources),
        references=[list(one) for one in corpus.references],
        outputs={name: list(texts) for name, texts in corpus.outputs.items()},
        metrics=["sari"],
        baselines=["identity", "truncate"],
    )
    found = scores.compare(baseline="worse", resamples=200)
    assert {pair.first: pair.tests for pair in found.pairs} == {
        "good_one": 2,
        "worst": 2,
        "identity": 2,
        "truncate": 2,
    }
    paragraph = how_to_report(found).paragraph
    assert (
        "over the tests of each metric: the 2 tests of systems and, apart from them, the 2 tests of baselines."
        in paragraph
    )


def test_missing_outputs_are_said(evaluation: Evaluation) -> None:
    corpus = evaluation.corpus
    assert isinstance(corpus, Corpus)
    outputs = {name: list(texts) for name, texts in corpus.outputs.items()}
    outputs["worse"][:7] = [None] * 7
    outputs["worst"][:1] = [None]
    given = {"sources": list(corpus.sources), "references": [list(one) for one in corpus.references]}
    found = evaluate(**given, outputs=outputs, metrics=["sari", "bleu"]).compare(resamples=200)
    paragraph = how_to_report(found).paragraph
    assert "7 of the 40 outputs of worse are missing or could not be scored by SARI and BLEU. " in paragraph
    assert "1 of the 40 outputs of worst is missing or could not be scored by SARI and BLEU. " in paragraph
    assert "Pairs of systems are compared on the segments that both have." in paragraph
    assert "missing" not in how_to_report(evaluation.compare(resamples=200)).paragraph


@pytest.mark.parametrize("method", TESTS)
@pytest.mark.parametrize("other", ["It was small.", "A cat sat."])
def test_one_segment_has_neither_intervals_nor_tests(method: str, other: str) -> None:
    outputs = {"one": ["A cat sat."], "other": [other]}
    scores = evaluate(None, outputs, [["A cat sat."]], metrics=["bleu"])
    how = how_to_report(scores.compare(resamples=100, method=method))
    assert "2 systems on a test set: 1 segment with 1 reference each." in how.paragraph
    for word in ("interval", "tested", "Holm", "letter"):
        assert word not in how.paragraph
    assert keys(how.bibtex) == ["papineni-etal-2002-bleu", "post-2018-call", "plainly"]


def test_the_plain_bootstrap_is_not_calibrated(evaluation: Evaluation) -> None:
    how = how_to_report(evaluation.compare(method="bootstrap-plain", resamples=200))
    assert "calibrated" not in how.paragraph
    assert "hesterberg-2015-teachers" not in keys(how.bibtex)


def test_one_system_has_no_tests() -> None:
    alone = evaluate(sources=None, outputs={"mine": ["A cat sat.", "It was small."]}, metrics=["fkgl"])
    how = how_to_report(alone.compare(resamples=100))
    assert "We evaluated 1 system on a test set: 2 segments without references." in how.paragraph
    assert "tested" not in how.paragraph
    assert "holm-1979-simple" not in keys(how.bibtex)


def test_forms(evaluation: Evaluation) -> None:
    how = how_to_report(evaluation.compare(resamples=100))
    assert how.text("table").startswith("\nHow to report this\n\nWe evaluated 3 systems")
    assert how.text("markdown").endswith(f"```bibtex\n{how.bibtex}```\n")
    assert how.latex in how.text("latex")
    assert "\n% @software{plainly,\n" in how.text("latex")
    with pytest.raises(UnknownName, match="csv"):
        how.text("csv")


def test_compare_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compare", "--demo", "--metrics", "sari", "--resamples", "100", "--quiet", "--how-to-report"]
    assert main([*command, "--format", "json"]) == 0
    how = json.loads(capsys.readouterr().out)["how_to_report"]
    assert "on the demo set of plainly: 60 segments with 3 references each" in how["paragraph"]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert printed.endswith(how["bibtex"])
    assert how["paragraph"] in " ".join(printed.split())
    assert main([*command, "--format", "csv"]) == 2
    assert capsys.readouterr().err == (
        "plainly: --how-to-report goes with --format table, markdown, latex or json, not csv\n"
    )
    assert main([*command[:-1], "--format", "json"]) == 0
    assert "how_to_report" not in json.loads(capsys.readouterr().out)
