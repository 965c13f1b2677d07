"""Scenes: what happens in a text and who takes part, from a dependency parse or from UCCA files."""

from plainly.models.scenes.dependency import scenes
from plainly.models.scenes.scene import Scene, Unit, Word
from plainly.models.scenes.ucca import Passages, read_passage, read_passages

__all__ = ["Passages", "Scene", "Unit", "Word", "read_passage", "read_passages", "scenes"]
