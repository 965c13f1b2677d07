"""plainly: measure text simplification.

>>> import plainly
>>> scores = plainly.evaluate(
...     sources=["The feline reposed on the rug."],
...     outputs=["The cat slept on the rug."],
...     references=[["The cat slept on the rug.", "The cat lay on the rug."]],
... )
>>> round(scores["output"]["bleu"].score, 2)
100.0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from plainly.base.version import __version__

if TYPE_CHECKING:
    from plainly.base.errors import PlainlyError
    from plainly.corpus import Corpus
    from plainly.scoring import Evaluation, evaluate

__all__ = ["Corpus", "Evaluation", "PlainlyError", "__version__", "evaluate"]

# Loaded at first use: `import plainly` must not wait for numpy.
_HOME = {
    "Corpus": "plainly.corpus",
    "Evaluation": "plainly.scoring",
    "PlainlyError": "plainly.base.errors",
    "evaluate": "plainly.scoring",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in {"metrics", "corpus", "text", "compat", "scoring"}:
        return import_module(f"plainly.{name}")
    raise AttributeError(f"module 'plainly' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
