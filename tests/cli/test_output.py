"""--output: a file is replaced as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from stat import S_IMODE, S_ISCHR
from typing import Any

import pytest

from plainly.scoring import results


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    "arguments",
    [[], ["--format", "json"], ["--per-segment"], ["--explain-sari", "easse", "star"], ["--list", "--format", "csv"]],
)
def test_the_file_holds_what_would_be_printed(
    arguments: list[str], plainly: Any, files: list[str], folder: Path
) -> None:
    (folder / "r.txt").write_text("something longer that was here before\n" * 1000)
    printed = plainly("score", *files, *arguments).printed
    run = plainly("score", *files, *arguments, "--output", folder / "r.txt")
    assert run.printed == ""
    assert (folder / "r.txt").read_text(encoding="utf-8") == printed
    assert names(folder) == ["r.txt"]


def test_a_dash_is_standard_output(plainly: Any, files: list[str]) -> None:
    assert plainly("score", *files, "--output", "-").printed == plainly("score", *files).printed
    assert not Path("-").exists()


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_file_has_ordinary_permissions(mask: int, plainly: Any, files: list[str], folder: Path) -> None:
    before = os.umask(mask)
    try:
        plainly("score", *files, "--output", folder / "new.txt")
        (folder / "ordinary.txt").touch()
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert (folder / "new.txt").stat().st_mode == (folder / "ordinary.txt").stat().st_mode


def test_a_replaced_file_keeps_its_permissions(plainly: Any, files: list[str], folder: Path) -> None:
    (folder / "private.txt").touch(0o600)
    plainly("score", *files, "--output", folder / "private.txt")
    assert S_IMODE((folder / "private.txt").stat().st_mode) == 0o600


def test_a_link_stays_a_link(plainly: Any, files: list[str], folder: Path, tmp_path: Path) -> None:
    (folder / "link").symlink_to(tmp_path / "target.txt")
    printed = plainly("score", *files).printed
    plainly("score", *files, "--output", folder / "link")
    assert (folder / "link").is_symlink()
    assert (tmp_path / "target.txt").read_text(encoding="utf-8") == printed


def test_the_longest_name_there_can_be(plainly: Any, files: list[str], folder: Path) -> None:
    name = "x" * 255
    assert plainly("score", *files, "--output", folder / name).printed == ""
    assert names(folder) == [name]


def test_an_input_is_not_replaced(plainly: Any, files: list[str]) -> None:
    before = Path("mine.txt").read_text(encoding="utf-8")
    run = plainly("score", *files, "--output", "mine.txt")
    assert (run.status, run.out) == (2, "")
    assert "mine.txt is an input of this run" in run.err
    assert Path("mine.txt").read_text(encoding="utf-8") == before


def test_a_failing_run_leaves_the_old_file(
    plainly: Any, files: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    (folder / "r.txt").write_text("old")
    monkeypatch.setattr(results, "result", fail)
    run = plainly("score", *files, "--output", folder / "r.txt")
    assert run.refusal == "[Errno 28] No space left on device"
    assert (folder / "r.txt").read_text() == "old"
    assert names(folder) == ["r.txt"]


def test_an_interrupted_run_leaves_the_old_file(
    plainly: Any, files: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    (folder / "r.txt").write_text("old")
    monkeypatch.setattr(results, "result", interrupt)
    run = plainly("score", *files, "--output", folder / "r.txt")
    assert (run.status, run.out, run.err) == (130, "", "plainly: stopped\n")
    assert (folder / "r.txt").read_text() == "old"
    assert names(folder) == ["r.txt"]


def test_a_fault_of_our_own_is_owned_up_to(
    plainly: Any, files: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.delenv("PLAINLY_DEBUG", raising=False)
    monkeypatch.setattr(results, "result", fail)
    run = plainly("score", *files, "--output", folder / "r.txt")
    assert (run.status, run.out) == (1, "")
    assert run.err == "plainly: a fault in plainly itself: ZeroDivisionError: oh (PLAINLY_DEBUG=1 shows where)\n"
    assert names(folder) == []
    monkeypatch.setenv("PLAINLY_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        plainly("score", *files)


def test_a_device_is_written_to_and_not_replaced(plainly: Any, files: list[str]) -> None:
    assert plainly("score", *files, "--output", os.devnull).printed == ""
    assert S_ISCHR(Path(os.devnull).stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_device(plainly: Any, files: list[str]) -> None:
    assert "No space left on device" in plainly("score", *files, "--output", "/dev/full").refusal


def test_folders_are_refused(plainly: Any, files: list[str], folder: Path) -> None:
    assert plainly("score", *files, "--output", folder).refusal == f"cannot write {folder}: Is a directory"
    assert plainly("score", *files, "--output", "").refusal == "cannot write: the file name is empty"


def test_a_missing_folder_is_refused(plainly: Any, files: list[str]) -> None:
    refusal = plainly("score", *files, "--output", "no/such/r.txt").refusal
    assert refusal == "cannot write no/such/r.txt: No such file or directory"
    assert not Path("no").exists()


def test_a_folder_without_permission_is_refused(
    plainly: Any, files: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made to fail, because no permission is missing when the tests run as root."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    refusal = plainly("score", *files, "--output", folder / "r.txt").refusal
    assert refusal == f"cannot write {folder / 'r.txt'}: Permission denied"


def test_a_write_protected_file_is_refused(
    plainly: Any, files: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "r.txt").write_text("old")
    (folder / "r.txt").chmod(0o444)
    if os.access(folder / "r.txt", os.W_OK):  # root may write anything
        monkeypatch.setattr(os, "access", lambda path, mode: False)
    refusal = plainly("score", *files, "--output", folder / "r.txt").refusal
    assert refusal == f"cannot write {folder / 'r.txt'}: it is write-protected"
    assert (folder / "r.txt").read_text() == "old"
    assert names(folder) == ["r.txt"]


@pytest.mark.parametrize("command", ["score", "compare"])
def test_the_ending_says_the_format(command: str, plainly: Any, files: list[str], folder: Path) -> None:
    endings = {
        "json": "json",
        "csv": "csv",
        "tsv": "tsv",
        "md": "markdown",
        "tex": "latex",
        "html": "html",
        "txt": "table",
    }
    for ending, form in endings.items():
        written = folder / f"r.{ending}"
        assert plainly(command, *files, "--metrics", "fkgl", "--output", written).printed == ""
        assert written.read_text("utf-8") == plainly(command, *files, "--metrics", "fkgl", "--format", form).printed


@pytest.mark.parametrize("command", ["score", "compare"])
def test_an_ending_that_nothing_writes_is_refused_before_the_work(
    command: str, plainly: Any, files: list[str]
) -> None:
    refusal = plainly(command, *files, "-o", "r.docx").refusal
    assert refusal.startswith("unknown ending of a file 'docx'; known: csv, htm, html, json, ")
    assert not Path("r.docx").exists()
    printed = plainly(command, *files, "--metrics", "fkgl", "--format", "csv").printed
    assert plainly(command, *files, "--metrics", "fkgl", "-o", "r.docx", "--format", "csv").printed == ""
    assert Path("r.docx").read_text("utf-8") == printed


def test_an_unknown_form_is_refused(plainly: Any, files: list[str]) -> None:
    assert (
        plainly("compare", *files, "--format", "jsn").refusal
        == "unknown value of --format 'jsn'; did you mean 'json'?"
    )
