"""The plug-in's side of the protocol, for programs in Python 3.9 or newer. It needs no package, not even plainly."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Records = list[dict[str, Any]]
Scorer = Callable[[Records], list[float]]


def serve(load: Callable[[str, str], tuple[Scorer, dict[str, str]]]) -> None:
    """Answer until the questions end.

    `load` is given the name and the revision of the model. It returns a function from records to scores, and what
    the plug-in says of itself.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what libraries print goes to standard error
    hello = json.loads(sys.stdin.readline())
    score, facts = load(hello["model"], hello["revision"])
    answer = {"plainly": 1, "name": hello["name"], "model": hello["model"], **facts}
    print(json.dumps(answer), file=answers, flush=True)
    for line in sys.stdin:
        scores = scored(score, json.loads(line)["records"])
        print(json.dumps({"scores": scores}), file=answers, flush=True)


def scored(score: Scorer, records: Records) -> Records:
    """An answer for each record; where the batch fails as a whole, each record is tried alone."""
    try:
        values = score(records)
    except Exception as error:
        if len(records) > 1:
            return [answer for record in records for answer in scored(score, [record])]
        return [{"id": records[0]["id"], "error": f"{type(error).__name__}: {error}"}]
    pairs = zip(records, values)  # noqa: B905 - strict came with Python 3.10
    return [{"id": record["id"], "score": float(value)} for record, value in pairs]


def fetched(model: str, revision: str) -> tuple[Path, str]:
    """The folder of a model and its exact revision: a folder of your own, or one of the Hugging Face hub."""
    if Path(model).is_dir():
        return Path(model), "local"
    from huggingface_hub import snapshot_download

    folder = Path(snapshot_download(model, revision=revision or None))
    return folder, folder.name  # snapshots are named after their commit
