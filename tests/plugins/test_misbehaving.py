"""Plug-ins that crash, hang or talk nonsense: one clear line, nothing left running, other metrics still reported."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from plugin_helpers import HELLO, Make

import plainly
from plainly.corpus import Corpus
from plainly.metrics import get
from plainly.plugins import PluginFailure, Session

from ..waiting import LONG, until

pytestmark = pytest.mark.service  # programs in processes of their own

ANSWER = 'say({"scores": [{"id": r["id"], "score": 1} for r in records]})'
SAY = HELLO + "for records in batches():\n    "

# What a program does -> what plainly says of it.
CASES = {
    "no such program": (None, "/no/such/program cannot be started: No such file or directory"),
    "crashes at start": ("raise SystemExit('no GPU here')", "it ended with status 1; its last words: no GPU here"),
    "crashes when asked": (
        SAY + "raise ValueError('too hot')",
        "it ended with status 1; its last words: ValueError: too hot",
    ),
    "ends when asked": (HELLO, "it ended with status 0"),
    "is killed": (SAY + "os.kill(os.getpid(), 9)", "it was ended by SIGKILL"),
    "closes its output": (SAY + "os.close(1); time.sleep(60)", "it closed its standard output"),
    "hangs at start": ("import time; time.sleep(60)", "it did not answer within 0.5 seconds"),
    "hangs when asked": (SAY + "time.sleep(60)", "it did not answer within 0.5 seconds"),
    "answers in part and hangs": (
        SAY + "sys.stdout.write('{'); sys.stdout.flush(); time.sleep(60)",
        "within 0.5 seconds",
    ),
    "prints nonsense": (
        SAY + "say('Loading model ...')",
        "it printed 'Loading model ...', which is no answer; only answers may",
    ),
    "prints at start": (
        "print('Welcome!')",
        "it printed 'Welcome!'",
    ),  # seen before it is asked, or in place of an answer
    "prints bytes that are no text": (
        SAY + "os.write(1, bytes([255, 10]))",
        r"it printed '\\xff', which is no answer",
    ),
    "answers with a list": (SAY + "say([1])", "it printed '[1]', which is no answer"),
    "nests without end": (SAY + "say('[' * 100_000)", "which is no answer"),
    "prints before it is asked": (HELLO + "say('Warning: slow')\ntime.sleep(60)", "it printed 'Warning: slow'"),
    "prints a line without end": (
        SAY + "while True: os.write(1, b'x' * 65536)",
        "a line of more than 1,048,576 bytes",
    ),
    "floods standard error": (
        SAY + "os.write(2, b'noise ' * 1_000_000 + b'\\nlast\\n'); sys.exit(3)",
        "it ended with status 3; its last words: last",
    ),
    "leaves out an id": (
        SAY + 'say({"scores": [{"id": 0, "score": 1}]})',
        "it answered for 1 of 2 records; id 1 is missing",
    ),
    "answers for a wrong id": (
        SAY + 'say({"scores": [{"id": 7, "score": 1}]})',
        "for the id 7, which is not in the batch",
    ),
    "answers for an id that is a text": (
        SAY + 'say({"scores": [{"id": "0", "score": 1}]})',
        "for the id '0', which is not",
    ),
    "answers twice": (SAY + 'say({"scores": [{"id": 0, "score": 1}] * 2})', "it answered twice for the id 0"),
    "answers without scores": (SAY + 'say({"ok": 1})', """without a list of scores: '{"ok": 1}'"""),
    "answers without a score": (
        SAY + 'say({"scores": [{"id": 0}]})',
        "it gave neither a score nor an error for the id 0",
    ),
    "scores NaN": (
        SAY + 'say({"scores": [{"id": 0, "score": float("nan")}]})',
        "the score of id 0 is nan; where there is no",
    ),
    "scores infinity": (
        SAY + 'say({"scores": [{"id": 0, "score": float("-inf")}]})',
        "the score of id 0 is -inf; where",
    ),
    "scores true": (SAY + 'say({"scores": [{"id": 0, "score": True}]})', "the score of id 0 is true, not a number"),
    "scores a text": (
        SAY + 'say({"scores": [{"id": 0, "score": "high"}]})',
        "the score of id 0 is 'high', not a number",
    ),
    "speaks another protocol": ("print('{\"plainly\": 2}')", "it speaks version 2 of the protocol, not 1"),
    "says no version": (HELLO.replace(', "version": "1"', ""), "it does not say its version"),
    "has another name": (
        HELLO.replace('hello["name"]', '"lens"'),
        "it says that its name is 'lens', but its entry says 'tally'",
    ),
    "has another direction": (
        HELLO.replace('"version"', '"direction": "higher", "version"'),
        "its direction is 'higher', but its entry says 'lower'",
    ),
    "is another version than was installed": (
        HELLO.replace('"1"', '"2"') + "time.sleep(60)",
        "it is not what was installed; run: plainly plugins install tally",
    ),
}


def session_of(program: str | None, installed: Make) -> Session:
    if program is None:
        return Session(installed("", command=["/no/such/program"]))
    return Session(installed(program, **seconds(program)))


def seconds(program: str | None) -> dict[str, float]:
    """Little time for what hangs; for all others as much as a busy machine may need."""
    hangs = program in {CASES[case][0] for case in CASES if "hangs" in case}
    return {
        "start_seconds": 0.5 if hangs and "hello" not in str(program) else LONG,
        "batch_seconds": 0.5 if hangs else LONG,
    }


@pytest.mark.parametrize("case", CASES)
def test_one_clear_line(case: str, installed: Make) -> None:
    program, message = CASES[case]
    session = session_of(program, installed)
    with pytest.raises(PluginFailure) as raised:
        session.score([{"output": "a"}, {"output": "b"}])
    said = str(raised.value)
    assert message in said
    assert "\n" not in said
    assert len(said) < 500
    assert session.failure == said
    with pytest.raises(PluginFailure) as again:  # it is not started again
        session.score([{"output": "a"}])
    assert str(again.value) == said


def test_more_than_an_answer(installed: Make) -> None:
    answer = """os.write(1, b'{"scores": [{"id": 0, "score": 1}]}\\nDone!\\n')"""
    session = Session(installed(SAY + answer, batch=1))
    with pytest.raises(PluginFailure, match="it printed 'Done!' unasked; only answers may go to standard output"):
        session.score([{"output": "a"}, {"output": "b"}])


@pytest.mark.parametrize("case", ["crashes at start", "crashes when asked", "hangs when asked", "prints nonsense"])
def test_other_metrics_are_still_reported(case: str, installed: Make) -> None:
    program, message = CASES[case]
    installed(program, **seconds(program))
    with pytest.warns(RuntimeWarning, match="tally failed and has no scores: it"):
        scores = plainly.evaluate(
            ["a b", "c d"], {"one": ["a", "c"], "two": ["b", None]}, [["a"], ["c"]], metrics=["tally", "sari", "bleu"]
        )
    alone = plainly.evaluate(
        ["a b", "c d"], {"one": ["a", "c"], "two": ["b", None]}, [["a"], ["c"]], metrics=["sari", "bleu"]
    )
    for system in ("one", "two"):
        assert np.isnan(scores[system]["tally"].score)
        assert (scores[system]["tally"].scored, scores[system]["tally"].unscored) == (0, 2)
        for label in ("sari", "bleu"):
            assert scores[system][label] == alone[system][label]
    assert message in str(scores.metrics["tally"].failure)


def test_a_crash_half_way_leaves_no_half_score(installed: Make) -> None:
    installed(SAY + ANSWER + "\n    if records[-1]['output'] == '199': sys.exit(1)", batch=100)
    texts = [str(i) for i in range(400)]
    with pytest.warns(RuntimeWarning, match="tally failed"):
        scores = plainly.evaluate(texts, texts, [["a"]] * 400, metrics=["tally"], threads=1)
    assert (scores["output"]["tally"].scored, scores["output"]["tally"].unscored) == (0, 400)
    assert not scores.statistics["output"]["tally"].any()


def test_what_it_said_is_kept(installed: Make, folder: Path) -> None:
    session = Session(installed("import sys\nprint('first\\nlast', file=sys.stderr)\nsys.exit(1)"))
    log = folder / "installed" / "tally" / "standard-error.txt"
    with pytest.raises(PluginFailure) as raised:
        session.identity()
    assert f"last (more in {log})" in str(raised.value)
    assert log.read_text("utf-8") == "first\nlast\n"


def test_secrets_are_not_shown(installed: Make, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_abcdef123")
    program = (
        "import os, sys\n"
        "where = 'https://me:secret-word@host/model'\n"
        "sys.exit(f'refused: {os.environ[\"HF_TOKEN\"]} at {where} \\x1b[31mred\\x1b[0m')"
    )
    session = Session(installed(program))
    with pytest.raises(PluginFailure) as raised:
        session.identity()
    assert "refused: *** at https://***@host/model red" in str(raised.value)
    log = (folder / "installed" / "tally" / "standard-error.txt").read_text("utf-8")
    assert not [word for word in ("hf_abcdef123", "secret-word") if word in log + str(raised.value)]


# Starts a child that would outlive it, and notes both process ids.
WITH_CHILD = (
    HELLO
    + """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
