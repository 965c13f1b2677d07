"""Pickles are read as plain data, and nothing that they say is run. All pickles are made here."""

from __future__ import annotations

import builtins
import collections
import os
import pickle
import pickletools
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.cli import main
from plainly.corpus.readers import pickles
from plainly.corpus.readers.pickles import pickled_table

ROWS = [
    {"first": 3, "second": 5, "winner": 5, "time": "10:00:01"},
    {"first": 4, "second": 2, "winner": 4, "time": ""},
]
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


@pytest.fixture
def put(tmp_path: Path) -> Any:
    def write(content: bytes) -> Path:
        path = tmp_path / "history.pkl"
        path.write_bytes(content)
        return path

    return write


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_rows_columns_and_rows_by_key_are_tables(put: Any, protocol: int) -> None:
    by_key = collections.defaultdict(dict, {7: ROWS[0], 8: ROWS[1]})
    columns = collections.OrderedDict((name, [row[name] for row in ROWS]) for name in ROWS[0])
    lists = [tuple(row.values()) for row in ROWS]
    for content, expected in (
        (ROWS, ROWS),
        (columns, ROWS),
        (by_key, [{"key": key, **row} for key, row in by_key.items()]),
        (lists, [dict(zip("1234", row, strict=True)) for row in lists]),
        ({3: 0.5, 1: None}, [{"key": 3, "value": 0.5}, {"key": 1, "value": None}]),
        ({"a": [0], "b": {True}}, [{"a": 0, "b": True}]),
    ):
        assert pickled_table(put(pickle.dumps(content, protocol))) == expected


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", ["<i4", ">i8", "<f8", ">f4", "bool", "<U7", "object"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_are_lists(put: Any, protocol: int, kind: str, order: Any) -> None:
    """The same cells as numpy's own tolist."""
    array = np.array([[0, 1, 1], [1, 0, 1]]).astype(kind, order=order)
    rows = [dict(zip("123", row, strict=True)) for row in array.tolist()]
    assert pickled_table(put(pickle.dumps(array, protocol))) == rows
    assert pickled_table(put(pickle.dumps({"x": array[0], "y": array[1, 2]}, protocol)))[1]["value"] == array[1, 2]


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_data_frames(put: Any, protocol: int) -> None:
    """The same records as pandas' own to_dict; an index that is no row number is a column."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"id": [4, 5, 6], "score": [0.25, 0.5, 1.0], "rank": [2, 1, 3], "text": np.array(["a", "b", "c"], object)}
    ).astype({"text": object})
    frame.columns = pandas.Index(list(frame.columns), dtype=object)
    assert pickled_table(put(pickle.dumps(frame, protocol))) == frame.to_dict("records")
    named = frame.set_index(pandas.Index(["x", "y", "z"], dtype=object))
    rows = [{"key": key, **row} for key, row in zip("xyz", frame.to_dict("records"), strict=True)]
    assert pickled_table(put(pickle.dumps(named, protocol))) == rows


class Evil:
    """What it says is run by whoever unpickles it."""

    def __init__(self, *call: Any) -> None:
        self.call = call

    def __reduce__(self) -> Any:
        return self.call[0], self.call[1:]


def test_nothing_is_run(put: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    mark = tmp_path / "mark"
    write = f"open({str(mark)!r}, 'w')"
    evils: list[Any] = [
        Evil(os.system, f"touch {mark}"),
        Evil(builtins.eval, write),
        Evil(builtins.exec, write),
        Evil(builtins.getattr, "", "join"),
        Evil(Evil, Evil(os.system, f"touch {mark}")),
        Evil(list, Evil(os.system, f"touch {mark}")),
        Evil(dict, [(Evil(builtins.eval, write), 1)]),
        [{"first": Evil(builtins.eval, write)}],
        Evil(collections.defaultdict, Evil(builtins.eval, write)),
        Evil(np.load, str(mark)),
        Evil(__import__("pickle").loads, pickle.dumps(Evil(os.system, f"touch {mark}"))),
    ]
    for evil in evils:
        for protocol in PROTOCOLS:
            with pytest.raises(PlainlyError, match=r"asks for .*; only built-in containers"):
                pickled_table(put(pickle.dumps(evil, protocol)))
    assert not mark.exists()


def test_a_plain_name_that_is_read_later_is_no_way_out(put: Any) -> None:
    """Opcodes written by hand: names that are allowed, in the place of others."""
    for content in (
        b"cbuiltins\nlist\n(cos\nsystem\ntR.",  # os.system as an argument
        b"cnumpy\ndtype\n(S'O8'\ntR(dS'__class__'\ncos\nsystem\nsb.",  # as an attribute
        b"(ios\nsystem\n.",  # INST
        b"(cos\nsystem\nS'true'\no.",  # OBJ
        b"Pposix.system\n.",  # a persistent id
        b"\x80\x02\x82\x01.",  # an extension
        b"cnumpy.dtype.__class__\n__subclasses__\n(tR.",
        b"cnumpy\nndarray.__reduce__\n(tR.",
        b"cbuiltins\nlist\n}S'append'\ncos\nsystem\nsb.",  # the state of something that has none
        b"]}b.",
        b"}(]K\x01u.",  # a list as a key
        b"K\x01K\x02R.",
    ):
        with pytest.raises(PlainlyError):
            pickled_table(put(content))


def test_sizes_that_are_no_sizes(put: Any) -> None:
    """Lengths that would fill the memory, depths that would break the stack, doublings that never end."""
    double = b"\x80\x04]" + b"".join(b"\x94(h" + bytes([i]) + b"h" + bytes([i]) + b"l" for i in range(60)) + b"."
    shape = struct.pack("<i", 2_000_000_000)
    long_array = (
        b"cnumpy.core.multiarray\n_reconstruct\n(tR(K\x01(J" + shape + b"tcnumpy\ndtype\n(S'f8'\ntRI00\nS'x'\ntb."
    )
    no_columns = long_array.replace(b"J" + shape, b"J" + shape + b"K\x00").replace(b"S'x'", b"S''")
    slices = (
        b"cpandas.core.frame\nDataFrame\n(tR}S'_mgr'\n((cpandas._libs.internals\n_unpickle_block\n(]cbuiltins\nslice\n"
        b"(K\x00J" + shape + b"K\x01tRK\x02tRt(]]ttsb."
    )
    index = b"cpandas.core.indexes.base\n_new_Index\n(N}(S'start'\nK\x00S'stop'\nJ" + shape + b"S'step'\nK\x01utR."
    for content in (
        b"\x80\x04\x8e" + struct.pack("<Q", 1 << 60) + b"x.",  # BINBYTES8
        b"\x80\x05\x96" + struct.pack("<Q", 1 << 40) + b".",  # BYTEARRAY8
        b"\x80\x04\x8b" + struct.pack("<i", 2_000_000_000) + b".",  # LONG4
        b"]r" + struct.pack("<I", 4_000_000_000) + b".",  # a place of the memo
        b"]" * 200_000 + b"a" * 199_999 + b".",
        b"(" * 200_000 + b"t" * 200_000 + b".",
        double,
        double[:-1] + b"\x8c\x01x\x93.",  # as a name
        b"\x80\x04" + b"]" * 20_000 + b"a" * 19_999 + b"\x8c\x01x\x93.",
        double[:-1] + b"\x94cnumpy\ndtype\nh\x3c\x85R.",  # as a type
        long_array,
        no_columns,
        index,
        slices,
        pickle.dumps([{"first": 10**6000}]),
        pickle.dumps([{10**6000: "first"}]),
        b"",
        b"\x80\x04",
        pickle.dumps(ROWS)[:-20],
        b"not a pickle",
    ):
        with pytest.raises(PlainlyError, match=r"^[^\n]*$"):
            pickled_table(put(content))


def test_a_short_pickle_of_a_long_table(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pickles, "MOST_CELLS", 1000)
    row = dict.fromkeys(map(str, range(100)), 1)
    assert len(pickled_table(put(pickle.dumps([row] * 10)))) == 10
    with pytest.raises(PlainlyError, match="holds more than 1,000 cells"):
        pickled_table(put(pickle.dumps([row] * 11)))


def test_copies_are_counted(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a list of ten, a few bytes make another ten."""
    monkeypatch.setattr(pickles, "MOST_CELLS", 100)
    copied = b"(" + b"N" * 10 + b"l\x940" + b"(" + b"cbuiltins\nlist\nh\x00\x85R" * 10 + b"l."
    assert len(pickled_table(put(copied))) == 10
    with pytest.raises(PlainlyError, match="makes lists of more than 100 cells"):
        pickled_table(put(copied.replace(b"l.", b"cbuiltins\nlist\nh\x00\x85Rl.")))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ([], "holds no rows"),
        (5, "has something in the place of a list"),
        ([[1, [2]]], "holds cells that are no texts and no numbers"),
        ({"a": [1], "b": [1, 2]}, "holds columns that are not equally long"),
        (np.zeros(2, [("a", "i4"), ("b", "f8")]), "is not read"),
        (np.zeros(2, "datetime64[s]"), "is not read"),
        (Path("x"), "asks for pathlib"),
    ],
)
def test_what_is_no_table(put: Any, content: Any, complaint: str) -> None:
    with pytest.raises(PlainlyError, match=complaint):
        pickled_table(put(pickle.dumps(content)))


