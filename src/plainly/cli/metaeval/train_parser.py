"""`plainly metaeval train` and its options. Importing this page imports nothing heavy."""

from __future__ import annotations

from plainly.cli.metaeval.parser import add_judgements
from plainly.cli.options import (
    Commands,
    OneOfEndings,
    add_command,
    add_format_option,
    add_interval_options,
    add_run_options,
    add_text_options,
)


def add_train(actions: Commands) -> None:
    """The action, which learns the metric `plainly-quality`."""
    train = add_command(
        actions,
        "train",
        "learn one metric from judgements, out of others, and say whether it beats the best of them",
        "  plainly metaeval train --ratings ratings.csv --sources src.txt --references ref.0 \\\n"
        "      --system mine=out.txt --system other=out2.txt --dimension simplicity -o ours.json\n"
        "  plainly score --sources src.txt --references ref.0 --system new=new.txt \\\n"
        "      --metrics plainly-quality --quality-model ours.json\n"
        "  plainly metaeval train --ratings-set asset-ratings,simpeval-2022-da --held-out simplicity-da \\\n"
        "      --ratings-folder data --dimension simplicity",
        "metaeval.train",
    )
    add_judgements(train, several=True)
    add_text_options(train, columns=False)
    learning = train.add_argument_group("learning")
    learning.add_argument("--lang", help="default: en, or that of the test set")
    learning.add_argument(
        "--dimension",
        metavar="NAMES",
        required=True,
        help="of several names, the first that a data set has",
    )
    learning.add_argument(
        "--inputs",
        metavar="NAMES",
        help="comma-separated metrics, or METRIC/COMPONENT, to learn from (default: up to 20; see docs/quality.md)",
    )
    learning.add_argument(
        "--held-out",
        metavar="NAMES",
        help="published data sets to test on, comma-separated; nothing like their texts is learned from",
    )
    learning.add_argument(
        "--split-by",
        metavar="FIELD",
        help="a field of the data: rows with another value of it are a set of their own, held out in turn",
    )
    add_interval_options(train, "segments are drawn anew as wholes")
    output = train.add_argument_group("output")
    output.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        action=OneOfEndings,
        what="a model",
        endings=("json",),
        help="the model, only if it is better",
    )
    output.add_argument("--anyway", action="store_true", help="write the model even if it is not better")
    add_format_option(output, "of the tests that are printed")
    add_run_options(output)
    # What other commands let one choose, and reading the texts asks for.
    train.set_defaults(metrics=None, profile=None, tokenizer=None, baselines=None, systems=False)
