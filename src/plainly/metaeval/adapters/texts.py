"""Judgements of texts alone: how hard is each to read? ARTS94 (English) and TextComplexityDE (German).

There is no source and no reference, so only metrics that look at one text apply. High values mean hard texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message, message
from plainly.metaeval.adapters.files import Folder, Rows, number, repaired, rows
from plainly.metaeval.judged_set import JudgedSet, Values, many
from plainly.metrics import Array

TEXTS = "texts"  # the name of the one system
RATERS = 16


def arts94(path: str | Path, values: Values | None = None) -> JudgedSet:
    """94 texts compared by sixteen people; the score is the published Elo score, 0 the simplest, 1 the hardest.

    Of each rater, the single rating of a text is the share of its eight comparisons that found it the harder one.
    """
    _no_z_scores("arts94", values)
    folder = Folder(path)
    table = rows(folder.find("arts94.jsonl"), ["text_id", "text", "dataset", "label"])
    numbers = {row["text_id"]: i for i, (_, row) in enumerate(table)}
    scores = np.full(len(table), np.nan)
    for place, row in rows(folder.find("arts94_gold16_scores.csv"), ["text_id", "score"]):
        scores[_text(row["text_id"], numbers, place)] = number(row["score"], place, "score")
    shares = _shares(folder, numbers)
    said = "the scores come from pairwise comparisons; a high score means a hard text"
    notes = [message("metaeval.data.pairwise", said)]
    if shares is None:
        said = "the comparisons of single raters (arts94_rater01.csv to 16) are not in the folder"
        notes.append(message("metaeval.data.no-comparisons", said))
    else:
        said = "a single rating is the share of a text's comparisons in which the rater found it harder"
        notes.append(message("metaeval.data.shares", said))
    return _texts_alone(
        "arts94",
        "en",
        [row["text"] for _, row in table],
        [row["text_id"] for _, row in table],
        {"difficulty": scores},
        {"corpus": tuple(row["dataset"] for _, row in table), "side": tuple(row["label"] for _, row in table)},
        {} if shares is None else {"difficulty": shares},
        notes,
        "Engelmann, Kreutz, Haak and Schaer 2024, ARTS: Assessing Readability & Text Simplicity, Findings of EMNLP "
        "2024 (2024.findings-emnlp.877)",
        "MIT",
    )


def _shares(folder: Folder, numbers: dict[str, int]) -> Array | None:
    """(texts, raters): how often of its comparisons a rater found each text harder."""
    files = [folder.look_for(f"arts94_rater{rater:02}.csv") for rater in range(1, RATERS + 1)]
    if None in files:
        return None
    columns = []
    for file in files:
        harder, easier = np.zeros(len(numbers)), np.zeros(len(numbers))
        assert file is not None
        for place, row in rows(file, ["winner_id", "easier_id"]):
            harder[_text(row["winner_id"], numbers, place)] += 1
            easier[_text(row["easier_id"], numbers, place)] += 1
        compared = harder + easier
        columns.append(np.where(compared > 0, harder / np.maximum(compared, 1), np.nan))
    return np.stack(columns, axis=1)


def _text(cell: str, numbers: dict[str, int], place: str) -> int:
    if cell not in numbers:
        raise PlainlyError(f"{place}: there is no text {cell!r}")
    return numbers[cell]


def textcomplexityde(path: str | Path, values: Values | None = None) -> JudgedSet:
    """1000 German sentences rated 1 (easy) to 7 (hard); the means of about ten learners of German each."""
    _no_z_scores("textcomplexityde", values)
    folder = Folder(path)
    columns = {
        "complexity": "MOS_Complexity",
        "understandability": "MOS_Understandability",
        "lexical difficulty": "MOS_Lexical_difficulty",
    }
    file = folder.find("textcomplexityde_ratings.csv", "TextComplexityDE19/ratings.csv")
    table: Rows = rows(file, ["ID", "Sentence", "Article_ID", "Article", *columns.values()], "cp1252")
    return _texts_alone(
        "textcomplexityde",
        "de",
        [row["Sentence"] for _, row in table],
        [row["ID"] for _, row in table],
        {
            name: np.array([number(row[column], place, column) for place, row in table])
            for name, column in columns.items()
        },
        {"article": tuple(row["Article"] for _, row in table)},
        {},
        [
            message("metaeval.data.means", "1 is easy, 7 is hard; only means of ratings are published"),
            message(
                "metaeval.data.articles",
                "they are sentences of {articles}, and those of one article are not taken as independent: "
                "whole articles are drawn anew",
                articles=many(len({row["Article_ID"] for _, row in table}), "article"),
            ),
        ],
        "Naderi, Mohtaj, Ensikat and Moeller 2019, Subjective Assessment of Text Complexity: A Dataset for German "
        "Language (arXiv 1904.07733)",
        "MIT",
        tuple(f"article {row['Article_ID']}" for _, row in table),
    )


def _texts_alone(
    name: str,
    lang: str,
    texts: Sequence[str],
    segments: Sequence[str],
    values: dict[str, Array],
    fields: dict[str, tuple[str, ...]],
    ratings: dict[str, Array],
    notes: Sequence[Message],
    paper: str,
    licence: str,
    clusters: tuple[str, ...] = (),
) -> JudgedSet:
    mended = [repaired(text.strip()) for text in texts]
    changed = sum(text.strip() != new for text, new in zip(texts, mended, strict=True))
    if changed:
        said = "{changed} texts hold C1 control characters; they count as the Windows-1252 characters meant"
        notes = [*notes, message("metaeval.data.controls", said, changed=changed)]
    return JudgedSet(
        name=name,
        lang=lang,
        segments=tuple(segments),
        systems=(TEXTS,) * len(texts),
        sources=(None,) * len(texts),
        outputs=tuple(mended),
        references=((),) * len(texts),
        values=values,
        fields=fields,
        ratings=ratings,
        directions=dict.fromkeys(values, "lower"),
        scale=dict.fromkeys(values, "raw"),
        clusters=clusters,
        notes=tuple(notes),
        paper=paper,
        licence=licence,
    )


def _no_z_scores(name: str, values: Values | None) -> None:
    if values == "z":
        raise PlainlyError(f"{name} has no ratings of single raters on a scale, so there are no z-scores")
