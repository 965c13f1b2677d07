"""Word operations from a word alignment: delete (D), replace (R), move (M), copy (C) and add (A).

    D   a source word without a partner; A an output word without one
    R   a source word with several partners or another word as partner (case aside); source words that share a
        partner are one replacement (B-R, then I-R); so are a D and an A at the same position with the same
        part of speech
    M   a copied word whose partner does not stand at: position - earlier D and I-R + earlier A
    C   any other source word

Punctuation is never D, R or A. Rules of Alva-Manchego et al. 2017 (Learning How to Simplify, IJCNLP) as
EASSE 0.2.4 has them, weak points included: one word moved to the end makes every word after it M.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.compat.easse._inputs import BadInput
from plainly.compat.easse.utils.preprocessing import normalize

SIMOP_LABELS_GROUPS = {
    "add": ["B-A", "I-A", "B-AC", "I-AC"],
    "delete": ["B-D", "I-D", "B-DC", "I-DC"],
    "replace": ["B-R", "I-R"],
    "move": ["B-M", "I-M", "B-MC", "I-MC"],
}
_OPERATIONS = ["A", "AC", "D", "DC", "M", "MC", "R"]
SIMOP_LABELS = [f"{prefix}-{operation}" for prefix in "BI" for operation in _OPERATIONS]
ORIG_OPS_LABELS = ["D", "M", "R", "C"]
CLAUSE_SYNT_TAGS = ["SBAR", "CC"]
CHUNK_SYNT_TAGS = ["NP", "VP", "PP"]

DEFAULT_OPERATIONS = ("D", "R", "M", "C")
SIMALIGN_METHODS = ("inter", "mwmf", "itermax")

Pairs = Iterable[Sequence[int]]
Parse = Mapping[str, Any] | None
Annotation = dict[str, Any]
Aligner = Callable[[Sequence[str], Sequence[str]], Pairs]


def annotate_sentence(
    src: Sequence[str],
    ref: Sequence[str],
    aligns: Pairs,
    src_parse: Parse = None,
    ref_parse: Parse = None,
    include_phrase_level: bool = False,
) -> tuple[list[Annotation], list[Annotation]]:
    """The operations on each word of `src`, and the words that `ref` adds.

    `aligns` are pairs of positions from 1. The parses have the shape of CoreNLP's in EASSE; only
    the parts of speech are used, and without them (None) no D and A become an R.

    >>> source, output = annotate_sentence(["a", "big", "cat"], ["a", "cat"], [(1, 1), (3, 2)])
    >>> [word["label"] for word in source]
    ['O', 'B-D', 'O']
    """
    if include_phrase_level:
        raise MissingResource(
            "labels of phrases are not available: they need a constituency parser; leave out include_phrase_level"
        )
    partners = _partners(aligns, len(src), len(ref))
    replacements = _replacements(src, ref, partners)
    taken = {j for targets in partners.values() for j in targets}
    deleted = {i for i, word in enumerate(src, 1) if i not in partners and not _is_punctuation(word)}
    added = {j for j, word in enumerate(ref, 1) if j not in taken and not _is_punctuation(word)}
    for i in _exchanged(deleted, added, src_parse, ref_parse):
        replacements[i] = [ref[i - 1]]
        deleted.remove(i)
        added.remove(i)

    without_place = deleted | {i for i, words in replacements.items() if not words}
    source = []
    for i, word in enumerate(src, 1):
        annotation: Annotation = {"index": i, "word": word, "label": "O"}
        if i in deleted:
            annotation["label"] = "B-D"
        elif i in replacements:
            annotation |= {"label": "B-R" if replacements[i] else "I-R", "replace": replacements[i]}
        elif i in partners:
            target = partners[i][0]
            expected = i - sum(word < i for word in without_place) + sum(a < target for a in added)
            if target != expected:
                annotation |= {"label": "B-M", "move": target}
        source.append(annotation)
    output = [{"index": j, "word": word, "label": "B-A" if j in added else "O"} for j, word in enumerate(ref, 1)]
    return source, output


class WordOperationAnnotator:
    """Labels word operations in sentences, and scores a system's operations against those of references.

    EASSE's aligners (`simalign`, `mwa`) need models that plainly does not have. Give a function instead:
    `align_tool(orig_tokens, simp_tokens)` returns pairs of positions from 1. There is no
    parser, so no D and A become an R.
    """

    def __init__(
        self,
        align_tool: str | Aligner = "simalign",
        simalign_method: str = "inter",
        include_phrase_level: bool = False,
        iob_labels: bool = False,
        lowercase: bool = False,
        tokenizer: str = "moses",
        verbose: bool = False,
    ) -> None:
        if simalign_method not in SIMALIGN_METHODS:
            raise BadInput(f"unknown simalign_method {simalign_method!r}; known: {', '.join(SIMALIGN_METHODS)}")
        if isinstance(align_tool, str):
            if align_tool not in ("simalign", "mwa"):
                raise UnknownName("align_tool", align_tool, ("simalign", "mwa"))
            raise MissingResource(
                f"the aligner {align_tool!r} is not available: it needs a model; give align_tool "
                "a function from two lists of tokens to pairs of positions from 1"
            )
        self._align = align_tool
        self._iob_labels = iob_labels
        self._lowercase = lowercase
        self._tokenizer = tokenizer

    def analyse_operations(
        self,
        orig_sentences: Sequence[str],
        sys_sentences: Sequence[str],
        refs_sentences: Sequence[Sequence[str]],
        operations: Sequence[str] | None = None,
        as_str: bool = False,
    ) -> dict[str, float] | str:
        """The mean score of each label, 0-1; with `as_str` one line, times 100."""
        operations = operations or DEFAULT_OPERATIONS
        scores = self.compute_operations_sentence_scores(orig_sentences, sys_sentences, refs_sentences, operations)
        if not len(scores):
            raise PlainlyError("there are no sentences to analyse")
        means = dict(zip(operations, scores.mean(axis=0).tolist(), strict=True))
        if as_str:
            return " ".join(f"{label}={100 * value:.2f}" for label, value in means.items())
        return means

    def compute_operations_sentence_scores(
        self,
        orig_sentences: Sequence[str],
        sys_sentences: Sequence[str],
        refs_sentences: Sequence[Sequence[str]],
        operations: Sequence[str] | None = None,
    ) -> NDArray[np.float64]:
        """(sentences, operations): the F1 of each label over the source's words, with the best reference.

        The system's labels of the source are compared with those that a reference gives it. A label that
        neither has scores 0.
        """
        operations = operations or DEFAULT_OPERATIONS
        if not refs_sentences:
            raise PlainlyError("an analysis of operations needs references, but refs_sentences is empty")
        made = self._source_labels(orig_sentences, sys_sentences)
        best = np.zeros((len(made), len(operations)))
        for references in refs_sentences:
            wanted = self._source_labels(orig_sentences, references)
            for row, ours, theirs in zip(best, made, wanted, strict=True):
                row[:] = np.maximum(row, [_label_f1(ours, theirs, label) for label in operations])
        return best

    def identify_operations(
        self, orig_sentences: Sequence[str], simp_sentences: Sequence[str]
    ) -> tuple[list[list[str]], list[list[str]]]:
        """The labels of all source words and all output words, sentence by sentence."""
        if len(orig_sentences) != len(simp_sentences):
            raise BadInput(
                f"there are {len(orig_sentences)} source sentences, but {len(simp_sentences)} simplifications"
            )
        orig_labels, simp_labels = [], []
        for orig, simp in zip(orig_sentences, simp_sentences, strict=True):
            source, output = self._tokens(orig), self._tokens(simp)
            of_source, of_output = annotate_sentence(source, output, self._align(source, output))
            orig_labels.append(["C" if word["label"] == "O" else str(word["label"]) for word in of_source])
            simp_labels.append([str(word["label"]) for word in of_output])
        return orig_labels, simp_labels

    def _source_labels(self, orig_sentences: Sequence[str], simp_sentences: Sequence[str]) -> list[list[str]]:
        labels, _ = self.identify_operations(orig_sentences, simp_sentences)
        if self._iob_labels:
            return labels
        return [[label.rpartition("-")[2] for label in sentence] for sentence in labels]

    def _tokens(self, sentence: str) -> list[str]:
        return normalize(sentence, self._lowercase, self._tokenizer, return_str=False)


def _partners(aligns: Pairs, n_src: int, n_ref: int) -> dict[int, list[int]]:
    partners: dict[int, set[int]] = defaultdict(set)
    for i, j in aligns:
        if not (1 <= i <= n_src and 1 <= j <= n_ref):
            raise PlainlyError(f"alignment ({i}, {j}) is outside {n_src} source and {n_ref} output words, from 1")
        partners[i].add(j)
    return {i: sorted(targets) for i, targets in sorted(partners.items())}


def _replacements(src: Sequence[str], ref: Sequence[str], partners: Mapping[int, list[int]]) -> dict[int, list[str]]:
    """The output words that replace each replaced source word; none for one that continues another."""
    sharers = Counter(targets[0] for targets in partners.values() if len(targets) == 1)
    replacements: dict[int, list[str]] = {}
    begun = set()
    for i, targets in partners.items():
        if _is_punctuation(src[i - 1]):
            continue
        words = [ref[j - 1] for j in targets]
        if len(targets) == 1 and sharers[targets[0]] > 1:
            replacements[i] = [] if targets[0] in begun else words
            begun.add(targets[0])
        elif len(targets) > 1 or words[0].lower() != src[i - 1].lower():
            replacements[i] = words
    return replacements


def _exchanged(deleted: set[int], added: set[int], src_parse: Parse, ref_parse: Parse) -> list[int]:
    """Positions at which a deleted and an added word have the same part of speech."""
    source, output = _parts_of_speech(src_parse), _parts_of_speech(ref_parse)
    both = min(len(source), len(output))
    return [i for i in deleted & added if i <= both and source[i - 1] == output[i - 1]]


def _parts_of_speech(parse: Parse) -> list[str]:
    if not parse:
        return []
    words = chain.from_iterable(sentence["words"] for sentence in parse["sentences"])
    return [facts["PartOfSpeech"] for _, facts in words]


def _is_punctuation(word: str) -> bool:
    return all(unicodedata.category(character)[0] in "PS" for character in word)


def _label_f1(made: Sequence[str], wanted: Sequence[str], label: str) -> float:
    if len(made) != len(wanted):
        raise BadInput(f"{len(made)} labels against {len(wanted)}")
    both = sum(a == b == label for a, b in zip(made, wanted, strict=True))
    total = made.count(label) + wanted.count(label)
    return 2 * both / total if total else 0.0
