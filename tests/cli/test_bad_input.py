"""Bad input: exit status 2, one line that says what is wrong and where, nothing printed, nothing written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

UTF16 = "The café.\n".encode("utf-16")
LATIN1 = b"A plain line.\nThe caf\xe9.\n"
BINARY = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


@pytest.fixture
def refusal(plainly: Any) -> Callable[..., str]:
    """What is said; and a good file that stood where the output would go is still there."""

    def run(*arguments: object) -> str:
        Path("kept.txt").write_text("a good result")
        before = sorted(Path.cwd().iterdir())
        said: str = plainly(*arguments, "--output", "kept.txt").refusal
        assert Path("kept.txt").read_text() == "a good result"
        assert sorted(Path.cwd().iterdir()) == before
        return said

    return run


BAD_FILES = {
    "missing": (None, ": no such file"),
    "empty": (b"", " is empty"),
    "Latin-1": (LATIN1, ":2: not UTF-8: byte 0xe9 at offset 21"),
    "UTF-16": (UTF16, " is UTF-16, not UTF-8"),
    "UTF-16 without mark": (UTF16[2:], ":1: a NUL byte at offset 1; is it UTF-16?"),
    "binary": (BINARY, ":3: a NUL byte at offset 8; is it a text file?"),
    "long line": (b"x" * 10_000_000 + b"\n", ":1: longer than 1,000,000 characters"),
    "long line without end": (b"One.\n" + b"x" * 10_000_000, ":2: longer than 1,000,000 characters"),
}


@pytest.mark.parametrize("name", ["src.txt", "ref.0", "mine.txt"])
@pytest.mark.parametrize("fault", BAD_FILES)
def test_bad_files(name: str, fault: str, refusal: Any, files: list[str]) -> None:
    content, said = BAD_FILES[fault]
    if content is None:
        Path(name).unlink()
    else:
        Path(name).write_bytes(content)
    assert refusal("score", *files).startswith(f"{name}{said}")


@pytest.mark.parametrize("lines", ["{}", "{}\n", "One.\nTwo.\n{}\nFour.\nFive.\nSix.\n"])
@pytest.mark.parametrize("blank", ["", " \t", "\u3000"])
def test_an_empty_source(lines: str, blank: str, refusal: Any) -> None:
    Path("src.txt").write_text(lines.format(blank), encoding="utf-8")
    message = refusal("score", "--sources", "src.txt", "--baselines", "identity")
    if lines.format(blank):
        assert message == f"src.txt:{3 if 'Two' in lines else 1}: empty source"
    else:
        assert message == "src.txt is empty"


def test_a_folder_is_no_file(refusal: Any, files: list[str]) -> None:
    Path("folder").mkdir()
    assert refusal("score", "--sources", "folder", *files[2:]) == "folder is a folder, not a file"
    assert refusal("score", "--data", "folder", "--data-format", "jsonl") == "folder is a folder, not a file"


@pytest.mark.parametrize("name", ["src.txt", "ref.1", "other.txt"])
@pytest.mark.parametrize("change", [-1, +1])
def test_unequal_line_counts_name_both_files(name: str, change: int, refusal: Any, files: list[str]) -> None:
    lines = Path(name).read_text().splitlines(keepends=True)
    Path(name).write_text("".join(lines[:change] if change < 0 else [*lines, "One more.\n"]))
    message = refusal("score", *files)
    assert name in message
    another = {"src.txt": "ref.0"}.get(name, "src.txt")
    assert another in message
    few = 6 + min(change, 0)
    assert f": line {few + 1} is missing: it has {few} lines, but " in message


def test_an_empty_reference(refusal: Any, files: list[str]) -> None:
    Path("ref.1").write_text("One.\n\nThree.\nFour.\nFive.\nSix.\n")
    message = refusal("score", *files)
    assert message.startswith("ref.1:2: empty reference; say --empty-reference missing")


def test_transposed_references(refusal: Any, files: list[str]) -> None:
    """One file of references for each source."""
    arguments = ["--sources", "src.txt", "--system", "mine=mine.txt"]
    for i in range(6):
        Path(f"refs_of_{i}").write_text("One.\nTwo.\n")
        arguments += ["--references", f"refs_of_{i}"]
    assert "the references look transposed: give one file per reference" in refusal("score", *arguments)


UNKNOWN = [
    (["--metrics", "sair"], "unknown metric 'sair'; did you mean 'sari'?"),
    (["--metrics", "SAIR"], "unknown metric 'sair'; did you mean 'sari'?"),
    (["--metrics", "sari:eass"], "unknown variant of sari 'eass'; did you mean 'easse'?"),
    (["--tokenizer", "13A"], "unknown tokenizer '13A'; did you mean '13a'?"),
    (["--lang", "eng"], "unknown language 'eng'; did you mean 'en'?"),
    (["--baselines", "identiy"], "unknown baseline 'identiy'; did you mean 'identity'?"),
    (["--empty-operation", "skipp"], "unknown empty-operation rule 'skipp'; did you mean 'skip'?"),
    (["--reference-weighting", "count"], "unknown reference weighting 'count'; did you mean 'counts'?"),
    (["--empty-reference", "mising"], "unknown value of --empty-reference 'mising'; did you mean 'missing'?"),
    (["--format", "jsn"], "unknown value of --format 'jsn'; did you mean 'json'?"),
    (["--sytem", "a=b"], "unknown option '--sytem'; did you mean '--system'?"),
    (["--componets=yes"], "unknown option '--componets'; did you mean '--components'?"),
    (["--threads", "two"], "argument --threads: invalid int value: 'two' (see plainly score --help)"),
    (
        ["--quiet", "out.txt"],
        "what is 'out.txt'? Say what it is: --sources out.txt, --references out.txt, --system out.txt "
        "(see plainly score --help)",
    ),
]


@pytest.mark.parametrize(("arguments", "said"), UNKNOWN)
def test_unknown_names(arguments: list[str], said: str, refusal: Any, files: list[str]) -> None:
    assert refusal("score", *files, *arguments) == said


def test_where_no_name_is_near_all_are_listed(refusal: Any, files: list[str]) -> None:
    assert refusal("score", *files, "--lang", "xx").startswith("unknown language 'xx'; known: af, am, ar, ")
    assert "; known: additions-proportion, adjective-share, " in refusal("score", *files, "--metrics", "qqqqq")


def test_metrics_without_variants(refusal: Any, files: list[str]) -> None:
    assert "bleu" in refusal("score", *files, "--metrics", "bleu:star")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["scor"], "unknown command 'scor'; did you mean 'score'?"),
        (["doctor", "--langs", "en"], "unknown option '--langs'; did you mean '--lang'?"),
        (["compare", "--fail-under", "sari=1"], "unknown option '--fail-under'; plainly score has --fail-under"),
        (
            ["score", "--fail-if-worse"],
            "unknown option '--fail-if-worse'; did you mean '--fail-over'? plainly compare has --fail-if-worse",
        ),
        (["doctor", "--lang", "eng"], "unknown language 'eng'; did you mean 'en'?"),
        ([], "the following arguments are required: COMMAND (see plainly --help)"),
    ],
)
def test_unknown_commands(arguments: list[str], said: str, plainly: Any) -> None:
    assert plainly(*arguments).refusal == said


CONTRADICTIONS = [
    (["--system", "mine=mine.txt"], "mine.txt is given twice for 'mine'"),
    (["--system", "mine="], "--system takes NAME=FILE, not 'mine='"),
    (["--system", "=mine.txt"], "--system takes NAME=FILE, not '=mine.txt'"),
    (["--system"], "argument --system: expected at least one argument (see plainly score --help)"),
    (["--data", "r.jsonl"], "--data brings sources and references; leave --sources and --references out"),
    (["--demo"], "--demo brings its own files; leave --sources, --references, --system and --data out"),
    (
        ["--lowercase", "--cased"],
        "argument --cased: not allowed with argument --lowercase (see plainly score --help)",
    ),
    (["--threads", "0"], "--threads must be at least 1"),
    (["--threads", "-1"], "--threads must be at least 1"),
    (["--resamples", "0"], "resamples must be at least 1, not 0"),
    (["--confidence", "1.5"], "the confidence must lie between 0 and 1, for example 0.95, not 1.5"),
    (["--confidence", "nan"], "the confidence must lie between 0 and 1, for example 0.95, not nan"),
    (["--seed", "-1"], "argument --seed: must be a whole number from 0 on, not '-1'"),
    (["--per-segment", "--format", "latex"], "--per-segment prints json (one object a line) or csv"),
    (["--metrics", "fkgl", "--lowercase"], "no metric here has a setting 'lowercase'"),
    (["--system", "identity=mine.txt", "--baselines", "identity"], "system 'identity' has the name of a baseline"),
    (["--references", "-", "--system", "x=-"], "standard input (-) can be read only once"),
]


@pytest.mark.parametrize(("arguments", "said"), CONTRADICTIONS)
def test_contradictions(arguments: list[str], said: str, plainly: Any, files: list[str]) -> None:
    Path("kept.txt").write_text("a good result")
    assert plainly("score", *files, "--output", "kept.txt", *arguments).refusal.startswith(said)
    assert Path("kept.txt").read_text() == "a good result"


def test_nothing_to_read(refusal: Any) -> None:
    assert refusal("score").startswith("give --sources, --references and --system, or --data")
    assert refusal("score", "--references", "r").startswith("give --sources, --references and --system, or --data")


def test_nothing_to_score(refusal: Any, files: list[str]) -> None:
    said = "there is nothing to score: no system output and no baseline"
    assert refusal("score", "--sources", "src.txt", "--references", "ref.0").startswith(said)
    Path("wide.csv").write_text("source,reference,gpt\nIt ceased.,It stopped.,It ended.\n", "utf-8")
    assert refusal("score", "--data", "wide.csv").endswith("any other that columns names, as NAME=COLUMN")


@pytest.mark.parametrize("metric", ["sari", "bleu", "chrf", "ter"])
def test_metrics_that_need_references(metric: str, refusal: Any, files: list[str]) -> None:
    message = refusal("score", "--sources", "src.txt", "--system", "mine=mine.txt", "--metrics", f"fkgl,{metric}")
    assert message == f"{metric} cannot be computed: it needs references"


def test_metrics_that_need_sources(refusal: Any, files: list[str]) -> None:
    message = refusal("score", "--system", "mine=mine.txt", "--metrics", "compression-ratio")
    assert message == "compression-ratio cannot be computed: it needs source"


def test_a_refusal_is_one_line_although_metrics_were_left_out(refusal: Any, files: list[str]) -> None:
    assert refusal("score", "--system", "mine=mine.txt", "--cased") == "no metric here has a setting 'lowercase'"
    assert refusal("score", "--system", "mine=mine.txt", "--lang", "bo") == (
        "no metric can be computed (sari: it needs references and source; bleu: it needs references)"
    )


GOOD = json.dumps({"source": "a b", "reference": "a", "output": "a"}).encode() + b"\n"
BAD_RECORDS = [
    ("r.jsonl", GOOD + b'{"source": "a b", \n', "r.jsonl:2: bad JSON at column "),
    ("r.jsonl", GOOD + b'"a text"\n', "r.jsonl:2: not a JSON object"),
    ("r.jsonl", GOOD + b'{"source": 5, "output": "a"}\n', "r.jsonl:2: source must be text, not a number"),
    ("r.jsonl", GOOD + b'{"source": "", "output": "a"}\n', "r.jsonl:2: empty source"),
    ("r.jsonl", b'{"sauce": "a"}\n', "r.jsonl:1: neither source nor reference nor output; found: sauce"),
    ("r.jsonl", GOOD + b'{"source": "caf\xe9"}\n', "r.jsonl:2: not UTF-8"),
    ("r.jsonl", b"", "r.jsonl is empty"),
    ("r.csv", b'source,output\n"a,b\n', "r.csv:2: a quote is left open"),
    ("r.csv", b"source,output\na,b,c\n", "r.csv:2: 3 cells, but the header has 2"),
    ("r.csv", b"source;output\na;b\n", "r.csv: in the header: neither source nor reference nor output"),
    ("r.csv", b"source,output\n", "r.csv: there are no records"),
    ("r.tsv", b"source\toutput\na\n", "r.tsv:2: 1 cell, but the header has 2"),
    ("r.jsonl.gz", b"\x1f\x8b\x08\0broken", "r.jsonl.gz: broken gzip file"),
    ("r.parquet", b"no parquet", "r.parquet is not a Parquet file"),
    ("r.parquet", b"PAR1 and nothing more", "r.parquet: broken Parquet file"),
    ("r.xlsx", b"PK\x03\x04", "r.xlsx: nothing says whether it is csv, jsonl, parquet or tsv; say --data-format"),
]


@pytest.mark.parametrize(("name", "content", "said"), BAD_RECORDS, ids=range(len(BAD_RECORDS)))
def test_bad_records(name: str, content: bytes, said: str, refusal: Any) -> None:
    if "parquet" in name:
        pytest.importorskip("pyarrow")
    Path(name).write_bytes(content)
    assert refusal("score", "--data", name).startswith(said)


def test_damaged_parquet(refusal: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{"source": f"a b {i}", "reference": "a", "output": f"a {i}"} for i in range(100)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), "r.parquet")
    whole = Path("r.parquet").read_bytes()
    Path("r.parquet").write_bytes(whole[: len(whole) // 2])
    assert refusal("score", "--data", "r.parquet").startswith("r.parquet: broken Parquet file")
    Path("r.parquet").write_bytes(whole[:8] + bytes(len(whole) - 400) + whole[8 + len(whole) - 400 :])
    assert refusal("score", "--data", "r.parquet").startswith("r.parquet")


def test_parquet_from_standard_input(refusal: Any) -> None:
    message = refusal("score", "--data", "-", "--data-format", "parquet")
    assert message == "Parquet cannot be read from standard input; give the name of a file"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--lang", "en", "--lang", "de"], "--lang is given twice"),
        (["--metrics", ""], "--metrics names no metric"),
        (["--metrics", "sari:"], "sari: names no variant"),
        (["--metrics", "bleu:star"], "bleu has no variants"),
        (["--resamples", "100000000"], "resamples must be at most 100,000"),
        (["--explain-sari", "1000", "2"], "1000 is not a SARI score"),
    ],
)
def test_options_that_make_no_sense(arguments: list[str], message: str, plainly: Any, files: list[str]) -> None:
    run = plainly("score", *files, *arguments)
    assert (run.status, run.out) == (2, "")
    assert message in run.err
    assert run.err.count("\n") == 1
