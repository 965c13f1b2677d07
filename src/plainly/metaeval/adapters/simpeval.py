"""SimpEval 2022: 360 simplifications of 60 sentences by six systems, two of them people (Maddela et al. 2023).

The references are texts of the system "Human 1 Writing", so its outputs have none: they would judge themselves.
Sources are joined by their texts. In the rated pairs two sources are spelt in another way, and identified by number.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message, message
from plainly.metaeval.adapters.files import NO_REFERENCES, Folder, Rows, bare, lines, number, rows
from plainly.metaeval.judged_set import JudgedSet, Values, rating_table, row_means, standardised
from plainly.metrics import Array

WRITER_OF_REFERENCES = "Human 1 Writing"
PEOPLE = (WRITER_OF_REFERENCES, "Human 2 Writing")
RATINGS = ("rating_1", "rating_2", "rating_3")
PAPER = "Maddela, Dou, Heineman and Xu 2023, LENS: A Learnable Evaluation Metric for Text Simplification, ACL 2023"
LICENCE = "not stated for the data"


def simpeval(path: str | Path, values: Values | None = None) -> JudgedSet:
    """One rating of overall quality, by three people each; z-scores as published."""
    folder = Folder(path)
    columns = RATINGS if values == "raw" else tuple(f"{name}_zscore" for name in RATINGS)
    needed = ["original_id", "original", "generation", "system", "sentence_type", *columns]
    table = rows(folder.find("simpeval_2022.csv"), needed)
    ratings = np.array([[number(row[name], place, name) for name in columns] for place, row in table])
    return _judged(
        "simpeval-2022",
        folder,
        table,
        [row["original_id"] for _, row in table],
        ("original", "generation", "system"),
        {"quality": ratings},
        "raw" if values == "raw" else "z",
        {"sentence type": tuple(row["sentence_type"] for _, row in table)},
        (
            message(
                "metaeval.data.not-three",
                "rating_1 to rating_3 are not three people: who gave them is not published",
            ),
        ),
    )


def simpeval_da(path: str | Path, values: Values | None = None) -> JudgedSet:
    """The same pairs, assessed from 0 to 100 for adequacy, fluency and simplicity by three people each."""
    return _by_workers("simpeval-2022-da", "simpDA_2022.csv", path, values)


def simpeval_likert(path: str | Path, values: Values | None = None) -> JudgedSet:
    """The same pairs on short scales: adequacy and fluency 1 to 5, simplicity -2 to 2."""
    return _by_workers("simpeval-2022-likert", "simplikert_2022.csv", path, values)


def _by_workers(name: str, file: str, path: str | Path, values: Values | None) -> JudgedSet:
    folder = Folder(path)
    aspects = ("simplicity", "adequacy", "fluency")
    texts = ("Input.original", "Input.simplified", "Input.system")
    needed = ["WorkerId", "Input.id", *texts, *(f"Answer.{aspect}" for aspect in aspects)]
    identities = _identities(folder)
    pairs: dict[tuple[str, str, str], int] = {}
    table: Rows = []
    segments = []
    entries: dict[str, list[tuple[int, str, float]]] = {aspect: [] for aspect in aspects}
    respelt = set()
    for place, row in rows(folder.find(file), needed):
        key = (bare(row["Input.original"]), row["Input.simplified"].strip(), row["Input.system"])
        if key not in pairs:
            pairs[key] = len(pairs)
            table.append((place, row))
            segments.append(identities.get(key[0], row["Input.id"]))
            if identities and key[0] not in identities:
                respelt.add(key[0])
        for aspect in aspects:
            value = number(row[f"Answer.{aspect}"], place, f"Answer.{aspect}")
            entries[aspect].append((pairs[key], row["WorkerId"], value))
    ratings = {aspect: rating_table(listed, len(table)) for aspect, listed in entries.items()}
    said = "{count} source is spelt as in no other file; its Input.id says which it is"
    notes = (message("metaeval.data.respelt", said, count=len(respelt)),) if respelt else ()
    if values != "raw":
        ratings, lost = standardised(ratings)
        notes = (*notes, *lost)
    return _judged(name, folder, table, segments, texts, ratings, "raw" if values == "raw" else "z", {}, notes)


def _identities(folder: Folder) -> dict[str, str]:
    """The number of each source by its letters and digits; none where the main file is not there."""
    path = folder.look_for("simpeval_2022.csv")
    if path is None:
        return {}
    return {bare(row["original"]): row["original_id"] for _, row in rows(path, ["original_id", "original"])}


def _judged(
    name: str,
    folder: Folder,
    table: Rows,
    segments: list[str],
    texts: tuple[str, str, str],
    ratings: dict[str, Array],
    scale: Values,
    fields: dict[str, tuple[str, ...]],
    notes: tuple[Message, ...],
) -> JudgedSet:
    source, output, system = texts
    written = _references(folder)
    by_segment = {
        segment: written[bare(row[source])]
        for segment, (_, row) in zip(segments, table, strict=True)
        if bare(row[source]) in written
    }
    references = tuple(
        () if row[system] == WRITER_OF_REFERENCES else by_segment.get(segment, ())
        for segment, (_, row) in zip(segments, table, strict=True)
    )
    if by_segment:
        said = "the references are texts of {writer}, so its outputs have no references here"
        notes += (message("metaeval.data.writer", said, writer=WRITER_OF_REFERENCES),)
    else:
        said = "there are no references: references.src and references.dst are not in the folder"
        notes += (message(NO_REFERENCES, said),)
    return JudgedSet(
        name=name,
        lang="en",
        segments=tuple(segments),
        systems=tuple(row[system] for _, row in table),
        sources=tuple(row[source].strip() for _, row in table),
        outputs=tuple(row[output].strip() for _, row in table),
        references=references,
        values={aspect: row_means(given) for aspect, given in ratings.items()},
        fields={
            "system type": tuple("person" if row[system] in PEOPLE else "model" for _, row in table),
            **fields,
        },
        ratings=ratings,
        scale=dict.fromkeys(ratings, scale),
        notes=notes,
        paper=PAPER,
        licence=LICENCE,
    )


def _references(folder: Folder) -> dict[str, tuple[str, ...]]:
    """The references of each source, by its letters and digits. A source may be there twice."""
    sources = folder.look_for("references.src", "simpeval_2022/references/test.src")
    if sources is None:
        return {}
    others = folder.find("references.dst", "simpeval_2022/references/test.dst")
    left, right = lines(sources), lines(others)
    if len(left) != len(right):
        raise PlainlyError(f"{sources} has {len(left)} lines, but {others} has {len(right)}")
    found: dict[str, tuple[str, ...]] = {}
    for source, text in zip(left, right, strict=True):
        own = found.get(bare(source), ())
        found[bare(source)] = own if text in own else (*own, text)
    return found
