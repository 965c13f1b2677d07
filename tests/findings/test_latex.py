"""LaTeX tables in a paper: as wide as a column, with captions whose letters keep their case."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cases import each

import plainly.demo
from plainly.base.messages import Message, message, plain
from plainly.findings import Cell, Column, Findings, Table, printed
from plainly.findings.printers._paper import COLUMN, PAGE, SIZES, Printed, layout, lines_of, table_width, width
from plainly.inference.estimates import Estimate
from plainly.scoring import evaluate
from plainly.scoring.comparison import Comparison

TEX = shutil.which("pdflatex")
DOCUMENT = r"""\documentclass[11pt,twocolumn]{article}
\usepackage{times}\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""


def compared(metrics: list[str], names: dict[str, str] | None = None) -> Comparison:
    """The systems of the demo set, perhaps under other names."""
    corpus = plainly.demo.demo_corpus("en")
    outputs = {(names or {}).get(name, name): texts for name, texts in corpus.outputs.items()}
    evaluation = evaluate(corpus.sources, outputs, corpus.references, metrics=metrics, intervals=None)
    return evaluation.compare(resamples=200)


def tabulars(latex: str) -> list[str]:
    """Each table as LaTeX sets it, with the size that the printer chose."""
    found = re.findall(r"\\centering\n(.*?\\end\{tabular\})", latex, re.DOTALL)
    assert found
    return found


