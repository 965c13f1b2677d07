"""`plainly ranking pairs`: which texts should judges compare next?"""

from __future__ import annotations

import argparse

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.cli.notes import note
from plainly.cli.ranking.inputs import protect_inputs
from plainly.ranking import bradley_terry, read_judgements, read_texts
from plainly.ranking.dataset import write_pairs
from plainly.ranking.many import covariance
from plainly.ranking.pairing import (
    Pairs,
    balanced_pairs,
    count_repeats,
    information_round,
    met_in,
    random_pairs,
    swiss_round,
    with_sides,
)
from plainly.ranking.studies import ADAPTIVE

MOST_TEXTS = 5000  # every pair is looked at: beyond this they fill the memory


def run(options: argparse.Namespace) -> None:
    adaptive = options.strategy in ADAPTIVE
    if adaptive and (options.rounds, options.matches) != (None, None):
        raise PlainlyError(
            f"{options.strategy} makes one round at a time: let it be judged, then ask for the next with --judgements"
        )
    if options.judgements and not adaptive:
        raise PlainlyError(f"--judgements go with {' and '.join(ADAPTIVE)}; {options.strategy} does not look at them")
    if options.strategy == "information" and not options.judgements:
        raise PlainlyError("information needs --judgements to begin with: let a swiss or balanced round be judged")
    protect_inputs(options.output, options.judgements, options.texts)
    ids = [text.id for text in read_texts(options.texts)]
    if len(ids) < 2:
        raise PlainlyError(f"{options.texts}: pairs need at least 2 texts, not {len(ids)}")
    if options.strategy == "information" and len(ids) > MOST_TEXTS:
        raise PlainlyError(f"information looks at all pairs, of {MOST_TEXTS} texts at most; use swiss")
    draw = np.random.default_rng(options.seed)
    before = np.zeros((0, 2), dtype=np.int64)
    if adaptive:
        pairs, before = _next_round(ids, options, draw)
    else:
        if options.rounds is not None and options.matches is not None:
            raise PlainlyError("give --rounds or --matches, not both")
        rounds = 8 if options.rounds is None else options.rounds
        matches = rounds * (len(ids) // 2) if options.matches is None else options.matches
        make = balanced_pairs if options.strategy == "balanced" else random_pairs
        pairs = make(len(ids), matches, draw, repeats=options.repeats)
    write_pairs(with_sides(pairs, len(ids), draw, before), ids, options.output, len(before) + 1)
    if not options.quiet:
        _tell(pairs, before, len(ids), options)


def _next_round(ids: list[str], options: argparse.Namespace, draw: np.random.Generator) -> tuple[Pairs, Pairs]:
    """The next round, and the judgements so far as pairs."""
    if not options.judgements:
        return swiss_round(np.zeros(len(ids)), met_in([], len(ids)), draw), np.zeros((0, 2), dtype=np.int64)
    so_far = read_judgements(options.judgements, options.winner, ids)
    before = np.stack([so_far.first, so_far.second], axis=1)
    met = met_in(before.tolist(), len(ids))
    # Ratings take the order of nothing and weigh every opponent: with adaptive pairs, Elo's would mislead.
    fit = bradley_terry.estimate(so_far.first, so_far.second, so_far.outcome, len(ids))
    if options.strategy == "swiss":
        return swiss_round(fit.ratings, met, draw), before
    spread = covariance(so_far.first, so_far.second, fit.ratings, sd=float(fit.found["prior-sd"]))
    return information_round(fit.ratings, spread, met, draw), before


def _tell(pairs: Pairs, before: Pairs, texts: int, options: argparse.Namespace) -> None:
    counts = np.bincount(pairs.ravel(), minlength=texts)
    each = str(counts.min()) if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    repeats = count_repeats(np.concatenate([before, pairs])) - count_repeats(before)
    counted = f"{len(pairs)} matches of {texts} texts, {each} a text"
    note(f"{counted}, {repeats} of texts that met before; seed {options.seed}")
    if options.strategy in ADAPTIVE:
        note("note: pairs follow Bradley-Terry ratings; rate them so, too: with such pairs Elo's order can get worse")
