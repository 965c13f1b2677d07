"""LENS and LENS-SALSA, through the package lens-metric. Usage: run_lens.py lens|lens-salsa"""

from __future__ import annotations

import sys
from importlib.metadata import version

from serving import Records, Scorer, fetched, serve


def load(model: str, revision: str) -> tuple[Scorer, dict[str, str]]:
    import torch
    from lens import LENS, LENS_SALSA

    folder, commit = fetched(model, revision)
    checkpoint = str(folder / "checkpoints" / "model.ckpt")
    options = {"batch_size": 8, "devices": [0] if torch.cuda.is_available() else None}

    if sys.argv[1] == "lens":
        with_references = LENS(checkpoint, rescale=True)

        def score(records: Records) -> list[float]:
            references = [record["references"] for record in records]
            return with_references.score(*pairs(records), references, **options)

    else:
        without_references = LENS_SALSA(checkpoint)

        def score(records: Records) -> list[float]:
            return without_references.score(*pairs(records), **options)[0]

    return score, {"version": version("lens-metric"), "revision": commit}


def pairs(records: Records) -> tuple[list[str], list[str]]:
    return [record["source"] for record in records], [record["output"] for record in records]


serve(load)