def test_no_opcode_but_those_of_plain_data(put: Any) -> None:
    """Every opcode of Python's is one that we know, or is refused by its name."""
    known = pickles.VALUES | {*pickles.CONSTANTS} | {*pickles.SIZES} | pickles.NOTHING
    own = {name for name in vars(pickles._Machine) if name.startswith("_")}
    refused = {op.name for op in pickletools.opcodes if op.name not in known and f"_{op.name.lower()}" not in own}
    assert refused == {
        *("INST", "OBJ", "PERSID", "BINPERSID", "EXT1", "EXT2", "EXT4", "NEXT_BUFFER", "READONLY_BUFFER")
    }


def test_the_command(put: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(put(pickle.dumps(ROWS)))
    assert main(["data", "convert", path]) == 0
    assert capsys.readouterr().out == "first,second,winner,time\n3,5,5,10:00:01\n4,2,4,\n"
    out = tmp_path / "history.jsonl"
    assert main(["data", "convert", path, "-o", str(out)]) == 0
    assert capsys.readouterr().err == f"{out}: 2 rows\n"
    assert out.read_text().startswith('{"first": 3, "second": 5, "winner": 5, "time": "10:00:01"}\n')
    put(pickle.dumps(Evil(os.system, "true")))
    assert main(["data", "convert", path]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"plainly: {path}: asks for posix.system; only")
    assert said.count("\n") == 1
    assert main(["data", "convert", str(tmp_path / "none.pkl")]) == 2
    assert "cannot read" in capsys.readouterr().err


# ---- the command


def test_columns_get_the_names_that_are_asked_for(put: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(put(pickle.dumps({7: (3, 5, 5), 8: (4, 2, 4)})))
    names = "match_id=key,first_id=1,second_id=2"
    assert main(["data", "convert", path, "--columns", names]) == 0
    assert capsys.readouterr().out == "match_id,first_id,second_id,3\n7,3,5,5\n8,4,2,4\n"


def test_rows_are_numbered(put: Any, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(put(pickle.dumps([17, 1])))
    assert main(["data", "convert", path, "--columns", "text_id=value", "--number", "position"]) == 0
    assert capsys.readouterr().out == "position,text_id\n0,17\n1,1\n"


def test_a_column_that_is_not_meant_is_left_out(put: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """As where tables are read: `text` is said to be `clean`, so what is called `text` is something else."""
    path = str(put(pickle.dumps([{"text": "raw", "clean": "Raw."}])))
    assert main(["data", "convert", path, "--columns", "text=clean"]) == 0
    assert capsys.readouterr().out == "text\nRaw.\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--columns", "text_id=valu"], "there is no column 'valu'; found: value"),
        (["--number", "value"], "--number value: there is a column of that name; say another one"),
        (["--columns", "n=value", "--number", "n"], "--number n: there is a column of that name; say another one"),
    ],
)
def test_names_that_do_not_do(put: Any, options: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "convert", str(put(pickle.dumps([17, 1]))), *options]) == 2
    assert said in capsys.readouterr().err
