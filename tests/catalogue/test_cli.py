"""`plainly data` as people and scripts use it."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from catalogue_helpers import FIRST, Catalogue, Site, tree

from plainly.cli import main
from plainly.corpus.catalogue import names

COMMAND = str(Path(sys.executable).parent / "plainly")


@dataclass(frozen=True)
class Run:
    status: int
    out: str
    err: str

    @property
    def printed(self) -> str:
        assert self.status == 0, self.err
        return self.out

    @property
    def refusal(self) -> str:
        """The one line that a run on bad input printed."""
        assert (self.status, self.out, self.err.count("\n")) == (2, "", 1), self
        return self.err.removeprefix("plainly: ").removesuffix("\n")


Data = Callable[..., Run]


@pytest.fixture
def plainly_data(capsys: pytest.CaptureFixture[str]) -> Data:
    """Runs `plainly data ...` in this process."""

    def run(*arguments: str) -> Run:
        capsys.readouterr()
        try:
            status = main(["data", *arguments])
        except SystemExit as end:  # --help
            status = int(end.code or 0)
        return Run(status, *capsys.readouterr())

    return run


class Terminal(io.StringIO):
    """A person at a terminal who types what is given."""

    def isatty(self) -> bool:
        return True


# list


def test_list(plainly_data: Data) -> None:
    lines = plainly_data("list").printed.splitlines()
    assert " ".join(lines[0].split()) == "name kind language domain segments references systems licence here"
    assert [line.split()[0] for line in lines[2:]] == names()
    assert any(line.split()[0] == "asset-test" and "CC BY-NC 4.0, non-commercial" in line for line in lines)


def test_list_in_all_formats(plainly_data: Data) -> None:
    rows = list(csv.DictReader(io.StringIO(plainly_data("list", "--format", "csv").printed)))
    assert [row["name"] for row in rows] == names()
    asset = next(row for row in rows if row["name"] == "asset-test")
    assert (asset["segments"], asset["references"], asset["systems"], asset["here"]) == ("359", "10", "16", "no")
    assert plainly_data("list", "--format", "markdown").printed.startswith("| name | kind | language | domain |")
    assert r"\toprule" in plainly_data("list", "--format", "latex").printed
    content = json.loads(plainly_data("list", "--format", "json").printed)["data_sets"]
    assert [entry["name"] for entry in content] == names()
    asset_test = next(entry for entry in content if entry["name"] == "asset-test")
    assert asset_test["licence"]["non_commercial"] is True
    assert len(asset_test["files"]) == 27


def test_list_says_what_is_here(plainly_data: Data, catalogue: Catalogue, data: Path) -> None:
    plainly_data("fetch", "tiny")
    (data / "closed").mkdir()
    (data / "closed/closed.simp").write_text(FIRST)
    rows = csv.DictReader(io.StringIO(plainly_data("list", "--format", "csv").printed))
    assert {row["name"]: row["here"] for row in rows} == {"closed": "1 of 2 files", "tiny": "yes"}


# show


def test_show(plainly_data: Data) -> None:
    text = plainly_data("show", "asset-test").printed
    assert "licence         CC BY-NC 4.0\n" in text
    assert "commercial use  not allowed\n" in text
    assert "systems         BTRLTS, BTRLTS10, " in text
    assert text.rstrip().endswith("}")
    assert "commercial use  allowed\n" in plainly_data("show", "textcomplexityde-test").printed
    assert "commercial use  not stated; ask the authors\n" in plainly_data("show", "pwkp-test").printed


def test_show_in_other_formats(plainly_data: Data) -> None:
    facts = json.loads(plainly_data("show", "abgb-test", "--format", "json").printed)
    assert facts["segments"] == 448
    assert facts["files"][2]["parts"][0]["checked"] == "sample"
    rows = dict(csv.reader(io.StringIO(plainly_data("show", "pwkp-test", "--format", "csv").printed)))
    assert rows["segments"] == "100"
    assert "| language | de |" in plainly_data("show", "abgb-test", "--format", "markdown").printed


def test_bibtex_alone(plainly_data: Data) -> None:
    assert plainly_data("show", "hsplit-test", "--bibtex").printed.startswith(
        "@inproceedings{sulem-etal-2018-bleu,\n"
    )


# fetch, path, verify


def test_fetch_path_verify(plainly_data: Data, catalogue: Catalogue, data: Path) -> None:
    assert plainly_data("fetch", "tiny").printed == f"tiny: 4 of 4 files fetched, in {data}\n"
    assert plainly_data("fetch", "tiny").printed == f"tiny: 4 of 4 files are there already, in {data}\n"
    assert plainly_data("verify", "tiny").printed == f"tiny: 4 of 4 files are there and right, in {data}\n"
    expected = [str(data / file.name) for file in catalogue.sets["tiny"].files]
    assert plainly_data("path", "tiny").printed.splitlines() == expected
    assert plainly_data("path", "tiny", "--only", "reference").printed.splitlines() == expected[1:3]


def test_quiet(plainly_data: Data, catalogue: Catalogue) -> None:
    assert plainly_data("fetch", "tiny", "--quiet") == Run(0, "", "")


def test_only_fetch_uses_the_network(plainly_data: Data, catalogue: Catalogue, site: Site) -> None:
    plainly_data("list")
    plainly_data("show", "tiny")
    assert plainly_data("path", "tiny").status == 2
    assert plainly_data("verify", "tiny").status == 2
    assert site.asked == []


@pytest.mark.parametrize("action", ["show", "fetch", "path", "verify"])
def test_unknown_set(plainly_data: Data, action: str) -> None:
    what = "test set or system" if action == "show" else "test set"
    assert plainly_data(action, "aset-test").refusal == f"unknown {what} 'aset-test'; did you mean 'asset-test'?"


def test_an_unknown_set_stops_the_fetch_of_all(plainly_data: Data, catalogue: Catalogue, site: Site) -> None:
    assert plainly_data("fetch", "tiny", "tinny").refusal == "unknown test set 'tinny'; did you mean 'tiny'?"
    assert site.asked == []


def test_path_and_verify_of_what_is_not_there(plainly_data: Data, catalogue: Catalogue, data: Path) -> None:
    message = f"tiny is not on this machine: its files are not in {data}; run: plainly data fetch tiny"
    assert plainly_data("path", "tiny").refusal == message
    assert plainly_data("verify", "tiny").refusal == message
    assert plainly_data("path", "tiny", "--only", "table").refusal == "tiny has no file with the role table"


def test_verify_finds_a_changed_file(plainly_data: Data, catalogue: Catalogue, data: Path) -> None:
    plainly_data("fetch", "tiny")
    path = data / "tiny/tiny.simp.0"
    path.write_text(FIRST.replace("cat", "dog"))
    assert plainly_data("verify", "tiny").refusal.startswith(f"{path} is not the file of the catalogue")


def test_a_failed_fetch_is_one_line(plainly_data: Data, catalogue: Catalogue, site: Site, data: Path) -> None:
    site.files["up/tiny/tiny.simp.0"] = b"wrong"
    refusal = plainly_data("fetch", "tiny").refusal
    assert "wrong checksum" in refusal
    assert str(data / "tiny/tiny.simp.0.bad") in refusal
    assert not (data / "tiny/tiny.simp.0").exists()


@pytest.mark.parametrize("arguments", [[], ["list"], ["show"], ["fetch"], ["path"], ["verify"]])
def test_help_has_an_example(plainly_data: Data, arguments: list[str]) -> None:
    text = plainly_data(*arguments, "--help").printed
    assert f"example:\n  plainly data {' '.join(arguments)}".rstrip() in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "the following arguments are required: ACTION (see plainly data --help)"),
        (["fetsh"], "unknown command 'fetsh'; did you mean 'fetch'?"),
        (["fetch"], "the following arguments are required: NAME (see plainly data fetch --help)"),
        (["list", "--form", "csv"], "unknown option '--form'; did you mean '--format'?"),
        (["path", "x", "--only", "sources"], "unknown value of --only 'sources'; did you mean 'source'?"),
    ],
)
def test_bad_arguments(plainly_data: Data, arguments: list[str], words: str) -> None:
    assert plainly_data(*arguments).refusal == words


# The licence


def test_no_terminal_no_question(plainly_data: Data, catalogue: Catalogue, site: Site, data: Path) -> None:
    refusal = plainly_data("fetch", "tiny", "closed").refusal
    assert refusal == (
        "closed has terms to accept: say --accept-licence to fetch it. CC BY-NC 4.0: No commercial use."
    )
    assert site.asked == []
    assert not data.exists()
    assert plainly_data("fetch", "closed", "--accept-licence").status == 0


@pytest.mark.parametrize(("typed", "accepted"), [("y\n", True), ("Yes\n", True), ("n\n", False), ("", False)])
def test_the_question(
    catalogue: Catalogue, data: Path, monkeypatch: pytest.MonkeyPatch, typed: str, accepted: bool
) -> None:
    err = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    monkeypatch.setattr(sys, "stderr", err)
    assert main(["data", "fetch", "closed"]) == (0 if accepted else 2)
    assert "closed, CC BY-NC 4.0: No commercial use.\nDo you accept these terms? [y/N] " in err.getvalue()
    assert (data / "closed/closed.orig").exists() == accepted
    if not accepted:
        assert "the licence of closed was not accepted; nothing was fetched" in err.getvalue()


def test_every_test_set_is_verified(catalogue: Catalogue, data: Path, plainly_data: Data) -> None:
    assert main(["data", "fetch", "tiny", "closed", "--accept-licence", "--quiet"]) == 0
    (data / "tiny/tiny.orig").write_text("mine")
    run = plainly_data("verify", "tiny", "closed")
    assert run.out.startswith("closed: 2 of 2 files are there and right")
    assert "tiny.orig is not the file of the catalogue" in run.err
    assert run.status == 2


def test_a_test_set_knows_its_language(catalogue: Catalogue, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "fetch", "tiny", "--quiet"]) == 0
    assert main(["score", "--test-set", "tiny", "--baselines", "identity", "--lang", "de"]) == 2
    assert capsys.readouterr().err == "plainly: tiny is in language 'en'; leave --lang de out\n"


def test_progress_on_a_terminal(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    err = Terminal()
    monkeypatch.setattr(sys, "stderr", err)
    assert main(["data", "fetch", "tiny"]) == 0
    assert err.getvalue().startswith("\rtiny: 0.00 of 0.00 MB, 0 of 4 files")
    assert err.getvalue().endswith("4 of 4 files\n")


@pytest.mark.parametrize(("typed", "status"), [(b"y\n", 0), (b"n\n", 2)])
def test_a_real_terminal(site: Site, shared: Path, data: Path, typed: bytes, status: int) -> None:
    """ASSET from a mirror, by the installed command, with a person at a terminal."""
    for path in (shared / "data").glob("asset/asset.valid.*"):
        site.files[f"asset/{path.name}"] = path.read_bytes()
    mirror = {"PLAINLY_DATA_MIRROR": site.address, "PLAINLY_DATA": str(data), "no_proxy": "*"}
    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen(
            [COMMAND, "data", "fetch", "asset-valid"],
            stdin=theirs,
            stderr=theirs,
            stdout=subprocess.PIPE,
            env={**os.environ, **mirror},
        ) as process:
            os.write(ours, typed)
            assert process.stdout
            out = process.stdout.read().decode()
            assert process.wait() == status
        said = os.read(ours, 1 << 20).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert "Do you accept these terms? [y/N]" in said
    if status == 0:
        assert out == f"asset-valid: 11 of 11 files fetched, in {data}\n"
        assert "11 of 11 files" in said
        assert len(tree(data)) == 11
    else:
        assert not data.exists()
