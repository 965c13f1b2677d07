"""What the benchmarks run on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SHARED = Path(__file__).parents[2] / "shared" / "data"
ASSET = "ASSET test"
DEMO = Path(__file__).parents[1] / "src" / "plainly" / "demo" / "en"


@dataclass(frozen=True)
class Data:
    name: str
    sources: list[str]
    references: list[list[str]]  # one list a reference file, as the peers take them
    systems: dict[str, list[str]]

    @property
    def grouped(self) -> list[tuple[str, ...]]:
        """One tuple of references a segment, as plainly takes them."""
        return list(zip(*self.references, strict=True))


def load() -> Data:
    if SHARED.is_dir():
        outputs = sorted((SHARED / "system_outputs" / "asset_turkcorpus").glob("*.txt"))
        return Data(
            ASSET,
            lines(SHARED / "asset" / "asset.test.orig"),
            [lines(SHARED / "asset" / f"asset.test.simp.{i}") for i in range(10)],
            {path.stem: lines(path) for path in outputs},
        )
    return Data(
        "demo set (../shared is not here)",
        lines(DEMO / "sources.txt"),
        [lines(path) for path in sorted(DEMO.glob("references.*.txt"))],
        {path.stem: lines(path) for path in sorted((DEMO / "outputs").glob("*.txt"))},
    )


def lines(path: Path) -> list[str]:
    """The lines of a file; only a line feed ends one."""
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
