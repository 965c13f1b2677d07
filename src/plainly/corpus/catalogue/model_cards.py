"""Model cards of the systems whose outputs are in the catalogue: what they are, what they learned from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources
from typing import Any

from plainly.base.declarations import insist, made, read, tables


@dataclass(frozen=True)
class Training:
    """What a system learned from."""

    data: str
    pairs: int
    """Pairs of a source and its simplification; of texts without pairs, their number."""


@dataclass(frozen=True)
class ModelCard:
    """What its paper says of a system."""

    name: str
    """As the paper has it."""
    outputs: tuple[str, ...]
    """What the catalogue calls its outputs."""
    model: str
    """What kind of model it is."""
    papers: tuple[str, ...]
    address: str
    citation: str
    """BibTeX of the papers."""
    training: tuple[Training, ...] = ()
    """None for rules, and for models without examples."""
    notes: tuple[str, ...] = ()

    @property
    def training_data(self) -> str:
        """The training data in a line."""
        return ", ".join(f"{one.data} ({one.pairs:,})" for one in self.training) or "none"


@cache
def model_cards() -> Mapping[str, ModelCard]:
    """All cards, by the name of the system."""
    content = read(resources("plainly.corpus.catalogue").joinpath("model_cards.toml").read_text("utf-8"))
    cards = [_card(table, content["papers"]) for table in tables(content, "cards")]
    return {card.name: card for card in cards}


def card_of(system: str) -> ModelCard | None:
    """The card of a system, by its own name or by that of its outputs; None where there is none."""
    return next((card for card in model_cards().values() if system in (card.name, *card.outputs)), None)


def _card(table: Mapping[str, Any], papers: Mapping[str, str]) -> ModelCard:
    name = table.get("name", "a card")
    training = tuple(made(Training, one, f"{name}: training") for one in table.get("training", []))
    for paper in table.get("papers", []):
        insist(paper in papers, f"{name}: unknown paper {paper!r}")
    citation = "\n\n".join(papers[paper].strip() for paper in table.get("papers", []))
    return made(ModelCard, {**table, "training": training, "citation": citation}, name)
