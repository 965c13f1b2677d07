"""The options of settings of plainly's metrics. Generated from the metrics: python docs/generate.py."""

from __future__ import annotations

from typing import Any

# The option, and what `add_argument` is told of it; `dest` is the name of the setting.
OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "--tokenizer",
        {
            "dest": "tokenizer",
            "help": "how texts are cut into words: 13a (default), intl, none, char, moses, penn, spacy or stanza",
        },
    ),
    (
        "--lowercase",
        {
            "dest": "lowercase",
            "help": "lower-case first (default of sari and bleu)",
            "action": "store_true",
            "default": None,
        },
    ),
    (
        "--cased",
        {
            "dest": "lowercase",
            "help": "keep upper and lower case apart",
            "action": "store_false",
            "default": None,
        },
    ),
    (
        "--reference-weighting",
        {
            "dest": "reference_weighting",
            "help": "sari: with unequal references: segments (default) or counts",
            "metavar": "RULE",
        },
    ),
    (
        "--empty-operation",
        {
            "dest": "empty_operation",
            "help": "sari: where nothing is to be done: zero, one or skip (default: zero, or the variant's own)",
            "metavar": "RULE",
        },
    ),
    (
        "--model",
        {
            "dest": "model",
            "help": "bertscore, meaning: a folder or a name in the cache of the model hub (default: by language)",
        },
    ),
    (
        "--device",
        {
            "dest": "device",
            "help": "bertscore, meaning: auto (default), cpu, cuda or another device of torch",
        },
    ),
    (
        "--layer",
        {
            "dest": "layer",
            "help": "bertscore: the layer of the model (default: by model)",
            "metavar": "N",
            "type": int,
        },
    ),
    (
        "--baseline-file",
        {
            "dest": "baseline_file",
            "help": "bertscore: rescale by this table (LAYER,P,R,F)",
            "metavar": "FILE",
        },
    ),
    (
        "--judge-url",
        {
            "dest": "judge_url",
            "help": "judge: the address of the server, as a rule with /v1",
            "metavar": "URL",
        },
    ),
    (
        "--judge-model",
        {
            "dest": "judge_model",
            "help": "judge: the name of the model there",
            "metavar": "NAME",
        },
    ),
    (
        "--judge-key-variable",
        {
            "dest": "judge_key_variable",
            "help": "judge: the environment variable with the key",
            "metavar": "NAME",
        },
    ),
    (
        "--judge-aspects",
        {
            "dest": "judge_aspects",
            "help": "judge: fluency, meaning, simplicity (all)",
            "metavar": "NAMES",
        },
    ),
    (
        "--judge-references",
        {
            "dest": "judge_references",
            "help": "judge: show it the references too",
            "action": "store_true",
            "default": None,
        },
    ),
    (
        "--judge-setting",
        {
            "dest": "judge_settings",
            "help": "judge: sent with every question, as temperature=0.7 (default: 0); may be repeated",
            "metavar": "NAME=VALUE",
            "action": "append",
        },
    ),
    (
        "--judge-calls",
        {
            "dest": "judge_calls",
            "help": "judge: the most calls made (default: 1000)",
            "metavar": "N",
            "type": int,
        },
    ),
    (
        "--parser",
        {
            "dest": "parser",
            "help": "the name of a parser, as an installed pipeline of spaCy (default: the one of the language)",
            "metavar": "NAME",
        },
    ),
    (
        "--quality-model",
        {
            "dest": "quality_model",
            "help": "plainly-quality: a model of plainly metaeval train",
            "metavar": "FILE",
        },
    ),
    (
        "--simplicity-model",
        {
            "dest": "simplicity_model",
            "help": "simplicity: a model of plainly simplicity train (default: those that ship)",
            "metavar": "FILE",
        },
    ),
)
