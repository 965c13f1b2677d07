"""`fetch` against a real server: all goes well, or nothing stands under the final name and one line says why."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from catalogue_helpers import FIRST, Catalogue, Handler, Site, checksum, part, tree

from plainly.base.errors import PlainlyError
from plainly.corpus.catalogue import fetch, store, transfer
from plainly.corpus.catalogue.entries import Part
from plainly.corpus.catalogue.fetching import Progress

ALL = {"tiny/tiny.orig", "tiny/tiny.simp.0", "tiny/tiny.simp.1", "outputs/A+B.txt"}


def refusal(name: str, **options: Any) -> str:
    with pytest.raises(PlainlyError) as caught:
        fetch(name, **options)
    return str(caught.value)


def test_all_files_come_in_their_stored_form(catalogue: Catalogue, data: Path) -> None:
    paths = fetch("tiny")
    assert tree(data) == ALL
    assert {path.relative_to(data).as_posix() for path in paths} == ALL
    for name in ALL:
        assert (data / name).read_bytes() == catalogue.content[name]  # the final newline was added


def test_what_is_there_is_not_fetched_again(catalogue: Catalogue, site: Site, data: Path) -> None:
    fetch("tiny")
    (data / "tiny/tiny.simp.1").unlink()
    site.asked.clear()
    assert fetch("tiny") == [data / "tiny/tiny.simp.1"]
    assert fetch("tiny") == []
    assert [name for name, _ in site.asked] == ["up/tiny/tiny.simp.1"]


def test_progress_ends_with_everything(catalogue: Catalogue) -> None:
    seen: list[Progress] = []
    fetch("tiny", tell=seen.append)
    total = sum(file.bytes for file in catalogue.sets["tiny"].files)
    assert [at.bytes for at in seen] == sorted(at.bytes for at in seen)
    assert (seen[-1].files, seen[-1].total_files, seen[-1].bytes, seen[-1].total_bytes) == (4, 4, total, total)


def test_the_licence_lies_beside_the_data(catalogue: Catalogue, data: Path) -> None:
    fetch("tiny")
    text = (data / "licences/tiny.txt").read_text("utf-8")
    assert "Licence: Free\nDo what you like.\n" in text
    assert "@misc{tests" in text


def test_a_non_commercial_licence_must_be_accepted_once(catalogue: Catalogue, site: Site, data: Path) -> None:
    assert "forbids commercial use" in refusal("closed")
    assert not data.exists()
    assert site.asked == []
    fetch("closed", accept_licence=True)
    (data / "closed/closed.orig").unlink()
    fetch("closed")
    assert "See https://example.org/nc" in (data / "licences/closed.txt").read_text("utf-8")


# Transfers that are cut off


def cut_off_after(content: bytes, count: int, times: int) -> Callable[[Handler], None]:
    left = [times]

    def rule(handler: Handler) -> None:
        left[0] -= 1
        handler.send_file(content, count if left[0] >= 0 else None)

    return rule


NAME = "up/tiny/tiny.simp.0"


def test_a_cut_off_transfer_goes_on_by_itself(catalogue: Catalogue, site: Site, data: Path) -> None:
    site.rules[NAME] = cut_off_after(FIRST.encode(), 10, times=1)
    fetch("tiny")
    assert (data / "tiny/tiny.simp.0").read_text() == FIRST
    assert [range for name, range in site.asked if name == NAME] == [None, "bytes=10-"]


def test_a_transfer_that_stays_cut_off_is_resumed_by_the_next_run(
    catalogue: Catalogue, site: Site, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "ATTEMPTS", 1)
    site.rules[NAME] = cut_off_after(FIRST.encode(), 10, times=1)
    message = refusal("tiny")
    assert "cut off after 10 of 36 bytes; run the same command again" in message
    assert tree(data) == (ALL - {"tiny/tiny.simp.0"}) | {"tiny/tiny.simp.0.part"}  # the others came all the same
    fetch("tiny")
    assert (data / "tiny/tiny.simp.0").read_text() == FIRST
    assert [range for name, range in site.asked if name == NAME] == [None, "bytes=10-"]
    assert tree(data) == ALL


def test_without_ranges_a_transfer_begins_anew(catalogue: Catalogue, site: Site, data: Path) -> None:
    site.knows_ranges = False
    site.rules[NAME] = cut_off_after(FIRST.encode(), 10, times=1)
    fetch("tiny")
    assert (data / "tiny/tiny.simp.0").read_text() == FIRST


def test_a_server_that_never_gets_further_is_given_up(catalogue: Catalogue, site: Site, data: Path) -> None:
    site.knows_ranges = False
    site.rules[NAME] = cut_off_after(FIRST.encode(), 10, times=99)
    assert "cut off after 10 of 36 bytes" in refusal("tiny")
    assert "tiny/tiny.simp.0" not in tree(data)


@pytest.mark.parametrize("left", [b"rubbish", FIRST.encode() + b"x", FIRST.encode()[:7], FIRST.encode(), b""])
def test_whatever_an_earlier_run_left_the_file_is_right_in_the_end(
    catalogue: Catalogue, data: Path, left: bytes
) -> None:
    (data / "tiny").mkdir(parents=True)
    (data / "tiny/tiny.simp.0.part").write_bytes(left)
    fetch("tiny")
    assert (data / "tiny/tiny.simp.0").read_text() == FIRST
    assert tree(data) == ALL


def test_a_chunked_answer_that_breaks_off(catalogue: Catalogue, site: Site, data: Path) -> None:
    def rule(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        handler.wfile.write(b"5\r\nThe c\r\n")

    site.rules[NAME] = rule
    assert "cut off after 5 bytes" in refusal("tiny")
    assert "tiny/tiny.simp.0" not in tree(data)


def test_a_wrong_range_does_no_harm(catalogue: Catalogue, site: Site, data: Path) -> None:
    """A server that says 206 but begins elsewhere: the sum shows it, and the file is fetched as a whole."""

    def rule(handler: Handler) -> None:
        if handler.headers.get("Range"):
            handler.send_response(206)
            handler.send_header("Content-Range", "bytes 3-35/36")
            handler.end_headers()
            handler.wfile.write(FIRST.encode()[3:])
        else:
            handler.send_file(FIRST.encode())

    (data / "tiny").mkdir(parents=True)
    (data / "tiny/tiny.simp.0.part").write_bytes(FIRST.encode()[:7])
    site.rules[NAME] = rule
    fetch("tiny")
    assert tree(data) == ALL


# Wrong bytes


def test_a_wrong_checksum_keeps_the_file_aside(catalogue: Catalogue, site: Site, data: Path) -> None:
    site.files[NAME] = FIRST.upper().encode()
    message = refusal("tiny")
    wrong = f"wrong checksum: {len(FIRST)} bytes with SHA-256 "
    assert message.startswith(f"tiny/tiny.simp.0 ({site.address}/{NAME}): {wrong}")
    assert message.endswith(f"kept aside as {data / 'tiny/tiny.simp.0.bad'}")
    assert checksum(FIRST.encode())[:12] in message
    assert (data / "tiny/tiny.simp.0.bad").read_text() == FIRST.upper()
    assert tree(data) == (ALL - {"tiny/tiny.simp.0"}) | {"tiny/tiny.simp.0.bad"}


def test_the_file_comes_once_the_server_is_mended(catalogue: Catalogue, site: Site, data: Path) -> None:
    site.files[NAME] = b"wrong"
    refusal("tiny")
    site.files[NAME] = FIRST.encode()
    fetch("tiny")
    assert tree(data) == ALL


def test_a_changed_file_is_replaced_and_kept_aside(catalogue: Catalogue, data: Path) -> None:
    fetch("tiny")
    (data / "tiny/tiny.simp.0").write_text("my own\n")
    fetch("tiny")
    assert (data / "tiny/tiny.simp.0").read_text() == FIRST
    assert (data / "tiny/tiny.simp.0.bad").read_text() == "my own\n"


def test_several_faults_make_one_line(catalogue: Catalogue, site: Site) -> None:
    site.files.clear()
    message = refusal("tiny")
    assert message == f"{site.address}/up/tiny/tiny.orig: no such file there (HTTP 404) (3 more files failed)"


# Several addresses, several parts


def test_the_next_address_is_tried(catalogue: Catalogue, site: Site, data: Path) -> None:
    served = FIRST.encode()
    for first in ("nowhere", "wrong"):
        site.files["wrong"] = b"wrong"
        addresses = (f"{site.address}/{first}", f"{site.address}/{NAME}")
        catalogue.change("tiny", 1, parts=(part(served, *addresses),))
        fetch("tiny")
        assert tree(data) == ALL
        (data / "tiny/tiny.simp.0").unlink()


def test_of_several_faults_the_checksum_tells_most(catalogue: Catalogue, site: Site) -> None:
    site.files["wrong"] = b"wrong"
    addresses = (f"{site.address}/nowhere", f"{site.address}/wrong")
    catalogue.change("tiny", 1, parts=(part(FIRST.encode(), *addresses),))
    assert "wrong checksum" in refusal("tiny")


@pytest.fixture
def table(catalogue: Catalogue, site: Site) -> Callable[..., None]:
    """A file that is made of three others."""
    parts = {"o": b"Big words.\n", "s": b"Words.\n", "l": b"Overall\tG\tM\tS\nOK\tgood\tbad\tok\n"}
    stored = (
        "original\tsimplification\tgrammaticality\tmeaning\tsimplicity\toverall\n"
        "Big words.\tWords.\tgood\tbad\tok\tok\n"
    )
    whole = catalogue.file("table", "tiny/t.tsv", stored)

    def make(**known: str) -> None:
        for name, content in parts.items():
            site.files[name] = content
        made = tuple(
            part(content, f"{site.address}/{name}")
            if known.get(name) != "unknown"
            else Part((f"{site.address}/{name}",), "no", len(content))
            for name, content in parts.items()
        )
        catalogue.add("table", whole)
        catalogue.change("table", 0, parts=made, change="qats test")

    return make


def test_a_file_of_several_parts(catalogue: Catalogue, site: Site, data: Path, table: Callable[..., None]) -> None:
    table(s="unknown")
    fetch("table")
    assert tree(data) == {"tiny/t.tsv"}
    assert (data / "tiny/t.tsv").read_bytes() == catalogue.content["tiny/t.tsv"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "s",
            b"Other.\n",
            "made of several files): wrong checksum",
        ),  # its own sum is unknown, that of the whole is not
        ("s", b"A\nB\n", "made of several files): wrong checksum"),  # nothing can be made of it
        ("l", b"Overall\tG\tM\tS\nno\tgood\tbad\tok\n", "/l): wrong checksum"),
    ],
)
def test_a_wrong_part(
    site: Site, data: Path, table: Callable[..., None], name: str, content: bytes, words: str
) -> None:
    table(s="unknown")
    site.files[name] = content
    assert words in refusal("table")
    assert tree(data) == {"tiny/t.tsv.bad"}


# The mirror


def test_a_mirror_has_the_stored_names_and_forms(
    catalogue: Catalogue, site: Site, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.files = {f"my sets/{name}": content for name, content in catalogue.content.items()}
    monkeypatch.setenv("PLAINLY_DATA_MIRROR", f"{site.address}/my%20sets/")
    fetch("tiny")
    assert tree(data) == ALL
    assert all(name.startswith("my sets/") for name, _ in site.asked)


def test_a_mirror_may_be_a_folder(
    catalogue: Catalogue, site: Site, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, content in catalogue.content.items():
        (tmp_path / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "copy" / name).write_bytes(content)
    monkeypatch.setenv("PLAINLY_DATA_MIRROR", (tmp_path / "copy").as_uri())
    fetch("tiny")
    assert tree(data) == ALL
    (data / "outputs/A+B.txt").unlink()
    (tmp_path / "copy" / "outputs/A+B.txt").unlink()
    assert refusal("tiny").endswith("outputs/A%2BB.txt: no such file there")
    assert site.asked == []


def test_a_mirror_of_a_file_with_parts_holds_the_whole(
    catalogue: Catalogue, site: Site, data: Path, table: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    table()
    site.files = dict(catalogue.content)
    monkeypatch.setenv("PLAINLY_DATA_MIRROR", site.address)
    fetch("table")
    assert tree(data) == {"tiny/t.tsv"}


@pytest.mark.parametrize("mirror", ["ftp://host/x", "/a/folder", "host/path", "http://host/x?y=1", "http://[host"])
def test_other_mirrors_are_refused(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch, mirror: str) -> None:
    monkeypatch.setenv("PLAINLY_DATA_MIRROR", mirror)
    assert refusal("tiny") == f"PLAINLY_DATA_MIRROR must be an address like http://host/path, not {mirror!r}"


# The folder


def test_a_data_folder_that_is_a_file(catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PLAINLY_DATA", str(tmp_path / "file"))
    assert refusal("tiny") == f"{tmp_path / 'file'} is not a folder; PLAINLY_DATA must name one"


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="there is no /proc")
def test_a_folder_that_cannot_be_written(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAINLY_DATA", "/proc/plainly")
    assert refusal("tiny").startswith("cannot write to /proc/plainly: ")


def test_only_one_process_fetches_at_a_time(catalogue: Catalogue, data: Path) -> None:
    with store.locked():
        assert refusal("tiny") == f"another plainly is fetching into {data}; wait until it is done"
    fetch("tiny")


def test_the_usual_folder_is_in_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLAINLY_DATA", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert store.folder() == tmp_path / "plainly" / "data"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert store.folder() == Path.home() / ".cache" / "plainly" / "data"


# No network


def test_no_network(catalogue: Catalogue, site: Site, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*arguments: object, **options: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nowhere)
    host = site.address.removeprefix("http://")
    assert refusal("tiny") == f"cannot find {host}; is there a network?"  # said at once, not file by file
    assert tree(data) == set()


def test_nobody_listens(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PLAINLY_DATA_MIRROR", f"http://127.0.0.1:{taken.getsockname()[1]}")
        assert refusal("tiny").endswith("refuses the connection")


@pytest.mark.skipif(os.name != "posix", reason="POSIX only")
def test_files_are_as_readable_as_any(catalogue: Catalogue, data: Path) -> None:
    before = os.umask(0o022)
    try:
        fetch("tiny")
    finally:
        os.umask(before)
    assert (data / "tiny/tiny.orig").stat().st_mode & 0o777 == 0o644
