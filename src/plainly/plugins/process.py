"""A program that is asked and answers, line by line, within a time limit; it and all its children can be ended.

One thread does it all: it writes the question, reads the answer and drains what goes to standard error, so that
neither side can block the other.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from plainly.base.errors import PlainlyError

ANSWER_BYTES = 1 << 20  # no honest answer is longer
KEPT_BYTES = 1 << 16  # of what goes to standard error
MANNERS = "only answers may go to standard output, all else to standard error"
LAST_SECONDS = 3.0  # from the end of its output to its end
GLANCE = 1.0  # seconds between two looks at whether the program is still there


class Broken(PlainlyError):
    """The program did not answer as it should."""


class Process:
    """A running program."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=dict(environment),
                start_new_session=True,  # its children end with it; Ctrl-C reaches plainly alone, which ends it
            )
        except OSError as error:
            raise Broken(f"{command[0]} cannot be started: {error.strerror}") from error
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        self._errors = self._process.stderr.fileno()
        for stream in (self._input, self._output, self._errors):
            os.set_blocking(stream, False)
        self._answer = bytearray()
        self._said = bytearray()

    def ask(self, question: bytes, seconds: float) -> bytes:
        """The line that the program prints after it was given the question."""
        deadline = time.monotonic() + seconds
        unsent = memoryview(question)
        with selectors.DefaultSelector() as selector:
            selector.register(self._input, selectors.EVENT_WRITE)
            for stream in (self._output, self._errors):
                selector.register(stream, selectors.EVENT_READ)
            self._refuse_what_nobody_asked_for()
            while unsent or b"\n" not in self._answer:
                if len(self._answer) > ANSWER_BYTES:
                    raise Broken(f"it printed a line of more than {ANSWER_BYTES:,} bytes")
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Broken(f"it did not answer within {seconds:g} seconds")
                for key, _ in selector.select(min(left, GLANCE)):
                    if key.fd == self._input:
                        unsent = unsent[self._write(unsent) :]
                        if not unsent:
                            selector.unregister(self._input)
                    elif key.fd == self._output:
                        chunk = self._read(self._output)
                        if chunk == b"":
                            raise Broken(self._end_in_words())
                        self._answer += chunk or b""
                    elif self._listen() == b"":
                        selector.unregister(self._errors)
                if self._process.poll() is not None and b"\n" not in self._answer and not self._read_rest():
                    raise Broken(self._end_in_words())  # a child may still hold the pipe open
        line, _, rest = self._answer.partition(b"\n")
        self._answer = rest
        return bytes(line)

    def said(self) -> str:
        """The last that the program wrote to standard error."""
        while self._listen():
            pass
        return bytes(self._said).decode("utf-8", "replace")

    def kill(self) -> None:
        """End the program and its children; the thread that asks it is told that it has ended."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the program and let go of its pipes."""
        self.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream:
                with suppress(OSError):
                    stream.close()

    def _refuse_what_nobody_asked_for(self) -> None:
        self._answer += self._read(self._output) or b""
        if self._answer:
            line = bytes(self._answer[:60]).decode("utf-8", "backslashreplace").splitlines()[0]
            raise Broken(f"it printed {line!r} unasked; {MANNERS}")

    def _write(self, data: memoryview) -> int:
        try:
            return os.write(self._input, data[: 1 << 16])
        except BlockingIOError:
            return 0
        except BrokenPipeError:  # it has closed its input; whether it still answers is seen at its output
            return len(data)

    @staticmethod
    def _read(stream: int) -> bytes | None:
        """What is there to read; empty at the end, None if there is nothing yet."""
        try:
            return os.read(stream, 1 << 16)
        except BlockingIOError:
            return None

    def _read_rest(self) -> bool:
        """Read what an ended program left in the pipe; whether there was anything."""
        chunk = self._read(self._output)
        self._answer += chunk or b""
        return bool(chunk)

    def _listen(self) -> bytes | None:
        chunk = self._read(self._errors)
        self._said = (self._said + (chunk or b""))[-KEPT_BYTES:]
        return chunk

    def _end_in_words(self) -> str:
        try:
            status = self._process.wait(timeout=LAST_SECONDS)
        except subprocess.TimeoutExpired:
            return "it closed its standard output"
        if status >= 0:
            return f"it ended with status {status}"
        with suppress(ValueError):
            return f"it was ended by {signal.Signals(-status).name}"
        return f"it was ended by signal {-status}"


_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_SECRET_NAMES = re.compile(r"TOKEN|SECRET|PASSWORD|PASSWD|KEY|CREDENTIAL", re.IGNORECASE)
_LOGIN = re.compile(r"(?<=://)[^/@\s]+(?=@)")


def last_line(text: str) -> str:
    """The last line that says something, cut short."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", _ESCAPES.sub("", text))]
    line = next((line for line in reversed(lines) if line), "")
    line = "".join(character for character in line if character.isprintable())
    return line if len(line) <= 200 else line[:200] + "..."


def without_secrets(text: str, environment: Mapping[str, str]) -> str:
    """The text without passwords in addresses and without the values of variables such as HF_TOKEN."""
    for name, value in environment.items():
        if _SECRET_NAMES.search(name) and len(value) >= 6:
            text = text.replace(value, "***")
    return _LOGIN.sub("***", text)
