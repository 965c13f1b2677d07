"""Options reach the metrics, move the scores as they should, and stand in the signatures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainly.metrics import metric_class, names
from plainly.metrics.registry import standing_for_all
from plainly.scoring import evaluate

# Metrics with a language of their own: formulas, syllables or sentence splitting made for English.
ENGLISH_ONLY = {"fkgl", "ari", "coleman-liau", "gunning-fog", "dale-chall"}


def scores(run: Any, system: str = "mine") -> dict[str, float]:
    return {label: result["score"]["value"] for label, result in run.json["systems"][system].items()}


@pytest.mark.slow
def test_all_metrics(plainly: Any, files: list[str], test_set: Any) -> None:
    found = scores(plainly("score", *files, "--metrics", "all", "--format", "json", "--quiet"))
    possible = [name for name in standing_for_all() if metric_class(name).missing("en") is None]
    assert {"sari", "bleu", "fkgl", "off-language", "samsa"} <= set(possible)
    assert list(found) == possible
    expected = evaluate(test_set.sources, test_set.outputs, test_set.references, metrics=possible)["mine"]
    assert found == pytest.approx({label: result.score for label, result in expected.items()}, rel=1e-6, nan_ok=True)


@pytest.mark.slow
def test_all_metrics_and_a_variant(plainly: Any, files: list[str]) -> None:
    found = scores(plainly("score", *files, "--metrics", "all,sari:star", "--format", "json", "--quiet"))
    assert list(found)[-1] == "sari:star"
    assert set(found) - {"sari:star"} <= set(names())


def test_variants(plainly: Any, files: list[str], test_set: Any) -> None:
    wanted = ["sari:star", "sari", "sari:huggingface", "fkgl:textbook"]
    run = plainly("score", *files, "--metrics", ",".join(wanted), "--format", "json")
    found = scores(run)
    assert list(found) == wanted
    assert len(set(found.values())) == 4
    expected = evaluate(test_set.sources, test_set.outputs["mine"], test_set.references, metrics=wanted)["output"]
    assert found == {label: result.score for label, result in expected.items()}
    assert "|variant:star|" in run.json["systems"]["mine"]["sari:star"]["signature"]


def test_a_metric_named_twice_is_computed_once(plainly: Any, files: list[str]) -> None:
    found = scores(plainly("score", *files, "--metrics", "sari, sari ,sari:easse", "--format", "json"))
    assert list(found) == ["sari"]
    rows = plainly("score", *files, "--metrics", "sari,sari:easse", "--per-segment").rows
    assert list(rows[0]["scores"]) == ["sari"]


@pytest.mark.parametrize("tokenizer", ["13a", "intl", "none", "char", "moses", "penn"])
def test_tokenizers(tokenizer: str, plainly: Any, files: list[str], test_set: Any) -> None:
    run = plainly("score", *files, "--tokenizer", tokenizer, "--metrics", "sari,bleu", "--format", "json")
    expected = evaluate(
        test_set.sources, test_set.outputs["mine"], test_set.references, metrics=["sari", "bleu"], tokenizer=tokenizer
    )["output"]
    assert scores(run) == {label: result.score for label, result in expected.items()}
    assert f"|tok:{tokenizer}|" in run.json["systems"]["mine"]["sari"]["signature"]


def test_case(plainly: Any, files: list[str]) -> None:
    # Only the case of "weather" differs from the source.
    Path("mine.txt").write_text("Owing to the inclement WEATHER, the match was abandoned at half-time.\n")
    Path("src.txt").write_text("Owing to the inclement weather, the match was abandoned at half-time.\n")
    line = ["--references", "src.txt", "--system", "mine=mine.txt", "--metrics", "bleu,chrf", "--format", "json"]
    default, lower, cased = (plainly("score", *line, *more) for more in ([], ["--lowercase"], ["--cased"]))
    assert scores(default)["bleu"] == scores(lower)["bleu"] == pytest.approx(100)
    assert scores(cased)["bleu"] < 90
    assert scores(default)["chrf"] == scores(cased)["chrf"] < scores(lower)["chrf"] == pytest.approx(100)
    for run, case in ((lower, "lower"), (cased, "mixed")):
        for result in run.json["systems"]["mine"].values():
            assert f"|case:{case}|" in result["signature"]


@pytest.mark.parametrize(("rule", "add", "keep", "sari"), [("zero", 50, 50, 200 / 3), ("one", 100, 100, 100)])
def test_empty_operation(rule: str, add: float, keep: float, sari: float, plainly: Any, tmp_path: Path) -> None:
    """A copy of the only reference, by hand.

    add: no unigram and no 4-gram to add, "the cat" and "the cat sat" are right: (0/0, 1, 1, 0/0).
    keep: three unigrams and "cat sat" are right, no longer n-gram to keep: (1, 1, 0/0, 0/0).
    delete: all that holds "old" is to go and gone: (1, 1, 1, 1).
    """
    (tmp_path / "s").write_text("the old cat sat\n")
    (tmp_path / "r").write_text("the cat sat\n")
    files = ["--sources", "s", "--references", "r", "--system", "mine=r", "--metrics", "sari", "--format", "json"]
    found = plainly("score", *files, "--empty-operation", rule).json["systems"]["mine"]["sari"]
    assert found["score"]["value"] == pytest.approx(sari)
    assert found["components"]["add"] == pytest.approx(add)
    assert found["components"]["keep"] == pytest.approx(keep)
    assert found["components"]["delete"] == pytest.approx(100)
    assert ("|empty:one|" in found["signature"]) == (rule == "one")
    skipped = plainly("score", *files, "--empty-operation", "skip").json["systems"]["mine"]["sari"]
    assert skipped["score"]["value"] == pytest.approx(100)
    assert skipped["components"]["add_f1_1"] is None  # there is none, and so it is not 0
    assert "|empty:skip|" in skipped["signature"]


def test_reference_weighting(plainly: Any, tmp_path: Path) -> None:
    """Unigrams of keep, by hand: segment 1 keeps 1 word of 2 that its reference keeps, segment 2 all 4 of 4.

    Counts over references: segment 1 has (1 of 2), segment 2 has three references, so 12 of 12.
    segments: recall (1 + 4) / (2 + 4); counts: (1 + 12) / (2 + 12).
    """
    records = [
        {"source": "a b", "references": ["a b"], "output": "a"},
        {"source": "c d e f", "references": ["c d e f"] * 3, "output": "c d e f"},
    ]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    for rule, recall in (("segments", 5 / 6), ("counts", 13 / 14)):
        arguments = ["--data", "r.jsonl", "--reference-weighting", rule, "--metrics", "sari", "--format", "json"]
        found = plainly("score", *arguments).json["systems"]["output"]["sari"]
        assert found["components"]["keep_recall_1"] == pytest.approx(100 * recall)
        assert f"|refs:1-3|weight:{rule}|" in found["signature"]
    default = plainly("score", "--data", "r.jsonl", "--metrics", "sari", "--format", "json")
    assert default.json["systems"]["output"]["sari"]["components"]["keep_recall_1"] == pytest.approx(100 * 5 / 6)


def test_baselines(plainly: Any, files: list[str], test_set: Any) -> None:
    run = plainly("score", *files, "--baselines", "identity,truncate,reference", "--format", "json")
    assert list(run.json["systems"]) == ["mine", "other", "identity", "truncate", "reference"]
    sources, references = test_set.sources, test_set.references
    truncated = []
    for source in sources:
        words = source.split(" ")
        truncated.append(" ".join(words[: int(0.8 * len(words))]) + ".")
    expected = {
        "identity": evaluate(sources, sources, references),
        "truncate": evaluate(sources, truncated, references),
        "reference": evaluate(sources, [group[0] for group in references], [group[1:] for group in references]),
    }
    for name, evaluation in expected.items():
        assert scores(run, name) == {label: result.score for label, result in evaluation["output"].items()}
        found = run.json["systems"][name]["sari"]
        assert found["signature"] == evaluation["output"]["sari"].signature
    assert "|refs:1|" in run.json["systems"]["reference"]["bleu"]["signature"]
    identity = run.json["systems"]["identity"]["sari"]["components"]
    assert (identity["add"], identity["delete"]) == (0, 0)  # it adds and deletes nothing


def test_baselines_need_no_system(plainly: Any, files: list[str]) -> None:
    run = plainly(
        "score", "--sources", "src.txt", "--references", "ref.0", "--baselines", "identity", "--format", "json"
    )
    assert list(run.json["systems"]) == ["identity"]


def test_german_leaves_english_formulas_out(plainly: Any, files: list[str]) -> None:
    run = plainly("score", *files, "--lang", "de", "--format", "json")
    assert list(scores(run)) == ["sari", "bleu", "fre", "off-language"]
    assert run.json["systems"]["mine"]["off-language"]["score"]["value"] > 0.9  # the texts are English
    assert run.json["systems"]["mine"]["sari"]["signature"].startswith("sari|lang:de|")
    everything = scores(plainly("score", *files, "--lang", "de", "--metrics", "all", "--format", "json", "--quiet"))
    assert not ENGLISH_ONLY & set(everything)
    assert {"sari", "bleu", "chrf", "ter", "compression-ratio"} < set(everything)


def test_german_refuses_english_formulas(plainly: Any, files: list[str]) -> None:
    refusal = plainly("score", *files, "--lang", "de", "--metrics", "sari,fkgl").refusal
    assert refusal == "fkgl cannot be computed: it is not defined for language 'de'"


def test_threads_change_nothing(plainly: Any, many_files: list[str]) -> None:
    """Also for metrics whose statistics are no whole numbers, where sums depend on their order."""
    metrics = "sari,sari:sentence,bleu-sentence,f1-token,levenshtein-similarity,words-added,compression-ratio"
    one, two, five = (
        plainly("score", *many_files, "--metrics", metrics, "--format", "json", "--threads", n).printed
        for n in (1, 2, 5)
    )
    assert one == two == five
    one, two = (plainly("score", *many_files, "--per-segment", "--threads", n).printed for n in (1, 2))
    assert one == two


def test_quiet(plainly: Any, files: list[str]) -> None:
    Path("mine.txt").write_text("It is tokenised .\n" * 6)
    arguments = ["score", "--sources", "src.txt", "--system", "mine=mine.txt"]
    loud, quiet = plainly(*arguments), plainly(*arguments, "--quiet")
    assert loud.printed == quiet.printed
    assert quiet.err == ""
    sari, bleu, caution, tokenised = loud.err.splitlines()
    assert sari.startswith("note: sari is left out")
    assert bleu.startswith("note: bleu is left out")
    assert caution.startswith("caution: FKGL ")
    assert tokenised.startswith("note: 6 of 6 outputs of mine end in ' .': they look tokenised")
