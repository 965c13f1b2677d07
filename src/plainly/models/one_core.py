"""Keep numpy's matrix products on one core each: plainly's threads share the cores already.

Cores that share a small product do little but wait for each other: with two busy cores it took three times as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

_LOCK = Lock()
_limits: list[Any] = []  # one entry for each thread inside; the first holds what is to be restored


@contextmanager
def one_core_each() -> Iterator[None]:
    """While any thread is inside, products use one core; the last to leave restores what was before.

    The setting is one of the whole process. Without threadpoolctl there is no such limit.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    with _LOCK:
        _limits.append(_limits[0] if _limits else threadpool_limits(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _LOCK:
            limit = _limits.pop()
            if not _limits:
                limit.restore_original_limits()
