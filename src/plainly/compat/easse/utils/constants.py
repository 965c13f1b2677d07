"""EASSE's names of test sets and metrics. plainly ships no test sets, so there are no paths to them."""

from __future__ import annotations

from pathlib import Path

from plainly.compat.easse.unavailable import absent

USE_CUSTOM = "use the test set 'custom' with your own files (-t custom --orig_sents_path ... --refs_sents_paths ...)"

PACKAGE_DIR = Path(__file__).parents[1]

VALID_TEST_SETS = [
    "asset_test",
    "asset_valid",
    "googlecomp_test",
    "googlecomp_valid",
    "hsplit_test",
    "pwkp_test",
    "pwkp_valid",
    "qats_test",
    "turkcorpus_test",
    "turkcorpus_test_legacy",
    "turkcorpus_valid",
    "turkcorpus_valid_legacy",
    "wikisplit_test",
    "wikisplit_valid",
    "custom",
]
VALID_METRICS = [
    "bleu",
    "sari",
    "samsa",
    "fkgl",
    "sent_bleu",
    "f1_token",
    "sari_legacy",
    "sari_by_operation",
    "bertscore",
]
DEFAULT_METRICS = ["bleu", "sari", "fkgl"]

__getattr__ = absent(
    [
        "DATA_DIR",
        "RESOURCES_DIR",
        "STANFORD_CORENLP_DIR",
        "SYSTEM_OUTPUTS_DIR",
        "SYSTEM_OUTPUTS_DIRS_MAP",
        "TEST_SETS_PATHS",
        "TOOLS_DIR",
        "UCCA_DIR",
        "UCCA_PARSER_PATH",
    ],
    "plainly keeps test sets in its own data folder: see `plainly data`",
)
