"""The network of the tagger `encoder` in torch, for training; `encoder.Network` computes the same in numpy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from plainly.operations.tagger.encoder import IMPOSSIBLE, LAYERS, MATRICES, NORMS, Arrays
from plainly.operations.tagger.encoder_features import NAMES
from plainly.operations.tagger.labeller import LABELS

if TYPE_CHECKING:
    from plainly.operations.tagger.encoder_training import Settings

HEADS = 12
TINY = 1e-12  # what the norms of BERT add
STYLED = ("head.styles", "head.out.styles", "head.out.bias.styles", "error.out.bias")
_HALF = {"cuda": torch.bfloat16}  # a GPU multiplies in half the precision


class TrainedNetwork(nn.Module):  # type: ignore[misc]  # torch is not here when types are checked
    """Frozen weights of the transformer, and what is learned, by the names of `encoder`."""

    def __init__(self, base: Arrays, styles: int, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        for name, values in base.items():
            if not name.startswith("pooler") and values.dtype == np.float32:
                self.register_buffer(_plain(name), torch.from_numpy(values.copy()), persistent=False)
        self.register_buffer("impossible", torch.from_numpy(IMPOSSIBLE.copy()), persistent=False)
        width = base["embeddings.word_embeddings.weight"].shape[1]
        self._width, self._learned = width, nn.ParameterDict()
        for layer in range(LAYERS):
            for name, theirs in MATRICES.items():
                out, into = base[f"encoder.layer.{layer}.{theirs}.weight"].shape
                self._add(f"layer.{layer}.{name}.down", (into, settings.rank), 1 / math.sqrt(into))
                self._add(f"layer.{layer}.{name}.up", (settings.rank, out))
                self._add(f"layer.{layer}.{name}.bias", (out,))
            for name in NORMS:
                self._add(f"layer.{layer}.{name}.weight", (width,))
                self._add(f"layer.{layer}.{name}.bias", (width,))
        hidden, labels, inputs = settings.hidden, len(LABELS), 3 * width + len(NAMES)
        self._add("input.features", (len(NAMES), width))
        self._add("input.places.down", (width, settings.place_rank), 1 / math.sqrt(width))
        self._add("input.places.up", (settings.place_rank, width))
        # What tells the network that a pair is read backwards; it is not kept, for no pair is when it serves.
        self._add("backwards.input", (width,))
        self._add("backwards.head", (hidden,))
        self._add("head.in.weight", (inputs, hidden), 1 / math.sqrt(inputs))
        self._add("head.in.bias", (hidden,))
        self._add("head.styles", (styles, hidden), 0.02)
        self._add("head.out.weight", (hidden, labels), 1 / math.sqrt(hidden))
        self._add("head.out.styles", (styles, hidden, labels))
        self._add("head.out.bias", (labels,))
        self._add("head.out.bias.styles", (styles, labels))
        of_pair = width + 3 * len(NAMES) + hidden
        self._add("error.in.weight", (of_pair, settings.error_hidden), 1 / math.sqrt(of_pair))
        self._add("error.in.bias", (settings.error_hidden,))
        self._add("error.out.weight", (settings.error_hidden,), 0.1)
        self._add("error.out.bias", (styles,))

    def _add(self, name: str, shape: tuple[int, ...], spread: float = 0.0) -> None:
        self._learned[_plain(name)] = nn.Parameter(torch.randn(shape) * spread)

    def _get(self, name: str) -> Tensor:
        found: Tensor = self._learned[_plain(name)]
        return found

    def _base(self, name: str) -> Tensor:
        found: Tensor = getattr(self, _plain(name))
        return found

    def parameter_groups(self) -> list[dict[str, Any]]:
        styled = {_plain(name) for name in STYLED}
        settings = self._settings
        return [
            {
                "params": [values for name, values in self._learned.items() if (name in styled) is apart],
                "lr": settings.rate,
                "weight_decay": settings.style_decay if apart else settings.decay,
            }
            for apart in (False, True)
        ]

    def arrays(self) -> Arrays:
        """What was learned, as `encoder` reads it."""
        found = {
            name.replace("|", "."): values.detach().float().cpu().numpy().copy()
            for name, values in self._learned.items()
        }
        del found["backwards.input"], found["backwards.head"]
        positions = self._base("embeddings.position_embeddings.weight").cpu().numpy()
        found["input.places"] = positions @ found.pop("input.places.down")
        found["head.out.weight"] = found["head.out.weight"] + found.pop("head.out.styles")
        found["head.out.bias"] = found["head.out.bias"] + found.pop("head.out.bias.styles")
        return found

    def forward(self, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """The logits of labels (pairs x tokens x labels) and of an error (pairs)."""
        vectors = self._encode(batch)
        features, sides, styles = batch["features"], batch["sides"], batch["styles"]
        partners = batch["partners"]
        own = _taken(vectors, batch["first"].clamp(min=0))
        partner = _taken(own, partners.clamp(min=0)) * (partners >= 0)[..., None]
        whole = vectors[:, :1].expand_as(own)
        drop, training = self._settings.head_dropout, self.training
        inputs = functional.dropout(torch.cat([own, partner, whole, features], -1), drop / 2, training)
        hidden = inputs @ self._get("head.in.weight") + self._get("head.in.bias")
        hidden = hidden + (batch["backwards"][:, None] * self._get("backwards.head"))[:, None]
        active = functional.gelu(hidden + self._get("head.styles")[styles][:, None])
        active = functional.dropout(active, drop, training) * (sides >= 0)[..., None]
        matrices = self._get("head.out.weight") + self._get("head.out.styles")[styles]
        biases = self._get("head.out.bias") + self._get("head.out.bias.styles")[styles]
        logits = (active @ matrices + biases[:, None]).masked_fill(self._impossible(sides), -1e4)
        return logits, self._error(vectors[:, 0], active, features, sides, styles)

    def _impossible(self, sides: Tensor) -> Tensor:
        found: Tensor = self._base("impossible")[sides.clamp(min=0)]
        return found

    def _error(self, whole: Tensor, active: Tensor, features: Tensor, sides: Tensor, styles: Tensor) -> Tensor:
        source, target = (sides == 0)[..., None], (sides == 1)[..., None]
        parts = [
            whole,
            (features * target).sum(1) / target.sum(1).clamp(min=1),
            features.masked_fill(~target, -torch.inf).amax(1),
            (features * source).sum(1) / source.sum(1).clamp(min=1),
            active.sum(1) / (sides >= 0).sum(1, keepdim=True),
        ]
        inner = torch.tanh(torch.cat(parts, -1) @ self._get("error.in.weight") + self._get("error.in.bias"))
        return inner @ self._get("error.out.weight") + self._get("error.out.bias")[styles]

    def _encode(self, batch: dict[str, Tensor]) -> Tensor:
        ids, token_of, places = batch["ids"], batch["token_of"], batch["places"]
        positions = self._base("embeddings.position_embeddings.weight")
        linked = positions[places.clamp(min=0)] @ self._get("input.places.down") @ self._get("input.places.up")
        told = batch["features"] @ self._get("input.features") + linked * (places >= 0)[..., None]
        told = told + (batch["backwards"][:, None] * self._get("backwards.input"))[:, None]
        told = _taken(told, token_of.clamp(min=0)) * (token_of >= 0)[..., None]
        x = self._base("embeddings.word_embeddings.weight")[ids.clamp(min=0)] + positions[: ids.shape[1]]
        x = x + self._base("embeddings.token_type_embeddings.weight")[0] + told
        x = self._norm(x, "embeddings.LayerNorm")
        mask = (ids >= 0)[:, None, None]
        for layer in range(LAYERS):
            x = self._layer(x, mask, layer)
        return x

    def _layer(self, x: Tensor, mask: Tensor, layer: int) -> Tensor:
        drop = self._settings.dropout if self.training else 0.0
        count, length, width = x.shape
        low = x.to(_HALF.get(x.device.type, x.dtype))
        queries, keys, values = (
            self._linear(low, layer, name).view(count, length, HEADS, width // HEADS).transpose(1, 2)
            for name in ("query", "key", "value")
        )
        mixed = functional.scaled_dot_product_attention(queries, keys, values, mask, drop)
        mixed = self._linear(mixed.transpose(1, 2).reshape(count, length, width), layer, "out")
        x = self._changed_norm(x + functional.dropout(mixed, drop), layer, "out_norm")
        wide = functional.gelu(self._linear(x.to(low.dtype), layer, "widen"))
        narrow = self._linear(wide, layer, "narrow")
        return self._changed_norm(x + functional.dropout(narrow, drop), layer, "narrow_norm")

    def _linear(self, x: Tensor, layer: int, name: str) -> Tensor:
        home, mine = f"encoder.layer.{layer}.{MATRICES[name]}", f"layer.{layer}.{name}"
        frozen = self._base(f"{home}.weight").to(x.dtype)
        bias = (self._base(f"{home}.bias") + self._get(f"{mine}.bias")).to(x.dtype)
        low = x @ self._get(f"{mine}.down").to(x.dtype) @ self._get(f"{mine}.up").to(x.dtype)
        return functional.linear(x, frozen, bias) + low

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return functional.layer_norm(x, x.shape[-1:], self._base(f"{name}.weight"), self._base(f"{name}.bias"), TINY)

    def _changed_norm(self, x: Tensor, layer: int, name: str) -> Tensor:
        home, mine = f"encoder.layer.{layer}.{NORMS[name]}", f"layer.{layer}.{name}"
        weight = self._base(f"{home}.weight") + self._get(f"{mine}.weight")
        bias = self._base(f"{home}.bias") + self._get(f"{mine}.bias")
        return functional.layer_norm(x, x.shape[-1:], weight, bias, TINY)


def _taken(rows: Tensor, places: Tensor) -> Tensor:
    """The rows at the places, for each pair."""
    return rows.gather(1, places[..., None].expand(-1, -1, rows.shape[-1]))


def _plain(name: str) -> str:
    """torch allows no full stop in names."""
    return name.replace(".", "|")
