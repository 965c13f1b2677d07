"""The actions of `plainly operations` and their options. Importing this page imports nothing heavy."""

from __future__ import annotations

import argparse

from plainly.cli.options import (
    Commands,
    Parser,
    add_actions,
    add_command,
    add_file_options,
    add_files,
    add_interval_options,
    add_metric_options,
    add_repeated,
    add_systems,
    add_table_options,
    add_text_files,
    seed_number,
)

OF_TRAINING = "the weights: .npz (learned) or .safetensors (encoder); with --cross-validate the pairs: .jsonl"
TABLES = {
    "agreement": ("overall", "kappas", "spread", "groups", "labels", "confusions", "matrix", "contested"),
    "correlate": ("correlations", "regressions", "coefficients"),
    "stats": ("summary", "labels", "classes", "tokens", "per-pair", "length", "by-length", "reported", "comparison"),
    "subset": ("scores", "summary", "sizes"),
}
SOURCES = "sources are drawn, each with all of its pairs"


def add_operations(commands: Commands) -> None:
    """The command with all its actions."""
    actions = add_actions(
        commands,
        "operations",
        "study what simplifiers do to words, and what metrics make of it",
        "  plainly operations stats --annotations pairs.jsonl",
        "operations",
    )
    _add_labels(actions)
    _add_stats(actions)
    _add_correlate(actions)
    _add_subset(actions)
    _add_tag(actions)
    _add_train(actions)
    _add_agreement(actions)
    _add_convert(actions)


def add_annotation_options(action: Parser, *, required: bool = True) -> argparse._ArgumentGroup:
    """Which annotations to read, the same for every action that reads them (`cli.operations.inputs` reads them)."""
    files = action.add_argument_group(
        "annotations",
        "YAWAT (.aln) or JSONL, also .gz; FILE may have a name: NAME=FILE; or a name of the catalogue: assetann",
    )
    add_files(files, "--annotations", metavar="[NAME=]FILE", required=required)
    files.add_argument("--sources", metavar="FILE", help="as tokens, for .aln files")
    add_repeated(
        files, "--targets", "FILE", "tokens of the simplifications, one file for each .aln file without a .crp file"
    )
    add_repeated(
        files,
        "--crp",
        "FILE",
        "instead of both: tokens of both sides, for each .aln file, or for each without a .crp file beside it",
    )
    _add_typology(files)
    add_repeated(
        files, "--alias", "NAME=LABEL", "read another name as this label, as literal=synonym; may be repeated"
    )
    files.add_argument(
        "--repair", action="store_true", help="give labels on an impossible side their counterpart, and count it"
    )
    return files


