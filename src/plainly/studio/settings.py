"""How a studio is set up: where it keeps things, where it listens, what it refuses."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from plainly.base.errors import PlainlyError

PORT = 8808
MEGABYTE = 1 << 20
DATABASE = "studio.sqlite"


@dataclass(frozen=True)
class Settings:
    """Of one studio."""

    database: str
    """Its URL: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME."""
    host: str = "127.0.0.1"
    port: int = PORT
    secure: bool = False
    """Cookies go over HTTPS only: for a studio behind a server that speaks TLS."""
    url: str = ""
    """The address that people see, as https://study.example.org; empty: whatever name a request comes to."""
    proxy: tuple[str, ...] = ()
    """Addresses or networks of servers in front of this one, which say on whose behalf they ask."""
    largest_upload: int = 64 * MEGABYTE
    """Of one request with files, in bytes."""
    largest_request: int = MEGABYTE
    """Of any other request."""
    metrics_token: str = ""
    """Who says it may read /metrics from elsewhere, with the names of campaigns; empty: nobody."""
    limited: bool = True
    """Whether requests are counted and too many of them refused."""
    apart: bool = True
    """Whether studies are computed in processes of their own."""

    @property
    def https(self) -> bool:
        """Whether people reach it over HTTPS."""
        return self.secure or self.url.startswith("https://")


def studio_folder(named: str | None = None) -> Path:
    """Where a studio keeps its database: the folder named, or $PLAINLY_STUDIO, or one for data of this user."""
    named = named or os.environ.get("PLAINLY_STUDIO")
    path = Path(named).expanduser().absolute() if named else _data() / "plainly" / "studio"
    if path.exists() and not path.is_dir():
        raise PlainlyError(f"{path} is not a folder")
    return path


def made_folder(path: Path) -> Path:
    """The folder, made if it is not there; only its owner may look into it."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise PlainlyError(f"cannot make the folder {path}: {error.strerror}") from error
    return path


def sqlite_url(path: Path) -> str:
    """The URL of a file with an SQLite database."""
    return f"sqlite:///{path}"


def _data() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    named = os.environ.get("XDG_DATA_HOME", "")
    return Path(named) if named.startswith("/") else Path.home() / ".local" / "share"
