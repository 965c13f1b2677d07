"""Lower-casing and tokenising, as every metric of EASSE does it first."""

from __future__ import annotations

from typing import Literal, overload

from plainly.text.tokenizers import get_tokenizer


@overload
def normalize(
    sentence: str, lowercase: bool = True, tokenizer: str = "13a", return_str: Literal[True] = True
) -> str: ...
@overload
def normalize(
    sentence: str, lowercase: bool = True, tokenizer: str = "13a", *, return_str: Literal[False]
) -> list[str]: ...
@overload
def normalize(sentence: str, lowercase: bool, tokenizer: str, return_str: Literal[False]) -> list[str]: ...
@overload
def normalize(
    sentence: str, lowercase: bool = True, tokenizer: str = "13a", return_str: bool = True
) -> str | list[str]: ...


def normalize(
    sentence: str, lowercase: bool = True, tokenizer: str = "13a", return_str: bool = True
) -> str | list[str]:
    """The sentence lower-cased (if asked) and tokenised: tokens joined with blanks, or a list of them.

    >>> normalize("It's 3.5% of GDP.")
    "it's 3.5 % of gdp ."
    """
    chosen = get_tokenizer(tokenizer)
    if return_str and tokenizer == "none":  # EASSE leaves the blanks of such text as they are
        return sentence.lower() if lowercase else sentence
    tokens = chosen.tokens(sentence, lowercase)
    return " ".join(tokens) if return_str else tokens
