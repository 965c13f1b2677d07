"""What an import brings with it, and what runs where the compiled kernels are missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import plainly

ROOT = Path(__file__).parent.parent
OPTIONAL = {  # imported when used
    *("sacrebleu", "sacremoses", "wordfreq", "nltk", "pyarrow", "textstat"),
    *("pyphen", "py3langid", "scipy", "spacy", "stanza"),
}
HEAVY = OPTIONAL | {"numpy"}

HELP = """
import contextlib, io
from plainly.cli import main
with contextlib.redirect_stdout(io.StringIO()) as printed:
    try:
        main({arguments})
    except SystemExit:
        pass
assert "usage: plainly" in printed.getvalue()
"""

# Finds the compiled kernels and fails, as an extension does that was built for another Python.
BLOCK = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("plainly._kernels.compiled."):
            raise ImportError(name)
sys.meta_path.insert(0, Block())
"""

SCORE = """
import sys
from plainly._kernels import COMPILED
from plainly.cli import main
print(COMPILED)
metrics = "sari,bleu,fkgl,sari:sentence,sari:easse-legacy,bleu-sentence,levenshtein-similarity"
sys.exit(main(["score", "--demo", "--metrics", metrics, "--format", "json", "--quiet"]))
"""


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    )


def imported(program: str) -> set[str]:
    """The top-level modules that are there after the program."""
    done = run(program + "\nimport sys; print(*{name.partition('.')[0] for name in sys.modules})")
    return set(done.stdout.split())


@pytest.fixture(scope="module")
def compiled() -> str:
    """The scores of the demo set from the compiled kernels."""
    used, _, scores = run(SCORE, PLAINLY_KERNELS="").stdout.partition("\n")
    if used != "True":
        pytest.skip("the kernels are not compiled here")
    assert json.loads(scores)["segments"] == 60
    return scores


def test_the_package_imports_nothing_heavy() -> None:
    assert not HEAVY & imported("import plainly")


@pytest.mark.parametrize("command", [[], ["score"], ["compare-signatures"], ["doctor"]])
def test_help_imports_nothing_heavy(command: list[str]) -> None:
    assert not HEAVY & imported(HELP.format(arguments=[*command, "--help"]))


def test_the_version_imports_nothing_heavy() -> None:
    assert not HEAVY & imported(HELP.replace("usage: ", "").format(arguments=["--version"]))


def test_evaluation_imports_what_it_needs() -> None:
    assert not OPTIONAL & imported("import plainly.scoring")


def test_default_metrics_import_nothing_optional() -> None:
    assert not OPTIONAL & imported("import plainly; plainly.evaluate(['a b'], ['a'], [['a']])")


def test_everything_public_is_there() -> None:
    rooms = ["metrics", "corpus", "text", "compat", "scoring", "ranking", "operations", "gaming", "demo", "metaeval"]
    done = run(f"import plainly; print(*[getattr(plainly, name).__name__ for name in {rooms}])")
    assert done.stdout.split() == [f"plainly.{room}" for room in rooms]
    assert {"evaluate", "compare", "load", "Evaluation", "Corpus", "PlainlyError"} <= set(plainly.__all__)
    assert set(plainly.__all__) <= set(dir(plainly))
    for name in plainly.__all__:
        assert getattr(plainly, name)


def test_an_unknown_attribute() -> None:
    with pytest.raises(AttributeError, match="module 'plainly' has no attribute 'evalute'"):
        plainly.evalute  # noqa: B018


def test_one_version() -> None:
    assert metadata.version("plainly") == plainly.__version__  # pyproject.toml takes it from plainly.base.version


@pytest.mark.slow
def test_plain_kernels_give_the_same_scores(compiled: str) -> None:
    done = run(SCORE, PLAINLY_KERNELS="plain")
    assert done.stdout == f"False\n{compiled}"
    assert done.stderr == ""  # they were asked for


def test_missing_kernels_are_said() -> None:
    done = run(BLOCK + "import plainly; print(plainly.evaluate(['a b'], ['a'], [['a']]))", PLAINLY_KERNELS="")
    assert done.stdout
    assert "RuntimeWarning: plainly's compiled kernels are missing: scores stay the same" in done.stderr
    assert done.stderr.count("Warning") == 1


@pytest.mark.slow
def test_missing_kernels_give_the_same_scores(compiled: str) -> None:
    done = run(BLOCK + SCORE, PLAINLY_KERNELS="")
    assert done.stdout == f"False\n{compiled}"
    assert done.stderr.count("Warning") == 1


@pytest.mark.slow
def test_the_command_runs_without_kernels() -> None:
    program = BLOCK + "from plainly.cli import main; sys.exit(main(['score', '--demo', '--metrics', 'sari']))"
    done = run(program, PLAINLY_KERNELS="")
    assert done.stdout.startswith("system")
    assert "compiled kernels are missing" in done.stderr
    doctor = run(BLOCK + "from plainly.cli import main; sys.exit(main(['doctor', '--format', 'json']))")
    parts = {row["part"]: row for row in json.loads(doctor.stdout)["parts"]}
    assert parts["compiled kernels"]["state"] == "missing"
    assert "C compiler" in parts["compiled kernels"]["to mend"]
