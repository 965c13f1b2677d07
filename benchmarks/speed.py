"""Text in memory to final scores. Every peer starts cold: no cache of an earlier run helps it, nor us."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

from benchmarks.data import ASSET, Data
from benchmarks.rows import Row, Times, timed
from plainly import evaluate

SYSTEMS = 20
REPEAT = 15
RECORDED = {"SARI": Times(0.4536), "BLEU": Times(0.3128)}
"""EASSE 0.2.4 on the ASSET test set: the median of five processes on another day, on two cores of such a machine."""


def run(data: Data) -> list[Row]:
    output = data.systems.get("Dress-Ls") or next(iter(data.systems.values()))
    many = {f"{name}-{i}": texts for i in range(2) for name, texts in data.systems.items()}
    many = dict(list(many.items())[:SYSTEMS])

    def ours(outputs: Any, *metrics: str, intervals: bool = False) -> Callable[[], object]:
        return lambda: evaluate(data.sources, outputs, data.grouped, metrics=metrics, keep_statistics=intervals)

    ours(output, "sari", "bleu", "fkgl", intervals=True)()  # what is imported and read once
    sari, bleu = timed(ours(output, "sari"), REPEAT), timed(ours(output, "bleu"), REPEAT)
    easse, recorded = _easse(data, output)
    rows = [
        Row("SARI of one system", sari, "EASSE 0.2.4", easse.get("SARI"), recorded),
        Row("BLEU of one system", bleu, "sacrebleu", timed(lambda: _sacrebleu(output, data.references), REPEAT)),
        Row("BLEU of one system", bleu, "EASSE 0.2.4", easse.get("BLEU"), recorded),
        Row("SARI, BLEU and FKGL of one system", timed(ours(output, "sari", "bleu", "fkgl"), REPEAT)),
        Row("the same with intervals", timed(ours(output, "sari", "bleu", "fkgl", intervals=True), REPEAT)),
    ]
    twenty = timed(ours(many, "sari"), REPEAT)
    peer = f"EASSE 0.2.4, {len(many)} times"
    theirs = easse["SARI"] * len(many) if easse else None
    rows.insert(1, Row(f"SARI of {len(many)} systems", twenty, peer, theirs, recorded))
    return rows


def _easse(data: Data, output: list[str]) -> tuple[dict[str, Times], bool]:
    """What EASSE takes; and whether that was recorded before, since it cannot be imported here."""
    try:
        from easse.bleu import corpus_bleu
        from easse.sari import corpus_sari
    except ImportError:
        return (RECORDED if data.name == ASSET else {}), True
    return {
        "SARI": timed(lambda: corpus_sari(data.sources, output, data.references), 3),
        "BLEU": timed(lambda: corpus_bleu(output, data.references), 3),
    }, False


def _sacrebleu(output: list[str], references: list[list[str]]) -> object:
    Tokenizer13a.__call__.cache_clear()  # type: ignore[attr-defined]
    TokenizerRegexp.__call__.cache_clear()  # type: ignore[attr-defined]
    return sacrebleu.corpus_bleu(output, references, lowercase=True, force=True)
