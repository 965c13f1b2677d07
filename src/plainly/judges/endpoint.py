"""Who is asked: the address of a server that speaks the protocol of OpenAI's chat completions, a model, settings.

The key comes from an environment variable that the user names. It is sent to that server, and goes nowhere else.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlsplit

from plainly.base.errors import MissingResource, PlainlyError

PATH = "/chat/completions"
TEMPERATURE: Mapping[str, Any] = MappingProxyType({"temperature": 0})
OURS = ("model", "messages", "stream", "n")  # parts of a request that no setting may change
# Names of settings that may hold a secret; what counts or lists tokens of a text does not.
_SECRET = re.compile(r"key|token(?!s|_id|_budget)|secret|authorization|password", re.IGNORECASE)
_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|::1")


class Key:
    """A secret. It shows itself to nobody but the server."""

    def __init__(self, value: str) -> None:
        forms = {value, json.dumps(value)[1:-1], quote(value, safe="")}
        self._forms = sorted(filter(None, forms), key=len, reverse=True)
        self._value = value

    def headers(self) -> dict[str, str]:
        """What a request carries to show the key; nothing where there is none."""
        return {"Authorization": f"Bearer {self._value}"} if self._value else {}

    def redact(self, text: str) -> str:
        """The text without the key: a server may repeat what it was sent."""
        for form in self._forms:
            text = text.replace(form, "[key]")
        return text

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return "Key([key])" if self else "Key()"

    def __reduce__(self) -> Any:
        raise TypeError("a key is not stored")


@dataclass(frozen=True)
class Endpoint:
    """`url` ends in /v1 as a rule; `settings` go into every request as they are, None takes one out."""

    url: str
    model: str
    key_variable: str | None = None
    settings: Mapping[str, Any] = field(default_factory=lambda: TEMPERATURE, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", _checked(self.url))
        if not self.model.strip() or not self.model.isprintable():
            raise PlainlyError(f"the judge's model needs a name, not {self.model!r}")
        if self.key_variable is not None and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", self.key_variable):
            # What looks like a key itself must not be shown.
            raise PlainlyError("the key is taken from an environment variable; give its name, never the key itself")
        for name in self.settings:
            if name in OURS:
                raise PlainlyError(f"{name!r} is no setting of a judge: plainly sets it")
            if _SECRET.search(name):
                raise PlainlyError(
                    f"the setting {name!r} of a judge may hold no secret, since settings are stored and shown; "
                    "name the environment variable of the key"
                )

    @property
    def key(self) -> Key:
        """The key, read when it is needed; empty where the server wants none."""
        if self.key_variable is None:
            return Key("")
        value = os.environ.get(self.key_variable, "").strip()
        if not value:
            raise MissingResource(f"the environment variable {self.key_variable} holds no key; export it first")
        if not value.isascii() or not value.isprintable() or " " in value:
            raise PlainlyError(f"what {self.key_variable} holds is no key: it has characters that no key has")
        return Key(value)

    @property
    def in_the_open(self) -> bool:
        """Whether the key would travel unencrypted over a network."""
        parts = urlsplit(self.url)
        local = _LOOPBACK.fullmatch(parts.hostname or "")
        return self.key_variable is not None and parts.scheme == "http" and not local

    def body(self, messages: list[dict[str, str]], max_tokens: int) -> dict[str, Any]:
        """One request."""
        settings = {"max_tokens": max_tokens, **TEMPERATURE, **self.settings}
        wanted = {name: value for name, value in settings.items() if value is not None}
        return {"model": self.model, "messages": messages, **wanted}

    def identity(self, body: Mapping[str, Any], repeat: int, attempt: int) -> str:
        """The name under which a reply is kept: same server, model, prompt and settings, same name."""
        content = {"url": self.url, "body": body, "repeat": repeat, "attempt": attempt}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii")).hexdigest()

    def signed(self) -> dict[str, str]:
        """What a signature says of the judge."""
        settings = {**TEMPERATURE, **self.settings}
        return {
            "model": self.model.replace("|", "/"),
            **{name: json.dumps(value).replace("|", "/") for name, value in sorted(settings.items())},
        }


def parse_settings(given: Sequence[str]) -> dict[str, Any]:
    """Settings as a user writes them, NAME=VALUE: a value that is JSON is taken as such, all else as text."""
    found: dict[str, Any] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals or not name.strip():
            raise PlainlyError(f"a setting of a judge is NAME=VALUE, not {item!r}")
        if name in found:
            raise PlainlyError(f"the setting {name!r} of the judge is given twice")
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            found[name] = value
    return found


def _checked(url: str) -> str:
    """The full address of the service. Nothing secret may be part of it, since it is stored and shown."""
    try:
        parts = urlsplit(url.strip())
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        right = False
    if not right or not url.strip().isascii() or not url.strip().isprintable() or " " in url.strip():
        raise PlainlyError("a judge's URL is like https://api.example.com/v1 or http://localhost:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise PlainlyError("a judge's URL may not hold a name, a key, ? or #: it is stored and shown")
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path if path.endswith(PATH) else path + PATH}"
