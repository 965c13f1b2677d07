"""Data frames of every kind give the same corpus, and `evaluate(data=...)` the same numbers as lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each

import plainly
from plainly.base.errors import PlainlyError
from plainly.corpus.readers import from_table
from plainly.corpus.readers.rows import table_rows

COLUMNS: dict[str, list[Any]] = {
    "seg": [1, 2],
    "original": ["The feline reposed.", "It ceased."],
    "simplifications": [["The cat slept.", "A cat slept."], ["It stopped."]],
    "prediction": ["The cat slept.", None],
    "score": [0.5, float("nan")],
}
CALLED = {"id": "seg", "source": "original", "references": "simplifications", "mine": "prediction"}


class Datasets:
    """The part of `datasets.Dataset` that is used: https://huggingface.co/docs/datasets/access."""

    def __init__(self, columns: dict[str, list[Any]], known: bool = True) -> None:
        self._columns = columns
        self.features = dict.fromkeys(columns) if known else None
        self.column_names = list(columns) if known else None

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self._columns, row, strict=True)) for row in zip(*self._columns.values(), strict=True))


class Stream:
    """Whatever gives Arrow's stream, as frames of DuckDB do."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self._table = pytest.importorskip("pyarrow").table(columns)

    def __arrow_c_stream__(self, schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(schema)


def kinds() -> dict[str, Callable[[], Any]]:
    def pandas() -> Any:
        return pytest.importorskip("pandas").DataFrame(COLUMNS, index=["x", "y"])

    return {
        "columns": lambda: COLUMNS,
        "records": lambda: list(Datasets(COLUMNS)),
        "pandas": pandas,
        "pandas of pyarrow": lambda: pandas().convert_dtypes(dtype_backend="pyarrow"),
        "polars": lambda: pytest.importorskip("polars").DataFrame(COLUMNS, strict=False),
        "lazy polars": lambda: pytest.importorskip("polars").LazyFrame(COLUMNS, strict=False),
        "pyarrow": lambda: pytest.importorskip("pyarrow").table(COLUMNS),
        "a batch": lambda: pytest.importorskip("pyarrow").table(COLUMNS).to_batches()[0],
        "datasets": lambda: Datasets(COLUMNS),
        "streamed datasets": lambda: Datasets(COLUMNS, known=False),
        "a stream": lambda: Stream(COLUMNS),
    }


@each("kind", kinds())
def test_every_kind_is_the_same(kind: str) -> None:
    corpus = from_table(kinds()[kind](), CALLED)
    assert corpus.ids == ["1", "2"]
    assert corpus.sources == COLUMNS["original"]
    assert corpus.references == [("The cat slept.", "A cat slept."), ("It stopped.",)]
    assert corpus.outputs == {"mine": ["The cat slept.", None]}
    assert corpus.metadata == [{"score": 0.5}, {"score": None}]


def test_the_data_frame_protocol() -> None:
    """Only this, and no lists: the protocol has none."""

    class Frame:
        def __init__(self, frame: Any) -> None:
            self.__dataframe__ = frame.__dataframe__

    pyarrow = pytest.importorskip("pyarrow")
    corpus = from_table(Frame(pyarrow.table({"source": ["A b."], "output": ["A."]})))
    assert (corpus.sources, corpus.outputs) == (["A b."], {"output": ["A."]})


def test_hugging_face_is_known() -> None:
    corpus = from_table(Datasets(COLUMNS), {"output": "prediction"})
    assert corpus.references[0] == ("The cat slept.", "A cat slept.")


def test_evaluate_takes_tables(tmp_path: Path) -> None:
    sources, references, outputs = (COLUMNS[name] for name in ("original", "simplifications", "prediction"))
    lists = plainly.evaluate(sources, {"mine": outputs}, references, metrics="sari")
    for data in (COLUMNS, pytest.importorskip("pandas").DataFrame(COLUMNS)):
        found = plainly.evaluate(data=data, columns=CALLED, metrics="sari")
        assert found["mine"]["sari"].score == lists["mine"]["sari"].score
    path = tmp_path / "x.csv"
    path.write_text("source,reference,output\nIt ceased.,It stopped.,It stopped.\n")
    same = plainly.evaluate(["It ceased."], ["It stopped."], [["It stopped."]], metrics="sari")
    assert plainly.evaluate(data=path, metrics="sari")["output"]["sari"].score == same["output"]["sari"].score


@each(
    "call, said",
    [
        (lambda: from_table(3), "a table is a data frame, a mapping of columns or a list of records, not int"),
        (
            lambda: from_table({"source": ["a", "b"], "output": ["a"]}),
            "columns differ in length: source 2 rows, out",
        ),
        (
            lambda: from_table({"test": Datasets(COLUMNS)}),
            "several tables: choose one, as data['test']; there are test",
        ),
        (lambda: from_table({"text": ["a"], "prediction": ["b"]}), 'pass columns={"output": "prediction"}'),
        (
            lambda: from_table({"source": ["a"]}, {"x": "sorce"}),
            "there is no column 'sorce'; found: source",
        ),
        (lambda: from_table({"source": ["a", " "]}), "data frame: row 2: empty source"),
        (lambda: from_table({"source": "a"}), "the column 'source' must be a list, not str"),
        (lambda: from_table({"source": [1.5]}), "data frame: row 1: source must be text, not a number"),
        (lambda: plainly.evaluate(["a"], data=COLUMNS), "data has all texts; leave sources"),
        (lambda: plainly.evaluate(["a"], ["b"], columns=CALLED), "columns are those of data; say data=..."),
        (lambda: plainly.evaluate(COLUMNS), "the sources are a table; say data=..."),
        (lambda: plainly.compare([{"source": "It ceased.", "output": "It stopped."}]), "table; say data=..."),
        (lambda: plainly.operations.tag("texts.csv"), "the sources are a table; say data=..."),
        (lambda: plainly.compare(data=COLUMNS, columns="source=text"), "columns is a mapping, as {'source': "),
    ],
)
def test_complaints(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(PlainlyError) as error:
        call()
    assert said in str(error.value)


def test_every_verb_of_texts_takes_a_table() -> None:
    """What `evaluate` makes of a table, `compare` and `tag` make of it, too: the same numbers as from lists."""
    rows = {"was": ["It ceased.", "He slept."], "ref": ["It stopped.", "He slept."]}
    outputs = {"mine": ["It stopped.", "He slept."], "other": ["It ceased.", "He slept."]}
    columns = {"source": "was", "references": "ref", **{name: name for name in outputs}}
    references = [[text] for text in rows["ref"]]
    for verb, settings in ((plainly.evaluate, {}), (plainly.compare, {"resamples": 100})):
        of_table = verb(data={**rows, **outputs}, columns=columns, metrics="sari", **settings)
        of_lists = verb(rows["was"], outputs, references, metrics="sari", **settings)
        assert of_table.table() == of_lists.table()
    of_table = plainly.operations.tag(data={**rows, **outputs}, columns=columns, tagger="rules")
    assert of_table == plainly.operations.tag(rows["was"], outputs, references, tagger="rules")


def test_rows_of_any_table() -> None:
    """The same for every study that reads tables."""
    (place, row), _ = table_rows(Datasets(COLUMNS))
    assert (str(place), row["prediction"]) == ("data frame: row 1", "The cat slept.")
