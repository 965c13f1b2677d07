"""Signatures are written and read back."""

from __future__ import annotations

import pytest

from plainly.base.errors import PlainlyError
from plainly.base.signature import Signature, Signed, signed
from plainly.base.version import __version__

FIELDS = {"tokenizer": Signed("the tokeniser", short="tok"), "empty": Signed("the rule", unsaid="zero")}
ONE = Signature("x", {"tokenizer": "13a", "empty": "zero"}, "1.0", libraries={"nltk": "3.9"}, fields=FIELDS)


def test_short_and_long_form() -> None:
    assert ONE.short == "x|tok:13a|plainly:1.0"
    assert ONE.long == "x|tokenizer:13a|empty:zero|nltk:3.9|plainly:1.0"


def test_parsed_back() -> None:
    read = Signature.parse(ONE.short, FIELDS)
    assert (read.name, read.settings, read.version, read.tool) == ("x", {"tokenizer": "13a"}, "1.0", "plainly")
    assert read.short == ONE.short
    assert Signature.parse(ONE.long, FIELDS).long == ONE.long
    assert Signature.parse("x").version is None


def test_of_a_study() -> None:
    assert signed("s", {"seed": 7, "ties": True, "share": 1 / 3}) == (
        f"s|seed:7|ties:yes|share:0.333333|plainly:{__version__}"
    )


def test_of_sacrebleu() -> None:
    read = Signature.parse("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.3.1")
    assert (read.name, read.version, read.tool) == ("bleu", "2.3.1", "sacrebleu")
    assert read.settings == {"references": "1", "lowercase": "lower", "tokenizer": "13a", "smooth": "exp"}
    chrf = Signature.parse("chrF2++|nrefs:3|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.3.1")
    assert chrf.settings == {
        "references": "3",
        "lowercase": "mixed",
        "char_order": "6",
        "word_order": "2",
        "beta": "2",
    }


@pytest.mark.parametrize("text", ["tok:13a|case:lower", "WER|nrefs:1|case:mixed|version:2.3.1", "x|tok"])
def test_what_cannot_be_read(text: str) -> None:
    with pytest.raises(PlainlyError, match=r"not a signature|does not know this metric of sacrebleu"):
        Signature.parse(text)
