"""One file over HTTP, in bounded space and time; a transfer that was cut off goes on where it stopped.

The server is not trusted: it cannot send more bytes than were announced in the catalogue, lead to another kind
of address, redirect for ever or hold the line open. Whether the bytes are right is for the caller to check.
"""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import time
import urllib.request
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit

from plainly.base.errors import PlainlyError
from plainly.base.version import __version__

SCHEMES = ("http", "https", "file")
TIMEOUT = 30.0
"""Seconds without any byte."""
DEADLINE = 600.0
"""Seconds for a whole file."""
REDIRECTS = 5
ATTEMPTS = 3
BLOCK = 1 << 16
TRY_AGAIN = "run the same command again to go on from there"


class TransferFault(PlainlyError):
    """An address did not give the file."""


class Unreachable(TransferFault):
    """There is no answer at all."""


class CutOff(TransferFault):
    """A transfer ended too early; what came is kept."""


def transfer(address: str, target: Path, limit: int, tell: Callable[[int], None]) -> None:
    """Fetch what is at an address into a file; bytes that are there already are not fetched again if possible.

    `limit` is the greatest size that is accepted; `tell` is told how many bytes there are.
    """
    if urlsplit(address).scheme not in SCHEMES:
        raise TransferFault(f"{address}: only {', '.join(SCHEMES)} addresses are allowed")
    ends = time.monotonic() + DEADLINE
    for attempt in range(ATTEMPTS):
        before = _size(target)
        try:
            _attempt(address, target, limit, tell, ends)
            return
        except CutOff:
            if attempt == ATTEMPTS - 1 or _size(target) <= before:
                raise


def _attempt(address: str, target: Path, limit: int, tell: Callable[[int], None], ends: float) -> None:
    start = _size(target)
    if start >= limit:  # all there, but not yet checked: an earlier run was stopped in between
        return
    try:
        response = _open(address, start)
    except HTTPError as error:
        error.close()
        if error.code == 416 and start:  # there is nothing after what we have
            return
        what = "no such file there" if error.code in (404, 410) else "the server refuses"
        raise TransferFault(f"{address}: {what} (HTTP {error.code})") from None
    except PlainlyError:
        raise
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _unreachable(error, address) from error
    with response:
        _receive(response, address, target, limit, tell, ends)


def _receive(response: Any, address: str, target: Path, limit: int, tell: Callable[[int], None], ends: float) -> None:
    size = _resumed_at(response, _size(target))
    length = response.headers.get("Content-Length", "")
    total = size + int(length) if re.fullmatch(r"\d{1,15}", length) else None
    if total is not None and total > limit:
        raise TransferFault(f"{address}: {total:,} bytes there, but the catalogue says {limit:,}; not fetched")
    with _opened(target, append=size > 0) as out:
        try:
            while block := response.read1(BLOCK):
                size += len(block)
                if size > limit:
                    break
                _write(out, block, target)
                tell(size)
                if time.monotonic() > ends:
                    raise TransferFault(f"{address}: not done after {DEADLINE:g} s; {TRY_AGAIN}")
        except TimeoutError:
            raise CutOff(f"{address}: nothing came for {TIMEOUT:g} s after {size:,} bytes; {TRY_AGAIN}") from None
        except (OSError, http.client.HTTPException):
            raise CutOff(f"{address}: the transfer was cut off after {size:,} bytes; {TRY_AGAIN}") from None
    if size > limit:
        target.unlink()
        raise TransferFault(f"{address}: sends more than the {limit:,} bytes that the catalogue says; dropped")
    if total is not None and size < total:
        raise CutOff(f"{address}: the transfer was cut off after {size:,} of {total:,} bytes; {TRY_AGAIN}")


def _resumed_at(response: Any, start: int) -> int:
    """Where the bytes of the answer belong; 0 if the server begins anew."""
    sent = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return start if start and response.status == 206 and sent and int(sent[1]) == start else 0


def _open(address: str, start: int) -> Any:
    """The answer of the server, after at most `REDIRECTS` redirects.

    urllib follows redirects by itself, but reads their bodies, however long they are.
    """
    opener, first = _opener(), address
    for _ in range(REDIRECTS + 1):
        headers = {"User-Agent": f"plainly/{__version__}", "Accept-Encoding": "identity"}
        if start:
            headers["Range"] = f"bytes={start}-"
        try:
            return opener.open(urllib.request.Request(address, headers=headers), timeout=TIMEOUT)
        except HTTPError as error:
            if error.code not in (301, 302, 303, 307, 308):
                raise
            error.close()
            address = _redirected(address, error.headers.get("Location", ""))
    raise TransferFault(f"{first}: more than {REDIRECTS} redirects")


def _redirected(address: str, location: str) -> str:
    target = urljoin(address, location)
    old, new = urlsplit(address).scheme, urlsplit(target).scheme
    if new not in ("http", "https") or (old == "https" and new == "http"):
        raise TransferFault(f"{address}: redirects to an address that is not allowed")
    return target


def _opener() -> urllib.request.OpenerDirector:
    """Speaks HTTP, HTTPS (also through a proxy) and file, nothing else, and follows nothing."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.FileHandler(),
        urllib.request.UnknownHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
    ):
        opener.add_handler(handler)
    return opener


def _unreachable(error: Exception, address: str) -> TransferFault:
    host = urlsplit(address).netloc or address
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(reason, FileNotFoundError):
        return TransferFault(f"{address}: no such file there")
    if isinstance(reason, TimeoutError):
        return Unreachable(f"{host} does not answer within {TIMEOUT:g} s")
    if isinstance(reason, socket.gaierror):
        return Unreachable(f"cannot find {host}; is there a network?")
    if isinstance(reason, ConnectionRefusedError):
        return Unreachable(f"{host} refuses the connection")
    if isinstance(reason, ssl.SSLCertVerificationError):
        return Unreachable(f"the certificate of {host} is not trusted: {reason.verify_message}")
    if isinstance(reason, (http.client.HTTPException, ValueError)):
        return Unreachable(f"{host} gives no proper answer ({type(reason).__name__})")
    why = reason.strerror if isinstance(reason, OSError) and reason.strerror else reason
    return Unreachable(f"cannot reach {host}: {why}")


def _opened(target: Path, append: bool) -> FileIO:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return target.open("ab" if append else "wb", buffering=0)
    except OSError as error:
        raise PlainlyError(f"cannot write {target}: {error.strerror}") from error


def _write(out: FileIO, block: bytes, target: Path) -> None:
    rest = memoryview(block)
    try:
        while rest:
            rest = rest[out.write(rest) :]
    except OSError as error:
        raise PlainlyError(f"cannot write {target}: {error.strerror}") from error


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
