"""Nine languages from end to end: scores, readability where there is a formula, and the report, on small files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from plainly.cli import main
from plainly.text.languages import get_language


class Small(NamedTuple):
    """Two sources, a reference and an output of each; the readability formula that must run, if there is one."""

    sources: list[str]
    references: list[str]
    outputs: list[str]
    formula: str = ""


TEXTS = {
    "fr": Small(
        [
            "Le conseil municipal a différé sa décision en raison de l'insuffisance des preuves.",
            "Les précipitations devraient se poursuivre pendant tout l'après-midi.",
        ],
        ["La ville n'a pas encore décidé. Elle n'a pas assez de preuves.", "Il va pleuvoir tout l'après-midi."],
        ["Le conseil a retardé sa décision. Il manque des preuves.", "Il va pleuvoir l'après-midi."],
        "fre",
    ),
    "es": Small(
        [
            "El ayuntamiento aplazó la decisión debido a la insuficiencia de pruebas.",
            "Se prevé que las precipitaciones continúen durante toda la tarde.",
        ],
        ["El ayuntamiento no ha decidido todavía. Faltan pruebas.", "Va a llover toda la tarde."],
        ["El ayuntamiento retrasó la decisión. Faltan pruebas.", "Lloverá por la tarde."],
        "fre",
    ),
    "it": Small(
        [
            "Il consiglio comunale ha rinviato la decisione a causa dell'insufficienza delle prove.",
            "Si prevede che le precipitazioni proseguano per tutto il pomeriggio.",
        ],
        ["Il comune non ha ancora deciso. Mancano le prove.", "Pioverà tutto il pomeriggio."],
        ["Il consiglio ha rinviato la decisione. Mancano le prove.", "Pioverà nel pomeriggio."],
        "gulpease",
    ),
    "nl": Small(
        [
            "De gemeenteraad heeft het besluit wegens onvoldoende bewijs uitgesteld.",
            "De neerslag zal naar verwachting de hele middag aanhouden.",
        ],
        ["De gemeente heeft nog niet besloten. Er is te weinig bewijs.", "Het regent de hele middag."],
        ["De raad wacht met het besluit. Er is te weinig bewijs.", "Het gaat vanmiddag regenen."],
        "fre",
    ),
    "pt": Small(
        [
            "A câmara municipal adiou a decisão devido à insuficiência de provas.",
            "Prevê-se que a precipitação continue durante toda a tarde.",
        ],
        ["A câmara ainda não decidiu. Faltam provas.", "Vai chover a tarde toda."],
        ["A câmara adiou a decisão. Faltam provas.", "Vai chover à tarde."],
        "fre",
    ),
    "ru": Small(
        [
            "Городской совет отложил принятие решения вследствие недостаточности доказательств.",
            "Ожидается, что осадки продолжатся в течение всей второй половины дня.",
        ],
        ["Совет ещё не решил. Доказательств мало.", "После обеда будет идти дождь."],
        ["Совет отложил решение. Не хватает доказательств.", "Днём будет дождь."],
        "fre",
    ),
    "ja": Small(
        ["証拠が不十分であるため、委員会は決定を延期した。", "午後は終日、降水が継続する見込みである。"],
        ["委員会はまだ決めていません。証拠が足りません。", "午後はずっと雨が降ります。"],
        ["委員会は決定を遅らせました。証拠が足りません。", "午後は雨が降ります。"],
    ),
    "ar": Small(
        ["أرجأ المجلس البلدي قراره بسبب عدم كفاية الأدلة.", "من المتوقع أن تستمر الأمطار طوال فترة ما بعد الظهر."],
        ["لم يقرر المجلس بعد. الأدلة قليلة.", "سيهطل المطر بعد الظهر."],
        ["أجل المجلس القرار. الأدلة لا تكفي.", "سيهطل المطر اليوم."],
        "osman",
    ),
    "ur": Small(
        ["ناکافی شواہد کی بنا پر بلدیہ نے اپنا فیصلہ ملتوی کر دیا۔", "توقع ہے کہ بارش تمام سہ پہر جاری رہے گی۔"],
        ["بلدیہ نے ابھی فیصلہ نہیں کیا۔ ثبوت کم ہیں۔", "سہ پہر کو بارش ہو گی۔"],
        ["بلدیہ نے فیصلہ روک دیا۔ ثبوت کم ہیں۔", "آج بارش ہو گی۔"],
    ),
}
languages = pytest.mark.parametrize("lang", TEXTS)


@pytest.fixture
def files(tmp_path: Path, lang: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    small = TEXTS[lang]
    for name, lines in {"src": small.sources, "ref": small.references, "out": small.outputs}.items():
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return ["--sources", "src.txt", "--references", "ref.txt", "--system", "mine=out.txt", "--lang", lang]


def scored(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["score", *arguments, "--format", "json", "--baselines", "identity", "--no-intervals"]) == 0
    content: dict[str, Any] = json.loads(capsys.readouterr().out)["systems"]
    return content


def value(systems: dict[str, Any], system: str, metric: str) -> Any:
    return systems[system][metric]["score"]["value"]


@languages
def test_the_default_metrics_run(lang: str, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    systems = scored(files, capsys)
    assert list(systems["mine"]) == list(get_language(lang).metrics)
    assert 0 < value(systems, "identity", "sari") < value(systems, "mine", "sari") < 100
    assert value(systems, "mine", "off-language") in (0.0, None)  # short lines may not say what they are
    for label, result in systems["mine"].items():
        assert result["signature"].startswith(f"{label}|lang:{lang}|")
    expected = get_language(lang).tokenizer
    assert f"|tok:{expected}|" in systems["mine"]["sari"]["signature"]


@languages
def test_readability(lang: str, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    formula = TEXTS[lang].formula
    wanted = ["sentence-length", formula] if formula else ["compression-ratio"]
    systems = scored([*files, "--metrics", ",".join(wanted)], capsys)
    assert all(result["score"]["value"] is not None for results in systems.values() for result in results.values())
    if formula:  # the outputs are simpler, and every formula sees it
        assert value(systems, "mine", formula) > value(systems, "identity", formula)
        assert systems["mine"]["sentence-length"]["components"]["sentences"] == 3
        assert systems["identity"]["sentence-length"]["components"]["sentences"] == 2


@languages
def test_formulas_of_other_languages_are_refused(
    lang: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *files, "--metrics", "fkgl"]) == 2
    assert f"not defined for language '{lang}'" in capsys.readouterr().err


@pytest.mark.slow
@languages
def test_all_that_can_run_runs(lang: str, files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    systems = scored([*files, "--metrics", "all", "--quiet"], capsys)
    assert {"sari", "bleu", "chrf", "compression-ratio"} <= set(systems["mine"])


@languages
def test_the_report_shows_the_texts(lang: str, files: list[str]) -> None:
    pytest.importorskip("vl_convert")
    assert main(["report", *files, "--resamples", "20", "--quiet", "-o", "page.html"]) == 0
    page = Path("page.html").read_text("utf-8")
    assert get_language(lang).name in page
    assert TEXTS[lang].outputs[0] in json.loads(page.split('id="segment-data">')[1].split("</script>")[0])["texts"]


@pytest.mark.parametrize("lang", ["ar", "ur"])
def test_right_to_left_text_runs_right_to_left(lang: str, files: list[str], browser: Any) -> None:
    assert main(["report", *files, "--resamples", "20", "--quiet", "-o", "page.html"]) == 0
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(Path("page.html").absolute().as_uri())
    text = page.locator(".segment .text").first
    text.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    script = "it => { const all = document.createRange(); all.selectNodeContents(it);"
    script += " return all.getBoundingClientRect().right }"
    box = text.bounding_box()
    assert box is not None
    assert text.evaluate(script) == pytest.approx(box["x"] + box["width"], abs=3)  # lines begin at the right
    page.close()