with open("pids", "w") as out:
    print(os.getpid(), child.pid, file=out)
for records in batches():
    BEHAVIOUR
"""
)


def is_running(pid: int) -> bool:
    """Whether a process is there and not a zombie that nobody has asked for its status."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def end(*pids: int) -> None:
    until(lambda: not any(map(is_running, pids)), "the end of what a plug-in started")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("behaviour", "failed"), [(ANSWER, False), ("time.sleep(60)", True), ("sys.exit(1)", True), ("say('x')", True)]
)
def test_nothing_is_left_running(behaviour: str, failed: bool, installed: Make, folder: Path) -> None:
    installed(WITH_CHILD.replace("BEHAVIOUR", behaviour), batch_seconds=0.5 if "sleep" in behaviour else LONG)
    metric = get("tally")
    corpus = Corpus(["a b"], [["a"]], {"it": ["a"]})
    rows = metric.measure(corpus, "it")
    assert rows.tolist() == ([[0, 0]] if failed else [[1, 1]])
    pids = [int(pid) for pid in (folder / "installed" / "tally" / "pids").read_text().split()]
    assert failed or all(map(is_running, pids))
    metric.close()
    end(*pids)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_session_that_nobody_closes(installed: Make, folder: Path) -> None:
    session = Session(installed(WITH_CHILD.replace("BEHAVIOUR", ANSWER)))
    assert session.score([{"output": "a"}]) == [1.0]
    pids = [int(pid) for pid in (folder / "installed" / "tally" / "pids").read_text().split()]
    del session
    end(*pids)


def test_the_record_is_no_record(installed: Make, folder: Path) -> None:
    """What is damaged is not taken for installed."""
    entry = installed()
    record = folder / "installed" / "tally" / "installed.json"
    whole = json.loads(record.read_text("utf-8"))
    for damaged in (
        "",
        "[]",
        "{",
        json.dumps(whole | {"identity": None}),
        json.dumps(whole | {"requirements": ["x"]}),
    ):
        record.write_text(damaged, "utf-8")
        assert plainly.plugins.state(entry) == "unfinished"
    assert os.environ["PLAINLY_PLUGINS"] == str(folder)
