"""How well the models of simplicity meet what people said of ARTS94, beside length alone; and how fast they are.

    python -m benchmarks.simplicity [--seconds | --order]

Needs ../shared/data. Length alone is a straight line in ln(characters + 1), fitted to the texts that the models
learned from. Intervals come from resampling the 94 texts.

`--order`: how often a model finds the source of a simplification harder than the simplification, beside FKGL; half
where both have the same score. Intervals come from resampling sources, each with all of its simplifications.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time

import numpy as np

from benchmarks.data import SHARED, lines
from benchmarks.tables import Cell, render
from plainly import metrics
from plainly.corpus import Corpus
from plainly.ranking import read_judgements, read_texts
from plainly.simplicity import figures, load_model, overlapping, targets
from plainly.simplicity.flat_texts import Floats

ARTS = SHARED / "arts"
RESAMPLES = 2000
TEXTS = 10_000  # that are scored against the clock
PAIRS = {
    "ASSET": ("asset/asset.test.orig", "asset/asset.test.simp.*"),
    "TurkCorpus": ("turkcorpus/turkcorpus.test.orig", "turkcorpus/turkcorpus.test.simp.*"),
    "PWKP": ("pwkp/pwkp.test.orig", "pwkp/pwkp.test.simp"),
    "HSplit": ("hsplit/hsplit.test.tok.orig", "hsplit/hsplit.test.tok.simp.*"),
}
"""Sources and simplifications, of the test sets."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simplicity")
    parser.add_argument("--seconds", action="store_true", help="only how long 10,000 texts take")
    parser.add_argument("--order", action="store_true", help="only whether sources are harder than simplifications")
    options = parser.parse_args()
    if not ARTS.is_dir():
        sys.exit(f"{ARTS} is not here")
    print(speed() if options.seconds else order() if options.order else quality(), end="")


def quality() -> str:
    """MSE, R2 and Spearman's rho on ARTS94 (people) and ARTS300 (GPT-4)."""
    rows: list[list[Cell]] = []
    learned = [text.text for text in read_texts(ARTS / "texts" / "arts3000.jsonl")]
    people = [text.text for text in read_texts(ARTS / "texts" / "arts94.jsonl")]
    kept = [not near for near in overlapping(learned, people)]
    goal = _by_gpt4("arts3000")
    slope, start = np.polyfit(_length(learned)[kept], goal[kept], 1)
    sets = {
        "ARTS94, people": (people, _by_people()),
        "ARTS300, GPT-4": ([text.text for text in read_texts(ARTS / "texts" / "arts300.jsonl")], _by_gpt4("arts300")),
    }
    for name, (texts, wanted) in sets.items():
        said = {
            "length alone": start + slope * _length(texts),
            "lite": load_model("lite").scores(texts),
            "full": load_model("full").scores(texts),
        }
        rows += [[name, model, *_with_intervals(scores, wanted)] for model, scores in said.items()]
    return render(["texts", "model", "MSE", "R2", "Spearman"], rows, "table")


def speed() -> str:
    """Seconds for scoring many texts, with all that is loaded once."""
    texts = [text.text for text in read_texts(ARTS / "texts" / "arts3000.jsonl")]
    texts = (texts * (TEXTS // len(texts) + 1))[:TEXTS]
    rows: list[list[Cell]] = []
    for name in ("lite", "full"):
        wall, core = time.perf_counter(), time.process_time()
        load_model(name).scores(texts)
        rows.append([name, len(texts), time.perf_counter() - wall, time.process_time() - core])
    return render(["model", "texts", "seconds", "of a core"], rows, "table")


def order() -> str:
    """How often sources are harder than their simplifications: all pairs, and those that are not shorter."""
    pairs = {name: _pairs(*stems) for name, stems in PAIRS.items()}
    pairs["all"] = [pair for each in pairs.values() for pair in each]
    hardness = _hardness([text for pair in pairs["all"] for text in pair])
    rows: list[list[Cell]] = []
    for name, found in pairs.items():
        longer = [pair for pair in found if len(pair[1]) >= len(pair[0])]
        for kind, some in (("all", found), ("not shorter", longer)):
            right = {model: _in_order(some, known) for model, known in hardness.items()}
            right["full minus FKGL"] = right["full"] - right["FKGL"]
            rows.append([name, kind, len(some), *(_mean(some, values) for values in right.values())])
    return render(["texts", "simplifications", "pairs", *hardness, "full minus FKGL"], rows, "table")


def _pairs(sources: str, references: str) -> list[tuple[str, str]]:
    """Source and simplification, wherever they differ."""
    files = sorted(SHARED.glob(references))
    simple = [lines(path) for path in files]
    return [(a, b) for texts in simple for a, b in zip(lines(SHARED / sources), texts, strict=True) if a != b]


def _hardness(texts: list[str]) -> dict[str, dict[str, float]]:
    """By FKGL and the models: text -> a number that is higher for harder texts."""
    distinct = list(dict.fromkeys(texts))
    fkgl = metrics.get("fkgl")
    grades = fkgl.score(fkgl.measure(Corpus(distinct, (), {"texts": distinct}), "texts")).value
    found = {"FKGL": grades, **{name: -load_model(name).scores(distinct) for name in ("lite", "full")}}
    return {name: dict(zip(distinct, values.tolist(), strict=True)) for name, values in found.items()}


def _in_order(pairs: list[tuple[str, str]], hardness: dict[str, float]) -> Floats:
    """1 where the source is harder, 0 where the simplification is, half where they are equal."""
    return np.array([np.sign(hardness[a] - hardness[b]) / 2 + 0.5 for a, b in pairs])


def _mean(pairs: list[tuple[str, str]], values: Floats) -> Cell:
    owners = np.unique([source for source, _ in pairs], return_inverse=True)[1]
    sums, counts = np.bincount(owners, values), np.bincount(owners)
    chance = np.random.default_rng(12345)
    drawn = [chance.integers(len(sums), size=len(sums)) for _ in range(RESAMPLES)]
    low, high = np.quantile([sums[rows].sum() / counts[rows].sum() for rows in drawn], [0.025, 0.975])
    return f"{values.mean():.3f} [{low:.3f}, {high:.3f}]"


def _by_people() -> Floats:
    """The published scores say how hard a text is."""
    with (ARTS / "scores" / "arts94_gold16_scores.csv").open(encoding="utf-8", newline="") as file:
        return np.array([1 - float(row["score"]) for row in csv.DictReader(file)])


def _by_gpt4(name: str) -> Floats:
    texts = [text.id for text in read_texts(ARTS / "texts" / f"{name}.jsonl")]
    found = targets(read_judgements(str(ARTS / "histories" / "gpt" / f"gpt4_{name}.csv"), texts=texts))
    return np.array([found[text] for text in texts])


def _length(texts: list[str]) -> Floats:
    return np.log1p([len(text) for text in texts])


def _with_intervals(scores: Floats, wanted: Floats) -> list[Cell]:
    chance = np.random.default_rng(12345)
    drawn = [chance.integers(len(wanted), size=len(wanted)) for _ in range(RESAMPLES)]
    resampled = [figures(scores[rows], wanted[rows]) for rows in drawn]
    cells: list[Cell] = []
    for name, value in figures(scores, wanted).items():
        low, high = np.quantile([one[name] for one in resampled], [0.025, 0.975])
        cells.append(f"{value:.4f} [{low:.3f}, {high:.3f}]")
    return cells


if __name__ == "__main__":
    main()
