"""One set of numbers: the same data and settings give the same estimates in every face, to the last digit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

import plainly
from plainly.cli import main
from plainly.corpus.corpus import BASELINES
from plainly.corpus.readers import Inputs, read_corpus
from plainly.demo import demo_inputs
from plainly.inference import Resampling, compare
from plainly.report import Report, report_of
from plainly.scoring import Evaluation

from .waiting import until

MORE = ("truncate", "reference")
"""Baselines that are not among the demo systems, as identity is. Of as many baselines there are as many tests."""
Numbers = Mapping[tuple[str, ...], Any]
DEMO = demo_inputs("en")
CORPUS = read_corpus(DEMO)
SETTINGS: dict[str, dict[str, Any]] = {
    "usual": {},
    "another seed": {"seed": 7, "confidence": 0.9, "resamples": 300},
    "bca": {"interval": "bca", "resamples": 200},
}


def scores_of(result: Mapping[str, Any]) -> Numbers:
    """Value, low and high by system and metric, from the JSON of `score`, `compare` or the studio."""
    return {
        (system, label): tuple(one["score"][bound] for bound in ("value", "low", "high"))
        for system, by_label in result["systems"].items()
        for label, one in by_label.items()
    }


def standings_of(comparison: Mapping[str, Any]) -> Numbers:
    """Ranks, and all that is known of pairs, from the JSON of a comparison."""
    ranks = {
        (system, label): (one["rank"], one["rank_interval"])
        for system, by_label in comparison["systems"].items()
        for label, one in by_label.items()
    }
    return ranks | {(pair["metric"], pair["first"], pair["second"]): pair for pair in comparison["pairs"]}


def among(whole: Numbers, wanted: Numbers) -> Numbers:
    """What another face shows, too: the report adds metrics of its own, and some faces baselines."""
    return {key: whole[key] for key in wanted}


def printed(capsys: pytest.CaptureFixture[str], command: str, *arguments: str) -> Any:
    assert main([command, *arguments, "--format", "json", "--quiet"]) in (0, None)
    return json.loads(capsys.readouterr().out)


def options(settings: Mapping[str, Any]) -> list[str]:
    return [word for name, value in settings.items() for word in (f"--{name}", str(value))]


def evaluated(**settings: Any) -> Evaluation:
    """In Python."""
    return plainly.evaluate(CORPUS.sources, CORPUS.outputs, CORPUS.references, **settings)


def drawn(settings: Mapping[str, Any]) -> Resampling:
    return Resampling(**{"method" if name == "interval" else name: value for name, value in settings.items()})


@pytest.fixture
def reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """What the page of `plainly report` shows."""

    def made(*arguments: str) -> Report:
        pages: list[Report] = []

        def kept(*given: Any, **settings: Any) -> Report:
            pages.append(report_of(*given, **settings))
            return pages[-1]

        monkeypatch.setattr("plainly.cli.report.report_of", kept)
        assert main(["report", *arguments, "--quiet", "-o", str(tmp_path / "page.html")]) in (0, None)
        return pages[0]

    return made


@pytest.mark.parametrize("name", SETTINGS)
def test_every_face_says_the_same(name: str, capsys: pytest.CaptureFixture[str], reported: Any) -> None:
    settings = SETTINGS[name]
    arguments = ["--demo", *options(settings)]
    scored = scores_of(printed(capsys, "score", *arguments))
    assert len(scored) > len(DEMO.systems)
    assert all(None not in bounds for bounds in scored.values())

    compared = printed(capsys, "compare", *arguments)
    assert scores_of(compared) == scored

    evaluation = evaluated(intervals=drawn(settings))
    assert scores_of(evaluation.to_dict()) == scored
    comparison = evaluation.compare(**settings).to_dict()
    assert scores_of(comparison) == scored
    assert standings_of(comparison) == standings_of(compared)
    assert comparison["verdict"] == compared["verdict"]

    page = reported(*arguments, "--baselines", ",".join(MORE)).comparison.to_dict()
    assert among(scores_of(page), scored) == scored
    compared = printed(capsys, "compare", *arguments, "--baselines", ",".join(MORE))
    assert among(scores_of(compared), scored) == scored
    assert among(scores_of(page), scores_of(compared)) == scores_of(compared)
    assert among(standings_of(page), standings_of(compared)) == standings_of(compared)


def test_documents_are_drawn_as_wholes_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], reported: Any
) -> None:
    documents = [f"d{place // 3}" for place in range(len(CORPUS))]
    path = tmp_path / "records.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for place, (source, document) in enumerate(zip(CORPUS.sources, documents, strict=True)):
            outputs = {system: texts[place] for system, texts in CORPUS.outputs.items()}
            record = {"source": source, "references": list(CORPUS.references[place]), "outputs": outputs}
            out.write(json.dumps({**record, "document": document}) + "\n")
    scored = scores_of(printed(capsys, "score", "--data", str(path)))
    compared = printed(capsys, "compare", "--data", str(path))
    assert compared["units"] == len(CORPUS) / 3
    assert scores_of(compared) == scored
    evaluation = evaluated(documents=documents)
    assert scores_of(evaluation.to_dict()) == scored
    assert standings_of(evaluation.compare().to_dict()) == standings_of(compared)
    page = reported("--data", str(path))
    assert among(scores_of(page.comparison.to_dict()), scored) == scored
    assert scored != scores_of(printed(capsys, "score", "--demo"))


RUNS = ("seed1", "seed2", "seed3")


def write_runs(folder: Path) -> list[str]:
    """Three runs of a system `m` and one of another, as files; the arguments that name them."""
    folder.joinpath("src.txt").write_text("\n".join(map(str, CORPUS.sources)) + "\n", encoding="utf-8")
    columns = list(zip(*CORPUS.references, strict=True))
    for number, texts in enumerate(columns):
        folder.joinpath(f"ref{number}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    for name, texts in outputs_of_runs().items():
        folder.joinpath(f"{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    references = [
        word for number in range(len(columns)) for word in ("--references", str(folder / f"ref{number}.txt"))
    ]
    systems = ["--system", f"m={folder / 'seed*.txt'}", "--system", f"other={folder / 'other.txt'}"]
    return ["--sources", str(folder / "src.txt"), *references, *systems]


def outputs_of_runs() -> dict[str, list[str]]:
    """Demo systems in the place of runs."""
    own = [name for name in CORPUS.outputs if name not in BASELINES]
    return {name: list(map(str, CORPUS.outputs[own[place]])) for place, name in enumerate([*RUNS, "other"])}


def write_long_table(path: Path) -> None:
    """The same with one row a segment and system."""
    with path.open("w", encoding="utf-8") as out:
        for name, texts in outputs_of_runs().items():
            of = {"system": "m", "run": name} if name in RUNS else {"system": name}
            for place, text in enumerate(texts):
                segment = {"id": place, "source": CORPUS.sources[place], "references": list(CORPUS.references[place])}
                out.write(json.dumps({**segment, **of, "output": text}) + "\n")


def test_runs_are_the_same_from_files_and_from_a_long_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], reported: Any
) -> None:
    files, table = write_runs(tmp_path), ["--data", str(tmp_path / "long.jsonl")]
    write_long_table(tmp_path / "long.jsonl")
    scored = printed(capsys, "score", *files)
    assert list(scored["systems"]["m"]["sari"]["runs"]) == [f"m/{run}" for run in RUNS]
    assert printed(capsys, "score", *table) == scored
    compared = printed(capsys, "compare", *files)
    assert printed(capsys, "compare", *table) == compared
    assert scores_of(compared) | scores_of(scored) == scores_of(compared)
    page = reported(*files).comparison.to_dict()
    assert reported(*table).comparison.to_dict() == page
    assert among(scores_of(page), scores_of(scored)) == scores_of(scored)
    corpus = read_corpus(Inputs(data=table[1]))
    in_python = plainly.evaluate(corpus.sources, nested(corpus), corpus.references)
    assert scores_of(in_python.to_dict()) == scores_of(scored)


def nested(corpus: plainly.Corpus) -> dict[str, Any]:
    """The outputs as `evaluate` takes runs."""
    runs = {
        system: {run.partition("/")[2]: corpus.outputs[run] for run in own} for system, own in corpus.runs.items()
    }
    return {**runs, "other": corpus.outputs["other"]}


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Any]:
    """The first owner of a studio, logged in."""
    pytest.importorskip("argon2", reason="the studio is not installed")
    testclient = pytest.importorskip("starlette.testclient", reason="the studio is not installed")
    from plainly.studio.app import create_app
    from plainly.studio.settings import Settings, sqlite_url

    app = create_app(Settings(database=sqlite_url(tmp_path / "studio.sqlite"), limited=False))
    with testclient.TestClient(app, base_url="http://127.0.0.1") as client:
        person = {"name": "Ada", "password": "correct horse battery"}
        me = client.post("/api/setup", json={"code": app.state.setup_code, **person})
        client.headers["X-CSRF-Token"] = me.json()["csrf"]
        yield client
    app.state.database.close()


def finished(studio: Any, **sent: Any) -> Any:
    """A run of the studio, when it is done."""
    started = studio.post("/api/runs", **sent)
    assert started.status_code == 201, started.text

    def over() -> Any:
        found = studio.get(f"/api/runs/{started.json()['id']}").json()
        return None if found["status"] in ("waiting", "running") else found

    run = until(over, "the end of the run")
    assert run["status"] == "done", run["error"]
    return run


@pytest.mark.slow
def test_the_studio_says_the_same(studio: Any, capsys: pytest.CaptureFixture[str]) -> None:
    run = finished(studio, data={"name": "Demo", "test_set": "demo-en"})
    scored = printed(capsys, "score", "--demo")
    assert run["evaluation"] == scored
    compared = printed(capsys, "compare", "--demo")
    assert {"plainly": scored["plainly"], **run["comparison"]} == compared
    table = run["said"]["tables"][0]
    for row in table["rows"]:
        for place, label in zip(range(1, len(row), 2), scored["systems"][row[0]], strict=True):
            shown = tuple(row[place][bound] for bound in ("value", "low", "high"))
            assert shown == scores_of(scored)[row[0], label]


@pytest.mark.slow
def test_files_of_one_name_are_runs_in_the_studio(
    studio: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = write_runs(tmp_path)
    slots = {"src.txt": "source", **{path.name: "reference" for path in sorted(tmp_path.glob("ref*.txt"))}}
    slots |= {f"{run}.txt": "system" for run in (*RUNS, "other")}
    sent = [(slot, (name, tmp_path.joinpath(name).read_bytes())) for name, slot in slots.items()]
    names = json.dumps(["m", "m", "m", "other"])
    run = finished(studio, data={"name": "Runs", "system_names": names}, files=sent)
    assert run["evaluation"] == printed(capsys, "score", *files)
    compared = printed(capsys, "compare", *files, "--baselines", "")
    assert {"plainly": compared["plainly"], **run["comparison"]} == compared
    assert run["systems"] == ["m", "other"]
    systems, runs = run["said"]["tables"][0], run["said"]["tables"][-1]
    assert systems["rows"][0][0] in ("m", "other")
    assert [row[:2] for row in runs["rows"] if row[0] == "m"][: len(RUNS)]
    assert "--system m=seed1.txt --system m=seed2.txt --system m=seed3.txt" in run["command"]


WHOLE = evaluated(baselines=MORE)
OWN = [system for system in WHOLE.systems if system not in BASELINES]


@pytest.mark.slow
@hypothesis.settings(max_examples=25, deadline=None)
@hypothesis.given(
    places=st.lists(st.integers(0, WHOLE.size - 1), min_size=2, max_size=30),
    baselines=st.sets(st.sampled_from(BASELINES), min_size=1),
    more=st.integers(1, 300),
    seed=st.integers(0, 2**31),
    method=st.sampled_from(["percentile", "bca"]),
)
def test_neither_baselines_nor_trials_move_a_number_of_a_system(
    places: list[int], baselines: set[str], more: int, seed: int, method: str
) -> None:
    """Any segments, also several times; more trials make other p-values, from the same estimates and ranks."""
    statistics = {
        run: {label: rows[places] for label, rows in by_label.items()}
        for run, by_label in WHOLE.kept_statistics.items()
    }
    resampling = Resampling(100, seed, method=method)
    alone = compare({system: statistics[system] for system in OWN}, WHOLE.metrics, resampling=resampling)
    beside = {system: statistics[system] for system in statistics if system in OWN or system in baselines}
    with_baselines = compare(beside, WHOLE.metrics, resampling=resampling, baselines=baselines)
    with_trials = compare(beside, WHOLE.metrics, resampling=resampling, baselines=baselines, trials=100 + more)
    for system in OWN:
        expected = {label: repr(standing) for label, standing in alone[system].items()}
        for found in (with_baselines, with_trials):
            assert {label: repr(standing) for label, standing in found[system].items()} == expected
    for pair in alone.pairs:
        assert repr(with_baselines.pair(pair.first, pair.second, pair.metric)) == repr(pair)
        estimate = with_trials.pair(pair.first, pair.second, pair.metric).estimate
        assert repr(estimate) == repr(pair.estimate)
