"""Any spaCy pipeline of a language that is installed serves, though plainly has never heard of it.

No German one can be had from the package index, so the tests make two: one is trained here on a handful of sentences,
the other draws its trees by a rule, in a component of its own. They are packed as `spacy package` packs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import plainly
from plainly.metrics import get
from plainly.models.parsers import missing_parser, parse, parser_for, parsers

spacy = pytest.importorskip("spacy")

INIT = """
from spacy.util import load_model_from_init_py
{more}
__version__ = "0.4.2"

def load(**overrides):
    return load_model_from_init_py(__file__, **overrides)
"""
CHAIN = """
from spacy.language import Language

class Chain:
    labels = ("root", "dep")

    def __call__(self, doc):
        for token in doc:
            token.head, token.dep_ = doc[max(token.i - 1, 0)], "dep" if token.i else "root"
        return doc

@Language.factory("chain_of_words", assigns=["token.head", "token.dep"])
def make(nlp, name):
    return Chain()
"""
# Word, lemma, universal tag, tag of STTS, head, relation of TIGER, as spaCy's German pipelines annotate.
COMPLEX = """
Der der DET ART 1 nk
Hund Hund NOUN NN 2 sb
schläft schlafen VERB VVFIN 2 ROOT
, -- PUNCT $, 2 punct
weil weil SCONJ KOUS 7 cp
er er PRON PPER 7 sb
müde müde ADV ADJD 7 pd
ist sein AUX VAFIN 2 mo
. -- PUNCT $. 2 punct
"""
SIMPLE = """
Der der DET ART 1 nk
Hund Hund NOUN NN 2 sb
schläft schlafen VERB VVFIN 2 ROOT
. -- PUNCT $. 2 punct
Er er PRON PPER 5 sb
ist sein AUX VAFIN 5 ROOT
müde müde ADV ADJD 5 pd
. -- PUNCT $. 5 punct
"""
SOURCE, OUTPUT = "Der Hund schläft, weil er müde ist.", "Der Hund schläft. Er ist müde."


def trained() -> Any:
    """A German pipeline with a parser, fitted until it has learned two texts by heart."""
    from spacy.tokens import Doc
    from spacy.training import Example

    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("de")
    nlp.add_pipe("tagger")
    nlp.add_pipe("morphologizer")
    nlp.add_pipe("trainable_lemmatizer", config={"min_tree_freq": 1})
    nlp.add_pipe("parser", name="trees", config={"min_action_freq": 1})
    examples = []
    for text in (COMPLEX, SIMPLE):
        words, lemmas, pos, tags, heads, deps = zip(*map(str.split, text.strip().splitlines()), strict=True)
        gold = Doc(nlp.vocab, words, lemmas=lemmas, pos=pos, tags=tags, heads=list(map(int, heads)), deps=deps)
        examples.append(Example(Doc(nlp.vocab, words), gold))
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(40):
        nlp.update(examples, sgd=optimizer)
    return nlp


def blank(component: str, package: str = "") -> Any:
    """A German pipeline of one component, which spaCy has, or that package."""
    if package:
        import_module(package)
    nlp = spacy.blank("de")
    nlp.add_pipe(component)
    return nlp


def pack(make: Callable[[], Any], folder: Path, name: str, code: str = "") -> None:
    """What pip leaves of a wheel that `spacy package` makes."""
    full = f"de_{name}"
    (folder / full).mkdir()
    (folder / full / "__init__.py").write_text(INIT.format(more=code), "utf-8")
    nlp = make()
    nlp.meta.update(name=name, version="0.4.2")
    nlp.to_disk(folder / full / f"{full}-0.4.2")
    meta = (folder / full / f"{full}-0.4.2" / "meta.json").read_text("utf-8")
    (folder / full / "meta.json").write_text(meta, "utf-8")
    info = folder / f"{full}-0.4.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {full}\nVersion: 0.4.2\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[spacy_models]\n{full} = {full}\n", "utf-8")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Installs a pipeline for the time of a test."""
    monkeypatch.syspath_prepend(tmp_path)
    parsers.cache_clear()
    before = set(sys.modules)

    def install(make: Callable[[], Any], name: str, code: str = "") -> None:
        pack(make, tmp_path, name, code)
        parsers.cache_clear()

    yield install
    parsers.cache_clear()
    for name in set(sys.modules) - before:
        if name.startswith("de_"):
            del sys.modules[name]


