"""Judged outputs whose sources are those of the ASSET test set: Simplicity-DA, and the ratings ASSET comes with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message, message
from plainly.metaeval.adapters.files import NO_REFERENCES, Folder, line_number, number, references_of, rows
from plainly.metaeval.judged_set import JudgedSet, Values, rating_table, row_means, standardised
from plainly.metrics import Array

SEGMENTS = 359  # of the ASSET test set
REFERENCE_SETS = ("asset", "turkcorpus", "hsplit")  # references of the same sources, line by line
UNNAMED = "unnamed"


def simplicity_da(path: str | Path, values: Values | None = None) -> JudgedSet:
    """Direct assessments of 600 outputs of six systems (Alva-Manchego, Scarton and Specia 2021).

    `sent_id` counts the lines of the test set from 1. Single ratings are published for simplicity alone.
    """
    folder = Folder(path)
    dimensions = ("simplicity", "meaning", "fluency")
    ending = "" if values == "raw" else "_zscore"
    needed = [
        "sent_id",
        "sys_name",
        "sys_type",
        "orig_sent",
        "simp_sent",
        *(f"{name}{ending}" for name in dimensions),
    ]
    table = rows(folder.find("simplicity_DA.csv"), needed)
    positions = [line_number(row["sent_id"], place, "sent_id", 1, SEGMENTS) for place, row in table]
    keys = {(row["sent_id"], row["sys_name"]): i for i, (_, row) in enumerate(table)}
    notes = [message("metaeval.data.simplicity-alone", "single ratings are published for simplicity alone")]
    ratings: dict[str, Array] = {}
    single = folder.look_for("simplicity_DA_ratings.csv")
    if single is None:
        said = "single ratings (simplicity_DA_ratings.csv) are not in the folder"
        notes = [message("metaeval.data.no-single", said)]
    else:
        entries = []
        for place, row in rows(single, ["sent_id", "sys_name", "rater_id", "simplicity"]):
            key = (row["sent_id"], row["sys_name"])
            if key not in keys:
                raise PlainlyError(f"{place}: there is no output of {key[1]} for sent_id {key[0]}")
            entries.append((keys[key], row["rater_id"], number(row["simplicity"], place, "simplicity")))
        ratings["simplicity"] = rating_table(entries, len(table))
    if values != "raw":
        ratings, lost = standardised(ratings)
        notes += [message("metaeval.data.z-scores", "z-scores as published"), *lost]
    references, sets, missing = _references(folder, positions)
    return JudgedSet(
        name="simplicity-da",
        lang="en",
        segments=tuple(str(position) for position in positions),
        systems=tuple(row["sys_name"] for _, row in table),
        sources=tuple(row["orig_sent"].strip() for _, row in table),
        outputs=tuple(row["simp_sent"].strip() for _, row in table),
        references=references,
        values={
            name: np.array([number(row[f"{name}{ending}"], place, name) for place, row in table])
            for name in dimensions
        },
        fields={"system type": tuple(row["sys_type"] for _, row in table)},
        ratings=ratings,
        scale=dict.fromkeys(dimensions, "raw" if values == "raw" else "z"),
        reference_sets=sets,
        positions=tuple(positions),
        lines=SEGMENTS,
        notes=(*notes, *missing),
        paper="Alva-Manchego, Scarton and Specia 2021, The (Un)Suitability of Automatic Evaluation Metrics for Text "
        "Simplification, Computational Linguistics 47(4) (2021.cl-4.28)",
        licence="CC BY-NC-SA 4.0",
    )


def asset_ratings(path: str | Path, values: Values | None = None) -> JudgedSet:
    """100 outputs, rated by 15 people each, that came with ASSET (Alva-Manchego et al. 2020).

    `original_sentence_id` counts the lines of the test set from 0. The systems are not named.
    """
    folder = Folder(path)
    needed = ["original", "simplification", "original_sentence_id", "aspect", "worker_id", "rating"]
    outputs: dict[tuple[int, str], tuple[int, str]] = {}  # position and output -> row and source
    entries: dict[str, list[tuple[int, str, float]]] = {}
    for place, row in rows(folder.find("human_ratings.csv"), needed):
        position = line_number(row["original_sentence_id"], place, "original_sentence_id", 0, SEGMENTS)
        key = (position, row["simplification"].strip())
        which, _ = outputs.setdefault(key, (len(outputs), row["original"].strip()))
        value = number(row["rating"], place, "rating")
        entries.setdefault(row["aspect"], []).append((which, row["worker_id"], value))
    tables = {aspect: rating_table(listed, len(outputs)) for aspect, listed in entries.items()}
    lost: list[Message] = []
    if values != "raw":
        tables, lost = standardised(tables)
    positions = [position for position, _ in outputs]
    references, sets, missing = _references(folder, positions)
    return JudgedSet(
        name="asset-ratings",
        lang="en",
        segments=tuple(str(position) for position in positions),
        systems=(UNNAMED,) * len(outputs),
        sources=tuple(source for _, source in outputs.values()),
        outputs=tuple(text for _, text in outputs),
        references=references,
        values=_means(tables),
        ratings=tables,
        scale=dict.fromkeys(tables, "raw" if values == "raw" else "z"),
        reference_sets=sets,
        positions=tuple(positions),
        lines=SEGMENTS,
        notes=(message("metaeval.data.unnamed", "the systems are not named"), *lost, *missing),
        paper="Alva-Manchego et al. 2020, ASSET: A Dataset for Tuning and Evaluation of Sentence Simplification "
        "Models with Multiple Rewriting Transformations, ACL 2020 (2020.acl-main.424)",
        licence="CC BY-NC 4.0",
    )


def _means(tables: Mapping[str, Array]) -> dict[str, Array]:
    return {aspect: row_means(table) for aspect, table in tables.items()}


def _references(
    folder: Folder, positions: Sequence[int]
) -> tuple[tuple[tuple[str, ...], ...], dict[str, tuple[tuple[str, ...], ...]], list[Message]]:
    """ASSET's references of each row, all sets of references that are there, and a note where ASSET's are not."""
    sets = {}
    for name in REFERENCE_SETS:
        found = references_of(folder, name)
        if found is not None:
            sets[name] = tuple(found[position] for position in positions)
    if "asset" in sets:
        return sets["asset"], sets, []
    said = "there are no references: asset.test.simp.0 to .9 are not in the folder (plainly data fetch asset-test)"
    return ((),) * len(positions), sets, [message(NO_REFERENCES, said)]
