"""Write what the toy systems make of the demo sources: run after a change of either."""

from __future__ import annotations

from pathlib import Path

from plainly.demo import DEMO_LANGUAGES, demo_corpus, demo_inputs
from plainly.demo.systems import SYSTEMS

for lang in DEMO_LANGUAGES:
    folder = Path(str(demo_inputs(lang).sources)).parent / "outputs"
    sources = demo_corpus(lang).sources
    for name, system in SYSTEMS.items():
        lines = [system(text or "", lang) for text in sources]
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
