"""Tables with columns of any names, by `--columns`: every form, wide and long, and releases with known headers."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each

from plainly.base.errors import PlainlyError
from plainly.corpus.readers import Inputs, read_corpus

ROWS = [
    {
        "orig": "The feline reposed.",
        "r1": "The cat slept.",
        "r2": "A cat slept.",
        "a": "The cat slept.",
        "b": "It sat.",
    },
    {"orig": "It ceased.", "r1": "It stopped.", "r2": "It ended.", "a": "It stopped.", "b": "It ceased."},
]
COLUMNS = {"source": "orig", "references": "r1+r2", "muss": "a", "output.b": "b"}
HUGGING_FACE = [
    {"original": row["orig"], "simplifications": [row["r1"], row["r2"]], "prediction": row["a"]} for row in ROWS
]


@pytest.fixture(autouse=True)
def _in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(form: str, rows: list[dict[str, Any]] = ROWS, name: str = "data") -> str:
    path = Path(f"{name}.{form}")
    if form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif form == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        with path.open("w", newline="") as out:
            writer = csv.DictWriter(out, list(rows[0]), delimiter="\t" if form == "tsv" else ",", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return str(path)


@each("form", ["csv", "tsv", "jsonl", "parquet"])
def test_wide_tables(form: str) -> None:
    corpus = read_corpus(Inputs(data=put(form), columns=COLUMNS))
    assert corpus.sources == [row["orig"] for row in ROWS]
    assert [list(group) for group in corpus.references] == [[row["r1"], row["r2"]] for row in ROWS]
    assert corpus.outputs == {"muss": [row["a"] for row in ROWS], "b": [row["b"] for row in ROWS]}
    assert corpus.metadata is None


@each("form", ["csv", "jsonl", "parquet"])
def test_long_tables(form: str) -> None:
    rows = [
        {"seg": str(n), "orig": row["orig"], "ref": row["r1"], "model": model, "text": row[model]}
        for n, row in enumerate(ROWS)
        for model in "ab"
    ]
    called = {"id": "seg", "source": "orig", "references": "ref", "system": "model", "output": "text"}
    corpus = read_corpus(Inputs(data=put(form, rows), columns=called))
    assert corpus.ids == ["0", "1"]
    assert corpus.outputs == {name: [row[name] for row in ROWS] for name in "ab"}


@each("form", ["jsonl", "parquet"])
def test_hugging_face_is_known(form: str, plainly: Any) -> None:
    """The same numbers whether the columns are named or not; what became of them is told."""
    path = put(form, HUGGING_FACE)
    call = ["score", "--data", path, "--metrics", "sari", "--format", "json"]
    named = plainly(
        *call, "--columns", "source=original,references=simplifications", "--columns", "output=prediction"
    )
    known = plainly(*call, "--columns", "output=prediction")
    assert known.json == named.json
    assert named.err == ""
    assert known.err.startswith(f"note: {path} is read as ASSET or TurkCorpus, as at Hugging Face: source=original,")
    alone = plainly("score", "--data", path, "--metrics", "fkgl", "--baselines", "identity", "--format", "json")
    assert list(alone.json["systems"]) == ["identity"]


@pytest.mark.slow
@each("command", [("score",), ("compare",), ("report", "-o", "r.html"), ("gaming", "--trials", "2")])
def test_every_command(command: tuple[str, ...], plainly: Any) -> None:
    columns = ["--columns", ",".join(f"{name}={column}" for name, column in COLUMNS.items())]
    run = plainly(command[0], "--data", put("csv"), *columns, "--metrics", "sari", *command[1:])
    assert run.status == 0, run.err


def test_in_parts(plainly: Any) -> None:
    path = put("parquet")
    columns = ["--columns", ",".join(f"{name}={column}" for name, column in COLUMNS.items())]
    call = ["score", "--data", path, *columns, "--metrics", "sari", "--format", "json", "--quiet"]
    assert plainly(*call, "--workers", "1").json["systems"] == plainly(*call).json["systems"]


@pytest.mark.slow
def test_filters_keep_rows_as_they_are(plainly: Any) -> None:
    for form in ("csv", "jsonl", "parquet"):
        pytest.importorskip("polars")
        named = ["--columns", "source=orig,references=r1+r2,output=a", "--keep", "sari > 64"]
        run = plainly("filter", "--data", put(form), *named, "-o", "kept.jsonl", "--quiet")
        assert run.status == 0, run.err
        # SARI of the outputs: 65.58 and 50.00, as in docs/data.md
        assert [json.loads(line) for line in Path("kept.jsonl").read_text().splitlines()] == ROWS[:1]


@each(
    "columns, said",
    [
        ({}, "data.csv: in the header: neither source nor reference nor output; found: orig, r1, r2, a, b"),
        (
            {"source": "origin"},
            'there is no column \'origin\'; found: orig, r1, r2, a, b; pass columns={"source": "orig"}',
        ),
        ({"source": "orig", "references": "r1+r3"}, "there is no column 'r3'"),
        ({"sources": "orig"}, "unknown name 'sources'; did you mean 'source'?"),
        ({"": "orig"}, "'output.' does not name a system"),
    ],
)
def test_complaints(columns: dict[str, str], said: str) -> None:
    with pytest.raises(PlainlyError) as error:
        read_corpus(Inputs(data=put("csv"), columns=columns))
    assert said in str(error.value)


@each("form", ["csv", "jsonl", "parquet"])
def test_what_is_said_works(form: str, plainly: Any) -> None:
    """The mapping in the message, put behind the call that failed, makes it work."""
    rows = [{"src": row["orig"], "ref1": row["r1"], "ref2": row["r2"], "prediction": row["a"]} for row in ROWS]
    call = ["score", "--data", put(form, rows), "--metrics", "sari"]
    refused = plainly(*call)
    assert refused.status == 2
    mapping = refused.err.strip().partition("; say ")[2]
    assert mapping == "--columns source=src,references=ref1+ref2,output=prediction"
    assert plainly(*call, *mapping.split()).status == 0


def test_a_column_that_only_some_records_have(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"s": "A b.", "o": "A."}, {"s": "C d.", "o": "C.", "p": "D."}]
    corpus = read_corpus(Inputs(data=put("jsonl", rows), columns={"source": "s", "x": "o", "y": "p"}))
    assert corpus.outputs == {"x": ["A.", "C."], "y": [None, "D."]}
    with pytest.raises(PlainlyError, match=r"there is no column 'q'; found: s, o, p"):
        read_corpus(Inputs(data="data.jsonl", columns={"source": "s", "x": "q"}))


def test_a_named_column_counts_more_than_the_usual_one() -> None:
    rows: list[dict[str, Any]] = [
        {"source": "wiki", "text": "A b.", "reference": "x", "simple": "A.", "output": "B."}
    ]
    named = {"source": "text", "references": "simple"}
    corpus = read_corpus(Inputs(data=put("csv", rows), columns=named))
    assert (corpus.sources, corpus.references, corpus.outputs) == (["A b."], [("A.",)], {"output": ["B."]})


def test_the_option_is_checked(plainly: Any) -> None:
    for given, said in {
        "source": "--columns takes NAME=COLUMN, as source=COLUMN,..., not 'source'",
        "source=a,source=b": "--columns says twice which column source is",
        "references=a,references=b": "--columns says twice which column references is; "
        "several of them are references=a+b",
    }.items():
        run = plainly("score", "--data", put("csv"), "--columns", given)
        assert (run.status, run.err.strip()) == (2, f"plainly: {said}")
    run = plainly("score", "--demo", "--columns", "source=a")
    assert run.status == 2
    assert run.err == "plainly: --columns says what columns of --data are called; give that, too\n"
