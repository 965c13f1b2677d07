"""`plainly studio` at the terminal: everything that needs no web, and a server that starts and stops."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from plainly.cli import main
from plainly.studio import server
from plainly.studio.running import running
from plainly.studio.security.passwords import matches
from plainly.studio.settings import Settings, made_folder, sqlite_url
from plainly.studio.store import campaigns, people, users
from plainly.studio.store.database import Database

from ...waiting import LONG

Run = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLAINLY_STUDIO", str(tmp_path / "studio"))
    monkeypatch.delenv("PLAINLY_STUDIO_DATABASE", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command; gives what it prints, or what it complains of."""

    def ran(*arguments: str, stdin: str = "", fails: bool = False) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        status = main(["studio", *arguments])
        printed = capsys.readouterr()
        assert status == (2 if fails else 0), printed.err
        if fails:
            assert printed.err.startswith("plainly: ")
            assert printed.err.count("\n") == 1
            return printed.err
        return printed.out

    return ran


@pytest.fixture
def here(folder: Path, run: Run) -> Iterator[Database]:
    """The database that the commands use."""
    database = Database(sqlite_url(made_folder(folder / "studio") / "studio.sqlite"))
    yield database
    database.close()


def words(folder: Path, *texts: str) -> str:
    (folder / "words.txt").write_text("".join(f"{text}\n" for text in texts), "utf-8")
    return "words=words.txt"


def new(run: Run, folder: Path, *more: str) -> str:
    made = run(
        "import", "--kind", "toy", "--input", words(folder, "cat", "dog"), "--name", "A", "--lang", "en", *more
    )
    return made.strip()


def test_users(run: Run, here: Database) -> None:
    run("user", "add", "anna", stdin="correct horse battery\n")
    run("user", "add", "bert", "--role", "analyst", stdin="correct horse battery\n")
    listed = json.loads(run("user", "list", "--format", "json"))["users"]
    assert [(user["name"], user["role"]) for user in listed] == [("anna", "owner"), ("bert", "analyst")]
    run("user", "password", "anna", stdin="another long password\n")
    with here.reading() as session:
        assert matches(users.named(session, "anna").password, "another long password")
    assert "only owner" in run("user", "delete", "anna", fails=True)
    run("user", "delete", "bert")
    assert "unknown user 'bert'" in run("user", "delete", "bert", fails=True)
    assert "already" in run("user", "add", "anna", stdin="correct horse battery\n", fails=True)
    assert "at least" in run("user", "add", "cora", stdin="short\n", fails=True)
    assert "--password" in run("user", "add", "cora", "--password", "x", fails=True)


def test_columns_of_any_names(run: Run, here: Database, folder: Path) -> None:
    (folder / "odd.csv").write_text("nr,sentence\n1,One.\n2,Two.\n", "utf-8")
    (folder / "pairs.csv").write_text("l,r\n1,2\n", "utf-8")
    start = ("import", "--kind", "ranking", "--input", "texts=odd.csv", "--name", "A", "--lang", "en")
    assert "needs id and text; found nr, sentence" in run(*start, fails=True)
    assert "unknown column of texts: 'tea'" in run(*start, "--columns", "tea=nr", fails=True)
    assert "there is no column 'no'" in run(*start, "--columns", "id=no,text=sentence", fails=True)
    pairs = ("--input", "pairs=pairs.csv", "--option", "pairs=fixed", "--columns", "pairs.first=l,second=r")
    made = run(*start, "--columns", "id=nr,text=sentence", *pairs).strip()
    with here.reading() as session:
        assert campaigns.get(session, made).settings["list"] == [["1", "2", "1"]]


def test_the_welcome_of_the_docs_is_taken_as_it_stands(run: Run, here: Database, folder: Path, toy: object) -> None:
    page = (Path(__file__).parents[3] / "docs" / "studio.md").read_text("utf-8")
    example = page.partition("`--welcome` names a file")[2].partition("```yaml\n")[2].partition("```")[0]
    (folder / "welcome.yaml").write_text(example, "utf-8")
    made = new(run, folder, "--option", "extra=no", "--welcome", "welcome.yaml")
    with here.reading() as session:
        form = campaigns.get(session, made).welcome["form"]
    assert [field["label"] for field in form] == [
        "How old are you?",
        "How well do you know English?",
        "What do you do?",
    ]
    twice = example.replace("[some, well, native]", "[some, well, some]")
    assert twice != example
    (folder / "welcome.yaml").write_text(twice, "utf-8")
    start = ("import", "--kind", "toy", "--input", words(folder, "cat", "dog"), "--name", "B", "--lang", "en")
    assert "the option 'some' is there twice" in run(*start, "--welcome", "welcome.yaml", fails=True)