def _add_typology(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--typology", metavar="FILE", help="labels of your own, as YAML (default: those of ASSETann)")


def _add_labels(actions: Commands) -> None:
    labels = add_command(
        actions,
        "labels",
        "list all operations and what they mean; checks a typology of your own",
        "  plainly operations labels --typology own.yaml --format markdown",
        "operations.labels",
    )
    _add_typology(labels.add_argument_group("annotations"))
    add_table_options(labels)


def _add_convert(actions: Commands) -> None:
    convert = add_command(
        actions,
        "convert",
        "check annotations and write them in another format",
        "  plainly operations convert --annotations ref.aln --crp ref.crp --repair -o ref.jsonl",
        "operations.convert",
    )
    add_annotation_options(convert)
    add_file_options(convert, "FILE.jsonl, or FILE.aln with FILE.crp (default: print JSONL)")


def _add_stats(actions: Commands) -> None:
    stats = add_command(
        actions,
        "stats",
        "count operations: as pairs that have them, and as groups of tokens",
        "  plainly operations stats --annotations ref.0.aln --sources src.tok --targets ref.0.tok\n"
        "  plainly operations stats --annotations mine.jsonl --beside people.jsonl --format markdown",
        "operations.stats",
    )
    add_annotation_options(stats)
    tables = stats.add_argument_group("tables")
    add_repeated(tables, "--beside", "[NAME=]FILE", "compare with these annotations; may be repeated")
    tables.add_argument(
        "--erroneous", action="store_true", help="count pairs flagged as faulty too (default: leave them out)"
    )
    add_interval_options(stats, SOURCES)
    add_table_options(stats, TABLES["stats"], pictures=True)


def _add_agreement(actions: Commands) -> None:
    agreement = add_command(
        actions,
        "agreement",
        "compare annotations of the same pairs: with each other, and with a gold annotation",
        "  plainly operations agreement --annotations ana=a.jsonl --annotations ben=b.jsonl --gold gold.jsonl\n"
        "  plainly operations agreement --annotations everyone.jsonl --errors left-out --table labels",
        "operations.agreement",
    )
    add_annotation_options(agreement)
    study = agreement.add_argument_group("agreement")
    add_files(study, "--gold")
    study.add_argument(
        "--errors",
        choices=["as-written", "whole-pair", "left-out"],
        default="as-written",
        help="what the flag for a faulty pair means: a label of the tokens it names (default), of all tokens, "
        "or that the pair does not count",
    )
    add_repeated(
        study,
        "--merge",
        "NAME=LABELS",
        "one more reading, with these labels (comma-separated) as one; may be repeated",
    )
    add_interval_options(agreement, SOURCES)
    output = add_table_options(agreement, TABLES["agreement"], pictures=True)
    output.add_argument(
        "--annotator", metavar="NAME", help="show labels and confusions of this annotator against gold"
    )
    output.add_argument(
        "--top", type=int, default=10, metavar="N", help="confusions of each side, and contested pairs"
    )


def _add_tag(actions: Commands) -> None:
    tag = add_command(
        actions,
        "tag",
        "find the operations of any system's outputs automatically",
        "  plainly operations tag --sources src.txt --system mine=out.txt -o mine.jsonl\n"
        "  plainly operations tag --sources src.de.txt --system mine=out.de.txt --lang de --tagger rules",
        "operations.tag",
    )
    files = add_text_files(tag, "they are tagged as outputs are")
    files.add_argument("--test-set", metavar="NAME")
    files.add_argument("--against", choices=["published"])
    files.add_argument("--lang", help="default: en, or that of the test set")
    files.add_argument(
        "--tokenized", action="store_true", help="tokens stand between blanks (default: the language's tokeniser)"
    )
    tagger = tag.add_argument_group("tagger")
    tagger.add_argument(
        "--tagger",
        choices=["auto", "rules", "learned", "encoder"],
        default="auto",
        help="default: auto, the strongest one here",
    )
    tagger.add_argument(
        "--commercial", action="store_true", help="only what may be used commercially: no weights of plainly's"
    )
    tagger.add_argument("--model", metavar="NAME", help="a file of weights, made by plainly operations train")
    tagger.add_argument("--workers", type=int, metavar="N")
    tag.set_defaults(demo=False, empty_reference="missing")
    add_file_options(tag, "JSONL, or YAWAT if it ends in .aln (with a .crp)")


def _add_correlate(actions: Commands) -> None:
    correlate = add_command(
        actions,
        "correlate",
        "find out which operations a metric rewards or punishes",
        "  plainly operations correlate --annotations references.jsonl --metrics sari,bleu\n"
        "  plainly operations correlate --annotations mine.jsonl --references ref.0 --references ref.1\n"
        "  plainly operations correlate --annotations references.jsonl --regress lasso,forest",
        "operations.correlate",
    )
    add_annotation_options(correlate)
    texts = _add_raw_options(correlate)
    add_files(texts, "--references", "they judge the annotated targets, which else judge each other")
    _add_metrics(correlate).add_argument(
        "--parts",
        metavar="NAMES",
        help="parts of the scores too, comma-separated (default: those without a number in their name)",
    )
    study = correlate.add_argument_group("study")
    study.add_argument("--classes", action="store_true", help="classes of operations in place of single ones")
    study.add_argument("--presence", action="store_true", help="whether a pair has an operation, not how often")
    study.add_argument(
        "--coefficient", choices=["pearson", "spearman", "kendall"], default="spearman", help="default: spearman"
    )
    study.add_argument(
        "--regress", metavar="MODELS", help="also explain scores by all operations: lasso, tree, forest, mlp"
    )
    study.add_argument(
        "--folds-by",
        choices=["source", "reference", "both"],
        default="source",
        help="what stays together in a fold: a source (default), or a reference, which leaks a little",
    )
    study.add_argument("--folds", type=int, default=10, metavar="N")
    study.add_argument(
        "--penalty", type=float, metavar="ALPHA", help="of the lasso (default: the best within each training set)"
    )
    study.add_argument(
        "--without-faulty-sources",
        action="store_true",
        help="regress without sources of which any target is faulty",
    )
    add_interval_options(correlate, SOURCES)
    output = add_table_options(correlate, TABLES["correlate"])
    output.add_argument("--threads", type=int, metavar="N")


def _add_subset(actions: Commands) -> None:
    subset = add_command(
        actions,
        "subset",
        "score systems by some references only, beside as many random ones",
        "  plainly operations subset --annotations references.jsonl --system mine=out.txt \\\n"
        "      --subset 'clean=not err' --subset 'lexical and not err'",
        "operations.subset",
    )
    add_annotation_options(subset)
    texts = _add_raw_options(subset)
    add_systems(texts)
    _add_metrics(subset)
    chosen = subset.add_argument_group("subsets")
    add_repeated(
        chosen, "--subset", "[NAME=]EXPRESSION", "which references count, as 'lexical and not err'; may be repeated"
    )
    chosen.add_argument("--members", metavar="FILE", help="subsets as a table: id, origin, columns of 0 and 1 (TSV)")
    chosen.add_argument(
        "--within", metavar="EXPRESSION", help="only among these references, for subsets and random ones"
    )
    chosen.add_argument("--random-subsets", type=int, default=100, metavar="N", help="to compare with (default: 100)")
    add_interval_options(subset, SOURCES)
    output = add_table_options(subset, TABLES["subset"])
    output.add_argument(
        "--write", metavar="FOLDER", help="write each subset there too, as JSONL for plainly score --data"
    )
    output.add_argument("--threads", type=int, metavar="N")


def _add_raw_options(action: Parser) -> argparse._ArgumentGroup:
    texts = action.add_argument_group("texts", "what is scored: the annotated tokens, unless these are given")
    texts.add_argument("--raw-sources", metavar="FILE", help="the sources untokenised, one a line")
    add_repeated(
        texts,
        "--raw-targets",
        "FILE",
        "the annotated targets untokenised, one file for each origin, in the order of the annotations",
    )
    return texts


def _add_metrics(action: Parser) -> argparse._ArgumentGroup:
    metrics = add_metric_options(action, "sari")
    action.set_defaults(unit=None)  # annotations are of segments
    return metrics


def _add_train(actions: Commands) -> None:
    train = add_command(
        actions,
        "train",
        "train a tagger on annotations",
        "  plainly operations train --annotations mine.jsonl --lang de -o german.npz\n"
        "  plainly operations tag --sources src.txt --system mine=out.txt --lang de --model german.npz",
        "operations.train",
    )
    add_annotation_options(train)
    training = train.add_argument_group("training")
    training.add_argument("--lang", help="default: en")
    training.add_argument(
        "--tagger", choices=["learned", "encoder"], default="learned", help="encoder needs torch (default: learned)"
    )
    training.add_argument(
        "--leave-out", metavar="IDS", default="", help="ids of sources not to learn from, as 3,8,141-190"
    )
    training.add_argument(
        "--without-parser",
        action="store_true",
        help="learn for places without a parser (default: with one, where it gives tags, lemmas and dependencies)",
    )
    training.add_argument(
        "--annotator-changes",
        metavar="NUMBERS",
        help="the pairs with which another annotator begins, counted from 0, as 600,900 (default: each file its own)",
    )
    training.add_argument("--networks", type=int, metavar="N", help="whose mean is taken (default: 3)")
    training.add_argument("--epochs", type=int, metavar="N", help="over all pairs (default: 10 learned, 14 encoder)")
    training.add_argument("--seed", type=seed_number, default=0, help="default: 0")
    training.add_argument("--cross-validate", action="store_true", help="writes the pairs as tagged")
    training.add_argument("--folds", type=int, default=10, metavar="N")
    add_file_options(train, OF_TRAINING, required=True)
