"""Models with one number as output, through transformers: MeaningBERT and SLE.

Usage: run_regression.py pair|output|gain TOKENS

pair: the number for source and output together. output: that of the output. gain: output minus source.
Texts are cut after TOKENS tokens.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Any

from serving import Records, Scorer, fetched, serve


def load(model: str, revision: str) -> tuple[Scorer, dict[str, str]]:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    kind, tokens = sys.argv[1], int(sys.argv[2])
    folder, commit = fetched(model, revision)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = AutoTokenizer.from_pretrained(str(folder))
    network = AutoModelForSequenceClassification.from_pretrained(str(folder), num_labels=1).to(device).eval()

    def numbers(*texts: list[str]) -> Any:
        encoded = tokenizer(*texts, max_length=tokens, truncation=True, padding=True, return_tensors="pt")
        with torch.no_grad():
            return network(**encoded.to(device)).logits[:, 0].double().cpu()

    def score(records: Records) -> list[float]:
        outputs = [record["output"] for record in records]
        if kind == "output":
            return numbers(outputs).tolist()
        sources = [record["source"] for record in records]
        if kind == "pair":
            return numbers(sources, outputs).tolist()
        return (numbers(outputs) - numbers(sources)).tolist()

    return score, {"version": f"transformers-{version('transformers')}", "revision": commit}


serve(load)
