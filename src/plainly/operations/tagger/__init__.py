"""The tagger: what was done to a source to get a simplification, found automatically.

labeller = load("auto", "en")
for groups in tag([(("A", "feline", "slept", "."), ("A", "cat", "slept", "."))], labeller):
    print(groups)   # (Group(source=(1,), target=(1,), label='synonym', confidence=...),)
"""

from plainly.operations.tagger.kinds import AUTO, KINDS, advice, load, strongest
from plainly.operations.tagger.labeller import LABELS, Labelled, Labeller
from plainly.operations.tagger.parallel import Tagger
from plainly.operations.tagger.tagging import annotate, tag, tokens

__all__ = [
    "AUTO",
    "KINDS",
    "LABELS",
    "Labelled",
    "Labeller",
    "Tagger",
    "advice",
    "annotate",
    "load",
    "strongest",
    "tag",
    "tokens",
]
