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
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.demo import demo_corpus
from plainly.inference import Resampling
from plainly.metrics import get
from plainly.scoring import Evaluation, evaluate_stream, merge
from plainly.scoring.statistics import Folder, compare_folder, load, merge_folders, save, scores_by

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
        found = compare_folder(folder, resamples=200, **settings)
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
    monkeypatch.setattr("plainly.scoring.statistics.writing.ROWS", 7)
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


@pytest.mark.parametrize("what", ["document", "domain", "year"])
def test_other_segments_are_not_put_side_by_side(corpus: Corpus, tmp_path: Path, what: str) -> None:
    """With the same ids, which may be no more than numbers, but with another document or other metadata."""
    assert corpus.documents is not None
    assert corpus.metadata is not None
    documents, metadata = list(corpus.documents), [dict(record) for record in corpus.metadata]
    if what == "document":
        documents[41] = "another"
    else:
        metadata[41][what] = {"domain": "sport", "year": 1066}[what]
    outputs = {"other": corpus.outputs["splitter"]}
    other = Corpus(corpus.sources, corpus.references, outputs, corpus.ids, documents, metadata)
    one, two = (
        replace(evaluate_stream([each], [get("sari")], keep=1000, intervals=FEW), corpus=each)
        for each in (corpus, other)
    )
    save(one, tmp_path / "one")
    save(two, tmp_path / "two")
    message = f"the {what} of segment 41 is .* and ('another'|'sport'|1066)"
    with pytest.raises(PlainlyError, match=message):
        merge_folders([str(tmp_path / "one"), str(tmp_path / "two")], str(tmp_path / "out"))
    assert not list((tmp_path / "out").glob("*"))
    with pytest.raises(PlainlyError, match=message):
        merge([one, two])


def test_a_note_says_where_only_the_number_of_segments_could_be_compared(corpus: Corpus, tmp_path: Path) -> None:
    def saved(name: str, system: str, baselines: list[str], ids: bool = False) -> str:
        only = Corpus(corpus.sources, corpus.references, {system: corpus.outputs["splitter"]}, lang=corpus.lang)
        found = evaluate_stream([only], [get("sari")], baselines=baselines, keep=1000, intervals=FEW)
        save(replace(found, ids=corpus.ids) if ids else found, tmp_path / name)
        return str(tmp_path / name)

    one, two = saved("one", "a", []), saved("two", "b", [])
    (note,) = merge_folders([one, two], str(tmp_path / "count")).notes
    assert f"only the number of segments says that {two} has those of {one}" in note.text()
    one, two = saved("three", "a", ["identity"]), saved("four", "b", ["identity"])
    assert merge_folders([one, two], str(tmp_path / "baseline")).notes == ()
    one, two = saved("five", "a", [], ids=True), saved("six", "b", [], ids=True)
    assert merge_folders([one, two], str(tmp_path / "ids")).notes == ()


def test_whole_numbers_of_any_size_come_back_and_are_merged(tmp_path: Path) -> None:
    paths = []
    for day in range(2):
        metadata = [{"u": 2**64 - 1 - day, "i": -(2**63), "huge": 2**70, "part": 0.5} for _ in range(2)]
        metadata[1] |= {"part": 2**60 + 1}
        texts = [f"A b c {day}.", "D e f."]
        corpus = Corpus(texts, [["A b."], ["D e."]], {"mine": ["A b.", "D e." + " F g." * day]}, metadata=metadata)
        save(evaluated(corpus), tmp_path / str(day))
        paths.append(str(tmp_path / str(day)))
    merge_folders(paths, str(tmp_path / "both"))
    loaded = load(tmp_path / "both").corpus
    assert loaded is not None
    assert loaded.metadata is not None
    assert [record["u"] for record in loaded.metadata] == [2**64 - 1, 2**64 - 1, 2**64 - 2, 2**64 - 2]
    assert [loaded.metadata[1][name] for name in ("i", "huge", "part")] == [-(2**63), str(2**70), str(2**60 + 1)]
    assert Folder(str(tmp_path / "both")).kinds["u"] == "uint64"


def test_a_part_that_does_not_add_up_is_told_wherever_all_of_it_is_read(
    folder: Path, evaluation: Evaluation, tmp_path: Path, monkeypatch: Any
) -> None:
    replaced("sari/add_correct_1", lambda values: [*values[:5], values[5] + 1e-9, *values[6:]])(folder)
    save(evaluation.without(["sari", "bleu"]), tmp_path / "fine")
    name = Folder(str(folder)).systems[5 % 3]
    message = f"stats is damaged: {name} by sari does not add up"
    with pytest.raises(PlainlyError, match=message):
        load(folder)
    with pytest.raises(PlainlyError, match=message):
        scores_by(Folder(str(folder)), ["domain"])
    with pytest.raises(PlainlyError, match=message):
        merge_folders([str(folder), str(tmp_path / "fine")], str(tmp_path / "beside"))
    monkeypatch.setattr("plainly.scoring.statistics.merging._cells", lambda folder: None)
    with pytest.raises(PlainlyError, match=message):
        merge_folders([str(folder), str(folder)], str(tmp_path / "after"))
    monkeypatch.setattr("plainly.scoring.statistics.loading.EXACT", 10)
    with pytest.raises(PlainlyError, match=message):
        compare_folder(folder, resamples=50)
    assert "bleu" in load(Folder(str(folder), ["bleu"])).metrics  # what is not read is not checked
    assert scores_by(Folder(str(folder)), where=["domain=law"]).segments == 20


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
    "totals": (spoilt(lambda data: data["totals"].update(splitter={"sari": 7})), "the totals of sari must be a list"),
    "other totals": (spoilt(lambda data: data["totals"]["splitter"]["sari"].pop()), "does not add up"),
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
    assert "measured by plainly 0.0.9" in opened.notes[0].text()
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
    assert np.isfinite(plainly.scoring.statistics.load(folder)["splitter"]["sari"].score)
