"""What the names of options mean: a name that several commands have means the same in all of them.

Each meaning begins the help of its option wherever that stands; a command only adds its own details. The docs print
this list, and a test holds all parsers to it.
"""

from __future__ import annotations

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    "--against": "with --test-set: also score the systems published with it",
    "--all": "everything that there is",
    "--annotations": "annotated pairs, .aln or .jsonl; several files, or a pattern, as 'asset.simp.*.aln'",
    "--baseline": "test all others against this one, not every two",
    "--baselines": "comma-separated: identity, truncate, reference, first-reference; scored beside the systems",
    "--by": "a result for each group, by the columns named, comma-separated; may be repeated",
    "--coefficient": "which correlation: pearson, spearman or kendall",
    "--columns": "what columns are called",
    "--components": "show the parts of each score in tables, too",
    "--confidence": "of intervals and tests (default: 0.95)",
    "--count": "how many texts",
    "--cross-validate": "instead: how well does it do on what it has not seen?",
    "--data": "records: JSONL, CSV, TSV or Parquet (also .gz)",
    "--data-format": "of --data, if not by the ending of the file",
    "--database": "postgresql://USER:PASSWORD@HOST/NAME or sqlite:///FILE (default: $PLAINLY_STUDIO_DATABASE, else a "
    "file in the folder)",
    "--demo": "score the bundled demo systems on the demo test set",
    "--dimension": "comma-separated: what was judged",
    "--disconnected": "rate texts that no chain of comparisons connects, too",
    "--dry-run": "only say what would be done",
    "--empty-reference": "what an empty reference is: an error (default), missing, or an empty text to be kept",
    "--experiment": "the experiment, as YAML",
    "--first-segment": "the number of the first segment in --ratings, where texts have no ids (default: 0)",
    "--folder": "of the file studio.sqlite (default: $PLAINLY_STUDIO, else a folder for data of this user)",
    "--folds": "of cross-validation (default: 10)",
    "--force": "write over what is there",
    "--format": "table, json, csv, tsv, markdown, latex or html",
    "--gold": "what is known to be right: the others are measured by it; several files, or a pattern",
    "--high": "what a high score means: harder, easier, or more or less of something",
    "--interval": "how intervals are made from the resamples: percentile (default) or bca",
    "--judgements": "judgements of pairs; several files, or a pattern, as 'rater*.csv': one file a rater",
    "--k": "elo, elo-mean: how far one judgement moves a rating (default: 16)",
    "--key-variable": "the environment variable that holds the key",
    "--lang": "language of the texts",
    "--less-is-better": "comma-separated: of these, low values of --ratings are the good ones, as of difficulty",
    "--list": "list what there is to choose, and stop",
    "--max-calls": "stop after so many calls",
    "--method": "what makes ratings of judgements",
    "--metrics": "NAME or NAME:VARIANT, several with blanks or commas, or 'all'",
    "--model": "the model to use",
    "--no-intervals": "scores only",
    "--on-error": "what cannot be read ends the run (default), or is left out and counted",
    "--operations": "what is done to words, found by the tagger: auto, rules, learned or encoder",
    "--output": "where to write, all or nothing",
    "--pairing": "who meets whom: balanced, random, swiss, information, or a pairing of another package",
    "--participants": "how many take part",
    "--profile": "the settings of a paper or a tool, as easse-de, or those of your TOML file; see plainly doctor "
    "--table profiles",
    "--quiet": "no notes and no progress on standard error",
    "--ratings": "CSV, TSV or JSONL with segment, system, rater, dimension, value; may be repeated, or a pattern",
    "--ratings-folder": "the files of --ratings-set, in this folder or below it",
    "--ratings-set": "published ratings, read from --ratings-folder",
    "--references": "references, one a line; several files, or a pattern, as 'ref.*'",
    "--repeats": "do all of it so many times (default: 1)",
    "--resamples": "how many resamples (default: 1000)",
    "--rounds": "matches a text (default: 8)",
    "--runs": "simulated studies",
    "--scales": "comma-separated: these columns hold the values, one row an output",
    "--scores": "scores of texts (id, score), one each",
    "--seconds": "that one answer takes",
    "--seed": "of the random numbers",
    "--set": "a setting of one metric, as chrf.word_order=2; see plainly score --list; may be repeated",
    "--setting": "sent with every question, as temperature=0.7 (default: 0); null leaves one out; may be repeated",
    "--sources": "source texts, one a line",
    "--statistics": "instead of texts: folders of plainly score --write-statistics; several, of the same segments",
    "--store": "where replies are kept (default: in the cache folder)",
    "--system": "outputs of a system, one a line; may be repeated. NAME=PATTERN, as muss='seed*.txt', or a NAME "
    "given again makes runs of one system",
    "--table": "which table",
    "--tagger": "what finds the operations",
    "--test": "of pairs: draw segments anew, calibrated for their number (default) or as other tools do, or swap the "
    "outputs of the two systems",
    "--test-set": "a published test set; see plainly data list",
    "--test-texts": "texts for a test (id, text)",
    "--texts": "the texts (id, text): JSONL, CSV or TSV",
    "--threads": "threads to use (default: all cores)",
    "--ties": "of a majority: to the first rater's choice, to chance, left out, or a tie (default: it is an error)",
    "--title": "the title of the page",
    "--top": "how many are shown (default: 10)",
    "--unit": "what to score: segments as they are (default), or documents, joined from the records of each",
    "--url": "the address of a server",
    "--values": "as given, or as z-scores of each rater",
    "--where": "only what meets a condition: NAME=VALUE,VALUE, or with !=, <, <=, > or >=; may be repeated, and "
    "all must hold",
    "--winner": "what winning means, where the files do not say it in a column question: harder, easier, or "
    "more or less of something, as 'more formal'",
    "--workers": "processes to use (default: all cores)",
}
"""Names that more than one command has, in the order of the alphabet."""


