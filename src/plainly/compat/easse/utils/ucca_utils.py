"""UCCA parses: names only."""

from plainly.compat.easse.samsa import WHY
from plainly.compat.easse.unavailable import stand_ins

__getattr__ = stand_ins(
    ["flatten_unit", "get_parser", "get_scenes_text", "get_scenes_ucca", "mock_sys_argv", "ucca_parse_texts"],
    WHY,
)
