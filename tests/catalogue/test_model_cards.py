"""Model cards of the published systems, against Table 2 of the EASSE-DE paper and the tables that name them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from plainly.cli import main
from plainly.corpus import catalogue
from plainly.corpus.catalogue import card_of, model_cards

# Stodden 2024, EASSE-DE & EASSE-multi, Table 2: system, "# Simp. Pairs" and the end of the address.
TABLE_2 = """
hda-etr | - | easy-to-understand_language
sockeye-APA-LHA | 8,455 & 9,268 | RANLP2021-German-ATS
sockeye-DEplain-APA | 10,660 | DEplain
mBART-DEplain-APA | 10,660 | trimmed_mbart_sents_apa
mBART-DEplain-APA+web | 10,660 + 1,594 | trimmed_mbart_sents_apa_web
mT5-DEplain-APA | 10,660 | DEplain
mT5-SGC | 4,430 | DEplain
BLOOM-zero | - | MultiSim
BLOOM-sim-10 | 200 & 959 | MultiSim
BLOOM-random-10 | 200 & 959 | MultiSim
custom-decoder-ats | 544,467 & 17,905 | custom-decoder-ats
"""
# Outputs in the catalogue that the table does not describe: earlier and other runs of the same authors.
WITHOUT = {
    *("DEplain_mt5-DEplain-APA-web", "mt5_DEplain-APA+web"),
    *(f"trimmed_mbart_35k_DEplain{mark}APA{web}" for mark in "-_" for web in ("", "-web")),
}


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def show(*arguments: str) -> str:
        assert main(["data", "show", *arguments]) == 0
        return capsys.readouterr().out

    return show


def test_cards_say_what_table_2_says() -> None:
    rows = [[cell.strip() for cell in line.split("|")] for line in TABLE_2.strip().splitlines()]
    assert [row[0] for row in rows] == list(model_cards())
    for name, pairs, address in rows:
        card = model_cards()[name]
        printed = [] if pairs == "-" else pairs.replace(",", "").replace("&", "+").split("+")
        assert [one.pairs for one in card.training] == list(map(int, printed)), name
        assert card.address.endswith(f"/{address}"), name
        assert card.citation.count("@") == len(card.papers) > 0, name


def test_cards_are_of_systems_that_are_published() -> None:
    """And the other way round: a German system without a card is one that the table leaves out."""
    german = [entry for entry in map(catalogue.info, catalogue.names()) if entry.language == "de"]
    published = {system for entry in german for system in entry.systems}
    described = {output for card in model_cards().values() for output in card.outputs}
    assert described <= published
    assert published - described == WITHOUT
    assert sum(len(card.outputs) for card in model_cards().values()) == len(described)


def test_names_of_the_paper_lead_to_the_outputs_that_give_its_numbers() -> None:
    """The rows of Table 9 were met with these outputs (tests/cli/test_profiles.py)."""
    met = {
        "sockeye-APA-LHA": "sockeye-APA-LHA",
        "mBART-DEplain-APA": "DEplain_trimmed_mbart_sents_apa",
        "mBART-DEplain-APA+web": "DEplain_trimmed_mbart_sents_apa_web",
        "mT5-DEplain-APA": "DEplain_mt5-DEplain-APA",
        "mT5-SGC": "DEplain_mt5-simple-german-corpus",
        "BLOOM-zero": "BLOOM-0-random",
        "custom-decoder-ats": "josh-oo_custom-decoder-ats",
    }
    for name, system in met.items():
        card = card_of(system)
        assert card is not None
        assert card is card_of(name)
        assert (card.name, card.outputs[0]) == (name, system)
    assert card_of("mine") is None


def test_show_a_system(shown: Callable[..., str]) -> None:
    text = shown("BLOOM-0-random")
    assert "name           BLOOM-zero\n" in text
    assert "training data  none\n" in text
    assert "test sets      abgb-test, " in text
    assert "@inproceedings{ryan-etal-2023-revisiting," in text
    assert shown("sockeye-APA-LHA", "--bibtex").count("@") == 2
    data: dict[str, Any] = json.loads(shown("mBART-DEplain-APA+web", "--format", "json"))
    assert data["training"] == [{"data": "DEplain-APA", "pairs": 10660}, {"data": "DEplain-web", "pairs": 1594}]


def test_a_test_set_shows_its_systems(shown: Callable[..., str]) -> None:
    line = "BLOOM-0-random (BLOOM-zero): autoregressive, no examples; training data: none\n"
    assert line in shown("geolino-test")
    data: dict[str, Any] = json.loads(shown("geolino-test", "--format", "json"))
    assert data["model_cards"]["hda_LS"]["name"] == "hda-etr"
    assert "model_cards" not in json.loads(shown("asset-test", "--format", "json"))


def test_a_name_that_nobody_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "show", "BLOOM-nought"]) == 2
    assert "unknown test set or system 'BLOOM-nought'" in capsys.readouterr().err