OTHERWISE: Mapping[str, str] = {
    **dict.fromkeys(("-s", "--src", "--original", "--orig", "--orig_sents_path", "--complex"), "--sources"),
    **dict.fromkeys(("-r", "--ref", "--refs", "--refs_sents_paths", "--gold-references"), "--references"),
    **dict.fromkeys(
        ("-i", "--input", "--hyp", "--hyps", "--hypothesis", "--hypotheses", "--predictions", "--sys_sents_path"),
        "--system",
    ),
    **dict.fromkeys(("--out", "--outputs", "--candidates"), "--system"),
    **dict.fromkeys(("-m", "--metric", "--features"), "--metrics"),
    **dict.fromkeys(("-t", "--testset", "--test_set", "--dataset"), "--test-set"),
    **dict.fromkeys(("-tok", "--tok", "--tokenize", "--tokeniser", "--bleu-tokenize"), "--tokenizer"),
    **dict.fromkeys(("-lc", "--lc", "--lower"), "--lowercase"),
    **dict.fromkeys(("-l", "--language", "--langpair", "--language-pair"), "--lang"),
    **dict.fromkeys(("-f", "--form", "--output-format"), "--format"),
    **dict.fromkeys(("--json",), "--format json"),
    **dict.fromkeys(("--latex",), "--format latex"),
    **dict.fromkeys(("--confidence-n", "--paired-bs-n", "--n-bootstrap", "--bootstrap"), "--resamples"),
    **dict.fromkeys(("-sl", "--sentence-level", "--per-sentence"), "--per-segment"),
    **dict.fromkeys(("--paired-bs", "--paired-ar"), "--test"),
    **dict.fromkeys(("-j", "--jobs", "--processes", "--num-workers"), "--workers"),
    **dict.fromkeys(("-v", "--silent"), "--quiet"),
}
"""What other tools and people call an option -> what it is here."""

COMMANDS_OTHERWISE: Mapping[str, str] = {
    **dict.fromkeys(("evaluate", "eval", "sacrebleu", "metrics", "sari", "bleu", "fkgl"), "score"),
    **dict.fromkeys(("significance", "test", "diff"), "compare"),
    **dict.fromkeys(("html", "dashboard"), "report"),
    **dict.fromkeys(("signature", "signatures"), "compare-signatures"),
    **dict.fromkeys(("download", "fetch", "datasets", "list"), "data"),
    **dict.fromkeys(("correlate", "correlation", "meta-eval", "meta_eval"), "metaeval"),
    **dict.fromkeys(("tag", "annotate"), "operations"),
    **dict.fromkeys(("rank", "elo"), "ranking"),
    **dict.fromkeys(("serve", "ui", "annotation"), "studio"),
}
"""What other tools and people call a command -> what it is here."""


def described(option: str, details: str | None) -> str | None:
    """The help of an option: what its name means everywhere, then what this command adds."""
    return "; ".join(filter(None, [MEANINGS.get(option), details])) or None
