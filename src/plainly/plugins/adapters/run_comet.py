"""COMET and COMET-Kiwi, through the package unbabel-comet. Usage: run_comet.py best-reference|no-reference"""

from __future__ import annotations

import sys
from importlib.metadata import version

from serving import Records, Scorer, fetched, serve


def load(model: str, revision: str) -> tuple[Scorer, dict[str, str]]:
    import torch
    from comet import load_from_checkpoint

    folder, commit = fetched(model, revision)
    comet = load_from_checkpoint(str(folder / "checkpoints" / "model.ckpt"))
    gpus = int(torch.cuda.is_available())

    def predicted(samples: Records) -> list[float]:
        return comet.predict(samples, batch_size=8, gpus=gpus, progress_bar=False).scores

    def without_references(records: Records) -> list[float]:
        return predicted([{"src": record["source"], "mt": record["output"]} for record in records])

    def with_best_reference(records: Records) -> list[float]:
        samples = [
            {"src": record["source"], "mt": record["output"], "ref": reference}
            for record in records
            for reference in record["references"]
        ]
        scores = iter(predicted(samples))
        return [max(next(scores) for _ in record["references"]) for record in records]

    score = with_best_reference if sys.argv[1] == "best-reference" else without_references
    return score, {"version": version("unbabel-comet"), "revision": commit}


serve(load)
