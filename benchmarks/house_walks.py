"""Which files of plainly run a function during a score, a report and a judgement: `python house_walks.py WALK`.

`benchmarks.house` starts this file with the interpreter and the sources of the checkout that it counts, so nothing
here is imported from the project but its faces: the command line and the HTTP of the studio. It prints the files.

A file counts if one of its functions runs, in any thread, while the walk is on; templates of pages count too. What
runs because a module is being imported does not count, nor do `__init__` files, which hand names on, nor files of
`cli` that bear the name of another command: all options are made at every start. Scripts in the browser and files of
data are not seen.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

TEXTS = {
    "src.txt": [
        "He purchased an enormous car.",
        "It is an enormous house.",
        "The feline slept because it was tired.",
    ],
    "ref.0": ["He bought a big car.", "It is a large house.", "The cat slept. It was tired."],
    "ref.1": ["He got a huge car.", "It is a big house.", "The cat was tired and slept."],
    "mine.txt": ["He bought a large car.", "It is a big house.", "The cat slept because it was tired."],
    "other.txt": ["He purchased a car.", "It is a house.", "The feline slept."],
}
LINES = [
    *("--sources", "src.txt", "--references", "ref.0", "--references", "ref.1"),
    *("--system", "mine=mine.txt", "--system", "other=other.txt", "--metrics", "sari"),
]
COMMANDS = {
    *("benchmark", "comprehension", "compare", "data", "doctor", "filter", "gaming", "levels", "metaeval"),
    *("operations", "plugins", "ranking", "ratings", "replicate", "report", "run", "score", "signatures"),
    *("simplicity", "statistics", "studio"),
}
RANKED = "id,text\nt1,The cat sat.\nt2,The feline reposed.\nt3,Rain fell.\nt4,Precipitation persisted.\n"


class Walk:
    """Collects files while it is on."""

    def __init__(self, package: Path) -> None:
        self._package = f"{package}/"
        self._on = False
        self.files: set[str] = set()
        threading.setprofile(self._called)  # for threads to come: those of a server live longer than the walk
        sys.setprofile(self._called)

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        self._on = True
        try:
            yield
        finally:
            self._on = False

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        name = frame.f_code.co_filename
        if not self._on or event != "call" or name in self.files or not name.startswith(self._package):
            return
        is_function = bool(frame.f_code.co_flags & inspect.CO_OPTIMIZED)  # neither a module nor the body of a class
        if is_function and not name.endswith("__init__.py") and not self._importing(frame):
            self.files.add(name)

    def _importing(self, frame: FrameType | None) -> bool:
        while frame is not None:
            if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(self._package):
                return True
            frame = frame.f_back
        return False


def score(walk: Walk) -> None:
    """`plainly score` on line files with one metric."""
    _command(walk, ["score", *LINES])


def report(walk: Walk) -> None:
    """`plainly report` on the same files."""
    _command(walk, ["report", *LINES, "-o", "report.html"])


def judgement(walk: Walk) -> None:
    """One choice of a ranking campaign: the participant's answer, the owner's dashboard, the export."""
    from fastapi.testclient import TestClient

    from plainly.studio.app import create_app
    from plainly.studio.settings import Settings, sqlite_url

    app = create_app(Settings(database=sqlite_url(Path("studio.sqlite")), limited=False))
    with TestClient(app, base_url="http://localhost") as client:
        me = _good(
            client.post("/api/setup", json={"code": app.state.setup_code, "name": "Ada", "password": "a long one"})
        )
        client.headers["X-CSRF-Token"] = me["csrf"]
        made = _good(
            client.post(
                "/api/campaigns",
                data={"kind": "ranking", "lang": "en", "name": "Plain?"},
                files={"texts": ("texts.csv", RANKED)},
            )
        )
        place = f"/api/campaigns/{made['id']}"
        _good(client.patch(place, json={"revision": made["revision"], "status": "open"}))
        link = _good(client.post(f"{place}/participants", json={"count": 1}))["links"][0]["link"]
        own = f"/api/p/{link.rsplit('/', 1)[1]}"
        _good(client.post(f"{own}/welcome", json={"consent": True, "fields": {}}))
        task = _good(client.get(own))["tasks"][0]["id"]
        answer = {"client_id": "c0", "task": task, "answer": {"choice": "first"}, "seconds": 2.0}
        with walk.on():
            state = _good(client.post(f"{own}/responses", json={"responses": [answer]}))
            _good(client.get(f"{place}/summary"))
            _good(client.get(f"{place}/export.zip"))
        if state["refused"]:
            raise RuntimeError(f"refused: {state['refused']}")
    app.state.database.close()


def _good(reply: Any) -> Any:
    if reply.status_code >= 300:
        raise RuntimeError(f"{reply.request.method} {reply.request.url}: {reply.status_code} {reply.text[:300]}")
    return reply.json() if reply.headers["content-type"] == "application/json" else reply.content


def _command(walk: Walk, arguments: list[str]) -> None:
    from plainly.cli import main

    with walk.on(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        status = main(arguments)
    if status:
        raise RuntimeError(said.getvalue())


WALKS: dict[str, Callable[[Walk], None]] = {"score": score, "report": report, "judgement": judgement}


def files(name: str) -> list[str]:
    """The files of a walk, from `src/plainly` down."""
    import plainly

    package = Path(plainly.__file__).parent
    walk = Walk(package)
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="plainly-walk-") as folder:
        os.chdir(folder)
        try:
            for file, lines in TEXTS.items():
                Path(file).write_text("".join(f"{line}\n" for line in lines), "utf-8")
            WALKS[name](walk)
        finally:
            os.chdir(before)
    found = sorted(Path(file).relative_to(package).as_posix() for file in walk.files)
    return [file for file in found if not _of_another_command(file, name)]


def _of_another_command(file: str, own: str) -> bool:
    room, _, rest = file.partition("/")
    return room == "cli" and rest.removesuffix(".py").split("/")[0] in COMMANDS - {own}


if __name__ == "__main__":
    sys.path.pop(0)  # the folder of this file, whose modules have names that others have too
    print(json.dumps(files(sys.argv[1])))
