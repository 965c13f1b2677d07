"""What people write of a number in a paper, as a signature: "SARI (EASSE 0.2.4)", "BLEU (sacrebleu 2.4, tok=13a)".

Only what is said counts, and what no user of that tool can choose; the rest stays unsaid.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from plainly.base.errors import PlainlyError
from plainly.base.signature import Signature
from plainly.metrics import names

EVALUATE = r"hugging\s?face(?:'s)?(?:\s+evaluate)?|evaluate"
TOOL = re.compile(
    rf"\b(easse|sacrebleu|plainly|{EVALUATE})\b[\s:=_-]*(?:version\s*)?v?(\d+(?:\.\d+)*)?", re.IGNORECASE
)
SETTING = re.compile(r"\b([a-z_]+)\s*=\s*([^\s,;()|]+)", re.IGNORECASE)
REFERENCES = re.compile(r"\b(\d+)\s+ref(?:erence)?s?\b", re.IGNORECASE)
WORD = re.compile(r"[a-z][a-z0-9_+:-]*", re.IGNORECASE)

METRICS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    **{name: (name, {}) for name in names()},
    "chrf2": ("chrf", {}),
    "chrf++": ("chrf", {"word_order": "2"}),
    "chrf2++": ("chrf", {"word_order": "2"}),
}
NAMED = {  # of a setting: how people write it -> our name
    **dict.fromkeys(("tok", "tokenizer", "tokenize", "tokenizer_name"), "tokenizer"),
    **dict.fromkeys(("lowercase", "lc", "case"), "lowercase"),
    **dict.fromkeys(("refs", "nrefs", "references"), "references"),
    **dict.fromkeys(("smooth", "smooth_method"), "smooth"),
    "variant": "variant",
    "lang": "lang",
}
VALUES = {
    **{("lowercase", yes): "lower" for yes in ("lc", "true", "yes", "1", "lower")},
    **{("lowercase", no): "mixed" for no in ("false", "no", "0", "cased", "mixed")},
}
PLAIN = {  # words that are settings by themselves
    **dict.fromkeys(("lowercased", "lowercase", "lower-cased", "uncased"), ("lowercase", "lower")),
    **dict.fromkeys(("cased", "case-sensitive"), ("lowercase", "mixed")),
}
FIXED: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("easse", "sari"): {"variant": "easse"},
    ("evaluate", "sari"): {"variant": "huggingface", "tokenizer": "13a", "lowercase": "lower"},
}
"""What users of a tool cannot choose."""


def read_mention(text: str) -> Signature | None:
    """What a few words say of a number; None where the text is written as a signature."""
    tool = TOOL.search(text)
    if "|" in text or not (tool or set(text) & set(" =(") or text.lower() in METRICS):
        return None
    rest = TOOL.sub(" ", text)
    settings: dict[str, str] = {}
    for key, value in SETTING.findall(rest):
        name = NAMED.get(key.lower())
        if name is None:
            raise PlainlyError(f"not a signature: {text!r} ({key} is no setting that plainly knows)")
        settings[name] = VALUES.get((name, value.lower()), value)
    rest = SETTING.sub(" ", rest)
    if count := REFERENCES.search(rest):
        settings["references"] = count[1]
    words = [word.lower() for word in WORD.findall(rest)]
    settings |= dict(PLAIN[word] for word in words if word in PLAIN)
    metric, own = next((METRICS[word] for word in words if word in METRICS), ("", {}))
    if not (tool or metric or settings):
        raise PlainlyError(
            f"not a signature: {text!r} (expected name|key:value|key:value, or words as SARI (EASSE 0.2.4))"
        )
    by = re.sub(EVALUATE, "evaluate", tool[1].lower()) if tool else ""
    said = {**FIXED.get((by, metric), {}), **own, **settings}
    return Signature(metric, said, tool[2] if tool else None, by or "nobody", mentioned=True)
