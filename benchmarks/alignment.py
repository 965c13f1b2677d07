"""How well sentences are aligned, and how fast: the figures of docs/documents.md.

    python -m benchmarks.alignment

Documents are put together from aligned segments, cut into sentences by plainly, and aligned again. A link counts for
the pair of segments that its sentences come from. The data are those of ../shared, and the demo sets.
"""

from __future__ import annotations

import csv
import random
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import SHARED
from benchmarks.tables import render
from plainly.demo import demo_corpus
from plainly.text.alignment import align_sentences
from plainly.text.languages import get_language

Side = list[tuple[int, str]]  # segments of one side of a document: the number of the pair, and the text
Documents = list[tuple[Side, Side]]
SIZE = 20  # pairs a document, where the data know no documents
DROPPED = 0.25


def main() -> None:
    german = deplain()
    asset = joined(lines("asset/asset.test.orig"), lines("asset/asset.test.simp.0"))
    hsplit = joined(lines("hsplit/hsplit.test.tok.orig"), lines("hsplit/hsplit.test.tok.simp.1"))
    sets: dict[str, tuple[Documents, str]] = {
        "DEplain-web, every other document": (german[::2], "de"),
        "DEplain-web, the others": (german[1::2], "de"),
        "DEplain-web, a quarter dropped": (dropped(german), "de"),
        "ASSET": (asset, "en"),
        "ASSET, a quarter dropped": (dropped(asset), "en"),
        "ASSET, neighbours swapped": (swapped(asset), "en"),
        "HSplit": (hsplit, "en"),
    }
    for lang in ("en", "de"):
        corpus = demo_corpus(lang)
        outputs = corpus.outputs["careful-writer"] if lang == "en" else next(iter(corpus.outputs.values()))
        sets[f"demo, {lang}"] = joined([s or "" for s in corpus.sources], [o or "" for o in outputs]), lang
    headers = ["documents", "number", "sentences", "precision", "recall", "F1", "ms a document"]
    print(render(headers, [[name, *measured(*data)] for name, data in sets.items()], "markdown", decimals=1))


def measured(documents: Documents, lang: str) -> list[float]:
    right = found = wanted = sentences = 0
    start = time.perf_counter()
    for source, output in documents:
        (a, sources), (b, outputs) = split(source, lang), split(output, lang)
        links = align_sentences(sources, outputs, lang)
        made = {(a[i], b[j]) for link in links for i in link.source for j in link.output}
        right += sum(1 for i, j in made if i == j)
        found += len(made)
        wanted += len(set(a) & set(b))
        sentences += len(sources)
    seconds = time.perf_counter() - start
    precision, recall = 100 * right / found, 100 * right / wanted
    f1 = 2 * precision * recall / (precision + recall)
    return [len(documents), sentences, precision, recall, f1, 1000 * seconds / len(documents)]


def split(side: Side, lang: str) -> tuple[list[int], list[str]]:
    found = [(i, sentence) for i, text in side for sentence in get_language(lang).split_sentences(text)]
    return [i for i, _ in found], [sentence for _, sentence in found]


def lines(path: str) -> list[str]:
    return (SHARED / path).read_text("utf-8").removesuffix("\n").split("\n")


def joined(sources: Sequence[str], outputs: Sequence[str]) -> Documents:
    numbered = list(enumerate(zip(sources, outputs, strict=True)))
    parts = [numbered[start : start + SIZE] for start in range(0, len(numbered), SIZE)]
    return [([(i, source) for i, (source, _) in part], [(i, output) for i, (_, output) in part]) for part in parts]


def deplain() -> Documents:
    """The documents of the DEplain-web test set with three pairs or more, each side in its own order."""
    home = Path("german/deplain_web")
    texts = [lines(str(home / f"deplain_web.test.{side}")) for side in ("orig", "simp")]
    with (SHARED / home / "deplain_web.test.meta.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    documents: dict[tuple[str, str], list[int]] = {}
    for i, row in enumerate(rows):
        documents.setdefault((row["corpus"], row["pair_id"]), []).append(i)

    def in_order(members: list[int], side: int) -> Side:
        name = ("original_id", "simplification_id")[side]
        place = {i: tuple(map(int, rows[i][name].split("|")[0].split("-"))) for i in members}
        return [(i, texts[side][i]) for i in sorted(members, key=lambda i: place[i])]

    return [(in_order(members, 0), in_order(members, 1)) for members in documents.values() if len(members) >= 3]


def dropped(documents: Documents) -> Documents:
    draw = random.Random(1)
    sides = [[[pair for pair in side if draw.random() > DROPPED] for side in document] for document in documents]
    return [(source, output) for source, output in sides]


def swapped(documents: Documents) -> Documents:
    """One in five pairs of neighbours of the output change places."""
    draw = random.Random(2)
    made = []
    for source, output in documents:
        output = list(output)
        for k in range(0, len(output) - 1, 2):
            if draw.random() < 0.2:
                output[k], output[k + 1] = output[k + 1], output[k]
        made.append((source, output))
    return made


if __name__ == "__main__":
    main()
