"""A small test set in English and German, and what six systems made of it: four toys and two written by hand."""

from __future__ import annotations

from pathlib import Path

from plainly.corpus import Corpus
from plainly.demo.systems import SYSTEMS
from plainly.errors import UnknownName

__all__ = ["DEMO_LANGUAGES", "SYSTEMS", "demo_corpus", "demo_outputs"]

DEMO_LANGUAGES = ("de", "en")
_HERE = Path(__file__).parent


def demo_corpus(lang: str) -> Corpus:
    """The demo set of a language: 60 sources, three references each, and the outputs of all demo systems."""
    folder = _folder(lang)
    references = [_lines(path) for path in sorted(folder.glob("references.*.txt"))]
    return Corpus(
        sources=_lines(folder / "sources.txt"),
        references=list(zip(*references, strict=True)),
        outputs=demo_outputs(lang),
        lang=lang,
    )


def demo_outputs(lang: str) -> dict[str, list[str]]:
    """System -> its 60 outputs: the toy systems run now, the others were written by hand."""
    folder = _folder(lang)
    sources = _lines(folder / "sources.txt")
    toys = {name: [system(text, lang) for text in sources] for name, system in SYSTEMS.items()}
    written = {path.stem: _lines(path) for path in sorted((folder / "outputs").glob("*.txt"))}
    return {**toys, **written}


def _folder(lang: str) -> Path:
    if lang not in DEMO_LANGUAGES:
        raise UnknownName("language with a demo set", lang, DEMO_LANGUAGES)
    return _HERE / lang


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
