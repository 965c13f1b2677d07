"""Secrets that strangers cannot guess, of which only a fingerprint is kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets

BYTES = 16
"""128 bits."""


def new_secret() -> str:
    """A secret for a link or a cookie: 22 characters that need no escaping in an address."""
    return secrets.token_urlsafe(BYTES)


def fingerprint(secret: str) -> str:
    """What is kept of a secret: SHA-256, in hexadecimal. A stolen database opens no door."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def same(first: str, second: str) -> bool:
    """Whether two secrets are equal; how long it takes tells nothing."""
    return hmac.compare_digest(first.encode("utf-8", "surrogatepass"), second.encode("utf-8", "surrogatepass"))
