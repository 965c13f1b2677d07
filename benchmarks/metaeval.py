"""The meta-evaluation of all data sets in ../shared, as docs/metaeval.md makes its results: a whole process."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.data import SHARED
from benchmarks.rows import Row, timed_process

METRICS = "sari,sari:star,sari:sentence,bleu,chrf,f1-token,levenshtein-similarity,meaning,simplicity,fkgl,fre"
METRICS += ",compression-ratio,words"


def run() -> list[Row]:
    if not SHARED.is_dir():
        return []
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "plainly", "metaeval", "--all", str(SHARED), "--metrics", METRICS]
        command += ["--operations", "rules", "-o", str(Path(folder) / "results.json"), "--quiet"]
        return [Row("meta-evaluation of all data sets, 13 metrics", timed_process(command))]
