"""BERTScore on one core against the package bert-score, with the same model; and how fast any device is.

    python -m benchmarks.bertscore [--pairs N] [--device cuda] [--model FOLDER --layer N]

prints the pairs a second of one device ("auto": a GPU if torch finds one). torch alone is enough for a GPU.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice, product

from benchmarks.data import ASSET, Data, load
from benchmarks.rows import Row, Times, timed
from plainly import Evaluation, evaluate
from plainly.metrics.bertscore import BertScore
from plainly.models.encoders import EMBEDDED, find

PAIRS = 1000
RECORDED = Times(18.4)
"""bert-score 0.3.13 on PyTorch 2.13 for these pairs of ASSET: on another day, on one core of such a machine."""


def run(data: Data) -> list[Row]:
    """Nothing where the embedded model is not installed."""
    if BertScore.missing("en", {"model": EMBEDDED}):
        return []
    outputs, references = zip(*islice(pairs(data), PAIRS), strict=True)
    metric = BertScore(model=EMBEDDED, device="cpu")
    score(metric, outputs[:2], references[:2], threads=1)  # both tools have read the weights when the time begins
    ours = timed(lambda: score(metric, outputs, references, threads=1))
    what = f"BERTScore of {PAIRS:,} pairs, MiniLM, one core"
    try:
        import torch
        from bert_score import BERTScorer
    except ImportError:
        return [Row(what, ours, "bert-score 0.3.13", RECORDED if data.name == ASSET else None, recorded=True)]
    torch.set_num_threads(1)
    scorer = BERTScorer(model_type=str(find(EMBEDDED).path), num_layers=5, device="cpu")
    return [Row(what, ours, "bert-score 0.3.13", timed(lambda: scorer.score(list(outputs), list(references))))]


def pairs(data: Data) -> Iterator[tuple[str, str]]:
    """Outputs and references without end; a running number makes every text unique, so that no cache is flattered."""
    files = cycle(product(data.systems.values(), data.references))
    for number, (outputs, references) in enumerate(files):
        for output, reference in zip(outputs, references, strict=True):
            yield f"{output} {number}", f"{reference} {number}"


def score(
    metric: BertScore, outputs: Sequence[str], references: Sequence[str], threads: int | None, keep: bool = False
) -> Evaluation:
    groups = [[reference] for reference in references]
    return evaluate(None, outputs, groups, metrics=[metric], threads=threads, keep_statistics=keep)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bertscore")
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"default: {PAIRS}")
    parser.add_argument("--device", default="auto", help="auto (default), cpu, cuda or another device of torch")
    parser.add_argument("--model", default=EMBEDDED, help="a folder or a name in the cache of the model hub")
    parser.add_argument("--layer", type=int, help="if it is not a usual model")
    parser.add_argument("--threads", type=int, help="default: all cores")
    options = parser.parse_args()
    metric = BertScore(model=options.model, layer=options.layer, device=options.device)
    outputs, references = zip(*islice(pairs(load()), options.pairs), strict=True)
    score(metric, outputs[:100], references[:100], options.threads)  # a device is slow at its first work
    start = time.perf_counter()
    score(metric, outputs, references, options.threads)
    seconds = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(metric.signature("1"))
    rate = len(outputs) / seconds
    print(f"{options.device}: {len(outputs):,} pairs in {seconds:.2f} s, {rate:,.0f} a second, {memory:.0f} MB")


if __name__ == "__main__":
    main()
