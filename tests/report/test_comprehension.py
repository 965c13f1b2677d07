"""The page of answers of readers, in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plainly.cli import main
from plainly.comprehension.analysis import Analysis, analyse
from plainly.comprehension.formats import write_records
from plainly.comprehension.records import gathered
from plainly.comprehension.simulation import Effects, made_up_experiment, simulated
from plainly.inference import Resampling
from plainly.report.comprehension import _questions_chart, _scores, _styles, comprehension_page
from plainly.report.words import number, p_text

Look = Callable[..., Any]


def analysis() -> Analysis:
    experiment = made_up_experiment()
    answers = simulated(experiment, 40, Effects(difference=0.2, unfinished=0.2), seed=2).answers
    return analyse(gathered(answers, experiment), experiment, by=["age:45"], resampling=Resampling(resamples=50))


def page(path: Path, found: Analysis, **settings: Any) -> Path:
    path.write_text(comprehension_page(found, "2026-01-01", **settings), "utf-8")
    return path


def test_scores_tests_groups_and_questions(look: Look, tmp_path: Path) -> None:
    found = analysis()
    opened = look(page(tmp_path / "c.html", found))
    assert (
        opened.locator("figure .picture svg").count() == 6
    )  # three scores, the map of questions, and who took part by age and level
    texts, pairs, tests = opened.locator("#texts table").all()
    assert texts.locator("tbody tr").count() == 8
    assert pairs.locator("tbody tr").count() == 4
    assert tests.locator("tbody tr").count() == 10  # both hypotheses, 4 passages and all
    people, scores, together, single = opened.locator("#groups table").all()
    assert people.locator("tbody tr").count() == sum(len(one.groups) for one in found.participants)
    assert scores.locator("tbody tr").count() == len(found.groups["age:45"])
    assert together.locator("tbody tr").count() == 2
    assert single.locator("tbody tr").count() == 16  # both hypotheses, 8 texts
    assert opened.locator("#questions tbody tr").count() == 36
    assert str(found.hypotheses[0].verdict) in opened.locator("#result").inner_text()
    counts = opened.locator("#method tbody tr").all_inner_texts()
    assert counts[0].split() == ["read", str(found.counts.answers), str(found.counts.participants)]


def test_pairs_have_differences_intervals_and_p(look: Look, tmp_path: Path) -> None:
    found = analysis()
    opened = look(page(tmp_path / "c.html", found))
    pair = found.pairs[0]
    cells = opened.locator("#texts table").nth(1).locator("tbody tr").first.locator("th, td").all_inner_texts()
    simple = pair.differences["c-score-simple"]
    assert cells[:3] == ["1", "simplified", "complex"]
    assert cells[3].split("\n") == [f"{simple.value:.2f}", f"[{simple.low:.2f}, {simple.high:.2f}]"]
    more, faster = opened.locator("#texts table").nth(2).locator("tbody tr").all()[2:4]  # after all passages
    for row, test in zip((more, faster), pair.tests, strict=True):
        cells = row.locator("th, td").all_inner_texts()
        low, high = (number(bound, 2) for bound in (test.difference.low, test.difference.high))
        assert cells[0] == "1, simplified"
        assert cells[3].split("\n") == [number(test.difference.value, 2), f"{low} to {high}"]
        assert cells[5:] == [p_text(test.p), p_text(test.p_holm)]
    words = opened.locator("#texts").inner_text()
    assert "How do the scores of versions differ?" in words  # a caption that can be seen
    assert "95 % interval" in words
    assert "questions" in opened.locator("#texts table").first.locator("thead").inner_text()


def test_a_narrow_screen_shows_verdict_and_p(look: Look, tmp_path: Path) -> None:
    found = analysis()
    opened = look(page(tmp_path / "c.html", found), viewport={"width": 360, "height": 740})
    for table, tests in (
        ("#texts table >> nth=2", found.hypotheses),
        ("#groups table >> nth=2", found.group_tests["age:45"]),
    ):
        cell = opened.locator(table).locator("tbody tr").first.locator("td").first
        assert cell.inner_text() == f"{tests[0].verdict} ({p_text(tests[0].p_holm)})"
        box = cell.bounding_box()
        assert box["x"] + box["width"] <= 360


def test_questions_are_shown_in_words(look: Look, tmp_path: Path) -> None:
    opened = look(page(tmp_path / "c.html", found := analysis()))
    cells = opened.locator("#questions tbody tr").first.locator("th, td").all_inner_texts()
    item = found.items[0]
    assert cells[1] == "1-1: What does part 1 of passage 1 say?"
    count = dict(item.chosen)[0]
    assert cells[5].replace("\N{NO-BREAK SPACE}", " ").startswith(f"0: {count} ✓ (It says thing number 1.); 1: ")
    low, high = number(item.discrimination.low, 2), number(item.discrimination.high, 2)
    assert cells[2].split("\n") == [number(100 * item.correct, 1), f"of {item.answers}"]
    assert cells[4].split("\n") == [number(item.discrimination.value, 2), f"{low} to {high}"]


def test_the_test_is_explained(tmp_path: Path) -> None:
    text = page(tmp_path / "c.html", analysis()).read_text("utf-8")
    method = text[text.index('id="method"') :]
    assert "The test exchanges the names of two versions for readers at random, up to 20,000 times" in method
    assert "The verdict is that of the test." in method
    assert "readers are dealt out to them anew" in method


def test_every_two_versions(tmp_path: Path) -> None:
    experiment = made_up_experiment(passages=3, versions=("complex", "ours", "theirs"))
    found = analyse(
        gathered(simulated(experiment, 12, seed=2).answers, experiment),
        experiment,
        resampling=Resampling(resamples=20),
    )
    text = page(tmp_path / "c.html", found).read_text("utf-8")
    for words in ("each text against another version", "1, theirs than ours", "all, theirs than ours"):
        assert words in text


def test_rows_kept_apart_are_shown(look: Look, tmp_path: Path) -> None:
    experiment = made_up_experiment()
    answers = list(simulated(experiment, 30, seed=2).answers)
    answers[7] = replace(answers[7], seconds=-1.0, file="answers.csv")
    found = analyse(gathered(answers, experiment, "apart"), experiment, resampling=Resampling(resamples=50))
    opened = look(page(tmp_path / "c.html", found))
    assert "1 row was kept apart: time (1)." in opened.locator("#result").inner_text()
    cells = opened.locator("#method table").nth(1).locator("tbody tr").first.locator("th, td").all_inner_texts()
    assert cells[:2] == ["answers.csv", "8"]
    assert cells[3:] == ["time", found.counts.apart[0].reason]
    with_none = page(tmp_path / "none.html", analysis()).read_text("utf-8")
    assert "kept apart" not in with_none


def test_a_version_looks_the_same_everywhere() -> None:
    """One colour and one shape a version, in all charts and their legends."""
    charts = [*_scores(found := analysis(), styles := _styles(found)), _questions_chart(found, styles)]
    for chart in charts:
        assert dict(chart.legend) == styles
        (panel,) = chart.panels
        for name in ("color", "shape"):
            scales = list(_scales(panel.spec, name))
            assert scales
            for scale in scales:
                looks = dict(zip(scale["domain"], scale["range"], strict=True))
                assert looks == {version: getattr(style, name) for version, style in styles.items()}


def _scales(spec: Any, name: str) -> Iterator[dict[str, Any]]:
    if isinstance(spec, dict):
        if isinstance(spec.get(name), dict) and "scale" in spec[name]:
            yield spec[name]["scale"]
        for part in spec.values():
            yield from _scales(part, name)
    elif isinstance(spec, list):
        for part in spec:
            yield from _scales(part, name)


def test_tables_fit_a_wide_page_and_remarks_are_not_narrow(look: Look, tmp_path: Path) -> None:
    opened = look(page(tmp_path / "c.html", analysis()), viewport={"width": 1200, "height": 800})
    for box in opened.locator("section > .scroll").all():
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth"), box.get_attribute("aria-label")
    remarks = opened.locator("#questions tbody tr td:last-child").first
    assert remarks.bounding_box()["width"] >= 200


def test_tables_sort_by_what_they_show(look: Look, tmp_path: Path) -> None:
    opened = look(page(tmp_path / "c.html", analysis()))
    table = opened.locator("#texts table").first
    place = [text.split()[0] for text in table.locator("thead th").all_inner_texts()].index("c-score-simple")
    table.locator("thead th").nth(place).locator("button").click()
    scores = [float(text.split()[0]) for text in table.locator(f"tbody td:nth-child({place + 1})").all_inner_texts()]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("width", [1200, pytest.param(360, marks=pytest.mark.slow)])
def test_everybody_can_read_it(
    look: Look, faults_of: Callable[..., list[str]], tmp_path: Path, scheme: str, width: int
) -> None:
    opened = look(
        page(tmp_path / "c.html", analysis()), color_scheme=scheme, viewport={"width": width, "height": 740}
    )
    assert faults_of(opened, serious=True) == []
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_names(tmp_path: Path) -> None:
    evil = "</script><script>window.hacked=1</script>"
    answers = [
        replace(answer, question=evil, passage=evil, participant=f"{number}")
        for number, answer in enumerate(simulated(made_up_experiment(), 12, seed=1).answers)
    ]
    text = page(
        tmp_path / "c.html", analyse(gathered(answers), resampling=Resampling(resamples=20)), title=evil
    ).read_text("utf-8")
    assert evil not in text


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_records(simulated(made_up_experiment(), 20, seed=1).answers, tmp_path / "a.csv")
    arguments = ["comprehension", "report", str(tmp_path / "a.csv"), "--resamples", "20"]
    assert main([*arguments, "--title", "Storms", "-o", str(tmp_path / "r.html")]) == 0
    assert "<title>Storms</title>" in (tmp_path / "r.html").read_text("utf-8")
    assert main([*arguments, "--by", "shoe", "-o", str(tmp_path / "other.html")]) == 2
    assert "unknown column" in capsys.readouterr().err
    assert not (tmp_path / "other.html").exists()
