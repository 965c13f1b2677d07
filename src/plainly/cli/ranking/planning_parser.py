"""The options of the actions that plan a ranking: `sample`, `pairs` and `simulate`."""

from __future__ import annotations

from plainly.cli.options import (
    Commands,
    OneOfEndings,
    add_command,
    add_files,
    add_form_options,
    add_repeated,
    seed_number,
)


def add_planning(actions: Commands) -> None:
    """Which texts, which pairs, how many judgements."""
    _add_sample(actions)
    _add_pairs(actions)
    _add_simulate(actions)


def _add_sample(actions: Commands) -> None:
    sample = add_command(
        actions,
        "sample",
        "draw texts from parallel corpora, mend them, and make a dataset folder with texts and pairs",
        "  plainly ranking sample --corpus news=news.src,news.simple --corpus wiki=wiki.jsonl --count 100 \\\n"
        "      --longest 400 --licence 'CC BY-SA 4.0' -o texts-100\n"
        "  plainly ranking sample --add-scores scores.csv -o texts-100",
        "ranking.sample",
    )
    files = sample.add_argument_group("corpora")
    about = "records with source and references, or line files SOURCES,SIMPLIFIED; may be repeated"
    add_repeated(files, "--corpus", "NAME=FILES", about)
    add_repeated(files, "--test-set", "NAME", "may be repeated")
    about = "what a corpus is about (default: the field domain of its records); may be repeated"
    add_repeated(files, "--domain", "CORPUS=DOMAIN", about)
    files.add_argument("--lang", help="default: en")
    drawn = sample.add_argument_group("texts", "equal numbers of both sides, balanced over domains and corpora")
    drawn.add_argument("--count", type=int, metavar="N")
    drawn.add_argument("--longest", type=int, metavar="N", help="no text of more characters")
    drawn.add_argument(
        "--cut-longest", type=float, default=0, metavar="PERCENT", help="leave out so many of the longest texts"
    )
    drawn.add_argument(
        "--near-duplicates",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="word Jaccard similarity from which a text is passed over (default: 0.5)",
    )
    add_repeated(drawn, "--exclude", "FILE", "texts of an earlier dataset, which do not come again; may be repeated")
    drawn.add_argument(
        "--mend",
        choices=["rules", "judge", "none"],
        default="rules",
        help="formatting, by rules (default), then by a language model that may not change words, or not at all",
    )
    drawn.add_argument("--rounds", type=int, metavar="N")
    drawn.add_argument("--seed", type=seed_number, default=12345, help="default: 12345")
    model = sample.add_argument_group("judge", "for --mend judge; see plainly ranking judge")
    model.add_argument(
        "--url", metavar="URL", help="one that speaks the protocol of OpenAI; as a rule, it ends in /v1"
    )
    model.add_argument("--model", metavar="NAME", help="as it is called there")
    model.add_argument("--key-variable", metavar="NAME")
    add_repeated(model, "--setting", "NAME=VALUE")
    model.add_argument("--max-calls", type=int, metavar="N")
    model.add_argument("--store", metavar="FILE")
    output = sample.add_argument_group("output")
    output.add_argument("-o", "--output", metavar="FOLDER", required=True, help="the dataset, a folder that is made")
    output.add_argument("--licence", metavar="TEXT", help="terms of the texts, for the README; required to draw")
    output.add_argument(
        "--add-scores", metavar="FILE", help="instead: put scores into a folder made before, with statistics"
    )
    output.add_argument("--quiet", action="store_true")


def _add_pairs(actions: Commands) -> None:
    pairs = add_command(
        actions,
        "pairs",
        "make a list of pairs to be judged, or the next round of one",
        "  plainly ranking pairs --texts texts.jsonl --rounds 8 -o pairs.csv\n"
        "  plainly ranking pairs --texts texts.jsonl --pairing swiss --judgements so-far.csv -o next.csv",
        "ranking.pairs",
    )
    pairs.add_argument_group("input").add_argument("--texts", metavar="FILE", required=True)
    design = pairs.add_argument_group("pairs")
    design.add_argument(
        "--pairing",
        metavar="NAME",
        help="balanced: rounds with one match for every text (default); random: independent random pairs; swiss: the "
        "next round of neighbours by rating; information: the next round of pairs that teach most",
    )
    design.add_argument("--rounds", type=int, metavar="N", help="for balanced, random")
    design.add_argument("--matches", type=int, metavar="N", help="instead: so many matches in all")
    design.add_argument(
        "--allow-repeats", action="store_true", help="balanced, random: the same two texts may meet again"
    )
    design.add_argument("--seed", type=seed_number, default=12345, help="default: 12345")
    so_far = pairs.add_argument_group("judgements", "so far, for swiss and information: pairs that follow them")
    add_files(so_far, "--judgements", metavar="[RATER=]FILE")
    so_far.add_argument("--winner", metavar="MEANING")
    output = pairs.add_argument_group("output")
    output.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        action=OneOfEndings,
        what="a list of pairs",
        endings=("csv",),
        help="CSV (match, first, second)",
    )
    output.add_argument("--quiet", action="store_true")


def _add_simulate(actions: Commands) -> None:
    simulate = add_command(
        actions,
        "simulate",
        "plan a study: how well does a ranking of so many judgements fit the truth, and how many are enough",
        "  plainly ranking simulate --runs 2000\n"
        "  plainly ranking simulate --count 200 --target-rho 0.9 --raters 5 --accuracy 0.8",
        "ranking.simulate",
    )
    study = simulate.add_argument_group("study", "defaults are those of Engelmann et al. (2024), Figure 2")
    study.add_argument("--count", type=int, metavar="N", help="default: 94")
    study.add_argument(
        "--pair-counts", metavar="LIST", help="numbers of pairs, as 94,188,376 (default: 1 to 20 rounds)"
    )
    study.add_argument("--method", metavar="NAME", help="elo (default), elo-mean or bradley-terry")
    study.add_argument("--pairing", metavar="NAME", help="default: random")
    study.add_argument("--k", type=float, metavar="POINTS")
    study.add_argument("--seconds", type=float, default=15.0, metavar="SECONDS", help="default: 15")
    people = simulate.add_argument_group("raters")
    people.add_argument(
        "--accuracy",
        metavar="LIST",
        help="share of pairs a rater gets right, as 0.9,0.75 (default: an oracle, 0.9, 0.75, and 16 votes at 0.75)",
    )
    people.add_argument("--per-pair", type=int, metavar="N", help="raters who judge each pair (default: 1)")
    people.add_argument(
        "--combine",
        choices=["majority", "votes"],
        help="several votes: what most say (default of elo), or each as a judgement (default of bradley-terry)",
    )
    people.add_argument(
        "--error",
        choices=["constant", "closeness"],
        default="constant",
        help="raters err as often on any pair (default), or more often on close ones",
    )
    goal = simulate.add_argument_group("goal")
    goal.add_argument(
        "--target-rho",
        type=float,
        metavar="RHO",
        help="find the number of judgements for this mean rank correlation, by several methods unless one is named",
    )
    goal.add_argument("--raters", type=int, metavar="N", help="who share the work (default: all judge every pair)")
    running = simulate.add_argument_group("runs")
    running.add_argument("--runs", type=int, default=200, metavar="N", help="default: 200")
    running.add_argument("--seed", type=seed_number, default=12345, help="default: 12345")
    running.add_argument("--threads", type=int, metavar="N")
    output = simulate.add_argument_group("output")
    add_form_options(output, "FILE.html has a chart")
    output.add_argument("--quiet", action="store_true")
