"""Encoders against transformers itself, on small models with random weights; skipped where torch is not installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import MissingResource, PlainlyError
from plainly.models.encoders import EMBEDDED, Encoder, get_encoder
from plainly.models.encoders.arrays import NumpyArrays, TorchArrays, arrays_on
from plainly.models.encoders.bert import BertEncoder
from plainly.models.encoders.foreign import ForeignEncoder

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

    byte_level = kind == "roberta"
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
    tokenizer.save_pretrained(home)
    return home


@pytest.mark.parametrize(("kind", "ours"), [("bert", True), ("roberta", True), ("distilbert", False)])
def test_vectors_of_every_layer(transformers: Any, tmp_path: Path, kind: str, ours: bool) -> None:
    home = saved(transformers, tmp_path / kind, kind)
    encoder = get_encoder(str(home), "cpu")
    assert isinstance(encoder, BertEncoder if ours else ForeignEncoder)
    assert (encoder.layers, encoder.limit) == (3, 40)
    tokens = encoder.tokens(TEXTS)
    assert [cut for _, cut in tokens] == [False, False, False, True, False]
    tokenizer = transformers.AutoTokenizer.from_pretrained(home, add_prefix_space=kind == "roberta")
    model = transformers.AutoModel.from_pretrained(home).eval()
    for text, (ids, _) in zip(TEXTS, tokens, strict=True):
        whole = text.replace("\ud83d", "\ufffd").strip()
        assert ids == tokenizer(whole, truncation=True, max_length=40)["input_ids"], text
    for layer in range(4):
        for (ids, _), vectors in zip(tokens, encoder.encode([ids for ids, _ in tokens], layer), strict=True):
            with torch.no_grad():
                expected = model(torch.tensor([ids]), output_hidden_states=True).hidden_states[layer][0]
            np.testing.assert_allclose(vectors, expected.numpy(), atol=2e-5)


def test_a_broken_model_gives_one_clear_line(transformers: Any, tmp_path: Path) -> None:
    home = saved(transformers, tmp_path / "broken", "distilbert")
    (home / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(MissingResource) as error:
        get_encoder(str(home), "cpu")
    assert "cannot be used: " in str(error.value)
    assert "\n" not in str(error.value)


def test_torch_and_numpy_agree() -> None:
    try:
        numpy = get_encoder(EMBEDDED, "cpu")
    except MissingResource as missing:
        pytest.skip(str(missing))
    by_torch: Encoder = BertEncoder(numpy.folder, TorchArrays("cpu"))
    ids = [tokens.ids for tokens in numpy.tokens(TEXTS)]
    for ours, theirs in zip(numpy.encode(ids, 6), by_torch.encode(ids, 6), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_devices() -> None:
    assert isinstance(arrays_on("cpu"), NumpyArrays)
    expected = TorchArrays if torch.cuda.is_available() else NumpyArrays
    assert isinstance(arrays_on("auto"), expected)
    for device in ("abacus", "cuda:99"):
        with pytest.raises(PlainlyError, match=f"the device '{device}' cannot be used here: ") as error:
            arrays_on(device)
        assert "\n" not in str(error.value)
