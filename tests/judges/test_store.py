"""Replies are kept for good, a killed run leaves a store that can be used, and no other file is taken for one."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError
from plainly.judges.store import HEADER, Store, usual_store


def test_replies_are_found_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "down" / "replies.jsonl"
    with Store(path) as store:
        store.add("a", {"reply": "eins \ud800 \n zwei"})
        store.add("b", {"reply": "x"}, usable=False)
        assert store.get("a") is not None
    with Store(path) as store:
        assert len(store) == 1
        assert (store.get("a") or {})["reply"] == "eins \ud800 \n zwei"
        assert store.get("b") is None
        store.add("b", {"reply": "y"})
    with Store(path) as store:
        assert [(store.get(name) or {})["reply"] for name in "ab"] == ["eins \ud800 \n zwei", "y"]
    assert path.read_bytes().count(b"\n") == 4
    assert stat.S_IMODE(path.stat().st_mode) == 0o600  # texts may be private


@pytest.mark.slow
def test_every_cut_leaves_a_store_with_all_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    with Store(path) as store:
        for name in "abc":
            store.add(name, {"reply": name * 100})
    whole = path.read_bytes()
    for size in [*range(0, len(whole), 7), len(whole) - 1, len(whole)]:
        path.write_bytes(whole[:size])
        with Store(path) as store:
            assert len(store) == max(0, whole[:size].count(b"\n") - 1)
            store.add("d", {"reply": "d"})
        assert all(json.loads(line) for line in path.read_bytes().splitlines())
        with Store(path) as store:
            assert (store.get("d") or {})["reply"] == "d"


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b'{"id": 1}', b"\n", b"\x00"])
def test_another_file_is_refused_and_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_bytes(content)
    with pytest.raises(PlainlyError, match="this is no store of replies"):
        Store(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("line", [b"{}", b"[1]", b"nonsense", b"[" * 50_000, b'{"identity": 1}'])
def test_a_damaged_line_is_named(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_bytes(HEADER + line + b"\n")
    with pytest.raises(PlainlyError, match=r"replies\.jsonl:2: this is no reply"):
        Store(path)


def test_two_runs_cannot_share_a_store(tmp_path: Path) -> None:
    with Store(tmp_path / "r.jsonl"), pytest.raises(PlainlyError, match="another plainly is asking judges"):
        Store(tmp_path / "r.jsonl")
    with Store(tmp_path / "r.jsonl"):
        pass


def test_what_cannot_be_a_store(tmp_path: Path) -> None:
    with pytest.raises(PlainlyError, match="is not a file"):
        Store(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(PlainlyError, match="cannot write"):
        Store(tmp_path / "file" / "replies.jsonl")


def test_the_usual_store_is_in_the_folder_that_is_named(tmp_path: Path) -> None:
    assert usual_store() == tmp_path / "judges" / "replies.jsonl"
