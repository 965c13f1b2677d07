"""`plainly ranking pairs`: which texts should judges compare next?"""

from __future__ import annotations

import argparse

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.cli.judgement_inputs import protect_inputs
from plainly.cli.printing import note
from plainly.ranking import read_judgements, read_texts
from plainly.ranking.dataset import write_pairs
from plainly.ranking.pairing import (
    PAIRINGS,
    Adaptive,
    Pairs,
    Standing,
    count_repeats,
    first_round,
    met_in,
    with_sides,
)

USUAL = "balanced"
BY_BRADLEY_TERRY = "pairs follow Bradley-Terry ratings; rate them so, too: with such pairs Elo's order can get worse"


def run(options: argparse.Namespace) -> None:
    name = options.pairing or USUAL
    pairing = PAIRINGS[name]
    protect_inputs(options.output, options.judgements, options.texts)
    draw = np.random.default_rng(options.seed)
    before = np.zeros((0, 2), dtype=np.int64)
    if isinstance(pairing, Adaptive):
        if (options.rounds, options.matches) != (None, None):
            raise PlainlyError(
                f"{name} makes one round at a time: let it be judged, then ask for the next with --judgements"
            )
        if not pairing.opens and not options.judgements:
            raise PlainlyError(f"{name} needs --judgements to begin with: let a swiss or balanced round be judged")
        ids = _ids(options)
        if pairing.most_texts and len(ids) > pairing.most_texts:
            raise PlainlyError(f"{name} looks at all pairs, of {pairing.most_texts} texts at most; use swiss")
        pairs, before = _next_round(ids, pairing, options, draw)
    else:
        if options.judgements:
            adaptive = " and ".join(each for each in PAIRINGS.usable() if PAIRINGS[each].adaptive)
            raise PlainlyError(f"--judgements go with {adaptive}; {name} does not look at them")
        if options.rounds is not None and options.matches is not None:
            raise PlainlyError("give --rounds or --matches, not both")
        ids = _ids(options)
        rounds = 8 if options.rounds is None else options.rounds
        matches = rounds * (len(ids) // 2) if options.matches is None else options.matches
        pairs = pairing.pairs(len(ids), matches, draw, repeats=options.allow_repeats)
    write_pairs(with_sides(pairs, len(ids), draw, before), ids, options.output, len(before) + 1)
    if not options.quiet:
        _tell(pairs, before, len(ids), options)
        if pairing.adaptive:
            note(f"note: {BY_BRADLEY_TERRY}")


def _ids(options: argparse.Namespace) -> list[str]:
    ids = [text.id for text in read_texts(options.texts)]
    if len(ids) < 2:
        raise PlainlyError(f"{options.texts}: pairs need at least 2 texts, not {len(ids)}")
    return ids


def _next_round(
    ids: list[str], pairing: Adaptive, options: argparse.Namespace, draw: np.random.Generator
) -> tuple[Pairs, Pairs]:
    """The next round, and the judgements so far as pairs."""
    if not options.judgements:
        return first_round(met_in([], len(ids)), draw), np.zeros((0, 2), dtype=np.int64)
    so_far = read_judgements(options.judgements, options.winner, ids)
    before = np.stack([so_far.first, so_far.second], axis=1)
    met = met_in(before.tolist(), len(ids))
    now = Standing.after(so_far.first, so_far.second, so_far.outcome, met)
    return pairing.next_round(now, draw), before


def _tell(pairs: Pairs, before: Pairs, texts: int, options: argparse.Namespace) -> None:
    counts = np.bincount(pairs.ravel(), minlength=texts)
    each = str(counts.min()) if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    repeats = count_repeats(np.concatenate([before, pairs])) - count_repeats(before)
    counted = f"{len(pairs)} matches of {texts} texts, {each} a text"
    note(f"{counted}, {repeats} of texts that met before; seed {options.seed}")
