"""Edits of a system's output. None makes it a better simplification, but for a copy of a reference.

An edit gives all texts that it may turn an output into, each as likely as the others: one where nothing is left to
chance, one a position where a position is drawn. So a study can measure each of them once. Where they are too many to
list, it gives `Segment.sample` of them, drawn at random.

The six edits of Tanprasert and Kauchak (2021) work on tokens between blanks, numbered from 0, n of them, and draw
a position p:

    random-period                  a stop is put before p     p in 1 .. n-2
    random-the                     "the" is put before p      p in 1 .. n-1
    replace-longest                the first of the longest tokens becomes "the"
    replace-rand-period            token p becomes a stop     p in 1 .. n-1
    replace-rand-the               token p becomes "the"      p in 1 .. n-2
    random-period+replace-longest  replace-longest, then a stop is put before p in 1 .. n-1, one further than above

The ranges are those that reproduce the numbers of the paper. Where a language does not put blanks between words,
each character is a token. A text with fewer than two tokens, or without a position to draw, stays as it is.

Another package registers an edit by an entry point in the group `plainly.edits`:

    [project.entry-points."plainly.edits"]
    my-edit = "my_package.edits:MY_EDIT"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Literal

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message, message
from plainly.base.registry import Registry
from plainly.text.languages import LANGUAGES, get_language

SAMPLE = 8

Kind = Literal["trivial", "sanity"]
Word = Literal["the", "period"]


@dataclass(frozen=True)
class Segment:
    """An output and all that an edit may look at."""

    output: str
    source: str | None = None
    references: Sequence[str] = ()
    outputs: tuple[str | None, ...] = ()  # those of the same system for all segments
    lang: str = "en"
    sample: int = SAMPLE  # how many texts to draw where they are too many to list

    def with_output(self, text: str) -> Segment:
        return Segment(text, self.source, self.references, self.outputs, self.lang, self.sample)

    @property
    def tokens(self) -> list[str]:
        return self.output.split() if get_language(self.lang).spaces else list(self.output)

    @property
    def between(self) -> str:
        """What stands between two tokens."""
        return " " if get_language(self.lang).spaces else ""

    def joined(self, tokens: Sequence[str]) -> str:
        return self.between.join(tokens)


Outcomes = Callable[[Segment, np.random.Generator], Sequence[str]]


@dataclass(frozen=True)
class Edit:
    """A named edit. `outcomes` lists the texts that it may give, all equally likely, at least one."""

    name: str
    about: str  # {the} and {period} stand for the words of the language
    outcomes: Outcomes
    kind: Kind = "trivial"
    languages: frozenset[str] | None = None  # None: any
    needs: frozenset[str] = frozenset()  # "source", "references"

    def about_in(self, lang: str) -> str:
        """What it does, with the words that it puts into texts of a language."""
        language = get_language(lang)
        return self.about.replace("{the}", language.article).replace("{period}", language.full_stop)

    def lacks(self, lang: str, available: Collection[str]) -> Message | None:
        """Why it cannot be made here, as words; None if it can."""
        if self.languages is not None and lang not in self.languages:
            return message(
                "gaming.no-words",
                "there are no words for it in language {lang}, only in: {languages}",
                lang=repr(lang),
                languages=", ".join(sorted(self.languages)),
            )
        missing = sorted(self.needs.difference(available))
        return message("gaming.needs", "it needs {needed}", needed=" and ".join(missing)) if missing else None

    def apply(self, segment: Segment, rng: np.random.Generator) -> str:
        """One edited text."""
        texts = self.outcomes(segment, rng)
        return texts[int(rng.integers(len(texts)))]

    def __add__(self, first: Edit) -> Edit:
        """`a + b` does b first, then a: the order of the study's random-period+replace-longest."""
        return Edit(
            f"{self.name}+{first.name}",
            f"{first.about}; then: {self.about}",
            partial(_one_after_the_other, self.outcomes, first.outcomes),
            "trivial" if self.kind == first.kind == "trivial" else "sanity",
            _in_both(self.languages, first.languages),
            self.needs | first.needs,
        )


def get(name: str) -> Edit:
    """The edit of that name, or the composition of those with a plus between their names: a+b does b, then a."""
    if name in VARIANTS:
        return VARIANTS[name]
    last, plus, first = name.partition("+")
    if name not in EDITS and plus and last and first:
        return get(last) + get(first)
    return EDITS[name]


def names() -> list[str]:
    """All edits: built-in ones in the order of this page, then those of other packages."""
    return EDITS.usable()


def possible(lang: str, available: Collection[str]) -> tuple[list[str], dict[str, Message]]:
    """The edits that can be made in a language with "source" or "references" at hand, and why others cannot."""
    reasons = {name: get(name).lacks(lang, available) for name in names()}
    left_out = {name: why for name, why in reasons.items() if why}
    return [name for name in reasons if name not in left_out], left_out


def broken() -> list[str]:
    """What is wrong with edits of other packages that cannot be had."""
    return EDITS.faults()


def _in_both(first: frozenset[str] | None, second: frozenset[str] | None) -> frozenset[str] | None:
    if first is None or second is None:
        return second if first is None else first
    return first & second


