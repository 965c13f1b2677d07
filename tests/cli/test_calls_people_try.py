"""Calls that people try, out of the habit of other tools: each works, or one line leads to a call that works."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from plainly.cli import main

FILES = "--sources src.txt --references ref.0 ref.1 --system out.txt"
SARI = "'sari|lang:en|tok:13a|case:lower|refs:2|variant:easse|plainly:0.1.0'"
BLEU = "'bleu|lang:en|tok:13a|case:lower|refs:2|smooth:exp|plainly:0.1.0'"

WORKS = [
    f"score {FILES}",
    f"score {FILES} --metrics sari bleu",
    f"score {FILES} --metrics SARI,BLEU",
    f"score {FILES} --metrics sari --metrics bleu",
    "score --sources src.txt --references 'ref.*' --system out.txt",
    "score --sources ./src.txt --references ref.0 --references ref.1 --system mine=out.txt",
    "score --sources=src.txt --references=ref.0 --system=mine=out.txt",
    "score --system out.txt --metrics fkgl",
    f"score {FILES} -o s.tsv",
    f"score {FILES} -o s.html",
    f"score {FILES} -o s.json --quiet",
    f"score {FILES} --format json",
    f"score {FILES} --lowercase --tokenizer 13a --metrics bleu",
    f"score {FILES} --set bleu.tokenizer=intl --metrics bleu",
    f"score {FILES} --per-segment -o rows.parquet",
    "score --list",
    "score --demo",
    f"compare {FILES} --system other=src.txt",
    f"compare {FILES} --system other=src.txt --baseline other -o table.tex",
    f"compare-signatures {BLEU} 'BLEU|nrefs:2|case:lc|eff:no|tok:13a|smooth:exp|version:2.4.0'",
    "data list",
    "--version",
    "score --help",
    "score --help-all",
]
"""Calls that end with status 0."""

LEADS = [
    ("score -i out.txt -m bleu", "did you mean '--system', '--metrics'?"),
    ("score ref.0 -i out.txt -m bleu chrf", "'--system', '--metrics'"),
    ("score ref.0", "Say what it is: --sources ref.0, --references ref.0, --system ref.0"),
    ("evaluate -t asset_test -m sari", "unknown command 'evaluate'; did you mean 'score'?"),
    ("score -t asset_test -m bleu,sari", "did you mean '--test-set', '--metrics'?"),
    ("score --test-set asset_test --system out.txt", "did you mean 'asset-test'?"),
    ("score --refs_sents_paths ref.0,ref.1 --orig_sents_path src.txt", "'--references', '--sources'"),
    (f"score {FILES} --metric bleu", "did you mean '--metrics'?"),
    (f"score {FILES} --metrics bertscor", "did you mean 'bertscore'?"),
    (f"score {FILES} --tok intl", "did you mean '--tokenizer'?"),
    (f"score {FILES} -lc", "did you mean '--lowercase'?"),
    (f"score {FILES} --json", "did you mean '--format json'?"),
    (f"score {FILES} --fail-undr sari=1", "did you mean '--fail-under'?"),
    (f"score {FILES} -o s.xlsx", "known: csv, htm, html, json, markdown, md, tex, tsv, txt"),
    (f"score {FILES} -o s.docx", "known: csv, htm, html, json, markdown, md, tex, tsv, txt"),
    ("score --sources src.txt --references none.* --system out.txt", "--references: no file fits none.*"),
    ("score --system out.txt --metrics sari", "sari cannot be computed"),
    ("report --predictions out.txt", "did you mean '--system'?"),
    ("compare --baseline x", "give --sources, --references and --system, or --data"),
    ("operations tag --processes 2", "did you mean '--workers'?"),
    ("download asset", "did you mean 'data'?"),
    ("data fetch asset", "did you mean 'asset-test'?"),
    ("compare-signatures x 'some remarks'", "(expected name|key:value|key:value, or words as SARI (EASSE 0.2.4))"),
]
"""Calls that are refused, and what of the one line leads on."""


@pytest.fixture(autouse=True)
def _files(files: list[str]) -> None:
    Path("mine.txt").rename("out.txt")


@pytest.mark.parametrize("call", WORKS)
def test_it_works(call: str, plainly: Any) -> None:
    assert plainly(*shlex.split(call)).status == 0


@pytest.mark.parametrize(("call", "leads"), LEADS)
def test_one_line_leads_on(call: str, leads: str, plainly: Any) -> None:
    assert leads in plainly(*shlex.split(call)).refusal


@pytest.mark.parametrize(
    "call", [f"compare-signatures 'SARI (EASSE 0.2.4)' {SARI}", f"compare-signatures {SARI} {BLEU}"]
)
def test_a_no_ends_with_1(call: str) -> None:
    assert main(shlex.split(call)) == 1


def test_there_is_nonsense_that_resembles_nothing(plainly: Any) -> None:
    for word in ("--verbosity", "--gpu"):
        refusal = plainly("score", word, "x").refusal
        assert refusal == f"unknown option '{word}' (see plainly score --help)"
