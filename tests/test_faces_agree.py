"""Python and the command line are two faces of one study: both find the same, and every result can do the same."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import plainly
from plainly.cli import main
from plainly.corpus.readers import Inputs
from plainly.findings import StudyResult
from plainly.findings.result import ROWS, SENTENCES, WIDTH
from plainly.inference import Resampling
from plainly.operations import by_annotator, read_jsonl
from plainly.scoring.statistics import Folder, save, scores_by

from .cases import each

FEW = Resampling(resamples=50)
RESAMPLES = ("--resamples", "50")
TEXT = "The feline assumed a sedentary position."


def texts() -> plainly.Corpus:
    return plainly.demo.demo_corpus("en")


def judgements() -> Any:
    return plainly.ranking.read_judgements("judgements.csv", winner="harder")


def tagged(name: str) -> Any:
    return read_jsonl(f"{name}.jsonl")


def rated() -> Any:
    found = plainly.metaeval.read_judgements(["people.csv"], scales=["simplicity"])
    return plainly.metaeval.joined(found, texts(), name="people")


def kept() -> Any:
    asked = plainly.filtering.Filter(Inputs(data="pairs.jsonl"), keep=["compression_ratio < 0.9 and fkgl < 9"])
    return plainly.filtering.run_filter(asked)


def simulated() -> Any:
    setting = plainly.ranking.Setting(
        texts=12, pairs=(12, 24), runs=10, method="bradley-terry", pairing="balanced", combination="votes"
    )
    return plainly.ranking.simulate(setting, [plainly.ranking.Crowd("one rater, 75 %", 0.75, 1)])


def power() -> Any:
    experiment, effects = plainly.comprehension.made_up_experiment(), plainly.comprehension.Effects(difference=0.2)
    return plainly.comprehension.curve(plainly.comprehension.Study(experiment, effects, runs=20), [8, 16])


def learners() -> Any:
    ranked, tested = (plainly.ranking.read_texts(f"{name}.jsonl") for name in ("ranked", "tested"))
    judged = plainly.ranking.read_judgements("ranked.csv", winner="harder", texts=[text.id for text in ranked])
    goal = plainly.simplicity.targets(judged)
    return plainly.simplicity.compare_learners(
        plainly.simplicity.Examples([text.text for text in ranked], np.array([goal[text.id] for text in ranked])),
        plainly.simplicity.Examples([text.text for text in tested], np.array([0.0, 0.4, 1.0])),
        ["random", "length"],
        resampling=replace(FEW, unit="text"),
    )


METHODS: dict[str, dict[str, Any]] = {"bradley-terry": {}, "glicko": {}}
ANNOTATIONS = ("--annotations", "careful.jsonl")
BETWEEN_TWO = (*ANNOTATIONS, "--annotations", "hasty.jsonl")

STUDIES: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "score": (
        lambda: plainly.evaluate(texts(), metrics="sari,bleu"),
        ("score", "--demo", "--metrics", "sari,bleu"),
    ),
    "compare": (
        lambda: plainly.compare(texts(), metrics="SARI", resamples=50),
        ("compare", "--demo", "--metrics", "sari", *RESAMPLES),
    ),
    "compare with one": (
        lambda: plainly.compare(texts(), metrics="sari", resamples=50, baseline="splitter", method="randomisation"),
        ("compare", "--demo", "--metrics", "sari", *RESAMPLES, "--baseline", "splitter", "--test", "randomisation"),
    ),
    "compare profiles": (
        lambda: plainly.scoring.compare_profiles(texts(), profiles=["easse-multi", "easse"], resamples=50),
        ("compare", "--demo", "--lang", "en", "--profiles", "easse-multi", "easse", *RESAMPLES),
    ),
    "ranking rate": (
        lambda: plainly.ranking.rate(judgements(), resamples=50),
        ("ranking", "rate", "--judgements", "judgements.csv", "--winner", "harder", *RESAMPLES),
    ),
    "ranking agreement": (
        lambda: plainly.ranking.agreement(judgements(), resampling=FEW),
        ("ranking", "agreement", "--judgements", "judgements.csv", "--winner", "harder", *RESAMPLES),
    ),
    "ranking methods": (
        lambda: plainly.ranking.compare_methods(judgements(), METHODS, resampling=FEW),
        (
            *("ranking", "rate", "--judgements", "judgements.csv", "--winner", "harder", "--cross-validate"),
            *("--method", ",".join(METHODS), *RESAMPLES),
        ),
    ),
    "ranking fewer raters": (
        lambda: plainly.ranking.fewer_raters(
            judgements(), [1, 2], [plainly.ranking.Way("bradley-terry", "all", None, {})]
        ),
        ("ranking", "rate", "--judgements", "judgements.csv", "--winner", "harder", "--fewer-raters", "1,2"),
    ),
    "ranking simulate": (
        simulated,
        (
            *("ranking", "simulate", "--count", "12", "--pair-counts", "12,24", "--runs", "10", "--accuracy", "0.75"),
            *("--method", "bradley-terry", "--pairing", "balanced"),
        ),
    ),
    "ratings": (
        lambda: plainly.ratings.analyse(
            plainly.ratings.read_ratings("people.csv", scales=["simplicity"]), resampling=FEW
        ),
        ("ratings", "score", "people.csv", "--scales", "simplicity", *RESAMPLES),
    ),
    "comprehension": (
        lambda: plainly.comprehension.analyse(plainly.comprehension.read_records("answers.csv"), resampling=FEW),
        ("comprehension", "score", "answers.csv", *RESAMPLES),
    ),
    "comprehension power": (
        power,
        ("comprehension", "simulate", "--participants", "8,16", "--difference", "20", "--runs", "20"),
    ),
    "operations stats": (
        lambda: plainly.operations.statistics(tagged("careful"), tagged("hasty"), resampling=FEW),
        ("operations", "stats", *ANNOTATIONS, "--beside", "hasty.jsonl", *RESAMPLES),
    ),
    "operations agreement": (
        lambda: plainly.operations.agreement(by_annotator([*tagged("careful"), *tagged("hasty")]), resampling=FEW),
        ("operations", "agreement", *BETWEEN_TWO, *RESAMPLES),
    ),
    "operations correlate": (
        lambda: plainly.operations.correlate(tagged("both"), "bleu-sentence", resampling=FEW),
        ("operations", "correlate", "--annotations", "both.jsonl", "--metrics", "bleu-sentence", *RESAMPLES),
    ),
    "gaming": (
        lambda: plainly.gaming.study(texts(), metrics="fkgl", edits=["random-period"], trials=2),
        ("gaming", "--demo", "--metrics", "fkgl", "--edits", "random-period", "--trials", "2"),
    ),
    "metaeval": (
        lambda: plainly.metaeval.study(
            *(rated(), "bleu,fkgl"),
            granularities=["segment"],
            control=[plainly.metrics.get("words")],
            resampling=FEW,
        ),
        (
            *("metaeval", "--demo", "--ratings", "people.csv", "--scales", "simplicity"),
            *("--metrics", "bleu,fkgl", *RESAMPLES),
        ),
    ),
    "simplicity score": (
        lambda: plainly.simplicity.score([TEXT, "The cat sat."], "lite"),
        ("simplicity", "score", TEXT, "The cat sat.", "--model", "lite"),
    ),
    "simplicity explain": (
        lambda: plainly.simplicity.explain(TEXT, "lite"),
        ("simplicity", "explain", TEXT, "--model", "lite"),
    ),
    "simplicity compare": (
        learners,
        (
            *("simplicity", "compare", "ranked.csv", "--winner", "harder", "--texts", "ranked.jsonl"),
            *("--test-texts", "tested.jsonl", "--scores", "easy.csv", "--high", "easier"),
            *("--learners", "random,length", *RESAMPLES),
        ),
    ),
    "filter": (
        kept,
        (
            *("filter", "--data", "pairs.jsonl", "--keep", "compression_ratio < 0.9 and fkgl < 9"),
            *("--dry-run", "--workers", "1"),
        ),
    ),
    "statistics": (
        lambda: scores_by(Folder("kept"), ["document"], intervals=Resampling()),
        ("statistics", "score", "kept", "--by", "document"),
    ),
}
SLOW = ("gaming", "metaeval", "operations correlate", "operations stats", "ranking fewer raters", "ranking methods")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small files for every study; the draws have a seed, and what they are does not matter."""
    made = tmp_path_factory.mktemp("faces")
    draw = random.Random(1)
    names = ["cat", "bus", "soup", "vote", "tax"]
    pairs = [(first, second) for first in names for second in names if first < second]
    rows = [
        f"{first},{second},{draw.choice([first, second])},{rater}"
        for rater in ("ann", "ben", "cem")
        for first, second in pairs
    ]
    (made / "judgements.csv").write_text("\n".join(["first,second,winner,rater", *rows]) + "\n")
    rows = [
        f"{rater},{item},{system},{draw.randint(1, 5)}"
        for rater in ("ann", "ben")
        for system in texts().outputs
        for item in range(10)
    ]
    (made / "people.csv").write_text("\n".join(["rater,item,system,simplicity", *rows]) + "\n")
    longer = {"ranked": range(1, 25), "tested": (9, 5, 2)}
    for name, lengths in longer.items():
        lines = [json.dumps({"id": f"t{n}", "text": "word " * n + "and more."}) for n in lengths]
        (made / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    rows = [f"t{n},t{m},t{m}" for n in range(1, 25) for m in (n + 1, n + 5) if m < 25]
    (made / "ranked.csv").write_text("\n".join(["first,second,winner", *rows]) + "\n")
    (made / "easy.csv").write_text("id,score\nt9,0.0\nt5,0.4\nt2,1.0\n")
    answers = plainly.comprehension.simulated(plainly.comprehension.made_up_experiment(), 12, seed=1).answers
    plainly.comprehension.write_records(answers, str(made / "answers.csv"))
    sources = texts().sources[:8]
    own = {
        name: plainly.operations.tag(sources, {name: texts().outputs[system][:8]}, tagger="rules")
        for name, system in (("careful", "careful-writer"), ("both", "hasty-model"))
    }
    careful = [replace(pair, annotator="ann") for pair in own["careful"]]
    every_second = [replace(pair, annotator="ben", groups=pair.groups[::2]) for pair in careful]
    plainly.operations.write_jsonl(careful, str(made / "careful.jsonl"))
    plainly.operations.write_jsonl(every_second, str(made / "hasty.jsonl"))
    plainly.operations.write_jsonl([*own["careful"], *own["both"]], str(made / "both.jsonl"))
    records = [
        {"source": source, "output": output}
        for source, output in zip(texts().sources, texts().outputs["hasty-model"], strict=True)
    ]
    (made / "pairs.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    corpus = replace(texts(), documents=[f"d{number % 2}" for number in range(60)])
    save(plainly.evaluate(corpus, metrics="bleu"), str(made / "kept"))
    return made


each_study = pytest.mark.parametrize(
    "study", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in STUDIES]
)


@each_study
def test_both_faces_find_the_same(
    study: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    find, command = STUDIES[study]
    found = find()
    assert main([*command, "--format", "json", "--quiet"]) == 0
    assert json.loads(json.dumps(found.to_dict())) == json.loads(capsys.readouterr().out)


@each_study
def test_every_result_can_do_the_same(study: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    found = STUDIES[study][0]()
    assert isinstance(found, StudyResult)
    lines = repr(found).splitlines()
    assert lines[0].startswith(f"{type(found).__name__}: ")
    assert len(lines) <= 1 + SENTENCES + 2 + ROWS + 1 <= 10
    assert max(map(len, lines)) <= WIDTH
    assert "<table>" in found._repr_html_()
    told = found.findings()
    for name in told.names:
        frame = found.to_frame(name)
        printed = found.table("csv", name)
        assert list(frame.columns) == list(pandas.read_csv(io.StringIO(printed)).columns)
        assert len(frame) == len(pandas.read_csv(io.StringIO(printed), skip_blank_lines=False))
    assert found.to_frame().equals(found.to_frame(found.usual or told.names[0]))
    for form in plainly.findings.forms():
        assert found.table(form)
    with pytest.raises(plainly.PlainlyError, match="unknown table 'nonsense'"):
        found.table("table", "nonsense")
    with pytest.raises(plainly.PlainlyError, match="did you mean 'latex'"):
        found.table("latx")


def test_both_faces_tag_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    sources, outputs = texts().sources[:5], texts().outputs["careful-writer"][:5]
    Path("sources.txt").write_text("".join(f"{text}\n" for text in sources), "utf-8")
    Path("mine.txt").write_text("".join(f"{text}\n" for text in outputs), "utf-8")
    files = ("--sources", "sources.txt", "--system", "mine=mine.txt")
    assert main(["operations", "tag", *files, "--tagger", "rules", "--quiet"]) == 0
    tags = plainly.operations.tag(sources, {"mine": outputs}, tagger="rules")
    plainly.operations.write_jsonl(tags, "tags.jsonl")
    assert Path("tags.jsonl").read_text("utf-8") == capsys.readouterr().out


WRONG: dict[str, Callable[[], Any]] = {
    "compare has no argument 'predictions'; say outputs=": lambda: plainly.compare(predictions=["a"]),
    "did you mean 'baseline'?": lambda: plainly.compare(["a"], baselin="b"),
    "did you mean 'metrics'?": lambda: plainly.evaluate(["a"], metrix="sari"),
    "did you mean 'tokenizer'?": lambda: plainly.evaluate(["a"], ["b"], metrics="bleu", tokeniser="13a"),
    "did you mean 'asset-test'?": lambda: plainly.load("asset-tst"),
    "unknown argument of analyse 'value'; did you mean 'values'?": lambda: plainly.ratings.analyse(None, value="z"),
    "rate: missing a required argument: 'judgements'; it takes judgements, method": lambda: plainly.ranking.rate(),
    "Judgements, not text; read the file first, with plainly.ranking.read_judgements": lambda: plainly.ranking.rate(
        "a"
    ),
    "Ratings, not text; read the file first, with plainly.ratings.read_ratings": lambda: plainly.ratings.analyse(
        Path("ratings.csv")
    ),
    "study: corpus takes Corpus, not text": lambda: plainly.gaming.study("texts.csv"),
    "did you mean 'sari'?": lambda: plainly.gaming.study(texts(), metrics="sarri"),
    "an evaluation has its texts; leave outputs out": lambda: plainly.compare(
        plainly.evaluate(["a"], ["b"], metrics="compression-ratio"), ["c"]
    ),
    "leave references out": lambda: plainly.evaluate(texts(), {}, [["a"]]),
    "outputs of 'splitter' already": lambda: plainly.evaluate(texts(), {"splitter": ["a"] * 60}),
    "the corpus is in language 'en'": lambda: plainly.evaluate(texts(), lang="de"),
}


@each("message", WRONG)
def test_wrong_arguments_name_the_right_ones(message: str) -> None:
    with pytest.raises(plainly.PlainlyError) as refused:
        WRONG[message]()
    assert message in str(refused.value)


def test_a_corpus_with_outputs_is_scored_as_its_texts() -> None:
    corpus = texts()
    outputs = corpus.outputs["splitter"]
    given = plainly.evaluate(corpus.sources, {"mine": outputs}, corpus.references, metrics="sari")
    assert plainly.evaluate(replace(corpus, outputs={}), {"mine": outputs}, metrics="sari")["mine"] == given["mine"]


def test_copying_is_a_baseline_that_moves_nothing() -> None:
    corpus = replace(texts(), outputs={name: texts().outputs[name] for name in ("splitter", "truncation")})
    with_copy = plainly.compare(corpus, metrics="sari", resamples=50)
    without = plainly.compare(corpus, metrics="sari", resamples=50, baselines=())
    assert (with_copy.baselines, without.baselines) == (("identity",), ())
    assert with_copy["splitter"] == without["splitter"]
