"""Plug-ins as metrics: their numbers, their signatures, and how often a program is asked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from plugin_helpers import WELL_BEHAVED, Make, note_as_installed

import plainly
from plainly import metrics, plugins
from plainly.base.errors import MissingResource, PlainlyError
from plainly.base.version import __version__
from plainly.corpus import Corpus
from plainly.corpus.readers import Inputs
from plainly.scoring.engines.processes import Processes
from plainly.scoring.partitioned import job_for
from plainly.scoring.partitions import plan
from plainly.scoring.runs import Run
from plainly.scoring.signatures import compare_signatures

from ..waiting import LONG, until

# Words by hand: 2, 1; null (no word), an error, 3.
CORPUS = Corpus(
    ["s", "s", "s", "s", "s", None, "s", "s"],
    [["r"], ["r"], ["r"], ["r"], ["r"], ["r"], [], ["r"]],
    {"it": ["one two", "one", "", "bad", "one two three", "no source", "no reference", None]},
)


def test_scores_by_hand(make: Make) -> None:
    plugins.install(make(model="some/model"), quiet=True)
    metric = metrics.get("tally")
    rows = metric.measure(CORPUS, "it")
    metric.close()
    assert rows.tolist() == [[1, 2], [1, 1], [0, 0], [0, 0], [1, 3], [0, 0], [0, 0], [0, 0]]
    assert float(metric.score(rows.sum(axis=0)).value) == 2.0
    assert np.isnan(metric.score(np.zeros(2)).value)
    assert metric.score(np.ones((3, 4, 2))).value.shape == (3, 4)
    assert metric.failure is None
    assert metric.remarks == ["tally could not score 1 of its texts; the first: 'a bad text'"]
    assert metric.signature("1-10") == (
        f"tally|lang:en|refs:1-10|model:some/model|revision:abc|plugin:1.2|plainly:{__version__}"
    )


def test_a_metric_can_be_used_again_after_it_was_closed(make: Make) -> None:
    plugins.install(make(), quiet=True)
    metric = metrics.get("tally")
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="could not score"):
            scores = plainly.evaluate(["s", "s"], ["a b", "bad"], [["r"], ["r"]], metrics=[metric])
        assert scores["output"]["tally"].score == 2.0
        assert (scores["output"]["tally"].scored, scores["output"]["tally"].unscored) == (1, 1)


def test_each_distinct_text_is_asked_for_once(make: Make, folder: Path) -> None:
    program = WELL_BEHAVED.replace("    answers = []\n", "    answers = []\n    open('asked', 'a').write(line)\n")
    program = program.replace('"needs": ["references", "source"]', '"needs": ["source"]')
    plugins.install(make(program, batch=3, needs=["source"]), quiet=True)
    asked = folder / "installed" / "tally" / "asked"
    asked.unlink()
    corpus = Corpus(["s"] * 6, [["r"], ["q"]] * 3, {"one": ["a", "a", "b", "c", "d", "d"], "two": ["a"] * 6})
    metric = metrics.get("tally")
    for system in ("one", "two"):
        assert metric.measure(corpus, system)[:, 1].tolist() == [1] * 6
    metric.close()
    lines = asked.read_text("utf-8").splitlines()
    assert [line.count('"id"') for line in lines] == [3, 1]  # a, b, c; d: references are not its business
    assert "references" not in lines[0]


def test_many_threads_share_one_program(make: Make, folder: Path) -> None:
    program = WELL_BEHAVED.replace("import json, sys", "import json, sys\nopen('starts', 'a').write('x')")
    plugins.install(make(program), quiet=True)
    (folder / "installed" / "tally" / "starts").unlink()
    texts = [" ".join(["word"] * (i % 7 + 1)) for i in range(3000)]
    scores = plainly.evaluate(texts, texts, [["r"]] * 3000, metrics=["tally", "sari"], threads=4, intervals=None)
    assert scores["output"]["tally"].score == pytest.approx(sum(i % 7 + 1 for i in range(3000)) / 3000, rel=1e-12)
    assert (folder / "installed" / "tally" / "starts").read_text() == "x"


def test_a_long_text_and_odd_characters(make: Make) -> None:
    plugins.install(make(), quiet=True)
    texts = ["word " * 20_000, "a\nb\u2028c d", "مرحبا بالعالم", "\ud83d x", "\x00 \x1b[31m", '"{}" \\ x']
    metric = metrics.get("tally")
    corpus = Corpus(texts, [["r"]] * 6, {"it": texts})
    assert metric.measure(corpus, "it")[:, 1].tolist() == [20_000, 4, 2, 2, 2, 3]
    metric.close()


def test_what_is_not_installed(make: Make) -> None:
    corpus = Corpus(["s"], [["r"]], {"it": ["o"]})
    with pytest.raises(MissingResource, match="lens is not installed; run: plainly plugins install lens"):
        metrics.get("lens").measure(corpus, "it")
    with pytest.raises(PlainlyError, match="lens is not defined for language 'de'"):
        metrics.get("lens", lang="de")
    with pytest.raises(PlainlyError, match="lens has no variants"):
        metrics.get("lens:big")
    assert metrics.get("comet", lang="de").facts.needs == {"source", "references"}


def test_signatures_of_plugins_compare_where_they_are_not_installed() -> None:
    first = "lens|lang:en|refs:1|model:davidheineman/lens|revision:abc|plugin:0.2.0|plainly:0.1.0"
    (difference,) = compare_signatures(first, first.replace("abc", "def"))
    assert (difference.field, difference.first, difference.second) == ("revision", "abc", "def")
    assert compare_signatures(first, first) == []


def test_an_evaluation_goes_to_disk_and_back(make: Make) -> None:
    entry = make()
    plugins.install(entry, quiet=True)
    scores = plainly.evaluate(["s"], ["a b"], [["r"]], metrics=["tally"])
    again = plainly.Evaluation.from_json(scores.to_json())
    assert repr(again["output"]["tally"]) == repr(scores["output"]["tally"])  # one segment has no interval: NaN


def test_a_changed_entry_asks_for_a_new_installation(make: Make) -> None:
    entry = make()
    note_as_installed(entry)
    assert plugins.state(entry) == "installed"
    assert plugins.state(make(command=["{python}", "{folder}/program.py", "--new"])) == "unfinished"


SCORE = """
import sys
from plainly.cli import command
sys.argv = ["plainly", "score", "--demo", "--metrics", "tally,sari", "--threads", "2"]
sys.exit(command())
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_ends_a_plugin_that_hangs(sent: int, status: int, make: Make, folder: Path) -> None:
    hangs = "    import os, time\n    open('pid', 'w').write(str(os.getpid()))\n    time.sleep(60)\n"
    entry = make(WELL_BEHAVED.replace("    answers = []\n", hangs))
    note_as_installed(entry, version="1.2", revision="abc")
    pid = folder / "installed" / "tally" / "pid"
    running = subprocess.Popen([sys.executable, "-c", SCORE], stderr=subprocess.PIPE, text=True, env=os.environ)
    until(lambda: pid.exists() and pid.read_text(), "the plug-in's start")
    running.send_signal(sent)
    _, said = running.communicate(timeout=LONG)
    assert running.returncode == status
    assert "Traceback" not in said
    until(lambda: not Path(f"/proc/{pid.read_text()}").exists(), "the plug-in's end")


@pytest.mark.parametrize("workers", [1, 2])
def test_texts_that_many_processes_could_not_score_are_added_up(make: Make, tmp_path: Path, workers: int) -> None:
    """Each process counts for itself, and goes on counting from one partition to the next."""
    plugins.install(make(), quiet=True)
    lines = [f'{{"source": "s", "reference": "r{i}", "output": "{"bad" if i % 3 else "a b"}"}}' for i in range(60)]
    data = tmp_path / "d.jsonl"
    data.write_text("".join(line + "\n" for line in lines))
    planned = plan(Inputs(data=str(data)), rows=7)
    run = Run(planned, job_for(planned, [metrics.get("tally")]), None, str(tmp_path / "stats"))
    run.prepare(resume=False)
    with Processes(workers) as engine:
        summary = run.measure(engine)
    again = Run(
        planned := plan(Inputs(data=str(data)), rows=7),
        job_for(planned, [metrics.get("tally")]),
        None,
        str(tmp_path / "stats"),
    )
    again.prepare(resume=True)
    with Processes(1) as engine:
        restored = again.measure(engine)
    # By hand: two of three outputs are bad; each has a reference of its own, so that all are asked for.
    assert summary.refusals == restored.refusals == {"tally": (40, "'a bad text'")}
