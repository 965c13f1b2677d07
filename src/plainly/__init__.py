"""plainly: measure text simplification.

>>> import plainly
>>> scores = plainly.evaluate(
...     sources=["The feline reposed on the rug."],
...     outputs=["The cat slept on the rug."],
...     references=[["The cat slept on the rug.", "The cat lay on the rug."]],
... )
>>> round(scores["output"]["bleu"].score, 2)
100.0

`evaluate` scores systems, `compare` tests them against each other, `load` gives a published test set. Each room is an
attribute with the verbs of its studies, as `plainly.ranking.rate`; docs/api.md lists all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plainly.base.faces import lazily
from plainly.base.version import __version__

if TYPE_CHECKING:
    from plainly import (
        comprehension,
        corpus,
        demo,
        filtering,
        findings,
        gaming,
        inference,
        judges,
        metaeval,
        metrics,
        operations,
        plugins,
        ranking,
        ratings,
        replication,
        report,
        scoring,
        simplicity,
        studyfile,
        text,
    )
    from plainly.base.errors import PlainlyError
    from plainly.corpus import Corpus
    from plainly.corpus.catalogue import load
    from plainly.scoring import Comparison, Evaluation, compare, evaluate

__all__ = [
    "Comparison",
    "Corpus",
    "Evaluation",
    "PlainlyError",
    "__version__",
    "compare",
    "comprehension",
    "corpus",
    "demo",
    "evaluate",
    "filtering",
    "findings",
    "gaming",
    "inference",
    "judges",
    "load",
    "metaeval",
    "metrics",
    "operations",
    "plugins",
    "ranking",
    "ratings",
    "replication",
    "report",
    "scoring",
    "simplicity",
    "studyfile",
    "text",
]

_HOME = {
    "Comparison": "plainly.scoring",
    "Corpus": "plainly.corpus",
    "Evaluation": "plainly.scoring",
    "PlainlyError": "plainly.base.errors",
    "compare": "plainly.scoring",
    "evaluate": "plainly.scoring",
    "load": "plainly.corpus.catalogue",
}
_ROOMS = {name: f"plainly.{name}" for name in __all__ if name not in _HOME and name != "__version__"}

# Loaded at first use: `import plainly` must not wait for numpy.
__getattr__ = lazily(__name__, {**_HOME, **_ROOMS, "compat": "plainly.compat"})


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
