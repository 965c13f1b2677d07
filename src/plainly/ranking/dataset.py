"""A dataset of ranked texts as one folder: texts.jsonl, pairs.csv, later scores.csv, and a README.md."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.groups import grouped
from plainly.base.records import as_text, write_csv
from plainly.base.version import __version__
from plainly.corpus.readers.files import shown
from plainly.inference.groups import Box, MannWhitney, ShapiroWilk, box, mann_whitney, shapiro_wilk
from plainly.ranking.formats import Text, read_scores, read_texts
from plainly.ranking.pairing import Pairs
from plainly.ranking.repair import RULES
from plainly.ranking.sampling import LABELS, Drawn, Sample

TEXTS, PAIRS, SCORES, README = "texts.jsonl", "pairs.csv", "scores.csv", "README.md"
LABEL_WORDS = {"src": "source", "simp": "simplified"}
"""As ARTS writes them."""
_STATISTICS = "## Source against simplified"


@dataclass(frozen=True)
class Contrast:
    """A number (a score, a length) of source texts against simplified ones."""

    source: Box
    simplified: Box
    test: MannWhitney
    source_normal: ShapiroWilk
    simplified_normal: ShapiroWilk

    @property
    def difference(self) -> float:
        """Of the means."""
        return self.source.mean - self.simplified.mean


def contrast(labels: Sequence[str], values: Sequence[float]) -> Contrast:
    """Means, box plots, and tests of the two groups; other labels do not count."""
    named = [LABEL_WORDS.get(label, label) for label in labels]
    groups = [[value for name, value in zip(named, values, strict=True) if name == label] for label in LABELS]
    for label, group in zip(LABELS, groups, strict=True):
        if not group:
            raise PlainlyError(f"no text has the label {label}")
    source, simplified = groups
    tests = mann_whitney(source, simplified), shapiro_wilk(source), shapiro_wilk(simplified)
    return Contrast(box(source), box(simplified), *tests)


def write_pairs(pairs: Pairs, texts: Sequence[str], path: str | None, start: int = 1) -> None:
    """A list of matches for the studio and for `plainly ranking judge`: match, first, second."""
    with writing(path) as out:
        out.write(_pairs_csv(pairs, texts, start))


def write_dataset(folder: str, sample: Sample, pairs: Pairs, *, licence: str, settings: Mapping[str, Any]) -> None:
    """A new folder, all or nothing; one that holds something already is refused."""
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise PlainlyError(f"{shown(folder)} is there already; choose another folder, or empty it")
    files = {
        TEXTS: "".join(_text_line(text) for text in sample.texts),
        PAIRS: _pairs_csv(pairs, [text.id for text in sample.texts], 1),
        README: _readme(sample, pairs, licence, settings),
    }
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=target.parent, prefix=".plainly-"))
    except OSError as error:
        raise PlainlyError(f"cannot write {shown(folder)}: {error.strerror}") from error
    try:
        for name, content in files.items():
            (made / name).write_bytes(content.encode("utf-8", "backslashreplace"))
        mask = os.umask(0)
        os.umask(mask)
        made.chmod(0o777 & ~mask)
        if target.exists():
            target.rmdir()
        made.replace(target)
    except OSError as error:
        raise PlainlyError(f"cannot write {shown(folder)}: {error.strerror}") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def add_scores(folder: str, scores: str) -> Contrast | None:
    """Put scores (a table with `text` or `id`, and `score`) beside the texts, and their statistics into the README.

    Returns the contrast of source and simplified texts, if the texts have such labels.
    """
    texts = read_texts(Path(folder) / TEXTS)
    ids = [text.id for text in texts]
    found = read_scores(scores, ids)
    if missing := next((name for name in ids if name not in found), None):
        raise PlainlyError(f"{scores}: text {shown(missing)} has no score")
    compared = label_contrast(texts, found)
    readme = Path(folder) / README
    try:
        said = readme.read_text(encoding="utf-8")
    except OSError as error:
        raise PlainlyError(f"{readme}: {error.strerror}") from error
    with writing(str(Path(folder) / SCORES)) as out:
        write_csv(["id", "score"], ([text.id, found[text.id]] for text in texts), out)
    if compared is not None:
        with writing(str(readme)) as out:
            out.write(said.partition(_STATISTICS)[0].rstrip("\n") + "\n\n" + _statistics(compared))
    return compared


def label_contrast(texts: Iterable[Text], scores: Mapping[str, float]) -> Contrast | None:
    """Source against simplified, by the field `label`; None where the texts have none."""
    labelled = [(str(text.fields["label"]), scores[text.id]) for text in texts if "label" in text.fields]
    if not labelled:
        return None
    return contrast([label for label, _ in labelled], [score for _, score in labelled])


def _text_line(text: Drawn) -> str:
    content = {
        "id": text.id,
        "text": text.text,
        "label": text.label,
        "corpus": text.corpus,
        "domain": text.domain,
        "characters": len(text.text),
        "original": text.original,
        "place": text.place,
        "repairs": list(text.rules),
    }
    return json.dumps(content, ensure_ascii=False) + "\n"


def _pairs_csv(pairs: Pairs, texts: Sequence[str], start: int) -> str:
    rows = ([number, texts[one], texts[other]] for number, (one, other) in enumerate(pairs.tolist(), start))
    return as_text(lambda out: write_csv(["match", "first", "second"], rows, out))


def _readme(sample: Sample, pairs: Pairs, licence: str, settings: Mapping[str, Any]) -> str:
    lengths = contrast([text.label for text in sample.texts], [len(text.text) for text in sample.texts])
    cells = grouped(sample.texts, lambda text: (text.corpus, text.domain, text.label))
    parts = sorted({(corpus, domain) for corpus, domain, _ in cells})
    mended = Counter(rule for text in sample.texts for rule in text.rules)
    limit = f"at most {sample.limit} characters each" if sample.limit else "no limit of length"
    lines = [
        "# Texts to be ranked by how hard they are to read",
        "",
        f"Made by plainly {__version__}, seed {sample.seed}. {len(sample.texts)} texts "
        f"({lengths.source.n} source, {lengths.simplified.n} simplified, never both sides of one pair), {limit}; "
        f"{len(pairs)} matches.",
        "",
        f"Licence: {licence}",
        "",
        "| file | holds |",
        "|---|---|",
        "| `texts.jsonl` | `id`, `text` (mended), `label` (source or simplified), `corpus`, `domain`, `characters`, "
        "`original` (as in the corpus), `place`, `repairs` |",
        "| `pairs.csv` | `match`, `first`, `second`: who meets whom, and on which side |",
        "| `scores.csv` | `id`, `score`, once there are judgements |",
        "",
        "## Where the texts come from",
        "",
        "| corpus | domain | source | mean characters | simplified | mean characters |",
        "|---|---|---:|---:|---:|---:|",
        *(
            f"| {_cell(corpus)} | {_cell(domain) or '-'} | "
            + " | ".join(_count_and_length(cells.get((corpus, domain, label), [])) for label in LABELS)
            + " |"
            for corpus, domain in parts
        ),
        "",
        f"Characters: source {_summary(lengths.source)}; simplified {_summary(lengths.simplified)}.",
        "",
        f"Passed over: {', '.join(f'{number} {reason}' for reason, number in sample.passed_over.items())}. "
        f"Near-duplicates have a Jaccard similarity of their words of {sample.near:g} or more.",
        "",
        f"Texts changed by each repair: {', '.join(f'{rule} {mended[rule]}' for rule in {**RULES, **mended})}.",
        "",
        "## Settings",
        "",
        "```json",
        json.dumps(dict(settings), ensure_ascii=False, indent=2),
        "```",
        "",
    ]
    return "\n".join(lines)


def _statistics(found: Contrast) -> str:
    rows = [
        f"| {name} | {group.n} | {group.mean:.4f} | {group.median:.4f} | {group.lower:.4f} | {group.upper:.4f} | "
        f"{group.whisker_low:.4f} | {group.whisker_high:.4f} |"
        for name, group in (("source", found.source), ("simplified", found.simplified))
    ]
    return "\n".join(
        [
            _STATISTICS,
            "",
            "| texts | n | mean score | median | lower quartile | upper quartile | whisker | whisker |",
            "|---|---:|---:|---:|---:|---:|---:|---:|",
            *rows,
            "",
            f"Mann-Whitney: U = {found.test.u:g}, p = {found.test.p:.3g}; a source text scores higher than a "
            f"simplified one in {found.test.share:.1%} of all pairs.",
            "",
            f"Shapiro-Wilk (a small p: not normal): source p = {found.source_normal.p:.3g}, "
            f"simplified p = {found.simplified_normal.p:.3g}.",
            "",
        ]
    )


def _summary(group: Box) -> str:
    return f"mean {group.mean:.1f}, median {group.median:g}"


def _count_and_length(texts: Sequence[Drawn]) -> str:
    mean = f"{sum(len(text.text) for text in texts) / len(texts):.1f}" if texts else "-"
    return f"{len(texts)} | {mean}"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
