"""Which operations a sentence went through: the labels of its words, and S for a split."""

from __future__ import annotations

from collections.abc import Sequence

from plainly.compat.easse.annotation.word_level import Aligner, WordOperationAnnotator
from plainly.compat.easse.quality_estimation import count_sentence_splits


class SentenceOperationAnnotator:
    """The distinct labels of the words of each sentence. `align_tool` is as in `WordOperationAnnotator`.

    `with_clause` is there for EASSE's sake: there are no labels of clauses, which need a parse.
    """

    def __init__(
        self,
        align_tool: str | Aligner = "simalign",
        simalign_method: str = "inter",
        with_clause: bool = False,
        lowercase: bool = False,
        tokenizer: str = "moses",
        verbose: bool = False,
    ) -> None:
        self._words = WordOperationAnnotator(
            align_tool, simalign_method, lowercase=lowercase, tokenizer=tokenizer, verbose=verbose
        )

    def identify_operations(self, orig_sentences: Sequence[str], simp_sentences: Sequence[str]) -> list[list[str]]:
        """The labels in each sentence, in alphabetical order; S where it became more sentences."""
        labels = zip(*self._words.identify_operations(orig_sentences, simp_sentences), strict=True)
        found = [{*of_source, *of_output} for of_source, of_output in labels]
        for operations, orig, simp in zip(found, orig_sentences, simp_sentences, strict=True):
            if count_sentence_splits(orig, simp) > 1:
                operations.add("S")
        return [sorted(operations) for operations in found]
