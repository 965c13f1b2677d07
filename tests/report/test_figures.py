"""The charts of a report as files: every picture as SVG and PDF, with text that is text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError
from plainly.cli import main
from plainly.report.charts import Chart, Panel
from plainly.report.figures import check_folder, figures, write_figures
from plainly.report.pictures import svg
from plainly.report.specs import intervals

SVG = "{http://www.w3.org/2000/svg}"


def chart(*systems: tuple[str, str], metrics: tuple[str, ...] = ("sari",)) -> Chart:
    """Points with intervals, as the page draws them: names of systems and their kinds."""
    rows = [[label, name, kind, 40.0 + i, 39.0, 46.0] for label in metrics for i, (name, kind) in enumerate(systems)]
    names = [name for name, _ in systems]
    panels = [
        Panel(label.upper(), f"{label} of <all>", intervals(names, label, {"metric": label})) for label in metrics
    ]
    columns = ("metric", "system", "kind", "score", "low", "high")
    return Chart("scores", "Which is best?", "", "", columns, rows, panels)


def drawn_texts(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_every_picture_is_a_figure_with_words_and_white_ground() -> None:
    found = dict(figures([chart(("mine & yours", "system"), ("other", "system"), metrics=("sari", "bleu:x"))]))
    assert list(found) == ["scores-sari", "scores-bleu-x"]
    root = ElementTree.fromstring(found["scores-sari"])
    assert [root[0].tag, root[0].text] == [f"{SVG}title", "Which is best? SARI"]
    assert [root[1].tag, root[1].text] == [f"{SVG}desc", "sari of <all>"]
    ground = root.find(f"{SVG}rect")
    assert ground is not None
    assert ground.attrib["fill"] == "white"
    texts = drawn_texts(found["scores-sari"])
    assert {"mine & yours", "other", "sari"} <= set(texts)
    assert "bleu:x" not in texts
    assert "var(" not in found["scores-sari"]


def test_numbers_that_are_read_keep_their_digits() -> None:
    """Only places are cut to hundredths of a pixel: an axis from .3701 to .3709 has no tick twice."""
    across = {"field": "x", "type": "quantitative", "scale": {"zero": False}}
    picture = svg({"data": {"values": [{"x": 0.3701}, {"x": 0.3709}]}, "mark": "point", "encoding": {"x": across}})
    texts = drawn_texts(picture)
    assert "0.3705" in texts
    assert len({*texts}) == len(texts)
    assert not re.search(r'(transform|d)="[^"]*\.\d{3}', picture)


def test_a_legend_stands_where_kinds_are_to_be_told_apart() -> None:
    ((_, alone),) = figures([chart(("mine", "system"), ("other", "system"))])
    assert not {"system", "baseline"} & set(drawn_texts(alone))
    ((_, both),) = figures([chart(("mine", "system"), ("copy", "baseline"))])
    assert {"system", "baseline"} <= set(drawn_texts(both))


def test_names_are_never_given_twice() -> None:
    assert [name for name, _ in figures([chart(("a", "system")), chart(("b", "system"))])] == [
        "scores-sari",
        "scores-sari-2",
    ]


def test_a_pdf_holds_text_and_its_font(tmp_path: Path) -> None:
    assert write_figures([chart(("mine", "system"))], str(tmp_path / "new" / "figures")) == ["scores-sari"]
    pdf = (tmp_path / "new" / "figures" / "scores-sari.pdf").read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert b"/FontFile" in pdf
    assert b"/ToUnicode" in pdf  # so that it can be searched and copied
    streams = [found[1] for found in re.finditer(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)]
    unpacked = b"".join(map(_unpacked, streams))
    assert b"BT" in unpacked  # a text object, not outlines of letters
    assert re.search(rb"<[0-9A-Fa-f]+>\s*<006D>", unpacked), "the m of mine is no letter"


def _unpacked(stream: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(stream)
    except zlib.error:
        return stream


def test_files_are_replaced_as_wholes(tmp_path: Path) -> None:
    (tmp_path / "scores-sari.svg").write_text("old", "utf-8")
    (tmp_path / "mine.txt").write_text("kept", "utf-8")
    write_figures([chart(("mine", "system"))], str(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.txt", "scores-sari.pdf", "scores-sari.svg"]
    assert (tmp_path / "scores-sari.svg").read_text("utf-8").startswith("<svg")
    assert (tmp_path / "mine.txt").read_text("utf-8") == "kept"


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept", "utf-8")
    for place, why in (("file", "it is a file, not a folder"), ("file/below", "Not a directory")):
        with pytest.raises(PlainlyError, match=f"cannot write figures to .*{place}: {why}"):
            check_folder(str(tmp_path / place))
    with pytest.raises(PlainlyError, match="the name of the folder is empty"):
        check_folder("")
    check_folder(None)


@pytest.mark.slow
def test_the_command_writes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("src.txt").write_text("The committee postponed the vote.\nHe relinquished his position.\n", "utf-8")
    Path("ref.txt").write_text("The vote was delayed.\nHe left.\n", "utf-8")
    Path("out.txt").write_text("The committee delayed the vote.\nHe left.\n", "utf-8")
    command = ["report", "--sources", "src.txt", "--references", "ref.txt", "--system", "mine=out.txt"]
    command += ["--baselines", "identity", "--metrics", "sari,fkgl", "--resamples", "50"]
    assert main([*command, "--figures", "figures"]) == 0
    names = sorted(path.stem for path in Path("figures").glob("*.svg"))
    assert {"scores-sari", "differences-fkgl", "differences-sari", "parts-sari-add", "compression-ratio"} <= set(
        names
    )
    assert names == sorted(path.stem for path in Path("figures").glob("*.pdf"))
    assert f"wrote figures: {len(names)} figures, each as SVG and PDF\n" in capsys.readouterr().err
    Path("report.html").unlink()
    assert main([*command, "--figures", "out.txt"]) == 2
    assert capsys.readouterr().err == "plainly: cannot write figures to out.txt: it is a file, not a folder\n"
    assert not Path("report.html").exists()
