"""The tagger `learned`: training on a toy corpus, weights that come back as they were, and what the package ships."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.operations import AnnotatedPair, Group, assetann
from plainly.operations.tagger import LABELS, load, tag, weights
from plainly.operations.tagger.faults import cross_validated, fit, safe_threshold
from plainly.operations.tagger.labeller import DELETIONS, INSERTIONS, REPLACEMENTS
from plainly.operations.tagger.learned import WEIGHTS, Learned, read_model
from plainly.operations.tagger.training import Settings, folds, train
from plainly.operations.tagger.validation import cross_validate

QUICK = Settings(networks=1, epochs=30, hidden=8, batch=4, dropout=0.0)
ANIMALS = ["feline", "canine", "equine", "bovine", "ovine", "porcine"]
SIMPLE = ["cat", "dog", "horse", "cow", "sheep", "pig"]
PLACES = ["house", "garden", "street", "school"]


def toy() -> list[AnnotatedPair]:
    """Every animal becomes a simpler one (synonym), and "very old" goes (delmod). Some pairs are nonsense (err)."""
    pairs = []
    for i, (hard, easy) in enumerate(zip(ANIMALS, SIMPLE, strict=True)):
        for j, place in enumerate(PLACES):
            source = ("The", "very", "old", hard, "slept", "in", "the", place, ".")
            target = ("The", easy, "slept", "in", "the", place, ".")
            groups = (Group((3,), (1,), "synonym"), Group((1, 2), (), "delmod"))
            pairs.append(AnnotatedPair(f"{i}-{j}", source, target, groups, "a"))
        nonsense = ("Green", "ideas", "argue", "loudly", "with", "a", "spoon", "of", "numbers")
        pairs.append(AnnotatedPair(f"{i}-e", source, nonsense, (Group((0,), (0,), "err"),), "a"))
    return pairs


@pytest.fixture(scope="module")
def learned() -> Learned:
    return Learned(train(toy(), "en", parsed=False, settings=QUICK), "toy")


def test_it_learns_what_it_is_shown(learned: Learned) -> None:
    source = ("The", "very", "old", "lupine", "slept", "in", "the", "barn", ".")
    target = ("The", "wolf", "slept", "in", "the", "barn", ".")
    (groups,) = tag([(source, target)], learned)
    found = {(group.label, group.source, group.target) for group in groups if group.label != "err"}
    assert ("synonym", (3,), (1,)) in found
    assert ("delmod", (1, 2), ()) in found


def test_the_same_seed_gives_the_same_bytes() -> None:
    pairs = toy()[:10]
    settings = Settings(networks=2, epochs=1, hidden=4, batch=4, seed=7)
    first, again = (train(pairs, "en", parsed=False, settings=settings).save() for _ in range(2))
    assert first == again
    other = train(pairs, "en", parsed=False, settings=Settings(networks=2, epochs=1, hidden=4, batch=4, seed=8))
    assert other.save() != first


def test_weights_come_back_as_they_were() -> None:
    model = train(toy()[:10], "en", parsed=False, settings=Settings(networks=1, epochs=1, hidden=4))
    back = read_model(model.save(), "weights")
    assert back.scales == model.scales
    assert (back.lang, back.parsed, back.about) == (model.lang, model.parsed, model.about)
    for name, values in model.networks[0][0].items():
        # They are stored in 16 bits: 11 significant ones.
        assert back.networks[0][0][name] == pytest.approx(values, rel=2**-10, abs=1e-6)
    assert np.array_equal(back.detector.weights, model.detector.weights)


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x05\x06" + bytes(18)])
def test_files_that_are_no_weights_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "w.npz").write_bytes(content)
    with pytest.raises(PlainlyError, match=r"w\.npz does not hold weights"):
        load("learned", "en", path=str(tmp_path / "w.npz"))


def test_pickles_are_refused(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, head=np.array([{"a": 1}], dtype=object))
    (tmp_path / "w.npz").write_bytes(buffer.getvalue())
    with pytest.raises(PlainlyError, match="does not hold weights"):
        load("learned", "en", path=str(tmp_path / "w.npz"))


def test_weights_are_for_one_language(tmp_path: Path) -> None:
    model = train(toy()[:10], "en", parsed=False, settings=Settings(networks=1, epochs=1, hidden=4))
    (tmp_path / "w.npz").write_bytes(model.save())
    assert load("auto", "en", path=str(tmp_path / "w.npz")).name == "learned:w"
    with pytest.raises(PlainlyError, match="holds weights for 'en', not for 'de'"):
        load("learned", "de", path=str(tmp_path / "w.npz"))


def test_nothing_to_learn_from_is_said() -> None:
    with pytest.raises(PlainlyError, match="nothing to learn from"):
        train([AnnotatedPair("1", ("a",), ("a",), ())], "en", parsed=False, settings=QUICK)


def test_all_pairs_of_a_source_are_in_one_fold() -> None:
    pairs = [AnnotatedPair(str(i // 3), (), (), ()) for i in range(30)]
    found = folds(pairs, 5, 0)
    assert all(found[i] == found[i // 3 * 3] for i in range(30))
    assert sorted(set(found)) == [0, 1, 2, 3, 4]


def test_cross_validation_tags_every_pair() -> None:
    pairs = toy()
    settings = Settings(networks=1, epochs=1, hidden=4, batch=8)
    seen: list[set[str]] = []

    def trained(known: Sequence[AnnotatedPair], _: object) -> Learned:
        seen.append({pair.id for pair in known})
        return Learned(train(known, "en", parsed=False, settings=settings), "learned")

    found = cross_validate(pairs, "en", 2, trained)
    assert seen[0] & seen[1] == set()
    assert [(pair.id, pair.source, pair.origin) for pair in found] == [
        (pair.id, pair.source, pair.origin) for pair in pairs
    ]
    assert {pair.annotator for pair in found} == {"learned"}


def test_labels_are_those_of_the_typology() -> None:
    typology = assetann()
    assert set(LABELS) - {""} == set(typology.operations)
    shapes = {name: set(typology.get(name).shapes) for name in typology.operations}
    assert {name for name, where in shapes.items() if where == {"source"}} == set(DELETIONS)
    assert {name for name, where in shapes.items() if where == {"target"}} == set(INSERTIONS)
    assert {name for name, where in shapes.items() if "both" in where} == set(REPLACEMENTS)


def test_the_regression_is_at_its_optimum() -> None:
    # At the maximum of the penalised likelihood the slope is zero: X'(y - p) = ridge * w, the constant unpenalised.
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(200, 3))
    truth = rng.random(200) < 1 / (1 + np.exp(-(rows @ [1.0, -2.0, 0.0] - 1)))
    means, spreads, weights = fit(rows, truth, ridge=2.0)
    inputs = np.column_stack([np.clip((rows - means) / spreads, -4, 4), np.ones(200)])
    slope = inputs.T @ (truth - 1 / (1 + np.exp(-inputs @ weights)))
    assert slope == pytest.approx([*(2.0 * weights[:-1]), 0.0], abs=1e-6)


def test_the_threshold_keeps_half_of_the_flags_right() -> None:
    found = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05])
    truth = np.array([1, 1, 0, 1, 0, 0, 0, 1, 0, 0], bool)
    # Right among the first n: 1, 1, .67, .75, .6, .5, .43, .5, .44, .4. The lowest with a half is the eighth.
    assert safe_threshold(found, truth) == 0.2
    assert safe_threshold(found, np.zeros(10, bool)) == 0.5


def test_cross_validated_probabilities_do_not_see_their_own_fold() -> None:
    rows = np.array([[0.0], [1.0]] * 10)
    groups = [0, 0] * 5 + [1, 1] * 5
    truth = np.array([False, True] * 5 + [True, False] * 5)  # the second half says the contrary
    found = cross_validated(rows, truth, groups)
    assert found[0] > found[1]  # as the other half has it
    assert found[10] < found[11]


def test_what_is_shipped_is_small_and_plain() -> None:
    files = [weights.get(name) for name in WEIGHTS.values()]
    assert sum(path.stat().st_size for path in files) < 5_000_000
    for path in files:
        model = read_model(path.read_bytes(), path.name)
        assert model.lang == "en"
        assert model.about["left out"] == "141-190"
