"""A new language is one data file: metrics, edits, features, checks and the toy system find all they need in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ENTRY = '''
name = "Toki"
iso639_3 = "tok"
metrics = ["sari", "fre"]
readability = ["fre", "smog"]
syllable_source = "pyphen-eo"
article = "la"
full_stop = "!"
negations = "ne nenio=io sen=kun_tio"
question_negations = "krom ne"
catch_all_answers = "ĉiuj supraj, neniu el ili"
markers = """
sed, tio   estas,
tamen
"""
easy_words = "komenciĝi iĝi, konstrui fari"

[reading_ease]
name = "somebody"
base = 200.0
per_sentence = 1.0
per_word = 50.0
source = "Somebody 2026"

[reading_ease.scale]
source = "Somebody else 2026"
bands = "0 hard, 60.5 plain as day"

[smog]
name = "somebody"
factor = 2.0
constant = 1.0
'''
PROGRAM = """
import json
import numpy as np
import plainly
from plainly.gaming import Segment, get, possible
from plainly.metrics.linguistic.markers import count_markers
from plainly.text.languages import get_language

lang = "tok-x-mine"
scores = plainly.evaluate(["kato dormas."], ["la kato. ne dormas."], [["kato."]], lang=lang, metrics=["fre", "smog"])
draw = np.random.default_rng(0)
def edited(name):
    return list(get(name).outcomes(Segment("nenio estas sen mi", lang=lang), draw))
print(json.dumps({
    "signature": str(scores["output"]["fre"].signature),
    "fre": scores["output"]["fre"].score,
    "smog": scores["output"]["smog"].score,
    "words": scores.to_dict()["in_words"],
    "edits": [edited("drop-negation"), edited("replace-longest"), edited("random-period")],
    "possible": sorted(possible(lang, {"source", "references"})[1]),
    "markers": count_markers("sed tio estas tamen tio".split(), lang),
    "easy": dict(get_language(lang).easy_words),
    "overlooked": sorted(get_language(lang).question_negations),
    "catch-all": get_language(lang).catch_all_answers,
}))
"""


def run(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PLAINLY_LANGUAGES": str(folder)}
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)


def test_everything_finds_the_facts_of_a_new_language(tmp_path: Path) -> None:
    (tmp_path / "tok-x-mine.toml").write_text(ENTRY, "utf-8")
    done = run(tmp_path, PROGRAM)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "formula:somebody" in found["signature"]
    # la kato | ne dor-mas: 4 words, 5 syllables by pyphen, 2 sentences; no polysyllable: the constant alone
    assert found["fre"] == pytest.approx(200 - 4 / 2 - 50 * 5 / 4)
    assert found["smog"] == 1.0
    assert found["words"] == {"output": {"fre": "plain as day"}}
    stops = ["nenio ! estas sen mi", "nenio estas ! sen mi"]
    assert found["edits"] == [["io estas kun tio mi"], ["la estas sen mi"], stops]
    assert found["possible"] == []
    assert found["markers"] == 3  # sed, tio estas, tamen
    assert found["easy"] == {"komenciĝi": "iĝi", "konstrui": "fari"}
    assert found["overlooked"] == ["krom", "ne"]
    assert found["catch-all"] == ["ĉiuj supraj", "neniu el ili"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("base = 200.0", 'base = "much"', "reading_ease: base must be of type float"),
        ("factor = 2.0\n", "", "smog: factor is missing"),
        ("0 hard, 60.5", "hard, 60.5", "reading_ease.scale.bands must be: 0 hard, 50 easy"),
        ("0 hard, 60.5", "90 hard, 60.5", "reading_ease.scale.bands must rise"),
        ('source = "Somebody else 2026"\n', "", "reading_ease.scale: source is missing"),
        ("konstrui fari", "konstrui fari ion", "easy_words must be pairs"),
        ('"ne nenio=io sen=kun_tio"', "3", "negations must be one text"),
    ],
)
def test_a_fault_in_the_file_is_said(tmp_path: Path, old: str, new: str, message: str) -> None:
    (tmp_path / "tok-x-mine.toml").write_text(ENTRY.replace(old, new), "utf-8")
    done = run(tmp_path, "from plainly.text.languages import get_language; get_language('tok-x-mine')")
    assert f"tok-x-mine.toml: {message}" in done.stderr
