"""The actions of `plainly simplicity` and their options. Importing this page imports nothing heavy."""

from __future__ import annotations

from plainly.cli.options import (
    Commands,
    OneOfEndings,
    Parser,
    add_actions,
    add_command,
    add_files,
    add_interval_options,
    add_judgement_options,
    add_table_options,
    seed_number,
)


def add_simplicity(commands: Commands) -> None:
    """The command with all its actions."""
    actions = add_actions(
        commands,
        "simplicity",
        "say how simple texts are, and why; train a model of your own",
        '  plainly simplicity score "The cat sat down." "The feline assumed a sedentary position."',
        "simplicity.score",
    )
    _add_score(actions)
    _add_explain(actions)
    _add_train(actions)
    _add_compare(actions)


def _add_score(actions: Commands) -> None:
    score = add_command(
        actions,
        "score",
        "score texts from 0 (hard) to 1 (simple)",
        '  plainly simplicity score "The cat sat down." "The feline assumed a sedentary position."\n'
        "  plainly simplicity score --file texts.txt --model lite --format csv",
        "simplicity.score",
    )
    _add_inputs(score)
    intervals = score.add_argument_group("intervals")
    intervals.add_argument("--confidence", type=float, default=0.95)
    add_table_options(score)


def _add_explain(actions: Commands) -> None:
    explain = add_command(
        actions,
        "explain",
        "say what each feature and each word adds to the score of a text",
        '  plainly simplicity explain "The feline assumed a sedentary position." --top 5',
        "simplicity.explain",
    )
    _add_inputs(explain)
    output = add_table_options(explain)
    output.add_argument(
        "--each-feature", action="store_true", help="single features, not sums over features of one kind"
    )
    output.add_argument("--top", type=int, default=10, metavar="N", help="features and words")


def _add_train(actions: Commands) -> None:
    train = add_command(
        actions,
        "train",
        "train a model on your own ranking: your language, domain and readers",
        "  plainly simplicity train --judgements ours.csv --winner harder --texts texts.jsonl -o ours.npz\n"
        "  plainly simplicity score --file more.txt --model ours.npz",
        "simplicity.train",
    )
    add_judgement_options(train)
    training = train.add_argument_group("training")
    training.add_argument("--lang", help="default: en")
    training.add_argument(
        "--size", choices=["full", "lite"], default="full", help="all features and n-grams (default), or six features"
    )
    about = "what shares half of its words with one is not learned from"
    add_files(training, "--test-texts", about)
    training.add_argument("--seed", type=seed_number, default=12345, help="default: 12345")
    output = train.add_argument_group("output")
    output.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        required=True,
        action=OneOfEndings,
        what="a model",
        endings=("npz", "json"),
        help="the model: .npz for full, JSON for lite",
    )
    output.add_argument("--quiet", action="store_true")


def _add_compare(actions: Commands) -> None:
    compare = add_command(
        actions,
        "compare",
        "say which learner foresees a ranking best: embeddings of your choice, our models, length, or chance",
        "  plainly simplicity compare --judgements gpt.csv --texts texts.jsonl --test-texts test.jsonl \\\n"
        "      --scores hard.csv --high harder --embeddings vectors.jsonl --test-embeddings test-vectors.jsonl",
        "simplicity.compare",
    )
    add_judgement_options(compare)
    test = compare.add_argument_group("test")
    add_files(test, "--test-texts")
    test.add_argument("--scores", metavar="FILE", help="from 0 to 1")
    test.add_argument("--high", metavar="MEANING")
    learning = compare.add_argument_group("learning")
    learning.add_argument("--lang", help="default: en")
    learning.add_argument(
        "--learners",
        metavar="NAMES",
        help="comma-separated: random, mean, length, lite, full, boosted-embeddings, ridge-embeddings; default: "
        "all but full, which is slow",
    )
    learning.add_argument(
        "--embeddings",
        metavar="FILE",
        help="of --texts: id and embedding (a list), or id and a column for each number",
    )
    learning.add_argument("--test-embeddings", metavar="FILE", help="of --test-texts, the same")
    learning.add_argument("--encoder", metavar="NAME", help="instead: a model for sentences")
    add_interval_options(compare, "the texts to be foreseen are drawn", "intervals")
    add_table_options(compare)


def _add_inputs(action: Parser) -> None:
    texts = action.add_argument_group("texts")
    texts.add_argument("text", nargs="*", metavar="TEXT", help="a text, or - for standard input, one text a line")
    texts.add_argument("--file", metavar="FILE", help="texts, one a line (also .gz)")
    model = action.add_argument_group("model")
    model.add_argument("--model", metavar="NAME", help="full (default), lite, or a file of plainly simplicity train")
