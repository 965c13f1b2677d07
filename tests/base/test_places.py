"""Files by path and by URL: the same functions, whole files or none, and errors of one line."""

from __future__ import annotations

import os
import re
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from plainly.base import places
from plainly.base.errors import MissingResource, PlainlyError

from ..waiting import until


@pytest.fixture(params=["path", "file", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty folder here, the same as a URL, and one in the store of objects that comes with fsspec."""
    if request.param == "memory":
        pytest.importorskip("fsspec")
        return f"memory://{uuid.uuid4().hex}"
    return str(tmp_path) if request.param == "path" else tmp_path.as_uri()


def read(path: str) -> bytes:
    with places.open_binary(path) as stream:
        return stream.read()


def bare(path: str) -> str:
    """A path without its scheme: file systems write one place in several ways."""
    return re.sub(r"^\w+:/*", "", path).lstrip("/")


@pytest.mark.parametrize(
    ("path", "elsewhere"),
    [
        ("pairs.parquet", False),
        ("/data/pairs.parquet", False),
        ("C:/data/pairs.parquet", False),
        ("odd:name", False),
        ("file:///data/pairs.parquet", False),
        ("s3://bucket/pairs.parquet", True),
        ("GS://bucket/pairs.parquet", True),
    ],
)
def test_what_is_elsewhere(path: str, elsewhere: bool) -> None:
    assert places.is_url(path) is elsewhere


def test_a_file_url_is_a_path() -> None:
    assert places.local("file:///data/two%20words") == Path("/data/two words")
    assert places.local("s3://bucket/x") is None
    with pytest.raises(PlainlyError, match="three slashes"):
        places.local("file://data/x")


def test_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert places.absolute("x/y.parquet") == str(tmp_path / "x" / "y.parquet")
    assert places.absolute("s3://bucket/x") == "s3://bucket/x"
    assert places.absolute("-") == "-"


@pytest.mark.parametrize("content", [b"abc", lambda stream: stream.write(b"abc")], ids=["bytes", "function"])
def test_written_and_read_and_deleted(folder: str, content: bytes | Callable[[IO[bytes]], object]) -> None:
    places.make_folder(places.join(folder, "deep", "er"))
    path = places.join(folder, "deep", "er", "x.bin")
    assert not places.exists(path)
    places.write_whole(path, content)
    places.write_whole(path, content)  # one that is there is replaced
    assert read(path) == b"abc"
    assert places.exists(path)
    assert places.size_and_time(path)[0] == 3
    places.remove(path)
    places.remove(path)
    assert not places.exists(path)


def test_a_failure_leaves_what_was_there(folder: str) -> None:
    path = places.join(folder, "x.bin")
    places.write_whole(path, b"before")

    def broken(stream: IO[bytes]) -> None:
        stream.write(b"half")
        raise KeyError("of the caller")

    with pytest.raises(KeyError, match="of the caller"):
        places.write_whole(path, broken)
    assert read(path) == b"before"
    assert [bare(found) for found in places.listed(folder, "")] == [bare(path)]


def test_a_change_shows_in_the_time(folder: str) -> None:
    path = places.join(folder, "x.bin")
    places.write_whole(path, b"abc")
    before = places.size_and_time(path)

    def changed() -> bool:
        places.write_whole(path, b"abd")
        return places.size_and_time(path) != before

    until(changed)  # some file systems count time in steps of 10 ms
    assert places.size_and_time(path) != before


def test_a_folder_with_all_in_it_is_deleted(folder: str) -> None:
    inside = places.join(folder, "work")
    places.make_folder(inside)
    places.write_whole(places.join(inside, "x.bin"), b"abc")
    places.remove(inside)
    assert not places.exists(inside)
    assert not places.exists(places.join(inside, "x.bin"))


def test_a_link_is_deleted_not_what_it_points_to(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "x").write_bytes(b"abc")
    (tmp_path / "link").symlink_to(tmp_path / "data")
    places.remove(str(tmp_path / "link"))
    assert (tmp_path / "data" / "x").exists()


def test_what_a_folder_and_a_pattern_mean(folder: str) -> None:
    names = ["b.parquet", "a.parquet", "year=1/c.parquet", "notes.txt", ".hidden.parquet", "_work/d.parquet"]
    places.make_folder(places.join(folder, "year=1"))
    places.make_folder(places.join(folder, "_work"))
    for name in names:
        places.write_whole(places.join(folder, *name.split("/")), b"x")

    def found(path: str) -> list[str]:
        return [bare(one).removeprefix(bare(folder) + "/") for one in places.listed(path, ".parquet")]

    assert found(folder) == ["a.parquet", "b.parquet", "year=1/c.parquet"]
    assert found(places.join(folder, "[ab].parquet")) == ["a.parquet", "b.parquet"]
    assert found(places.join(folder, "notes.txt")) == ["notes.txt"]
    assert all(read(path) == b"x" for path in places.listed(folder, ".parquet"))
    assert places.listed(folder, ".parquet")[0] == places.join(folder, "a.parquet")  # as others name it
    with pytest.raises(PlainlyError, match=r"no file matches .*z\*"):
        places.listed(places.join(folder, "z*.parquet"), ".parquet")
    with pytest.raises(PlainlyError, match=r"no file with \.csv in"):
        places.listed(folder, ".csv")


def test_a_name_with_brackets_is_a_name_where_it_exists(tmp_path: Path) -> None:
    (tmp_path / "a[1].parquet").write_bytes(b"x")
    assert places.listed(str(tmp_path / "a[1].parquet"), ".parquet") == [str(tmp_path / "a[1].parquet")]


def test_nothing_there_is_one_line(folder: str) -> None:
    path = places.join(folder, "none.parquet")
    tries: list[Callable[[], object]] = [
        lambda: places.open_binary(path),
        lambda: places.size_and_time(path),
        lambda: places.listed(path, ".parquet"),
    ]
    for attempt in tries:
        with pytest.raises(PlainlyError, match=r"cannot \w+ .*none\.parquet: ") as caught:
            attempt()
        assert "\n" not in str(caught.value)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PlainlyError, match=r"cannot write .*: No such file or directory"):
        places.write_whole(str(tmp_path / "none" / "x"), b"abc")
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(PlainlyError, match=r"cannot make the folder .*: "):
        places.make_folder(str(tmp_path / "file" / "x"))


def test_a_scheme_that_nobody_knows() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(PlainlyError, match="cannot use nowhere://x/y: nowhere:// is no kind of place"):
        places.open_binary("nowhere://x/y")


def test_a_driver_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fsspec")
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(MissingResource, match="gs://bucket/x needs gcsfs; install it with: pip install gcsfs"):
        places.open_binary("gs://bucket/x")
    monkeypatch.setitem(sys.modules, "paramiko", None)
    with pytest.raises(MissingResource, match=r"sftp://host/x: .*paramiko"):
        places.open_binary("sftp://host/x")


def test_without_fsspec_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingResource, match=r"pip install 'plainly\[cluster\]'"):
        places.open_binary("s3://bucket/x")
    places.write_whole(str(tmp_path / "x"), b"abc")  # local files need none
    assert read(str(tmp_path / "x")) == b"abc"


def test_a_file_server_gets_the_whole_under_a_name_of_its_own_first(tmp_path: Path) -> None:
    """`local://` stands for a server of files, such as sftp: no store of objects, so half a file could be seen."""
    pytest.importorskip("fsspec")
    path = f"local://{tmp_path}/new/x.bin"
    places.make_folder(f"local://{tmp_path}/new")
    places.write_whole(path, b"abc")
    assert read(path) == b"abc"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x.bin").mkdir()  # a folder of that name: the last step fails
    with pytest.raises(PlainlyError, match=r"cannot write local://.*x\.bin: "):
        places.write_whole(f"local://{tmp_path}/full/x.bin", b"abc")
    assert [p.name for p in (tmp_path / "full").iterdir()] == ["x.bin"]


def test_what_killed_writers_left_is_swept_away(folder: str) -> None:
    places.write_whole(places.join(folder, "x.part"), b"abc")
    places.sweep(folder)
    here = places.local(folder)
    if here is not None:
        (here / ".plainly-abc.part").write_bytes(b"half")
        places.sweep(folder)
        assert [path.name for path in here.iterdir()] == ["x.part"]
    assert read(places.join(folder, "x.part")) == b"abc"


def test_two_may_write_the_same_file_at_the_same_time(tmp_path: Path) -> None:
    """Each has a name of its own for what is not yet whole."""
    fsspec = pytest.importorskip("fsspec")
    path = f"local://{tmp_path}/x.bin"
    seen: list[str] = []
    system = fsspec.filesystem("local")

    def noted(held: IO[bytes], other: object, name: str) -> None:
        seen.append(name)
        system.pipe_file(name, held.read())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "_copy", noted)
        places.write_whole(path, b"abc")
        places.write_whole(path, b"abc")
    assert len(set(seen)) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["x.bin"]


def test_an_upload_that_is_broken_off_is_not_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that shows an object once its last chunk is there, as s3 does. To close a file sends that chunk."""
    fsspec = pytest.importorskip("fsspec")
    from fsspec.registry import _registry
    from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

    store: dict[str, bytes] = {}

    class Upload(AbstractBufferedFile):  # type: ignore[misc]
        def _initiate_upload(self) -> None:
            self.sent = b""

        def _upload_chunk(self, final: bool = False) -> bool:
            self.buffer.seek(0)
            self.sent += self.buffer.read()
            if final:
                store[self.path] = self.sent
            return True

    class Store(AbstractFileSystem):  # type: ignore[misc]
        protocol = "oss"
        cachable = False

        def _open(self, path: str, mode: str = "rb", **_: object) -> Upload:
            return Upload(self, path, mode, block_size=5 << 20)

    fsspec.register_implementation("oss", Store, clobber=True)
    try:
        places.write_whole("oss://bucket/small", b"abc")
        places.write_whole("oss://bucket/large", b"x" * (20 << 20))
        assert {name: len(content) for name, content in store.items()} == {
            "bucket/small": 3,
            "bucket/large": 20 << 20,
        }

        def interrupted(source: IO[bytes], target: IO[bytes], size: int) -> None:
            for _ in range(7):
                target.write(source.read(size))
            raise KeyboardInterrupt

        monkeypatch.setattr(places.shutil, "copyfileobj", interrupted)
        for name in ("small", "other"):
            with pytest.raises(KeyboardInterrupt):
                places.write_whole(f"oss://bucket/{name}", b"y" * (20 << 20))
        assert store["bucket/small"] == b"abc"
        assert "bucket/other" not in store
    finally:
        _registry.pop("oss")


def test_moved_in_the_place_of_what_is_there(folder: str) -> None:
    for name in ("from", "to"):
        places.make_folder(places.join(folder, name))
        for letter in "ab":
            places.write_whole(places.join(folder, name, letter), f"{name} {letter}".encode())
    places.move(places.join(folder, "from"), places.join(folder, "to") + "/", ["a"])
    assert read(places.join(folder, "to", "a")) == b"from a"
    assert read(places.join(folder, "to", "b")) == b"to b"
    assert not places.exists(places.join(folder, "from", "a"))
    assert places.exists(places.join(folder, "from", "b"))


def test_a_name_beside_another() -> None:
    assert places.beside("x.parquet", "_{}.unfinished") == "_x.parquet.unfinished"
    assert places.beside("/a/x.parquet", "_{}.unfinished") == "/a/_x.parquet.unfinished"
    assert places.beside("s3://b/a/x.parquet", "_{}.unfinished") == "s3://b/a/_x.parquet.unfinished"


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a power cut may leave the name with nothing behind it."""
    synced: list[tuple[int, bool]] = []
    path = tmp_path / "x.bin"

    def noted(handle: int) -> None:
        synced.append((os.fstat(handle).st_size, path.exists()))

    monkeypatch.setattr("plainly.base.files.os.fsync", noted)
    places.write_whole(str(path), b"abc" * 1000)
    assert synced == [(3000, False)]