@pytest.mark.slow  # it trains a pipeline
def test_a_german_pipeline_gives_what_german_lacks(installed: Callable[..., None], capsys: Any) -> None:
    installed(trained, "self_made")
    chosen = parser_for("de")
    assert chosen is not None
    assert (chosen.name, chosen.version) == ("de_self_made", "0.4.2")
    assert chosen.provides == {"tags", "lemmas", "dependencies"}  # its parser is called "trees"
    assert missing_parser("de", {"tags", "lemmas", "dependencies"}) is None
    (sentence,) = parse([SOURCE], "de")[0].sentences
    assert [(token.lemma, token.pos, sentence[token.head].text, token.dep) for token in sentence] == [
        ("der", "DET", "Hund", "det"),
        ("Hund", "NOUN", "schläft", "nsubj"),
        ("schlafen", "VERB", "schläft", "root"),
        ("--", "PUNCT", "schläft", "punct"),
        ("weil", "SCONJ", "ist", "mark"),
        ("er", "PRON", "ist", "nsubj"),
        ("müde", "ADV", "ist", "xcomp"),
        ("sein", "AUX", "schläft", "advcl"),
        ("--", "PUNCT", "schläft", "punct"),
    ]
    # By hand. schläft - Hund - der: 3 tokens deep; after the split also ist - er: (3 + 2) / 2. Clauses are schläft
    # and ist in both; 7 words in them, and 6 after the split. SAMSA: 2 scenes, each whole in a sentence of its own.
    names = ["parse-height", "clauses-per-sentence", "clause-length", "samsa"]
    texts = {"source": [SOURCE], "split": [OUTPUT]}
    scores = plainly.evaluate([SOURCE], texts, lang="de", metrics=names, intervals=None)
    values = {system: [scores[system][name].score for name in names[:3]] for system in texts}
    assert values == {"source": [3, 2, 3.5], "split": [2.5, 1, 3]}
    assert scores["split"]["samsa"].score == pytest.approx(100)
    assert scores["split"]["samsa"].components["scenes"] == 2
    for name in names:
        assert f"|parser:de_self_made-0.4.2-{chosen.identity[-12:]}" in scores["split"][name].signature
    assert get("parse-height", lang="de", parser="de_self_made").parser == "de_self_made"
    from plainly.cli import main

    assert main(["doctor", "--lang", "de", "--table", "language_parts", "--format", "csv"]) == 0
    assert 'parser,ok,"de_self_made: dependencies, lemmas, tags"' in capsys.readouterr().out


def test_a_pipeline_that_draws_trees_in_its_own_way(installed: Callable[..., None]) -> None:
    installed(lambda: blank("chain_of_words", "de_chain"), "chain", CHAIN)
    chosen = parser_for("de")
    assert chosen is not None
    assert (chosen.name, chosen.provides) == ("de_chain", {"dependencies"})
    # Each of 7 words and 2 marks hangs on the one before it: 9 tokens in a row. A chain has no tags.
    scores = plainly.evaluate([SOURCE], [SOURCE], lang="de", metrics=["parse-height"], intervals=None)
    assert scores["output"]["parse-height"].score == 9
    why = missing_parser("de", {"tags", "dependencies"})
    assert why == "de_chain, the parser for 'de' here, gives no tags"


def test_a_pipeline_without_trees_is_none_of_the_parsers(installed: Callable[..., None]) -> None:
    installed(lambda: blank("sentencizer"), "sentences_only")
    assert "de_sentences_only" not in parsers("de")
