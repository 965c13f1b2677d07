"""Text in memory to final scores. Every peer starts cold: no cache of an earlier run helps it, nor us."""

from __future__ import annotations

import time
from collections.abc import Callable

import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

from benchmarks.data import Data
from plainly import evaluate

Rows = list[list[str | float | None]]


def run(data: Data, repeat: int) -> Rows:
    output = data.systems.get("Dress-Ls") or next(iter(data.systems.values()))
    many = {f"{name}-{i}": texts for i in range(2) for name, texts in data.systems.items()}
    many = dict(list(many.items())[:20])
    grouped = data.grouped

    def ours(outputs: object, metrics: list[str]) -> Callable[[], object]:
        return lambda: evaluate(data.sources, outputs, grouped, metrics=metrics, keep_statistics=False)  # type: ignore[arg-type]

    sari = best(ours(output, ["sari"]), repeat)
    twenty = best(ours(many, ["sari"]), repeat)
    bleu = best(ours(output, ["bleu"]), repeat)
    defaults = best(ours(output, ["sari", "bleu", "fkgl"]), repeat)
    rows: Rows = [["default metrics of one system (sari, bleu, fkgl)", None, defaults, None]]
    peer_bleu = best(lambda: _sacrebleu(output, data.references), repeat)
    rows.append(["BLEU: sacrebleu", peer_bleu, bleu, peer_bleu / bleu])
    try:
        from easse.sari import corpus_sari
    except ImportError:
        rows.append(["SARI (EASSE is not installed, so no ratio)", None, sari, None])
        rows.append([f"SARI, {len(many)} systems", None, twenty, None])
        return rows
    peer = best(lambda: corpus_sari(data.sources, output, data.references), min(repeat, 3))
    rows.append(["SARI: EASSE", peer, sari, peer / sari])
    rows.append(
        [
            f"SARI, {len(many)} systems: EASSE (one system x {len(many)})",
            peer * len(many),
            twenty,
            peer * len(many) / twenty,
        ]
    )
    return rows


def best(action: Callable[[], object], repeat: int) -> float:
    """Seconds of the quickest of `repeat` runs: the one that other processes disturbed least."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def _sacrebleu(output: list[str], references: list[list[str]]) -> object:
    Tokenizer13a.__call__.cache_clear()  # type: ignore[attr-defined]
    TokenizerRegexp.__call__.cache_clear()  # type: ignore[attr-defined]
    return sacrebleu.corpus_bleu(output, references, lowercase=True, force=True)
