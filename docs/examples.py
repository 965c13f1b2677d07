"""The examples on README and docs pages: found, run, and held against what the page shows.

A ```python block is executed; one with `>>>` prompts must print what it shows. A ```console block holds commands
after `$ ` and what they print. All blocks of a page run in order, in one empty folder. The commands are:

    plainly ...              run in this process
    cat FILE | plainly ...   the same with a file as standard input
    cat FILE                 the first time, makes the file with the content shown; later, compares it
    head -n N FILE           the first lines of a file
    echo $?                  the exit status of the last command
    make demo                what the Makefile runs

A line of three dots stands for any lines. Blocks in other languages are not run.
"""

from __future__ import annotations

import doctest
import io
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plainly.cli import main

ROOT = Path(__file__).parent.parent
_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FULL_NUMBER = re.compile(r"\d+\.\d{9,}(?:e-\d+)?")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; `line` is the number of its first line, `start` its place in the text."""

    language: str
    code: str
    line: int
    start: int


@dataclass(frozen=True)
class Step:
    """A command of a console block, as it stands on the page and as one line, and what is shown below it."""

    line: int
    written: str
    command: str
    shown: str


@dataclass(frozen=True)
class Mismatch:
    """What an example printed in place of what the page shows."""

    line: int
    command: str
    shown: str
    printed: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.command}\n--- the page shows\n{self.shown}--- it prints\n{self.printed}"


@dataclass
class Session:
    """The examples of one page share a folder, which must be the current one, and a namespace."""

    namespace: dict[str, Any] = field(default_factory=dict)
    status: int = 0

    def check(self, text: str) -> list[Mismatch]:
        """Run all blocks of a page; what does not print what the page shows."""
        wrong: list[Mismatch] = []
        for block in blocks(text):
            if block.language == "python":
                wrong += self._check_python(block)
            for step in steps(block):
                printed = self._run(step)
                if not matches(step.shown, printed):
                    wrong.append(Mismatch(step.line, step.command, step.shown, printed))
        return wrong

    def refresh(self, text: str) -> str:
        """The page with what its examples print today; output that is shown in part stays as it is."""
        parts, end = [], 0
        for block in blocks(text):
            parts.append(text[end : block.start])
            parts += self._refreshed(block)
            end = block.start + len(block.code)
        return "".join([*parts, text[end:]])

    def _refreshed(self, block: Block) -> Iterator[str]:
        if block.language == "python" and ">>>" in block.code:
            yield from self._refreshed_python(block)
        elif block.language == "console":
            for step in steps(block):
                printed = self._run(step)
                as_it_is = "\n...\n" in f"\n{step.shown}" or matches(step.shown, printed)
                yield from (step.written, step.shown if as_it_is else printed)
        else:
            if block.language == "python":
                self._check_python(block)
            yield block.code

    def _refreshed_python(self, block: Block) -> Iterator[str]:
        for piece in doctest.DocTestParser().parse(block.code):
            if isinstance(piece, str):
                yield piece
                continue
            first, *more = piece.source.splitlines(keepends=True)
            yield from (f">>> {first}", *(f"... {line}" for line in more))
            printed = io.StringIO()
            with redirect_stdout(printed):
                exec(compile(piece.source, f"<example, line {block.line}>", "single"), self.namespace)
            same = doctest.OutputChecker().check_output(piece.want, printed.getvalue(), doctest.ELLIPSIS)
            yield piece.want if same else printed.getvalue()

    def _check_python(self, block: Block) -> list[Mismatch]:
        if ">>>" not in block.code:
            exec(compile(block.code, f"<example, line {block.line}>", "exec"), self.namespace)
            return []
        test = doctest.DocTestParser().get_doctest(block.code, self.namespace, "example", None, block.line - 1)
        test.globs = self.namespace  # get_doctest made a copy
        said = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        runner.run(test, out=said.write, clear_globs=False)
        return [Mismatch(block.line, "python", block.code, said.getvalue())] if said.getvalue() else []

    def _run(self, step: Step) -> str:
        """What a command prints, on standard output and standard error together."""
        words = shlex.split(step.command)
        if words == ["make", "demo"]:
            recipe = _make_recipe("demo")
            return f"{recipe}\n{self._plainly(shlex.split(recipe)[1:])}"
        if words[0] == "plainly":
            return self._plainly(words[1:])
        if words[0] == "cat" and words[2:4] == ["|", "plainly"]:
            return self._plainly(words[4:], Path(words[1]).read_bytes())
        if words[0] == "cat" and len(words) == 2:
            path = Path(words[1])
            if not path.exists():
                path.write_text(step.shown, "utf-8")
            return path.read_text("utf-8")
        if words[:2] == ["head", "-n"]:
            return "".join(Path(words[3]).read_text("utf-8").splitlines(keepends=True)[: int(words[2])])
        if words == ["echo", "$?"]:
            return f"{self.status}\n"
        raise ValueError(f"line {step.line}: examples cannot run {step.command!r}; mark the block as text")

    def _plainly(self, arguments: list[str], standard_input: bytes = b"") -> str:
        printed = io.StringIO()
        before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(standard_input), "utf-8")
        try:
            with redirect_stdout(printed), redirect_stderr(printed):
                self.status = main(arguments)
        except SystemExit as end:  # --help and --version
            self.status = int(end.code or 0)
        finally:
            sys.stdin = before
        return printed.getvalue()


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    for found in _FENCE.finditer(text):
        yield Block(found[1], found[2], text.count("\n", 0, found.start(2)) + 1, found.start(2))


def steps(block: Block) -> Iterator[Step]:
    """The commands of a console block; other blocks have none."""
    if block.language != "console":
        return
    lines = block.code.splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        last = start
        while lines[last].endswith("\\\n"):
            last += 1
        written = "".join(lines[start : last + 1])
        command = written[2:].replace("\\\n", " ").strip()
        yield Step(block.line + start, written, command, "".join(lines[last + 1 : end]))


def matches(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed; a line of three dots stands for any lines."""
    pattern = "".join(r"(?:.*\n)*" if line.strip() == "..." else re.escape(line) for line in _settled(shown))
    return re.fullmatch(pattern, "".join(_settled(printed))) is not None


def _settled(text: str) -> list[str]:
    """The lines without the last digits of numbers that are printed in full: they may differ between machines."""
    return _FULL_NUMBER.sub(lambda found: f"{float(found[0]):.8f}", text).splitlines(keepends=True)


def _make_recipe(target: str) -> str:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    found = re.search(rf"^{target}:.*\n\t(.*)$", makefile, re.MULTILINE)
    if not found:
        raise ValueError(f"the Makefile has no target {target}")
    return found[1].replace("$(BIN)", ".venv/bin")
