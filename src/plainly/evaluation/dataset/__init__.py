"""Statistics folders: read, checked, cut by any column, put together and compared without scoring anything again."""

from plainly.evaluation.dataset.folder import Folder
from plainly.evaluation.dataset.loading import compare_folder, load, without_texts
from plainly.evaluation.dataset.merging import Merged, merge_folders
from plainly.evaluation.dataset.slices import Slice, Slices, scores_by
from plainly.evaluation.dataset.writing import save

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