def measured(latex: str, folder: Path) -> list[float]:
    """Points that LaTeX itself gives the tables."""
    boxes = "\n".join(rf"\sbox0{{{tabular}}}\typeout{{WIDTH \the\wd0}}" for tabular in tabulars(latex))
    (folder / "tables.tex").write_text(DOCUMENT % boxes, "utf-8")
    command = [str(TEX), "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-800:]
    return [float(points) for points in re.findall(r"WIDTH ([\d.]+)pt", done.stdout)]


def estimated(latex: str) -> list[float]:
    """The same by the printer's own widths: sizes from the text, cells read back from it."""
    found = []
    for tabular in tabulars(latex):
        name = re.match(r"\\(\w+)", tabular)
        gap = re.search(r"tabcolsep\}\{(\d+)pt", tabular)
        size = next(
            one for one in SIZES if name and one.name == name[1] and one.gap == (float(gap[1]) if gap else 6.0)
        )
        head, *rows = re.findall(r"^  (.*) \\\\$", tabular, re.MULTILINE)
        heads = [_plain(cell).split(r" \\ ") for cell in head.split(" & ")]
        found.append(table_width(heads, [_cells(row) for row in rows], size))
    return found


def _plain(cell: str) -> str:
    cell = re.sub(r"\\multicolumn\{2\}\{c\}\{(.*)\}$", r"\1", cell)
    cell = re.sub(r"\\shortstack\[\w\]\{(.*)\}$", r"\1", cell)
    return cell.replace(r"$\uparrow$", "↑").replace(r"$\downarrow$", "↓").replace(r"\_", "_")


def _cells(row: str) -> list[Printed]:
    cells = [Printed(_plain(row.split(" & ")[0]))]
    for number, beside in re.findall(r"& ([^&]*) & (\$[^&]*)(?= &|$)", row):
        bounds = re.match(r"\$_\{(.*)\}\^\{(.*)\}\$(?:\\,(.*))?", beside)
        assert bounds
        low, high, marks = bounds.groups("")
        cells.append(Printed(re.sub(r"\\textbf\{(.*)\}", r"\1", number), [low, high], marks))
    return cells


def test_the_usual_three_metrics_fit_a_column() -> None:
    latex = compared(["sari", "bleu", "fkgl"]).table("latex")
    assert r"\begin{table}" in latex
    assert "table*" not in latex
    assert all(points <= COLUMN for points in estimated(latex))


@pytest.mark.skipif(TEX is None, reason="LaTeX is not here: install pdflatex with booktabs to measure real tables")
def test_latex_itself_finds_them_as_narrow_as_we_do(tmp_path: Path) -> None:
    """Columns and pages of ACL, in its font and size; widths are known to 2 %."""
    names = {"careful-writer": "RM+EX+LS", "hasty-model": "UNTS_10K", "splitter": "MUSS-unsupervised"}
    few, many = ["sari", "bleu", "fkgl"], ["sari", "bleu", "fkgl", "compression-ratio", "levenshtein-similarity"]
    for metrics, room in ((few, COLUMN), (many, PAGE)):
        latex = compared(metrics, names).table("latex")
        real, ours = measured(latex, tmp_path), estimated(latex)
        assert all(points <= room for points in real)
        assert real == pytest.approx(ours, rel=0.02)


def test_a_table_that_fits_no_column_takes_both_and_says_where_even_they_are_too_narrow() -> None:
    def found(columns: int) -> str:
        heads = [Column("system"), *(Column(f"m{i}", "estimate") for i in range(columns))]
        row = ["a system", *(Cell(Estimate(41.25, 40.5, 42.0), frozenset({"ab"})) for _ in range(columns))]
        return printed(Findings([Table("t", plain("Which?"), heads, [row])]), "latex")

    assert r"\begin{table}" in found(2)
    assert r"\begin{table*}" in found(6)
    assert "% wider than a page" not in found(6)
    assert found(20).startswith("% wider than a page: ")


def test_larger_letters_come_first() -> None:
    """By hand, with the widths of Times: 4 digits and a point are 4 x 0.5 + 0.25 = 2.25 times as wide as letters are
    high, 22.5 points at 10 points. Two such columns and a gap of 12 points are 57 points."""
    rows = [[Printed("41.25"), Printed("40.50")]]
    assert table_width([["a"], ["b"]], rows, SIZES[0]) == pytest.approx(2 * 22.5 + 12)
    assert layout([["a"], ["b"]], rows).size == SIZES[0]
    wide = [[Printed("41.25")] * 8]  # 8 x 22.5 + 7 x 12 = 264; with gaps of 6 points, 222; at 9 points, 204
    assert layout([["a"]] * 8, wide).size == SIZES[2]
    assert width("0" * 10) == pytest.approx(5.0)


def test_heads_are_stacked_where_they_are_wider_than_their_numbers() -> None:
    assert lines_of("Levenshtein similarity", 4.0) == ["Levenshtein", "similarity"]
    assert lines_of("SARI ↑", 1.0) == ["SARI ↑"]
    assert lines_of("Sentence length ↓", 3.0) == ["Sentence", "length ↓"]
    table = Table("t", plain("?"), [Column("n", "number", title=plain("Exact copies"))], [[0.25]])
    assert r"  \shortstack[r]{Exact \\ copies} \\" in printed(Findings([table]), "latex")


@each(
    "said, wanted",
    [
        (message("x.y", "c-f stands for c, d, e and f"), "c-f stands for c, d, e and f."),
        (message("x.y", "p is corrected for the number of slices"), "p is corrected for the number of slices."),
        (message("x.y", "a system of several runs has their mean"), "A system of several runs has their mean."),
        (message("x.y", "effect: the difference"), "Effect: the difference."),
        (message("x.y", "{metrics} left 3 of 9 unscored", metrics="sari"), "sari left 3 of 9 unscored."),
        (plain("what it means"), "What it means."),
    ],
)
def test_captions_keep_the_case_of_letters_and_names(said: Message, wanted: str) -> None:
    table = Table("t", plain("Which?"), [Column("system")], [["a"]], legend=[said])
    assert rf"\caption{{Which? {wanted}}}" in printed(Findings([table]), "latex")


def test_marks_that_letters_repeat_are_left_out_with_their_legend() -> None:
    star, letters = plain("* differs"), plain("letters tell groups")
    cell = Cell(Estimate(41.25, 40.5, 42.0), frozenset({"differs", "b"}))
    table = Table(
        "t",
        plain("Which?"),
        [Column("SARI", "estimate")],
        [[cell]],
        legend=[star, letters],
        detail_marks=frozenset({"differs"}),
        on_detail=[star],
    )
    latex = printed(Findings([table]), "latex")
    assert r"41.25 & $_{40.50}^{42.00}$\,b \\" in latex
    assert r"\caption{Which? Letters tell groups." in latex
    assert "* b" in printed(Findings([table]))
    assert "* differs" in printed(Findings([table]))


def test_numbers_below_zero_have_a_minus() -> None:
    table = Table("t", plain("?"), [Column("d", "number"), Column("system")], [[-1.5, "-x"]])
    assert r"  $-$1.50 & -x \\" in printed(Findings([table]), "latex")
