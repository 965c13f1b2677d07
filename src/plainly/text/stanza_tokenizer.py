"""Tokens by Stanza's neural models, where they are on this machine; nothing is ever downloaded."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

from plainly.base.errors import MissingResource
from plainly.text.languages import get_language

_LOCK = Lock()  # Stanza is not made for threads


def separate(text: str, lang: str) -> str:
    """The text with blanks between its tokens; a blank inside a token becomes "_"."""
    with _LOCK:
        document = _pipeline(lang)(text)
    tokens = [token.text for sentence in document.sentences for token in sentence.tokens]
    return " ".join(["_".join(token.split()) for token in tokens])


@cache
def _pipeline(lang: str) -> Any:
    code = get_language(lang).code
    try:
        import stanza
    except ImportError:
        raise MissingResource("The stanza tokenizer needs Stanza: pip install stanza") from None
    try:
        return stanza.Pipeline(code, processors="tokenize", download_method=None, verbose=False)
    except Exception as error:  # Stanza has an error of its own for each way in which a model can be missing
        command = f"""python -c "import stanza; stanza.download('{code}', processors='tokenize')\""""
        raise MissingResource(f"Stanza is here but its model for {code!r} is not: {command}") from error