def _one_after_the_other(
    second: Outcomes, first: Outcomes, segment: Segment, rng: np.random.Generator
) -> Sequence[str]:
    """All outcomes where one of the two edits has but one; else one of the second for each outcome of the first."""
    texts = first(segment, rng)
    if len(texts) == 1:
        return second(segment.with_output(texts[0]), rng)
    after = [second(segment.with_output(text), rng) for text in texts]
    return [found[int(rng.integers(len(found)))] for found in after]


# ---- the edits of the study


def _word(which: Word, lang: str) -> str:
    language = get_language(lang)
    _insist(language.article, "word in the place of 'the'", lang, _WITH_ARTICLE)
    return {"the": language.article, "period": language.full_stop}[which]


def _insist(fact: object, what: str, lang: str, able: Collection[str]) -> None:
    if not fact:
        raise PlainlyError(f"there is no {what} for language {lang!r} (only for: {', '.join(sorted(able))})")


def _at_each_position(
    which: Word, replace: bool, last: int, segment: Segment, rng: np.random.Generator
) -> Sequence[str]:
    """A word before, or in the place of, token p, for p from 1 to n - last."""
    word, tokens, between = _word(which, segment.lang), segment.tokens, segment.between
    places = range(1, max(len(tokens) - last + 1, 1))
    texts = [between.join([*tokens[:p], word, *tokens[p + replace :]]) for p in places]
    return texts or [segment.output]


def _replace_longest(segment: Segment, rng: np.random.Generator) -> Sequence[str]:
    word, tokens = _word("the", segment.lang), segment.tokens
    if len(tokens) < 2:
        return [segment.output]
    longest = max(range(len(tokens)), key=lambda i: len(tokens[i]))  # the first of them
    return [segment.joined([*tokens[:longest], word, *tokens[longest + 1 :]])]


_WITH_ARTICLE = frozenset(code for code, entry in LANGUAGES.items() if entry.article)
_WITH_NEGATIONS = frozenset(code for code, entry in LANGUAGES.items() if entry.negations)


def _trivial(name: str, about: str, outcomes: Outcomes) -> Edit:
    return Edit(name, about, outcomes, "trivial", _WITH_ARTICLE)


_STOP_ANYWHERE = partial(_at_each_position, "period", False, 1)

TRIVIAL = (
    _trivial("random-period", "a full stop ({period}) is put in", partial(_at_each_position, "period", False, 2)),
    _trivial("random-the", "'{the}' is put in", partial(_at_each_position, "the", False, 1)),
    _trivial("replace-longest", "the longest token becomes '{the}'", _replace_longest),
    _trivial(
        "replace-rand-period", "a token becomes a full stop ({period})", partial(_at_each_position, "period", True, 1)
    ),
    _trivial("replace-rand-the", "a token becomes '{the}'", partial(_at_each_position, "the", True, 2)),
    _trivial(
        "random-period+replace-longest",
        "the longest token becomes '{the}'; then a full stop ({period}) is put in",
        partial(_one_after_the_other, _STOP_ANYWHERE, _replace_longest),
    ),
)

VARIANTS = {
    edit.name: edit
    for edit in [
        _trivial(
            "replace-rand-the:last-token",
            "a token becomes '{the}', the last one too",
            partial(_at_each_position, "the", True, 1),
        )
    ]
}
"""What some numbers of the study were made with. They are found by name alone: `all` and lists leave them out."""


# ---- sanity edits: a sound metric tells them from a simplification


def _copy_source(segment: Segment, rng: np.random.Generator) -> Sequence[str]:
    return [segment.output if segment.source is None else segment.source]


def _copy_reference(segment: Segment, rng: np.random.Generator) -> Sequence[str]:
    return segment.references or [segment.output]


def _delete_last_quarter(segment: Segment, rng: np.random.Generator) -> Sequence[str]:
    tokens = segment.tokens
    cut = len(tokens) // 4
    return [segment.joined(tokens[:-cut]) if cut else segment.output]


def _shuffle_words(segment: Segment, rng: np.random.Generator) -> Sequence[str]:
    tokens = segment.tokens
    if len(tokens) < 2:
        return [segment.output]
    return [segment.joined([tokens[i] for i in rng.permutation(len(tokens))]) for _ in range(segment.sample)]


_AROUND = '.,;:!?…"()[]«»„“”‚‘'


def _drop_negation(segment: Segment, rng: np.random.Generator) -> Sequence[str]:
    """Every negating word goes, or becomes what is left of it; what stood around it joins the word before."""
    table = get_language(segment.lang).negations
    _insist(table, "list of negations", segment.lang, _WITH_NEGATIONS)
    kept: list[str] = []
    changed = False
    for token in segment.tokens:
        core = token.strip(_AROUND)
        left = _affirmed(core, table)
        if left is None:
            kept.append(token)
            continue
        changed = True
        before, _, after = token.partition(core)
        if left or not kept:
            kept += [before + left + after] if before + left + after else []
        else:
            kept[-1] += before + after
    return [segment.joined(kept) if changed else segment.output]