def test_a_campaign_from_files_and_through_an_export(run: Run, here: Database, folder: Path, toy: object) -> None:
    (folder / "welcome.yaml").write_text(
        "instructions: Read.\nform:\n- {id: age, label: Age, kind: number}\n", "utf-8"
    )
    made = new(run, folder, "--option", "extra=no", "--welcome", "welcome.yaml", "--seed", "5", "--interface", "de")
    with here.writing() as session:
        row = campaigns.change(session, made, 1, status="open")
        assert (row.seed, row.settings, row.interface) == (5, {"extra": False}, "de")
        assert row.welcome["form"][0]["id"] == "age"
        people.invite(session, made, 2)
    assert "A" in run("export")
    assert json.loads(run("export", "--format", "json"))["campaigns"][0]["participants"] == 2
    run("export", made, "-o", "out")
    names = ["answers.csv", "campaign.json", "participants.csv"]
    assert sorted(path.name for path in (folder / "out").iterdir()) == names
    run("export", "A", "-o", "out.zip")
    with zipfile.ZipFile(folder / "out.zip") as packed:
        assert sorted(packed.namelist()) == names
        assert packed.read("answers.csv") == (folder / "out" / "answers.csv").read_bytes()
    assert "--force" in run("export", "A", "-o", "out", fails=True)
    run("export", "A", "-o", "out", "--force")
    elsewhere = ("--folder", "elsewhere")
    for place in ("out", "out.zip", "out/campaign.json"):
        run("import", place, "--new-links", *elsewhere)
    assert len(json.loads(run(*elsewhere, "export", "--format", "json"))["campaigns"]) == 3
    assert "are named 'A'" in run("export", "A", "-o", "x", *elsewhere, fails=True)
    assert "--new-links" in run("import", "out", fails=True)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["export", "none", "-o", "x"], "there is no studio in"),
        (["user", "list"], "there is no studio in"),
        (["user", "list", "--folder", "mistyped"], "there is no studio in"),
        (["--database", "sqlite:///mistyped.sqlite", "backup", "x"], "mistyped.sqlite"),
        (["import"], "name an export"),
        (["import", "none.zip"], "cannot read none.zip"),
        (["import", "words.txt"], "no JSON"),
        (["import", "words.txt", "--kind", "toy"], "leave out --kind"),
        (["import", "--kind", "magic", "--name", "A"], "unknown kind"),
        (["import", "--kind", "toy"], "--name"),
        (["import", "--kind", "toy", "--name", "A"], "'words' is missing"),
        (["import", "--kind", "toy", "--name", "A", "--input", "words"], "SLOT=FILE"),
        (["import", "--kind", "toy", "--name", "A", "--input", "word=words.txt"], "did you mean 'words'"),
        (["import", "--kind", "toy", "--name", "A", "--input", "words=none.txt"], "no such file"),
        (["import", "--kind", "toy", "--name", "A", "--input", "words=x.csv"], "must end in .txt"),
        (["import", "--kind", "toy", "--name", "A", "--input", "words=words.txt"], "--lang"),
        (["import", "--kind", "toy", "--name", "A", "--input", "words=words.txt", "--option", "times=9"], "times"),
        (["import", "--kind", "toy", "--name", "A", "--input", "words=words.txt", "--option", "time=9"], "times"),
        (
            ["import", "--kind", "toy", "--name", "A", "--input", "words=empty.txt", "--lang", "en"],
            "empty.txt:2: empty",
        ),
        (["backup", "x"], "there is no studio in"),
        (["restore", "words.txt"], "no backup"),
        (["--database", "mysql://x/y"], "kind 'mysql'"),
        (["--database", "sqlite:///x", "--folder", "y", "user", "list"], "leave out --folder"),
        (["--port", "70000"], "65535"),
        (["--host", "256.1.1.1"], "cannot listen"),
    ],
)
def test_complaints(run: Run, folder: Path, toy: object, arguments: list[str], complaint: str) -> None:
    words(folder, "cat")
    (folder / "empty.txt").write_text("cat\n\ndog\n")
    assert complaint in run(*arguments, fails=True)
    assert not (folder / "mistyped").exists()
    assert not (folder / "mistyped.sqlite").exists()


def test_complaints_about_a_studio_that_is_there(run: Run, here: Database, folder: Path) -> None:
    assert "no campaigns" in run("export", "none", "-o", "x", fails=True)
    assert "cannot write" in run("backup", "no/such/folder", fails=True)


@pytest.mark.skipif(sys.platform == "win32", reason="no locks of this kind there")
def test_no_backup_takes_the_place_of_a_studio_that_runs(run: Run, here: Database, folder: Path, toy: object) -> None:
    new(run, folder)
    run("backup", "monday.sqlite")
    with running(here.path):
        assert "a studio is running there: stop it first" in run("restore", "monday.sqlite", "--force", fails=True)
    run("restore", "monday.sqlite", "--force")


def test_backup_and_restore(run: Run, here: Database, folder: Path, toy: object) -> None:
    made = new(run, folder)
    run("backup", "monday.sqlite")
    with here.writing() as session:
        campaigns.remove(session, made)
    run("restore", "monday.sqlite")
    with here.reading() as session:
        assert campaigns.get(session, made).name == "A"
    assert "--force" in run("restore", "monday.sqlite", fails=True)


def test_only_the_terminal_says_the_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody on a machine can see with which address a browser was started."""
    opened: list[str] = []
    said: list[str] = []
    monkeypatch.setattr(server.webbrowser, "open", opened.append)
    monkeypatch.setattr(server.uvicorn.Server, "run", lambda *_, **__: None)
    monkeypatch.setattr(sys, "setswitchinterval", lambda _: None)
    server.serve(Settings(sqlite_url(folder / "x.sqlite"), port=0), said.append, browser=True)
    assert "setup?code=" in said[1]
    assert opened == [said[0].rpartition(" ")[2]]


@pytest.mark.slow
def test_the_studio_starts_says_where_and_stops(folder: Path) -> None:
    program = "import sys; from plainly.cli import command; sys.exit(command())"
    command = [sys.executable, "-c", program, "studio", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        setup = process.stdout.readline()
        assert address is not None
        assert f"{address[0]}setup?code=" in setup
        assert "studio.sqlite" in process.stdout.readline()
        health = httpx.get(f"{address[0]}api/health", timeout=LONG).json()
        assert health["status"] == "ok"
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 143
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
