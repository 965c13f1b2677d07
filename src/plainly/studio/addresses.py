"""Names under which a studio is reached: how links begin, and which names it answers to."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from plainly.base.errors import PlainlyError
from plainly.studio.errors import Misdirected
from plainly.studio.settings import Settings


def public_url(written: str) -> str:
    """The address that people see, as https://study.example.org; anything else is refused."""
    url = written.strip()
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise PlainlyError(f"{written}: this is no address") from None
    if parts.scheme not in ("http", "https") or not host or not all(" " < sign < "\x7f" for sign in url):
        raise PlainlyError(f"{written}: write it as https://study.example.org")
    if parts.username is not None or parts.query or parts.fragment:
        raise PlainlyError(f"{written}: only the name of the server, and a port, as https://study.example.org")
    if parts.path.strip("/"):
        raise PlainlyError(
            f"{written}: the studio needs a name of its own, as https://study.example.org; "
            f"it cannot live below a path such as {parts.path}"
        )
    name = f"[{host}]" if ":" in host else host
    usual = port in (None, {"http": 80, "https": 443}[parts.scheme])
    return f"{parts.scheme}://{name}" if usual else f"{parts.scheme}://{name}:{port}"


def link_base(settings: Settings, scheme: str, host: str) -> str:
    """How links begin: as the owner said, or else as the request says, by the scheme and host that it came to."""
    return settings.url or f"{'https' if settings.https else scheme}://{host}"


def named_by_requests(settings: Settings) -> bool:
    """Whether links begin with whatever name a request came to: nobody has said which one is right."""
    return _answers_only(settings) is None


def insist_host(settings: Settings, host: str) -> None:
    """Raises Misdirected for a request that came to a name which is not this studio's."""
    only = _answers_only(settings)
    if only is None:
        return
    name = _name(host)
    if name not in only and not is_loopback(name):
        known = " or ".join(sorted(only)) or "localhost"
        raise Misdirected(f"this studio answers as {known} only; --url says under which name it is reached")


def _answers_only(settings: Settings) -> set[str] | None:
    """The names beside those of this machine itself; None: every name, for nobody has said which."""
    if settings.url:
        return {_name(urlsplit(settings.url).netloc)}
    # Behind a server on this machine requests come with its name, which is not known here.
    return set() if is_loopback(settings.host) and not settings.https and not settings.proxy else None


def _name(host: str) -> str:
    """Without the port, in small letters, and without the dot that may end a name."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_loopback(name: str) -> bool:
    """Whether it is a name, or an address, of this machine for itself."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
