"""BERTScore on a GPU: plainly in each precision beside the package bert-score, in one run.

    python -m benchmarks.devices [--pairs 100000] [--million] [-o benchmarks/devices.json]

Models have random weights of two shapes: speed does not depend on what a model knows. Every text is different.
The peer is timed at the best of several batch sizes, on fewer pairs where it is slow. `--million` scores a million
pairs, and says what memory that took. Times are wall-clock, from texts in memory to scores.
The tables of docs/speed.md and docs/bertscore.md are made from the file.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.bertscore import pairs, score
from benchmarks.data import load
from plainly.metrics.bertscore import BertScore
from plainly.models.encoders import EMBEDDED, PRECISIONS, find

SHAPES = {
    "small": {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536},
    "large": {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096},
}
LAYERS = {"small": 5, "large": 17}
BATCHES = {"small": (64, 256, 1024), "large": (64, 256)}
SHARE = {"small": 5, "large": 20}
"""Of the pairs, the peer scores one in so many, and so does plainly for large models in exact numbers."""
WORDS = 30_522
CLOCK = "wall-clock time, pairs a second"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.devices", description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=100_000, help="default: 100000")
    parser.add_argument("--device", default="cuda", help="default: cuda")
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--precisions", nargs="+", choices=PRECISIONS, default=list(PRECISIONS))
    parser.add_argument("--no-peer", action="store_true", help="leave bert-score out")
    parser.add_argument("--million", action="store_true", help="a million pairs with the small model, and the memory")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the figures as JSON")
    options = parser.parse_args()
    if options.million and "small" not in options.shapes:
        parser.error("--million needs the shape small")
    outputs, references = zip(*islice(pairs(load()), options.pairs), strict=True)
    found: dict[str, Any] = {"device": _name(options.device), "clock": CLOCK, "pairs": options.pairs}
    with tempfile.TemporaryDirectory() as home:
        folders = {shape: _model(shape, Path(home)) for shape in options.shapes}
        if options.million:  # first, for the peak of memory is that of all before, too
            found["million"] = _million(folders["small"], options.device)
        for shape, folder in folders.items():
            found[shape] = _rates(shape, folder, outputs, references, options)
    print(json.dumps(found, indent=2))
    if options.output:
        Path(options.output).write_text(json.dumps(found, indent=2) + "\n", "utf-8")


def _name(device: str) -> str:
    import torch

    name = torch.cuda.get_device_name(device) if device.startswith("cuda") else device
    return f"{name}, {os.cpu_count()} cores beside it"


def _model(shape: str, home: Path) -> Path:
    """A model with random weights, and the tokeniser of the embedded one."""
    from safetensors.numpy import save_file

    folder = home / shape
    folder.mkdir()
    sizes = SHAPES[shape]
    config = {"model_type": "bert", "hidden_act": "gelu", "vocab_size": WORDS, "max_position_embeddings": 512}
    more = {"type_vocab_size": 2, "layer_norm_eps": 1e-12, "pad_token_id": 0, "architectures": ["BertModel"]}
    (folder / "config.json").write_text(json.dumps({**config, **more, **sizes}), "utf-8")
    for path in find(EMBEDDED).path.glob("*token*.json"):
        shutil.copy(path, folder)
    shutil.copy(find(EMBEDDED).path / "vocab.txt", folder)
    save_file(_weights(sizes), folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def _weights(sizes: dict[str, int]) -> dict[str, np.ndarray[Any, Any]]:
    draw = np.random.default_rng(1)
    width, wide = sizes["hidden_size"], sizes["intermediate_size"]

    def matrix(*shape: int) -> np.ndarray[Any, Any]:
        return draw.standard_normal(shape, dtype=np.float32) * np.float32(0.02)  # as BERT's training begins

    def norm(name: str) -> dict[str, np.ndarray[Any, Any]]:
        return {f"{name}.weight": np.ones(width, np.float32), f"{name}.bias": np.zeros(width, np.float32)}

    found = {
        "embeddings.word_embeddings.weight": matrix(WORDS, width),
        "embeddings.position_embeddings.weight": matrix(512, width),
        "embeddings.token_type_embeddings.weight": matrix(2, width),
        **norm("embeddings.LayerNorm"),
    }
    for layer in range(sizes["num_hidden_layers"]):
        home = f"encoder.layer.{layer}"
        dense = {f"attention.self.{part}": (width, width) for part in ("query", "key", "value")}
        dense |= {"attention.output.dense": (width, width)}
        dense |= {"intermediate.dense": (wide, width), "output.dense": (width, wide)}
        for name, shape in dense.items():
            found[f"{home}.{name}.weight"] = matrix(*shape)
            found[f"{home}.{name}.bias"] = matrix(shape[0])
        found |= norm(f"{home}.attention.output.LayerNorm") | norm(f"{home}.output.LayerNorm")
    return found


def _rates(
    shape: str, folder: Path, outputs: Sequence[str], references: Sequence[str], options: argparse.Namespace
) -> dict[str, Any]:
    """Pairs a second of each, and how far the values lie from those of bert-score."""
    few = len(outputs) // SHARE[shape]
    rates: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for precision in options.precisions:
        metric = BertScore(model=str(folder), layer=LAYERS[shape], device=options.device, precision=precision)
        count = few if (shape, precision) == ("large", "exact") else len(outputs)
        score(metric, outputs[:few], references[:few], None)  # a device is slow at its first work
        rates[precision] = _rate(count, lambda: score(metric, outputs[:count], references[:count], None))  # noqa: B023
        corpus = score(metric, outputs[:1000], references[:1000], None, keep=True)
        values[precision] = corpus.statistics["output"]["bertscore"][:, 1:4]
        print(shape, precision, f"{rates[precision]:,.0f} pairs a second", file=sys.stderr, flush=True)
    if not options.no_peer:
        scorer = _peer(folder, LAYERS[shape], options.device)
        some = list(outputs[:few]), list(references[:few])
        scorer.score(some[0][:500], some[1][:500])
        for batch in BATCHES[shape]:
            name = f"bert-score, batches of {batch}"
            rates[name] = _rate(few, lambda: scorer.score(*some, batch_size=batch))  # noqa: B023
            print(shape, name, f"{rates[name]:,.0f} pairs a second", file=sys.stderr, flush=True)
        theirs = scorer.score(list(outputs[:1000]), list(references[:1000]))
        expected = np.column_stack([value.cpu().numpy() for value in theirs])
        best = max(rate for name, rate in rates.items() if name.startswith("bert-score"))
        rates["bert-score, best batch"] = best
        rates["times bert-score"] = {name: rates[name] / best for name in options.precisions}
        rates["largest difference to bert-score"] = {
            name: float(np.abs(own - expected).max()) for name, own in values.items()
        }
    return rates


def _rate(count: int, action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return count / (time.perf_counter() - start)


def _peer(folder: Path, layer: int, device: str) -> Any:
    for name in ("matplotlib", "matplotlib.pyplot", "pandas"):  # it imports them to draw pictures, which we do not
        try:
            __import__(name)
        except ImportError:
            sys.modules[name] = ModuleType(name)
    from bert_score import BERTScorer

    return BERTScorer(model_type=str(folder), num_layers=layer, device=device)


def _million(folder: Path, device: str) -> dict[str, float]:
    """From a stream: what is read is not held."""
    from plainly.corpus import Corpus
    from plainly.scoring import evaluate_stream

    def chunks() -> Any:
        stream = islice(pairs(load()), 1_000_000)
        while part := list(islice(stream, 2048)):
            outputs, references = zip(*part, strict=True)
            yield Corpus([None] * len(part), [(text,) for text in references], {"output": list(outputs)})

    metric = BertScore(model=str(folder), layer=LAYERS["small"], device=device, precision="tf32")
    rate = _rate(1_000_000, lambda: evaluate_stream(chunks(), [metric], keep=0))
    return {
        "pairs a second": rate,
        "peak host memory in MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
    }


if __name__ == "__main__":
    main()
