"""Statistics folders: what is read is what was measured, whatever it is grouped by, and what is broken is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="statistics folders need pyarrow")
import pyarrow.parquet

import plainly
from plainly.corpus import Corpus
from plainly.demo import demo_corpus
from plainly.errors import PlainlyError
from plainly.evaluation import Evaluation, Resampling, evaluate_stream, merge
from plainly.evaluation.dataset import Folder, compare_folder, load, merge_folders, save, scores_by
from plainly.metrics import get

FEW = Resampling(resamples=100)
LABELS = ("sari", "bleu", "fkgl", "compression-ratio")


def evaluated(corpus: Corpus, labels: tuple[str, ...] = LABELS, **settings: Any) -> Evaluation:
    evaluation = evaluate_stream(
        [corpus],
        [get(label, **settings) for label in labels],
        baselines=["identity"],
        keep=1_000_000,
        intervals=FEW,
    )
    return replace(evaluation, corpus=corpus)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """The demo set with domains, years, documents and ids; one output is missing."""
    demo = demo_corpus("en")
    outputs = {name: list(demo.outputs[name]) for name in ("careful-writer", "splitter")}
    outputs["splitter"][7] = None
    n = len(demo)
    return Corpus(
        demo.sources,
        demo.references,
        outputs,
        [f"s{i}" for i in range(n)],
        [f"d{i // 3}" for i in range(n)],
        [{"domain": ("news", "law", "health")[i % 3], "year": 2000 + i % 7, "odd": bool(i % 2)} for i in range(n)],
    )


@pytest.fixture(scope="module")
def evaluation(corpus: Corpus) -> Evaluation:
    return evaluated(corpus)


@pytest.fixture
def folder(evaluation: Evaluation, tmp_path: Path) -> Path:
    save(evaluation, tmp_path / "stats")
    return tmp_path / "stats"


def rows_of(evaluation: Evaluation) -> dict[str, Any]:
    return {
        system: {label: rows.tolist() for label, rows in by_label.items()}
        for system, by_label in evaluation.kept_statistics.items()
    }


def cut(corpus: Corpus, which: list[int]) -> Corpus:
    def some(column: Any) -> Any:
        return column and [column[i] for i in which]

    outputs = {name: some(texts) for name, texts in corpus.outputs.items()}
    return Corpus(
        some(corpus.sources),
        some(corpus.references),
        outputs,
        some(corpus.ids),
        some(corpus.documents),
        some(corpus.metadata),
    )


def assert_same_scores(results: Any, evaluation: Evaluation) -> None:
    found = {system: {label: one.to_dict() for label, one in table.items()} for system, table in results.items()}
    assert found == evaluation.to_dict()["systems"]


def test_what_is_loaded_is_what_was_saved(folder: Path, evaluation: Evaluation, corpus: Corpus) -> None:
    loaded = load(folder, FEW)
    assert loaded.to_dict() == evaluation.to_dict()
    assert rows_of(loaded) == rows_of(evaluation)
    assert loaded.metrics == evaluation.metrics
    assert loaded.references == evaluation.references
    assert (loaded.ids, loaded.documents) == (corpus.ids, corpus.documents)
    assert loaded.corpus is not None
    assert loaded.corpus.metadata == corpus.metadata
    assert set(loaded.corpus.sources) == {None}


def test_a_comparison_is_the_same_to_the_last_bit(folder: Path, evaluation: Evaluation) -> None:
    for settings in ({"method": "bootstrap"}, {"method": "randomisation", "interval": "bca", "baseline": "identity"}):
        _, found = compare_folder(folder, resamples=200, **settings)
        assert found.to_dict() == evaluation.compare(resamples=200, **settings).to_dict()


@pytest.mark.parametrize(
    ("by", "where", "which"),
    [
        (["domain"], [], lambda i: ("news", "law", "health")[i % 3]),
        (["document"], ["domain=law"], lambda i: f"d{i // 3}" if i % 3 == 1 else None),
        (["year"], ["year>2002", "odd=true"], lambda i: str(2000 + i % 7) if i % 7 > 2 and i % 2 else None),
        (["odd", "domain"], ["domain!=news"], lambda i: (str(bool(i % 2)).lower(), ("", "law", "health")[i % 3])),
    ],
)
def test_a_group_scores_as_its_texts_alone(
    folder: Path, corpus: Corpus, by: list[str], where: list[str], which: Callable[[int], Any]
) -> None:
    found = scores_by(Folder(str(folder)), by, where=where, intervals=FEW)
    groups = {part.group if len(by) > 1 else part.group[0]: part for part in found.slices}
    keys = [which(i) for i in range(len(corpus))]
    if len(by) > 1:
        keys = [key if key[1] else None for key in keys]
    assert set(groups) == {key for key in keys if key is not None}
    for key, part in groups.items():
        alone = evaluated(cut(corpus, [i for i, own in enumerate(keys) if own == key]))
        assert part.segments == alone.size
        assert_same_scores(part.systems, alone)


def test_bands_hold_about_as_many_segments_each_and_all_of_them(folder: Path, evaluation: Evaluation) -> None:
    found = scores_by(Folder(str(folder)), ["length"])
    assert len(found.slices) == 4
    assert sum(part.segments for part in found.slices) == evaluation.size
    words = evaluation.kept_statistics["identity"]["fkgl"][:, 1]  # identity's words are those of the source
    for part in found.slices:
        low, high = ([*map(float, part.group[0].split("–"))] * 2)[:2]
        assert part.segments == int(((words >= low) & (words <= high)).sum())


def test_only_some_metrics_and_systems(folder: Path) -> None:
    found = scores_by(Folder(str(folder), ["bleu"]), ["length:2"], where=["system!=identity"])
    assert list(found.metrics) == ["bleu"]
    assert list(found.slices[0].systems) == ["careful-writer", "splitter"]


def test_more_segments_are_merged_as_if_scored_together(corpus: Corpus, tmp_path: Path) -> None:
    parts = [list(range(20)), list(range(20, 33)), list(range(33, 60))]
    for number, part in enumerate(parts):
        save(evaluated(cut(corpus, part)), tmp_path / str(number))
    merge_folders([str(tmp_path / str(number)) for number in range(3)], str(tmp_path / "whole"))
    assert load(tmp_path / "whole", FEW).to_dict() == evaluated(corpus).to_dict()
    assert load(tmp_path / "whole").ids == corpus.ids


def test_more_systems_and_metrics_are_merged_as_in_memory(
    corpus: Corpus, evaluation: Evaluation, tmp_path: Path
) -> None:
    for number, labels in enumerate((LABELS[:2], LABELS[2:])):
        for name in corpus.outputs:
            save(evaluated(corpus.with_outputs({name: corpus.outputs[name]}), labels), tmp_path / f"{name}-{number}")
    paths = [str(path) for path in sorted(tmp_path.iterdir())]
    merge_folders(paths, str(tmp_path / "all"))
    merged = load(tmp_path / "all", FEW)
    in_memory = merge([load(path, FEW) for path in paths])
    assert merged.to_dict() == in_memory.to_dict()
    assert merged["splitter"]["sari"] == evaluation["splitter"]["sari"]


def test_merging_streams_parts_that_are_cut_otherwise(
    evaluation: Evaluation, tmp_path: Path, monkeypatch: Any
) -> None:
    save(evaluation.without(["bleu"]), tmp_path / "a")
    monkeypatch.setattr("plainly.evaluation.dataset.writing.ROWS", 7)
    save(evaluation.without(["sari", "fkgl", "compression-ratio"]), tmp_path / "b")
    assert len(Folder(str(tmp_path / "b")).manifest.parts) == 9
    merge_folders([str(tmp_path / "b"), str(tmp_path / "a")], str(tmp_path / "c"))
    assert rows_of(load(tmp_path / "c"))["splitter"].keys() == set(LABELS)
    assert load(tmp_path / "c", FEW)["splitter"]["fkgl"] == evaluation["splitter"]["fkgl"]


def test_what_cannot_be_merged_is_refused_and_leaves_nothing(
    corpus: Corpus, evaluation: Evaluation, folder: Path, tmp_path: Path
) -> None:
    def refusal(*others: Evaluation) -> str:
        paths = [str(folder)]
        for number, other in enumerate(others):
            path = tmp_path / f"other-{number}-{len(list(tmp_path.iterdir()))}"
            save(other, path)
            paths.append(str(path))
        with pytest.raises(PlainlyError) as caught:
            merge_folders(paths, str(tmp_path / "out"))
        assert not list((tmp_path / "out").glob("*"))
        return str(caught.value)

    cased = evaluated(corpus, labels=("sari", "bleu"), lowercase=False)
    assert "lowercase lower and mixed (upper and lower case" in refusal(cased)
    assert "segment 's5' is in another folder too" in refusal(evaluated(cut(corpus, [5, 6])))
    without_ids = replace(evaluation, ids=None)
    assert "segments would count twice" in refusal(without_ids)
    shorter = evaluated(cut(corpus, list(range(50))), ("levenshtein-similarity",))
    assert "60 and 50" in refusal(shorter)
    unscored = evaluated(corpus.with_outputs({"other": corpus.outputs["splitter"]}), ("sari",))
    assert "other was not scored by bleu" in refusal(unscored)
    moved = replace(evaluated(corpus, ("levenshtein-similarity",)), ids=[f"x{i}" for i in range(60)])
    assert "'s0' and 'x0'" in refusal(moved)
    rows = {
        system: {label: rows + 0.0 for label, rows in table.items()}
        for system, table in evaluation.kept_statistics.items()
    }
    rows["splitter"]["sari"][3, 1] += 1
    differing = replace(evaluation, statistics=rows).without(["fkgl"])
    assert "different statistics of splitter by sari" in refusal(differing)


def spoilt(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        path = folder / "manifest.json"
        data = json.loads(path.read_text())
        change(data)
        path.write_text(json.dumps(data))

    return spoil


def rewritten(change: Callable[[Any], Any]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        path = folder / "part-00000.parquet"
        pyarrow.parquet.write_table(change(pyarrow.parquet.read_table(path)), path)

    return spoil


def replaced(name: str, values: Any) -> Callable[[Path], None]:
    def change(table: Any) -> Any:
        return table.set_column(
            table.column_names.index(name), name, pyarrow.array(values(table.column(name).to_pylist()))
        )

    return rewritten(change)


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no manifest": (lambda folder: (folder / "manifest.json").unlink(), "it has no manifest.json"),
    "no JSON": (lambda folder: (folder / "manifest.json").write_text("{"), "manifest.json cannot be used"),
    "nested": (lambda folder: (folder / "manifest.json").write_text("[" * 100_000), "manifest.json cannot be used"),
    "another kind": (spoilt(lambda data: data.update(kind="scores")), "it describes no statistics"),
    "another format": (spoilt(lambda data: data.update(format=2)), "it has format 2"),
    "no systems": (spoilt(lambda data: data.pop("systems")), "it has no 'systems'"),
    "systems no list": (spoilt(lambda data: data.update(systems="ab")), "systems must be a list"),
    "unknown metric": (spoilt(lambda data: data["metrics"]["sari"].update(name="sorry")), "unknown metric 'sorry'"),
    "unknown setting": (spoilt(lambda data: data["metrics"]["sari"]["settings"].update(x=1)), "unknown setting"),
    "other columns": (spoilt(lambda data: data["metrics"]["sari"]["columns"].pop()), "measured in other columns"),
    "other label": (spoilt(lambda data: data["metrics"].update(bleu=data["metrics"]["sari"])), "is called 'sari'"),
    "count": (spoilt(lambda data: data.update(segments=61)), "61 segments of 3 systems are not 180 rows"),
    "bool count": (spoilt(lambda data: data.update(segments=True)), "segments must be a whole number"),
    "escape": (spoilt(lambda data: data["parts"][0].update(file="../x.parquet")), "'../x.parquet' is no name"),
    "missing part": (lambda folder: (folder / "part-00000.parquet").unlink(), "part-00000.parquet is missing"),
    "broken part": (lambda folder: (folder / "part-00000.parquet").write_bytes(b"PAR1xxxxPAR1"), "is broken"),
    "rows": (rewritten(lambda table: table.slice(0, 60)), "has 60 rows, but the manifest says 180"),
    "no column": (rewritten(lambda table: table.drop_columns(["bleu/segments"])), "has no column 'bleu/segments'"),
    "no metadata": (rewritten(lambda table: table.drop_columns(["@domain"])), "has no column '@domain'"),
    "other type": (replaced("bleu/segments", lambda values: ["1"] * len(values)), "'bleu/segments' holds string"),
    "holes": (replaced("bleu/segments", lambda values: [None, *values[1:]]), "'bleu/segments' has holes"),
    "no scored": (replaced("bleu/segments", lambda values: [7.0, *values[1:]]), "has more than 0 and 1"),
    "twice": (replaced("segment", lambda values: [*values[3:6], *values[3:]]), "a segment twice"),
    "uneven": (replaced("segment", lambda values: [99, *values[1:]]), "has not the same segments of"),
    "system": (replaced("system", lambda values: ["who", *values[1:]]), "a system that the manifest does not name"),
    "negative": (replaced("segment", lambda values: [value - 1 for value in values]), "belong before it"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_whatever_is_broken_is_said_in_one_line(name: str, folder: Path) -> None:
    spoil, message = FAULTS[name]
    spoil(folder)
    with pytest.raises(PlainlyError) as caught:
        load(folder)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_another_version_is_said_and_signed(folder: Path) -> None:
    spoilt(lambda data: data.update(plainly="0.0.9"))(folder)
    opened = Folder(str(folder))
    assert "measured by plainly 0.0.9" in opened.notes[0]
    assert load(opened)["splitter"]["sari"].signature.endswith("|plainly:0.0.9")


@pytest.mark.parametrize(
    ("by", "where", "message"),
    [
        (["domian"], [], "did you mean 'domain'"),
        (["domain:3"], [], "'news' is no number"),
        (["year:1"], [], "from 2 to 100 bands"),
        (["id"], ["year~3"], "a condition is NAME=VALUE"),
        ([], ["year>big"], "needs a number"),
        ([], ["domain>3"], "is no number"),
        ([], ["domain=sport"], "no segment of"),
        ([], ["system=nobody"], "unknown system"),
    ],
)
def test_what_cannot_be_grouped_is_refused(by: list[str], where: list[str], message: str, folder: Path) -> None:
    with pytest.raises(PlainlyError, match=message):
        scores_by(Folder(str(folder)), by, where=where)


def test_metadata_of_any_kind_come_back(tmp_path: Path) -> None:
    metadata = [{"n": 1, "x": 0.5, "t": "=a\n\u202e", "b": True, "mixed": 3}, {"n": None, "mixed": "c", "list": [1]}]
    corpus = Corpus(["A b c.", "D e f."], [["A b."], ["D e."]], {"mine": ["A b.", "D e."]}, metadata=metadata)
    save(evaluated(corpus), tmp_path / "stats")
    loaded = load(tmp_path / "stats").corpus
    assert loaded is not None
    assert loaded.metadata is not None
    assert loaded.metadata[0] == {**metadata[0], "mixed": "3", "list": None}
    assert [part.group for part in scores_by(Folder(str(tmp_path / "stats")), ["b"]).slices] == [
        ("true",),
        ("(none)",),
    ]


def test_a_folder_is_never_written_over(evaluation: Evaluation, folder: Path) -> None:
    with pytest.raises(PlainlyError, match="is not empty"):
        save(evaluation, folder)
    assert np.isfinite(plainly.evaluation.dataset.load(folder)["splitter"]["sari"].score)
