"""Input and output on S3: a real server of that protocol on this machine, and its real driver."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plainly.base import places
from plainly.base.errors import PlainlyError
from plainly.cli import main

from ..waiting import until

pyarrow = pytest.importorskip("pyarrow", reason="needs plainly[cluster]")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs plainly[cluster]")
pytest.importorskip("s3fs", reason="needs s3fs")
pytest.importorskip("moto", reason="needs moto[s3], flask and flask-cors")
pytest.importorskip("flask_cors", reason="needs moto[s3], flask and flask-cors")
pytestmark = pytest.mark.service


def listens(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (tmp_path_factory.mktemp("s3") / "log").open("wb") as log:
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        until(lambda: listens(port), "the server's start")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty bucket; what is said of it in the environment, worker processes hear too."""
    import s3fs

    monkeypatch.setenv("AWS_ENDPOINT_URL", server)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    s3fs.S3FileSystem.clear_instance_cache()
    name = f"bucket-{time.monotonic_ns()}"
    s3fs.S3FileSystem().mkdir(name)
    return f"s3://{name}"


def test_places(bucket: str) -> None:
    path = f"{bucket}/deep/er/x.bin"
    assert not places.exists(path)
    places.make_folder(f"{bucket}/deep/er")
    places.write_whole(path, b"abc" * 5_000_000)  # in several parts
    assert places.size_and_time(path)[0] == 15_000_000
    with places.open_binary(path) as stream:
        stream.seek(14_999_998)
        assert stream.read() == b"bc"
    assert places.listed(bucket, ".bin") == places.listed(f"{bucket}/*/er/*.bin", "") == [path]
    before = places.size_and_time(path)
    places.write_whole(path, b"abd" * 5_000_000)
    assert places.size_and_time(path) != before

    def broken(stream: Any) -> None:
        stream.write(b"half" * 5_000_000)
        raise KeyError

    with pytest.raises(KeyError):
        places.write_whole(f"{bucket}/never", broken)
    assert not places.exists(f"{bucket}/never")
    places.remove(f"{bucket}/deep")
    assert not places.exists(path)


def test_what_is_wrong_is_one_line(bucket: str) -> None:
    with pytest.raises(PlainlyError, match=r"cannot read s3://\S+/none: "):
        places.open_binary(f"{bucket}/none")
    with pytest.raises(PlainlyError, match=r"cannot write s3://no-such-bucket/x: .*does not exist"):
        places.write_whole("s3://no-such-bucket/x", b"abc")


def test_scores_from_s3_to_s3_are_those_of_local_files(
    bucket: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = {
        "source": [f"The {i} old boats lie in the harbour, which is quiet." for i in range(900)],
        "output": [f"The {i} boats lie in the harbour. It is quiet." for i in range(900)],
        "reference": [f"{i} boats are in the quiet harbour." for i in range(900)],
    }
    (tmp_path / "pairs").mkdir()
    for number in range(3):
        rows = pyarrow.table({name: texts[number * 300 :][:300] for name, texts in pairs.items()})
        parquet.write_table(rows, tmp_path / "pairs" / f"{number}.parquet")
        places.write_whole(
            f"{bucket}/pairs/{number}.parquet", (tmp_path / "pairs" / f"{number}.parquet").read_bytes()
        )
    printed = []
    for folder in (str(tmp_path), bucket):
        assert not main(
            [
                *("score", "--data", f"{folder}/pairs", "--metrics", "sari,bleu,fkgl", "--quiet", "--workers", "2"),
                *("--per-segment", "-o", f"{folder}/scores.parquet", "--write-statistics", f"{folder}/statistics"),
            ]
        )
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    for name in ("scores.parquet", "statistics/part-00000.parquet", "statistics/part-00002.parquet"):
        with places.open_binary(f"{bucket}/{name}") as stream:
            assert stream.read() == (tmp_path / name).read_bytes()
    assert not [path for path in places.listed(f"{bucket}/**", "") if "unfinished" in path]
