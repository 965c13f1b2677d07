"""LENS and LENS-SALSA, through the package lens-metric. Usage: run_lens.py lens|lens-salsa"""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Any

from serving import Records, Scorer, fetched, serve


def load(model: str, revision: str) -> tuple[Scorer, dict[str, str]]:
    folder, commit = fetched(model, revision)
    score = SCORERS[sys.argv[1]](str(folder / "checkpoints" / "model.ckpt"))
    return score, {"version": version("lens-metric"), "revision": commit}


def lens(checkpoint: str) -> Scorer:
    from lens import LENS

    own = LENS(checkpoint, rescale=True)
    return lambda records: own.score(*pairs(records), [record["references"] for record in records], **options())


def lens_salsa(checkpoint: str) -> Scorer:
    from lens import LENS_SALSA

    own = LENS_SALSA(checkpoint)
    return lambda records: own.score(*pairs(records), **options())[0]


SCORERS = {"lens": lens, "lens-salsa": lens_salsa}


def pairs(records: Records) -> tuple[list[str], list[str]]:
    return [record["source"] for record in records], [record["output"] for record in records]


def options() -> dict[str, Any]:
    import torch

    return {"batch_size": 8, "devices": [0] if torch.cuda.is_available() else None}


serve(load)