def _affirmed(word: str, table: Any) -> str | None:
    """What is left of a negating word; None for any other."""
    key = word.lower().replace("’", "'")
    if key in table:
        left: str = table[key]
        return left[:1].upper() + left[1:] if word[:1].isupper() else left
    prefix = next((prefix for prefix in table if prefix.endswith("'") and key.startswith(prefix)), None)
    return word[len(prefix) :] if prefix else None


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def _swap_number(segment: Segment, rng: np.random.Generator) -> Sequence[str]:
    """One of the numbers gets other digits; its length and its marks stay."""
    text = segment.output
    return [
        text[: match.start()] + _other_digits(match[0], rng) + text[match.end() :] for match in _NUMBER.finditer(text)
    ] or [text]


def _other_digits(number: str, rng: np.random.Generator) -> str:
    """Each digit becomes another one, in its own script; the first does not become 0."""
    digits = []
    for i, sign in enumerate(number):
        if not sign.isdecimal():
            digits.append(sign)
            continue
        digit = int(sign)
        choice = [other for other in range(10) if other != digit and (other or i)]
        digits.append(chr(ord(sign) - digit + choice[int(rng.integers(len(choice)))]))
    return "".join(digits)


def _swap_entities(segment: Segment, rng: np.random.Generator) -> Sequence[str]:
    """A name becomes a name from the output of another segment.

    A name is a run of two or more capitalised words that does not begin the text. This is rough: it misses names of
    one word, and takes some headings and, in German, some nouns for names.
    """
    tokens = segment.tokens
    own = _name_spans(tokens)
    taken = {" ".join(tokens[start:end]).rstrip(_AROUND) for start, end in own}
    others = [name for name in _all_names(segment.outputs, segment.lang) if name not in taken]
    if not own or not others:
        return [segment.output]
    texts = []
    for _ in range(segment.sample):
        start, end = own[int(rng.integers(len(own)))]
        tail = tokens[end - 1][len(tokens[end - 1].rstrip(_AROUND)) :]
        name = others[int(rng.integers(len(others)))]
        texts.append(segment.joined([*tokens[:start], name + tail, *tokens[end:]]))
    return texts


def _name_spans(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """The runs of capitalised words. A mark after a word ends its run."""
    spans, start = [], None
    for i, token in enumerate([*tokens[1:], ""], start=1):
        word = token.rstrip(_AROUND)
        if start is None and len(word) > 1 and word[0].isupper():
            start = i
        if start is not None:
            capital = len(word) > 1 and word[0].isupper()
            end = i + 1 if capital else i
            if not capital or word != token:
                if end - start > 1:
                    spans.append((start, end))
                start = None
    return spans


@lru_cache(maxsize=4)
def _all_names(outputs: tuple[str | None, ...], lang: str) -> tuple[str, ...]:
    found: dict[str, None] = {}  # a set that keeps its order
    for output in outputs:
        if output is not None:
            tokens = Segment(output, lang=lang).tokens
            for start, end in _name_spans(tokens):
                found[" ".join(tokens[start:end]).rstrip(_AROUND)] = None
    return tuple(found)


def _duplicate(segment: Segment, rng: np.random.Generator) -> Sequence[str]:
    return [segment.joined([segment.output] * 2) if segment.output else segment.output]


def _lower_case(segment: Segment, rng: np.random.Generator) -> Sequence[str]:
    return [segment.output.lower()]


def _unrelated(segment: Segment, rng: np.random.Generator) -> Sequence[str]:
    others = _distinct(segment.outputs)
    if not any(text != segment.output for text in others):
        return [segment.output]
    drawn = rng.permutation(len(others))[: segment.sample + 1]
    return [others[i] for i in drawn if others[i] != segment.output][: segment.sample]


@lru_cache(maxsize=4)
def _distinct(outputs: tuple[str | None, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in outputs if text is not None))


SANITY = (
    Edit("copy-source", "the source instead of the output", _copy_source, "sanity", needs=frozenset(["source"])),
    Edit(
        "copy-reference",
        "a reference instead of the output",
        _copy_reference,
        "sanity",
        needs=frozenset(["references"]),
    ),
    Edit("delete-last-quarter", "the last quarter of the tokens is cut off", _delete_last_quarter, "sanity"),
    Edit("shuffle-words", "the tokens in random order", _shuffle_words, "sanity"),
    Edit("drop-negation", "negating words are taken out", _drop_negation, "sanity", _WITH_NEGATIONS),
    Edit("swap-number", "a number gets other digits", _swap_number, "sanity"),
    Edit("swap-entities", "a name of two words or more becomes a name from another output", _swap_entities, "sanity"),
    Edit("duplicate", "the output twice", _duplicate, "sanity"),
    Edit("lower-case", "the output in lower case", _lower_case, "sanity"),
    Edit("unrelated", "the output of another segment", _unrelated, "sanity"),
)
BUILT_IN = (*TRIVIAL, *SANITY)
EDITS = Registry(
    "edit",
    {edit.name: edit for edit in BUILT_IN},
    "plainly.edits",
    "a plainly.gaming.Edit",
    lambda found: isinstance(found, Edit),
)
