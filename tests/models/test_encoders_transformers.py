"""Encoders against transformers itself, on small models with random weights; skipped where torch is not installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import MissingResource, UnknownName
from plainly.models.encoders import EMBEDDED, device_for, get_encoder
from plainly.models.encoders.bert import BertEncoder
from plainly.models.encoders.device import DeviceEncoder
from plainly.models.encoders.foreign import ForeignEncoder
from plainly.models.encoders.tokens import Tokens

torch = pytest.importorskip("torch", reason="torch is not installed")

TEXTS = ["The cat slept.", "", "cat cat sat the mat", "The cat sat on the mat and slept " * 20, "\ud83d zebra 🦓"]
WORDS = ["the", "cat", "sat", "on", "mat", "and", "slept", ".", "##s", "ze", "##bra"]


@pytest.fixture(scope="module")
def transformers() -> Any:
    return pytest.importorskip("transformers", reason="transformers is not installed")


def saved(transformers: Any, home: Path, kind: str) -> Path:
    """A small model with random weights, in a folder."""
    torch.manual_seed(7)
    sizes = {"hidden_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 96}
    if kind == "distilbert":
        sizes = {"dim": 48, "n_layers": 3, "n_heads": 4, "hidden_dim": 96}
    from tokenizers.pre_tokenizers import ByteLevel

    byte_level = kind in ("roberta", "xlm-roberta")
    if byte_level:
        vocabulary = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *sorted(ByteLevel.alphabet()), "Ġc", "at", "Ġcat"]
        tokenizer = transformers.RobertaTokenizer(
            vocab={token: i for i, token in enumerate(vocabulary)}, merges=[("Ġ", "c"), ("a", "t"), ("Ġc", "at")]
        )
    else:
        vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
        tokenizer = transformers.BertTokenizer(vocab={token: i for i, token in enumerate(vocabulary)})
    padding = 1 if byte_level else 0
    positions = 40 + (2 if byte_level else 0)
    config = transformers.AutoConfig.for_model(
        kind, vocab_size=len(vocabulary), max_position_embeddings=positions, pad_token_id=padding, **sizes
    )
    model = transformers.AutoModel.from_config(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.3)  # fresh models are nearly linear; mistakes would not show
    model.save_pretrained(home)
    tokenizer.model_max_length = 40  # bert-score asks for it
    tokenizer.save_pretrained(home)
    return home


@pytest.mark.parametrize(("kind", "ours"), [("bert", True), ("roberta", True), ("distilbert", False)])
def test_vectors_of_every_layer(transformers: Any, tmp_path: Path, kind: str, ours: bool) -> None:
    home = saved(transformers, tmp_path / kind, kind)
    encoder = get_encoder(str(home), "cpu")
    assert isinstance(encoder, BertEncoder if ours else ForeignEncoder)
    assert (encoder.layers, encoder.limit) == (3, 40)
    tokens = encoder.tokens(TEXTS)
    assert tokens.cut.tolist() == [False, False, False, True, False]
    tokenizer = transformers.AutoTokenizer.from_pretrained(home, add_prefix_space=kind == "roberta")
    model = transformers.AutoModel.from_pretrained(home).eval()
    for text, ids in zip(TEXTS, tokens, strict=True):
        whole = text.replace("\ud83d", "\ufffd").strip()
        assert ids.tolist() == tokenizer(whole, truncation=True, max_length=40)["input_ids"], text
    for layer in range(4):
        for ids, vectors in zip(tokens, encoder.encode(tokens, layer), strict=True):
            with torch.no_grad():
                expected = model(torch.tensor(ids[None]), output_hidden_states=True).hidden_states[layer][0]
            np.testing.assert_allclose(vectors, expected.numpy(), atol=2e-5)


def test_a_broken_model_gives_one_clear_line(transformers: Any, tmp_path: Path) -> None:
    home = saved(transformers, tmp_path / "broken", "distilbert")
    (home / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(MissingResource) as error:
        get_encoder(str(home), "cpu")
    assert "cannot be used: " in str(error.value)
    assert "\n" not in str(error.value)


@pytest.fixture(scope="module")
def embedded() -> BertEncoder:
    try:
        found = get_encoder(EMBEDDED, "cpu")
    except MissingResource as missing:
        pytest.skip(str(missing))
    assert isinstance(found, BertEncoder)
    return found


@pytest.fixture(scope="module")
def by_torch(embedded: BertEncoder) -> DeviceEncoder:
    """What runs on a GPU, run by torch on the processor."""
    return DeviceEncoder(embedded.folder, "cpu")


def test_a_device_gives_the_vectors_of_the_processor(embedded: BertEncoder, by_torch: DeviceEncoder) -> None:
    tokens = embedded.tokens(TEXTS)
    for ours, theirs in zip(embedded.encode(tokens, 6), by_torch.encode(tokens, 6), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)
    np.testing.assert_allclose(embedded.means(tokens, 6), by_torch.means(tokens, 6), atol=1e-5)
    assert by_torch.encode(by_torch.tokens([]), 6) == []


def test_a_device_matches_as_the_processor_does(embedded: BertEncoder, by_torch: DeviceEncoder) -> None:
    """All pairs of texts of many lengths, in many blocks and batches, with weights that leave some tokens out."""
    words = np.random.default_rng(5).choice(["cat", "the", "sat", "enormously", "zebra", "on", "."], size=(60, 40))
    texts = [" ".join(row[: 1 + number % 40]) for number, row in enumerate(words.tolist())]
    tokens = embedded.tokens(texts)
    pairs = np.array([(i, j) for i in range(60) for j in range(i, 60, 3)])
    weights = np.random.default_rng(6).random(embedded.vocabulary)
    weights[[*embedded.special, tokens.ids[1]]] = 0
    expected = embedded.match(tokens, pairs, 5, weights)
    assert np.isnan(expected).any()  # a text of tokens that all weigh nothing
    np.testing.assert_allclose(by_torch.match(tokens, pairs, 5, weights), expected, atol=1e-5)


def test_what_the_memory_does_not_hold_is_done_in_halves(by_torch: DeviceEncoder, monkeypatch: Any) -> None:
    tokens = by_torch.tokens(TEXTS)
    pairs = np.array([(i, j) for i in range(len(TEXTS)) for j in range(len(TEXTS))])
    weights = np.ones(by_torch.vocabulary)
    expected = by_torch.match(tokens, pairs, 3, weights)
    vectors = by_torch._vectors
    refused: list[int] = []

    def small(some: Tokens, *more: Any) -> Any:
        if len(some) > 3:
            refused.append(len(some))
            raise torch.OutOfMemoryError("there is room for three texts")
        return vectors(some, *more)

    monkeypatch.setattr(by_torch, "_vectors", small)
    monkeypatch.setattr(by_torch, "_padded", by_torch._padded)
    monkeypatch.setattr(by_torch, "held", by_torch.held)
    np.testing.assert_allclose(by_torch.match(tokens, pairs, 3, weights), expected, atol=1e-6)
    assert refused
    np.testing.assert_allclose(
        by_torch.means(tokens, 3), [rows.mean(0) for rows in by_torch.encode(tokens, 3)], atol=1e-6
    )


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlm-roberta"])
def test_scores_are_those_of_bert_score(transformers: Any, tmp_path: Path, kind: str) -> None:
    """Zhang et al.'s own package, on models with random weights, on the processor and as a device does it."""
    package = pytest.importorskip("bert_score", reason="bert-score is not installed")
    home = saved(transformers, tmp_path / kind, kind)
    words = np.random.default_rng(3).choice(WORDS[:8], size=(2, 200, 12))
    outputs, references = ([" ".join(row[: 1 + i % 12]) for i, row in enumerate(side)] for side in words.tolist())
    scorer = package.BERTScorer(model_type=str(home), num_layers=2, device="cpu")
    if kind == "roberta":  # it asks for a blank in front of the first word, which transformers 5 no longer hears
        scorer._tokenizer = transformers.AutoTokenizer.from_pretrained(home, add_prefix_space=True)
    expected = np.column_stack([values.numpy() for values in scorer.score(outputs, references)])
    processor = get_encoder(str(home), "cpu")
    for encoder in (processor, DeviceEncoder(processor.folder, "cpu")):
        tokens = encoder.tokens([*outputs, *references])
        weights = np.ones(encoder.vocabulary)
        weights[list(encoder.special)] = 0
        pairs = np.column_stack([np.arange(200), np.arange(200, 400)])
        found = encoder.match(tokens, pairs, 2, weights)
        np.testing.assert_allclose(found, expected[:, :2], atol=1e-5)


def test_devices() -> None:
    assert device_for("cpu") == ("cpu", "")
    assert device_for("auto").name == ("cuda" if torch.cuda.is_available() else "cpu")
    name, note = device_for("cuda:99")
    assert name == "cpu"
    assert note.startswith("the device 'cuda:99' cannot be used here, so the processor is: ")
    assert "\n" not in note
    with pytest.raises(UnknownName, match="unknown device 'abacus'"):
        device_for("abacus")
