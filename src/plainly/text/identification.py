"""Which language a text is in, by the model that `py3langid` ships (Barbaresi; after Lui and Baldwin 2012).

Measured on short lines: docs/languages.md.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from copy import copy
from functools import cache
from typing import Any

from plainly.base.errors import MissingResource, PlainlyError
from plainly.base.packages import package_folder
from plainly.text.languages import LANGUAGES

SURE = 0.7  # the least probability of a language to be named; so no line of 7,000 in German and English is misnamed

ENOUGH = 2000  # characters; in much longer texts that repeat themselves the probabilities drift together


def identify(texts: Iterable[str], candidates: Collection[str] | None = None) -> list[str | None]:
    """The code of each text's language, out of `candidates` (default: all that can be told apart).

    None where a text has no letters, or where no candidate has a probability of `SURE`: the text is too short, a
    row of names, or in a mixture of languages.
    """
    wanted = frozenset(identifiable() if candidates is None else candidates)
    for code in sorted(wanted - identifiable()):
        raise PlainlyError(f"py3langid does not know the language {code!r}")
    classify = _identifier(wanted).classify
    return [_identified(text, classify) for text in texts]


def identifiable() -> frozenset[str]:
    """The codes of the languages that can be told apart: their entries say what py3langid calls them."""
    if package_folder("py3langid") is None:
        _model()  # says how to get it
    return frozenset(_codes(tuple(LANGUAGES)).values())


@cache
def _codes(codes: tuple[str, ...]) -> dict[str, str]:
    """Our languages by what py3langid calls them."""
    return {label: code for code in codes if (label := LANGUAGES[code].identified_as)}


def _identified(text: str, classify: Callable[[str], tuple[str, float]]) -> str | None:
    if not any(map(str.isalpha, text)):
        return None
    label, probability = classify(text[:ENOUGH])
    return _codes(tuple(LANGUAGES))[label] if probability >= SURE else None


@cache
def _identifier(wanted: frozenset[str]) -> Any:
    identifier = copy(_model())  # its tables are shared, the choice of languages is not
    identifier.set_languages([LANGUAGES[code].identified_as for code in wanted])
    return identifier


@cache
def _model() -> Any:
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ImportError:
        raise MissingResource("Identifying languages needs py3langid 0.4 or later: pip install py3langid") from None
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
