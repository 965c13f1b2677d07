"""Small files that stand for huge ones are refused before they fill the memory or the day."""

from __future__ import annotations

import gzip
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from plainly.studio.errors import TooLarge
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Material
from plainly.studio.kinds.options import completed
from plainly.studio.kinds.sizes import MEGABYTE, MOST, MOST_LINES, MOST_YAML

TABLES = [("ranking", "texts"), ("ratings", "outputs"), ("operations", "pairs")]


def read(kind: str, slot: str, path: Path) -> Material:
    made = get_kind(kind)
    return made.read({slot: path}, {**completed(made, {}), "lang": "en"})


@pytest.fixture
def little_memory() -> Iterator[None]:
    """Half a gigabyte more than there is: enough for us, not for a bomb."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 512 * MEGABYTE, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize(("kind", "slot"), TABLES)
@pytest.mark.parametrize("named", ["texts.jsonl", "texts.csv"])
@pytest.mark.usefixtures("little_memory")
def test_a_gzip_bomb_is_not_unpacked(tmp_path: Path, kind: str, slot: str, named: str) -> None:
    path = tmp_path / named  # gzip is known by its first bytes, whatever the name
    with gzip.open(path, "wb", compresslevel=1) as out:
        for _ in range(MOST // MEGABYTE + 1):
            out.write(b'{"id":"1","text":"a"}\n' * (MEGABYTE // 22))
            out.write(b" " * 30_000)
    with pytest.raises(TooLarge, match=r"texts\.\w+: (unpacked, the file is too large|more than 200,000 lines)"):
        read(kind, slot, path)


def test_one_line_without_end(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as out:
        out.write(b'{"id":"1","text":"')
        for _ in range(MOST // MEGABYTE + 1):
            out.write(b"a" * MEGABYTE)
    with pytest.raises(TooLarge, match=r"texts.jsonl.gz: unpacked, the file is too large; at most 32 MiB are read"):
        read("ranking", "texts", path)


def test_more_rows_than_anybody_reads(tmp_path: Path) -> None:
    path = tmp_path / "texts.csv"
    path.write_text("id,text\n" + "".join(f"{number},a\n" for number in range(MOST_LINES + 1)))
    with pytest.raises(TooLarge, match=r"texts.csv: more than 200,000 lines"):
        read("ranking", "texts", path)


def test_files_share_the_room(tmp_path: Path) -> None:
    paths = {"texts": tmp_path / "texts.csv", "pairs": tmp_path / "pairs.csv"}
    for path in paths.values():
        path.write_bytes(b"id,text\n" + b"a" * (MOST * 3 // 5))
    kind = get_kind("ranking")
    with pytest.raises(TooLarge, match=r"pairs.csv"):
        kind.read(paths, {**completed(kind, {}), "lang": "en"})


@pytest.mark.parametrize(("kind", "slot"), [("comprehension", "experiment"), ("operations", "typology")])
def test_a_description_is_small(tmp_path: Path, kind: str, slot: str) -> None:
    path = tmp_path / "long.yaml"
    path.write_text("name: x\nlang: en\npassages:\n" + "- {about: 1}\n" * (MOST_YAML // 13 + 1))
    with pytest.raises(TooLarge, match=r"long.yaml: the file is too large; at most 2 MiB are read"):
        read(kind, slot, path)


@pytest.mark.slow
def test_a_description_does_not_take_minutes(tmp_path: Path) -> None:
    path = tmp_path / "dense.yaml"
    path.write_text("name: x\nlang: en\npassages:\n" + "- {a: 1}\n" * 190_000)
    begun = time.process_time()
    with pytest.raises(Exception, match=r"dense.yaml:\d+: more than 100,000 lists, tables and values"):
        read("comprehension", "experiment", path)
    assert time.process_time() - begun < 20  # it took more than a minute


def test_a_packed_description_is_kept_as_text(tmp_path: Path) -> None:
    passage = """- id: {name}
  versions:
  - {{id: original, text: The {name} slumbered.}}
  - {{id: simple, text: The {name} slept.}}
  questions:
  - {{id: who-{name}, text: "What of the {name}?", distractors: [it ran, it ate, it sang], correct: it slept}}
"""
    written = "name: Cats\nlang: en\npassages:\n" + passage.format(name="cat") + passage.format(name="owl")
    path = tmp_path / "packed.yaml"
    path.write_bytes(gzip.compress(written.encode()))
    assert read("comprehension", "experiment", path).settings["file"] == written
