"""Completion as the shells do it: the script of `plainly completion`, run by the shell."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import pytest
from tests.cases import each

SCRIPTS: dict[str, str] = {}


@pytest.fixture
def bash(plainly: Any) -> str:
    if shutil.which("bash") is None:
        pytest.skip("there is no bash here")
    return SCRIPTS.setdefault("bash", plainly("completion", "bash").printed)


@each(
    "line, expected",
    [
        ("plainly sc", {"score"}),
        ("plainly compare", {"compare", "compare-signatures"}),
        ("plainly ranking ju", {"judge"}),
        ("plainly score --refe", {"--references", "--reference-weighting"}),
        ("plainly ranking rate --judg", {"--judgements"}),
        ("plainly compare --table ", {"systems", "pairs", "runs", "slices", "ranks", "agreement", "turned"}),
        ("plainly score --metrics sari-", {"sari-tk2021"}),
        ("plainly score --metrics chr", {"chrf"}),
        ("plainly compare --metrics sari bleu chr", {"chrf"}),  # it takes several, a language is one
        ("plainly compare --lang en d", set()),
        ("plainly score --system mine=out.txt --for", {"--format"}),
        ("plainly score --format la", {"latex"}),
        ("plainly studio user a", {"add"}),
        ("plainly completion ", {"bash", "zsh", "fish"}),
    ],
)
def test_bash_completes(bash: str, line: str, expected: set[str]) -> None:
    words = line.split(" ")
    program = f"{bash}\nCOMP_WORDS=({' '.join(word or chr(39) * 2 for word in words)})\nCOMP_CWORD={len(words) - 1}\n"
    done = subprocess.run(
        ["bash", "-c", program + '_plainly\nprintf "%s\\n" "${COMPREPLY[@]}"'],
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(done.stdout.split()) == expected
    assert done.stderr == ""


def test_bash_registers_it(bash: str) -> None:
    done = subprocess.run(["bash", "-c", f"{bash}\ncomplete -p plainly"], capture_output=True, text=True, check=True)
    assert done.stdout == "complete -o default -F _plainly plainly\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_of_the_shell(shell: str, plainly: Any) -> None:
    script = plainly("completion", shell).printed
    if shutil.which(shell) is None:
        assert {"zsh": "#compdef plainly\n", "fish": "complete -c plainly"}[shell] in script
        assert "compare-signatures" in script
        assert "fail-under" in script
        return
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_fish_has_each_option_with_its_help(plainly: Any) -> None:
    lines = plainly("completion", "fish").printed.splitlines()
    begin = "complete -c plainly -n \"__plainly_at 'plainly score'\" "
    assert begin + "-l demo -d 'score the bundled demo systems on the demo test set'" in lines
    assert any(line.startswith(begin + "-l tokenizer -r -d 'how texts are cut into words") for line in lines)
    assert begin.replace("score", "data") + "-f -a fetch -d" in "\n".join(lines)
    assert all(line.count("'") % 2 == 0 for line in lines if "\\'" not in line)


def test_an_unknown_shell(plainly: Any) -> None:
    assert "unknown value of shell 'tcsh'" in plainly("completion", "tcsh").refusal
