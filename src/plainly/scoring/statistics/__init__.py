"""Statistics folders: read, checked, cut by any column, put together and compared without scoring anything again."""

from plainly.scoring.statistics.folder import Folder
from plainly.scoring.statistics.loading import compare_folder, load, without_texts
from plainly.scoring.statistics.merging import Merged, merge_folders
from plainly.scoring.statistics.slices import Slice, Slices, scores_by
from plainly.scoring.statistics.writing import save

__all__ = [
    "Folder",
    "Merged",
    "Slice",
    "Slices",
    "compare_folder",
    "load",
    "merge_folders",
    "save",
    "scores_by",
    "without_texts",
]
