"""The tagger `encoder`: its contract, its files, and that numpy computes what torch learned."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainly.base.errors import MissingResource, PlainlyError
from plainly.inference import Resampling
from plainly.models.encoders import EMBEDDED, Encoder, find, get_encoder
from plainly.models.encoders.bert import BertEncoder
from plainly.operations import AnnotatedPair, Group, assetann, check, read_yawat
from plainly.operations.agreement import agreement
from plainly.operations.formats import Rules
from plainly.operations.tagger import LABELS, Labelled, annotate, load, tag
from plainly.operations.tagger import encoder as module
from plainly.operations.tagger import encoder_training as training
from plainly.operations.tagger.alignment import align
from plainly.operations.tagger.constraints import LEXICAL
from plainly.operations.tagger.encoder_features import PLACE, observe
from plainly.operations.tagger.labeller import COLUMN, ONE_SIDED, Pair
from plainly.operations.tagger.lexicon import Kind, words_of

pytestmark = pytest.mark.skipif(
    module.missing("en") is not None, reason="the extra `models` or its model is not installed"
)

FELINE: Pair = (("A", "feline", "slept", "."), ("A", "cat", "slept", "."))
SHORTER: Pair = (("He", "left", "the", "old", "town", "in", "1990", "."), ("He", "left", "in", "1990", "."))
TEXTS = st.lists(
    st.one_of(st.sampled_from(["The", "cat", "sat", "on", "mat", ",", "."]), st.text(min_size=1)), max_size=9
)


@pytest.fixture(scope="module")
def labeller() -> module.EncoderLabeller:
    return module.load("en")


def likeliest(labelled: Labelled) -> tuple[list[str], list[str]]:
    source, target = (
        [LABELS[column] for column in side.argmax(axis=1)] for side in (labelled.source, labelled.target)
    )
    return source, target


@pytest.mark.slow
def test_hand_made_pairs(labeller: module.EncoderLabeller) -> None:
    feline, shorter = labeller.label([FELINE, SHORTER])
    source, target = likeliest(feline)
    assert [source[0], *source[2:]] == ["", "", ""] == [target[0], *target[2:]]
    assert {source[1], target[1]} <= {"synonym", "hyperonym", "hyponym"}
    source, target = likeliest(shorter)
    assert all(label.startswith("del") for label in source[2:5])
    assert target == [""] * 5


def test_probabilities_follow_the_contract(labeller: module.EncoderLabeller) -> None:
    for pair, labelled in zip([FELINE, SHORTER], labeller.label([FELINE, SHORTER]), strict=True):
        for text, probabilities, impossible in (
            (pair[0], labelled.source, ONE_SIDED["target"]),
            (pair[1], labelled.target, ONE_SIDED["source"]),
        ):
            assert probabilities.shape == (len(text), len(LABELS))
            np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
            assert not probabilities[:, [COLUMN[label] for label in impossible]].any()
        assert 0 < labelled.error < 1


def test_a_pair_is_labelled_alike_alone_and_among_others(labeller: module.EncoderLabeller) -> None:
    (alone,) = labeller.label([SHORTER])
    among = labeller.label([FELINE, SHORTER, (("x",), ("y", "z"))])[1]
    np.testing.assert_allclose(alone.source, among.source, atol=1e-5)
    np.testing.assert_allclose(alone.target, among.target, atol=1e-5)
    assert alone.error == pytest.approx(among.error, abs=1e-5)


def test_a_device_labels_as_the_processor_does(
    labeller: module.EncoderLabeller, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    from plainly.models.encoders.device import DeviceEncoder

    def on_torch(name: str) -> Encoder:
        return DeviceEncoder(find(name), "cpu")

    def chosen(name: str, device: str) -> Encoder:
        return {"cuda": on_torch, "cpu": partial(get_encoder, device="cpu")}[device](name)

    monkeypatch.setattr(module, "get_encoder", chosen)
    path = module.weights.get(module.WEIGHTS)
    other = module.EncoderLabeller(module.read_model(path), "encoder", words_of("en"), "cuda")
    assert (labeller.on_device, other.on_device) == (False, True)
    pairs = [FELINE, SHORTER, (("same",), ("same",)), (("x",), ("y", "z"))]
    for here, there in zip(labeller.label(pairs), other.label(pairs), strict=True):
        np.testing.assert_allclose(there.source, here.source, atol=1e-5)
        np.testing.assert_allclose(there.target, here.target, atol=1e-5)
        assert there.error == pytest.approx(here.error, abs=1e-5)


@settings(
    max_examples=settings.default.max_examples // 4, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(source=TEXTS, target=TEXTS)
def test_any_texts_give_sound_groups(labeller: module.EncoderLabeller, source: list[str], target: list[str]) -> None:
    first, second = tuple(source), tuple(target)
    groups, same = tag([(first, second), (first, first)], labeller, "en")
    assert same == ()
    check(AnnotatedPair("1", first, second, groups), assetann())
    covered = {i for group in groups if group.label != "err" for i in group.source}
    assert covered | {i for i, _ in align(first, second, words_of("en")).kept} == set(range(len(first)))


@pytest.mark.slow
def test_texts_beyond_the_limit_are_read_in_parts(labeller: module.EncoderLabeller) -> None:
    long = tuple(f"{word}{i}" for i in range(45) for word in ("The", "quick", "brown", "fox", "jumps", "."))
    assert len(long) + len(long) > get_encoder(EMBEDDED, "cpu").limit
    (labelled,) = labeller.label([(long, (*long[:-2], "leaps", "."))])
    assert labelled.source.shape == labelled.target.shape == (270, len(LABELS))
    np.testing.assert_allclose(labelled.source.sum(axis=1), 1, rtol=1e-5)
    source, _ = likeliest(labelled)
    assert source.count("") > 260
    assert source[-2] != ""


def test_features_of_a_pair_worked_out_by_hand() -> None:
    features, partners = observe(SHORTER, words_of("en"))
    assert partners.tolist() == [8, 9, -1, -1, -1, 10, 11, 12, 0, 1, 5, 6, 7]

    def column(name: str) -> list[float]:
        return [round(float(value), 3) for value in features[:, PLACE[name]]]

    assert column("on target") == [0] * 8 + [1] * 5
    assert column("kept") == [1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]
    assert column("free") == [0, 0, 1, 1, 1] + [0] * 8
    assert column("few in gap") == [0, 0, 1, 1, 1] + [0] * 8  # three tokens between two kept ones
    assert column("nothing in other gap") == [0, 0, 1, 1, 1] + [0] * 8
    assert column("surplus of gap")[2:5] == [0.75] * 3  # (3 - 0) / (3 + 0 + 1)
    assert column("place in gap")[2:5] == [0.167, 0.5, 0.833]
    assert column("kept share") == [0.625] * 8 + [1] * 5  # 5 of 8, 5 of 5
    assert column("ends a sentence") == [0] * 7 + [1] + [0] * 4 + [1]


def test_embeddings_can_be_added_to() -> None:
    # The embedding of a word plus the difference to that of another is the other's: both must be encoded alike.
    encoder = get_encoder(EMBEDDED, "cpu")
    assert isinstance(encoder, BertEncoder)
    cat, dog = (encoder.tokens([word]) for word in ("cat", "dog"))
    words = encoder._words
    added = np.zeros((3, words.shape[1]), np.float32)
    added[1] = words[dog.ids[1]] - words[cat.ids[1]]
    (turned,) = encoder.encode(cat, 2, [added])
    np.testing.assert_allclose(turned, encoder.encode(dog, 2)[0], atol=1e-5)


def test_weights_can_be_changed_without_touching_the_model() -> None:
    encoder = get_encoder(EMBEDDED, "cpu")
    assert isinstance(encoder, BertEncoder)
    tokens = encoder.tokens(["a cat"])
    before = encoder.encode(tokens, 2)[0]
    bias = "encoder.layer.1.output.LayerNorm.bias"  # the last thing that layer 2 adds
    changed = encoder.adapted({bias: np.full(384, 0.5, np.float32)}).encode(tokens, 2)[0]
    np.testing.assert_allclose(changed, before + 0.5, atol=1e-5)
    np.testing.assert_array_equal(encoder.encode(tokens, 2)[0], before)


def test_low_rank_changes_are_products() -> None:
    rng = np.random.default_rng(0)
    arrays = {}
    for layer in range(module.LAYERS):
        for name in module.MATRICES:
            arrays[f"layer.{layer}.{name}.down"] = rng.normal(size=(3, 2)).astype(np.float32)
            arrays[f"layer.{layer}.{name}.up"] = rng.normal(size=(2, 4)).astype(np.float32)
            arrays[f"layer.{layer}.{name}.bias"] = np.zeros(4, np.float32)
        for name in module.NORMS:
            arrays |= {f"layer.{layer}.{name}.{kind}": np.zeros(3, np.float32) for kind in ("weight", "bias")}
    found = module.changes(arrays)
    change = found["encoder.layer.2.intermediate.dense.weight"]  # (to, from), as BERT's files have it
    down, up = arrays["layer.2.widen.down"], arrays["layer.2.widen.up"]
    assert change[1, 2] == pytest.approx(down[2, 0] * up[0, 1] + down[2, 1] * up[1, 1], rel=1e-5)


def test_weights_are_written_and_read(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    networks = tuple({"head.in.bias": rng.normal(size=5).astype(np.float32)} for _ in range(2))
    model = module.Model(networks, 0.5, {"pairs": 3})
    (tmp_path / "w.safetensors").write_bytes(model.save())
    again = module.read_model(tmp_path / "w.safetensors")
    assert (again.threshold, again.about) == (0.5, {"pairs": 3})
    assert again.save() == model.save()
    for mine, theirs in zip(networks, again.networks, strict=True):
        np.testing.assert_allclose(mine["head.in.bias"], theirs["head.in.bias"], rtol=1e-3)  # half precision


@pytest.mark.parametrize("content", [b"", b"nothing of the kind", b"\xff" * 200])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "w.safetensors"
    path.write_bytes(content)
    with pytest.raises(PlainlyError, match="holds no weights of an encoder"):
        load("encoder", "en", path=str(path))
    with pytest.raises(PlainlyError, match="holds no weights of an encoder"):
        load("encoder", "en", path=str(tmp_path / "missing"))


def test_weights_of_another_version_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "w.safetensors"
    with monkeypatch.context() as patch:
        patch.setattr(module, "FORMAT", 99)
        path.write_bytes(module.Model((), 0.5, {}).save())
    with pytest.raises(PlainlyError, match="another version of plainly"):
        module.read_model(path)


def test_other_languages_are_refused() -> None:
    with pytest.raises(MissingResource, match="it knows en alone, not de"):
        load("encoder", "de")


ANNOTATED = AnnotatedPair(
    "0",
    ("The", "big", "feline", "slept", "."),
    ("There", "slept", "a", "cat", "."),
    (
        Group((1,), (), "delmod"),
        Group((2,), (3,), "hyperonym"),
        Group((3,), (1,), "move"),
        Group((), (0,), "toImp"),
        Group((0,), (2,), "synonym"),
    ),
    "a",
    "anna",
)


def test_pairs_read_backwards() -> None:
    (example,) = training.prepare([ANNOTATED], ["anna"])
    turned = training.reverse(example)
    (direct,) = training.prepare([replace(ANNOTATED, source=ANNOTATED.target, target=ANNOTATED.source)], ["anna"])
    assert turned.read.ids == direct.read.ids
    assert turned.read.source_length == 5
    for part in ("token_of", "first"):
        np.testing.assert_array_equal(getattr(turned.read, part), getattr(direct.read, part))
    names = [LABELS[column] for column in turned.labels]
    assert names == ["fromImp", "move", "synonym", "hyponym", "", "synonym", "inmod", "hyponym", "move", ""]
    back = training.reverse(turned)
    assert back.read.ids == example.read.ids
    np.testing.assert_array_equal(back.labels, example.labels)
    np.testing.assert_array_equal(back.read.features, example.read.features)
    np.testing.assert_array_equal(back.read.partners, example.read.partners)


def test_nothing_is_learned_of_labels_from_pairs_that_show_none() -> None:
    flagged = replace(ANNOTATED, groups=(Group((0,), (0,), "err"),))
    forgotten = replace(ANNOTATED, groups=())
    same = replace(forgotten, target=ANNOTATED.source)
    empty = replace(forgotten, target=())
    examples = training.prepare([flagged, forgotten, same, empty], ["anna"])
    assert [example.erroneous for example in examples] == [True, False, False]
    assert [set(example.labels.tolist()) for example in examples] == [{-1}, {-1}, {COLUMN[""]}]


def test_annotators_by_where_they_begin() -> None:
    found = training.with_annotators([ANNOTATED] * 5, (1, 4))
    assert [pair.annotator for pair in found] == ["1", "2", "2", "2", "3"]


@pytest.mark.slow
def test_numpy_computes_what_torch_does() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from plainly.operations.tagger.encoder_network import TrainedNetwork

    pairs = [
        ANNOTATED,
        replace(ANNOTATED, source=SHORTER[0], target=SHORTER[1], groups=(Group((2, 3, 4), (), "deloth"),)),
    ]
    examples = training.prepare(pairs, ["anna"])
    torch.manual_seed(5)
    network = TrainedNetwork(training.base_arrays(), 2, training.Settings())
    with torch.no_grad():
        for values in network.parameters():
            values.add_(0.03 * torch.randn(values.shape))
    network.eval()
    encoder = get_encoder(EMBEDDED, "cpu")
    assert isinstance(encoder, BertEncoder)
    labels, errors = module.Network(network.arrays(), encoder)([example.read for example in examples])
    with torch.no_grad():
        answers = []
        for style in (0, 1):
            batch = training.padded([example._replace(style=style) for example in examples])
            logits, error = network({name: torch.from_numpy(values) for name, values in batch.items()})
            answers.append((logits.softmax(-1).numpy(), torch.sigmoid(error).numpy()))
    expected = (answers[0][0] + answers[1][0]) / 2
    rows = np.concatenate([expected[i, : len(example.read.first)] for i, example in enumerate(examples)])
    np.testing.assert_allclose(labels, rows, atol=1e-4)
    np.testing.assert_allclose(errors, (answers[0][1] + answers[1][1]) / 2, atol=1e-4)


@pytest.mark.slow
def test_training_learns_and_repeats_itself() -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    settings = training.Settings(networks=1, epochs=6, batch=4, rate=3e-3, rank=2)
    pairs = [replace(ANNOTATED, id=str(i), annotator=name) for i, name in enumerate(["anna", "bert"] * 4)]
    told: list[str] = []
    model = training.train(pairs, settings=settings, device="cpu", progress=told.append)
    losses = [float(line.rpartition(" ")[2]) for line in told[1:]]
    assert losses[-1] < losses[0] - 0.5
    assert training.train(pairs, settings=settings, device="cpu").save() == model.save()
    assert model.about["annotators"] == ["anna", "bert"]


def test_without_torch_training_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "find_spec", lambda _: None)
    with pytest.raises(MissingResource, match="pip install torch"):
        training.train([ANNOTATED])


def test_nothing_to_learn_from_is_said() -> None:
    with pytest.raises(PlainlyError, match="nothing to learn from"):
        training.train([replace(ANNOTATED, groups=())])


@pytest.mark.slow
def test_gold_comes_out_as_the_model_card_says(assetann_folder: Path, labeller: module.EncoderLabeller) -> None:
    folder = assetann_folder / "gold"
    gold = read_yawat(folder / "gold.aln", crp=folder / "gold.crp", rules=Rules(aliases={"literal": "synonym"}))
    found = agreement(
        {"encoder": list(annotate(gold, labeller, "en"))}, gold, errors="left-out", resampling=Resampling(resamples=0)
    )
    kappas = {kappa.side: kappa.kappa.value for kappa in found.kappas if kappa.variant == "labels"}
    assert kappas["source"] == pytest.approx(0.710, abs=0.005)  # docs/operations-tagger.md
    assert kappas["target"] == pytest.approx(0.703, abs=0.005)


@pytest.mark.slow
def test_words_put_in_at_random_are_less_often_synonyms(
    assetann_folder: Path, labeller: module.EncoderLabeller
) -> None:
    """One word of a synonym, as people marked it, gives way to a word of another pair; nothing else changes.

    The figures are those of docs/operations-tagger.md, measured on sources that the weights did not learn from.
    """
    words = words_of("en")
    read = (
        pair
        for number in range(10)
        for pair in read_yawat(
            assetann_folder / "aln" / f"asset.simp.{number}.aln",
            sources=assetann_folder / "tok" / "asset.test.tok.orig",
            targets=assetann_folder / "tok" / f"asset.test.tok.simp.{number}",
        )
    )
    found: list[tuple[AnnotatedPair, int]] = []
    for pair in read:
        if 141 <= int(pair.id) <= 190 and not pair.erroneous:
            for group in pair.operations:
                said = [j for j in group.target if words.kind(words.lower(pair.target[j])) is Kind.CONTENT]
                if group.label in LEXICAL and len(said) == 1:
                    found.append((pair, said[0]))
                    break
    rng = random.Random(3)
    others = [pair.target[place] for pair, place in found]
    made_up = [
        replace(pair, target=(*pair.target[:place], rng.choice(others), *pair.target[place + 1 :]))
        for pair, place in found
    ]

    def lexical(pairs: list[AnnotatedPair]) -> float:
        tagged = annotate(pairs, labeller, "en")
        return float(
            np.mean(
                [
                    any(place in group.target and group.label in LEXICAL for group in pair.operations)
                    for pair, (_, place) in zip(tagged, found, strict=True)
                ]
            )
        )

    meaning, people = labeller.meaning, [pair for pair, _ in found]
    with_rule = lexical(made_up), lexical(people)
    labeller.meaning = None
    try:
        without = lexical(made_up), lexical(people)
    finally:
        labeller.meaning = meaning
    assert without == pytest.approx((0.91, 0.91), abs=0.01)
    assert with_rule == pytest.approx((0.64, 0.88), abs=0.01)
