"""Installing: a real environment with a real package, what goes wrong on the way, checks and removal."""

from __future__ import annotations

import base64
import hashlib
import json
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from plugin_helpers import WELL_BEHAVED, Make

import plainly
from plainly import plugins
from plainly.base.errors import PlainlyError
from plainly.base.files import locked
from plainly.plugins import Session, entries, environment
from plainly.plugins.entries import Check

# The environment of this plug-in has a package that plainly's has not.
WITH_PACKAGE = WELL_BEHAVED.replace(
    "import json, sys", "import json, sys\nfrom tiny_words import count_words"
).replace('len(record["output"].split())', 'count_words(record["output"])')


def tiny_wheel(folder: Path, version: str = "1.0") -> str:
    """A wheel made by hand, so that no build tool and no network is needed; returns its name."""
    info = f"tiny_words-{version}.dist-info"
    files = {
        "tiny_words.py": "def count_words(text):\n    return len(text.split())\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: tiny-words\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = []
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(text.encode())}\n")
    files[f"{info}/RECORD"] = "".join([*rows, f"{info}/RECORD,,\n"])
    wheel = folder / f"tiny_words-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return wheel.name


@pytest.mark.slow
def test_an_environment_with_a_package_of_its_own(
    make: Make, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    (tmp_path / "source-of-tally").mkdir()
    wheel = tiny_wheel(tmp_path / "source-of-tally")
    entry = make(WITH_PACKAGE, requirements=[f"./{wheel}"])
    said: list[str] = []

    # A requirement that is nowhere: nothing is taken for installed, and one line says what is wrong.
    with pytest.raises(PlainlyError, match=r"pip could not install tally: .*no-such-package.*pip\.txt") as raised:
        plugins.install(replace(entry, requirements=(f"./{wheel}", "no-such-package")), quiet=True)
    assert "\n" not in str(raised.value)
    assert plugins.state(entry) == "unfinished"

    # It goes on with the environment that is there.
    identity = plugins.install(entry, tell=said.append, quiet=True)
    assert identity.version == "1.2"
    assert [line for line in said if "making an environment" in line] == []
    assert plugins.state(entry) == "installed"
    assert "tally" in plugins.names()
    record = json.loads((folder / "installed" / "tally" / "installed.json").read_text("utf-8"))
    assert Path(record["python"]).is_relative_to(folder)

    with pytest.raises(ModuleNotFoundError):
        __import__("tiny_words")
    scores = plainly.evaluate(["s", "s"], ["one two three", "one"], [["r"], ["r"]], metrics=["tally", "bleu"])
    assert scores["output"]["tally"].score == 2.0

    # Once more: nothing is installed again.
    said.clear()
    plugins.install(entry, tell=said.append, quiet=True)
    assert said == ["tally: starting it; it may fetch its model now"]
    assert plugins.check("tally") == identity

    # The environment has lost its Python: not installed, and made anew.
    (folder / "installed" / "tally" / "environment" / "bin" / "python").unlink()
    assert plugins.state(entry) == "unfinished"
    plugins.install(entry, tell=said.append, quiet=True)
    assert [line for line in said if "making an environment" in line]

    assert plugins.remove("tally")
    assert not (folder / "installed" / "tally").exists()
    assert plugins.state(entry) == "not installed"


def test_without_requirements_no_environment_is_made(make: Make, folder: Path) -> None:
    plugins.install(make(), quiet=True)
    assert sorted(path.name for path in (folder / "installed" / "tally").iterdir()) == ["installed.json"]
    assert entries.record("tally")["python"] == sys.executable


def test_a_program_that_does_not_work_is_not_installed(make: Make, folder: Path) -> None:
    entry = make("import sys; sys.exit('it lacks a library')")
    with pytest.raises(
        PlainlyError, match=r"tally does not work: it ended with status 1; its last words: it lacks a"
    ):
        plugins.install(entry, quiet=True)
    assert plugins.state(entry) == "unfinished"
    assert "tally" not in plugins.names()
    assert plugins.remove("tally")


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (Check("one two", 3, 4, "a paper"), r"it gave 2 for 'one two', not 3 to 4 \(a paper\)"),
        (Check("", 0, 4, "a paper"), "it gave no score for ''$"),
        (Check("bad", 0, 4, "a paper"), "it gave no score for 'bad': 'a bad text'$"),
    ],
)
def test_known_scores_are_checked(check: Check, message: str, make: Make) -> None:
    right = Check("one two", 2, 2, "counted")
    entry = make()
    assert plugins.install(replace(entry, checks=(right,)), quiet=True).version == "1.2"
    with pytest.raises(PlainlyError, match=f"tally does not work: {message}"):
        plugins.install(replace(entry, checks=(right, check)), quiet=True)


def test_one_at_a_time(make: Make, folder: Path) -> None:
    entry = make()
    with locked(folder, "installing into"), pytest.raises(PlainlyError, match="another plainly is installing into"):
        plugins.install(entry, quiet=True)


def test_a_python_that_is_not_there(make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    entry = make(requirements=["tiny-words"], python=["3.2", "3.3"])
    wanted = r"wants Python 3\.2 or 3\.3, here is 3\.\d+; install one; if there is one elsewhere, pass python="
    with pytest.raises(PlainlyError, match="tally " + wanted):
        plugins.install(entry, quiet=True)
    with pytest.raises(PlainlyError, match="/no/such/python cannot be started: No such file"):
        plugins.install(entry, python="/no/such/python", quiet=True)
    with pytest.raises(PlainlyError, match="/bin/false cannot make an environment in "):
        plugins.install(entry, python="/bin/false", quiet=True)
    old = tmp_path / "python3.3"
    old.write_text("#!/bin/sh\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert environment._base_python(entry) == str(old)


def test_removing_and_checking_what_is_not_there(make: Make) -> None:
    assert not plugins.remove("lens")
    with pytest.raises(PlainlyError, match="unknown plug-in 'nonsense'"):
        plugins.remove("nonsense")
    with pytest.raises(PlainlyError, match="lens is not installed; run: plainly plugins install lens"):
        plugins.check("lens")
    with pytest.raises(PlainlyError, match="tally is not installed"):
        Session(make()).identity()


def test_the_usual_folder_is_in_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PLAINLY_PLUGINS")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert entries.folder() == tmp_path / "plainly" / "plugins"
    (tmp_path / "file").touch()
    monkeypatch.setenv("PLAINLY_PLUGINS", str(tmp_path / "file"))
    with pytest.raises(PlainlyError, match="file is not a folder; PLAINLY_PLUGINS must name one"):
        entries.folder()
