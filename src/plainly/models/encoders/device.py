"""BERT and its kin on a device of torch, such as a GPU, and what is made of the vectors made there, too.

Texts of like length go together in padded batches, through attention that torch fuses. Vectors stay on the device:
tokens are matched and means are taken there, and a few numbers a text come back. Many threads may call at once: while
the device works for one of them, the others tokenise. What the memory does not hold is done in halves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.models.encoders.activations import Floats
from plainly.models.encoders.base import Vectors, setting
from plainly.models.encoders.bert import BertEncoder
from plainly.models.encoders.folders import Folder
from plainly.models.encoders.matching import Block, Pairs, Values
from plainly.models.encoders.tokens import Numbers, Tokens

CPU = "cpu"
AUTO = "auto"
DEVICES = (AUTO, CPU, "cuda", "mps", "xpu")  # the last three of NVIDIA and AMD, Apple, Intel; also as cuda:1
GPU_FILES = ("/dev/nvidiactl", "/dev/dxg", "/dev/kfd")  # of NVIDIA, of Windows' Linux, of AMD
EXACT = "exact"
PRECISIONS = (EXACT, "tf32", "bf16")
WIDE = 1 << 28  # numbers of a batch, padding among them, where it is widest
ALIGNED = 8  # lengths of batches are multiples of it: fused attention wants that
WASTED = 0.1  # the share of a text that may be padding,
WORTHWHILE = 1 << 33  # unless a batch is less work than this, in products of a layer: starting it would cost more
COMPARED = 1 << 26  # numbers that matching holds at a time
Kind = TypeVar("Kind", np.float32, np.float64)
_WORK = Lock()  # one thread at a time hands work to a device


class Device(NamedTuple):
    """What an encoder runs on: a device of torch, or "cpu" for numpy; `note`: why it is not what was asked for."""

    name: str
    note: str = ""


@cache
def device_for(asked: str) -> Device:
    """The device that was asked for; the processor where it cannot be used. "auto" is a GPU if there is one."""
    if asked.partition(":")[0] not in DEVICES:
        raise UnknownName("device", asked, DEVICES)
    if asked == CPU:
        return Device(CPU)
    if asked == AUTO:
        # torch takes seconds to import: only where there is a GPU at all.
        there = find_spec("torch") is not None and any(map(Path.exists, map(Path, GPU_FILES)))
        return Device(CPU) if not there or _unusable("cuda") else Device("cuda")
    why = _unusable(asked)
    return (
        Device(asked)
        if why is None
        else Device(CPU, f"the device {asked!r} cannot be used here, so the processor is: {why}")
    )


def _unusable(device: str) -> str | None:
    """Why torch cannot use a device here; None where it can."""
    if find_spec("torch") is None:
        return "it needs torch: pip install torch"
    import torch

    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        return _first_line(error)
    return None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".")


def number_kind(torch: Any, precision: str) -> Any:
    """What a model's numbers are kept in."""
    return torch.bfloat16 if precision == "bf16" else torch.float32


@contextmanager
def running(torch: Any, precision: str) -> Iterator[None]:
    """While torch computes, and learns nothing: float32 is multiplied as the precision says."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
    try:
        # The others plan anew for every length of texts, or take no mask.
        with torch.inference_mode(), sdpa_kernel([SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]):
            yield
    finally:
        torch.set_float32_matmul_precision(before)


class _Texts(NamedTuple):
    """Texts on the device: all their tokens in a row, where each text begins there, and how long it is."""

    ids: Any
    starts: Any
    lengths: Any
    known: Numbers  # the lengths, here


class DeviceEncoder(BertEncoder):
    held = 1 << 20

    def __init__(self, folder: Folder, device: str, precision: str = EXACT) -> None:
        import torch

        self._torch: Any = torch
        self._device = torch.device(device)
        self._precision = precision
        self._kind = number_kind(torch, precision)
        self._padded = WIDE // setting(folder, "intermediate_size")  # tokens of a batch, at most
        self._worthwhile = WORTHWHILE // setting(folder, "hidden_size") ** 2  # and at least
        super().__init__(folder)

    def encode(self, tokens: Tokens, layer: int, added: Sequence[Vectors] | None = None) -> list[Vectors]:
        def work(numbers: Numbers) -> Floats:
            more = None if added is None else np.concatenate([added[i] for i in numbers.tolist()])
            with _WORK, self._running():
                vectors = self._vectors(tokens.take(numbers), layer, more)[0]
            return _host(vectors)

        self.check_layer(layer)
        if not len(tokens):
            return []
        return np.split(self._in_parts(work, np.arange(len(tokens))), tokens.starts[1:])

    def means(self, tokens: Tokens, layer: int) -> Values:
        def work(numbers: Numbers) -> Values:
            with _WORK, self._running():
                vectors, texts = self._vectors(tokens.take(numbers), layer)
                owners = self._torch.repeat_interleave(texts.lengths, output_size=len(texts.ids))
                sums = vectors.new_zeros((len(numbers), vectors.shape[1]), dtype=self._torch.float64)
                found = sums.index_add_(0, owners, vectors.double()) / texts.lengths[:, None]
            return _host(found)

        self.check_layer(layer)
        return self._in_parts(work, np.arange(len(tokens))) if len(tokens) else np.empty((0, 0))

    def _matched(self, tokens: Tokens, block: Block, layer: int, weights: Values) -> Values:
        def work(pairs: Pairs) -> Values:
            needed, numbers = np.unique(pairs, return_inverse=True)
            with _WORK, self._running():
                vectors, texts = self._vectors(tokens.take(needed), layer)
                vectors = self._torch.nn.functional.normalize(vectors, dim=1)
                weighed = self._sent(weights.astype(np.float32))[texts.ids]
                found = self._compared(vectors, weighed, texts, numbers.reshape(-1, 2))
            return _host(found)

        self.check_layer(layer)
        return self._in_parts(work, block.pairs)

    def _in_parts(self, work: Callable[[Numbers], NDArray[Kind]], items: Numbers) -> NDArray[Kind]:
        """What is made of the items; where the memory is too small, of one half of them and then of the other."""
        try:
            return work(items)
        except self._torch.OutOfMemoryError as error:
            if len(items) == 1:
                too_small = f"the memory of the device is too small for a single text: {_first_line(error)}"
                raise PlainlyError(too_small) from None
        self._torch.cuda.empty_cache()
        self._padded = max(self.limit, self._padded // 2)
        self.held = max(self.limit, self.held // 2)
        halves = [self._in_parts(work, half) for half in np.array_split(items, 2)]
        return np.concatenate(halves)

    def _running(self) -> AbstractContextManager[None]:
        return running(self._torch, self._precision)

    def _placed(self, weights: Floats) -> Any:
        return self._sent(weights).to(self._kind)

    def _sent(self, values: NDArray[Any]) -> Any:
        """On the device, without waiting for what it is doing."""
        sent = self._torch.from_numpy(np.ascontiguousarray(values))
        if self._device.type == "cuda":
            sent = sent.pin_memory()
        return sent.to(self._device, non_blocking=True)

    # ---- from tokens to vectors

    def _vectors(self, tokens: Tokens, layer: int, added: Floats | None = None) -> tuple[Any, _Texts]:
        """The vectors of all tokens in a row, in float32. Nothing here waits for the device."""
        flat, known = tokens.ids, tokens.lengths
        texts = _Texts(self._sent(flat), self._sent(tokens.starts), self._sent(known), known)
        more = None if added is None else self._sent(added).to(self._kind)
        # The last row takes the padding, so that no batch need be asked how much of it is text.
        found = self._torch.empty((len(flat) + 1, self._words.shape[1]), device=self._device)
        layers = self._layers(layer)
        order = np.argsort(-known, kind="stable")
        sent = self._sent(order)
        for batch, longest in _padded_batches(known[order], self._worthwhile, self._padded, self.limit):
            places, there = self._grid(texts, sent[batch], longest)
            rows = self._run_padded(texts.ids[places], there, layers, None if more is None else more[places])
            found.index_copy_(0, places.where(there, len(flat)).flatten(), rows.flatten(0, 1).float())
        return found[:-1], texts

    def _grid(self, texts: _Texts, numbers: Any, longest: int) -> tuple[Any, Any]:
        """Where the tokens of some texts stand in the row: (texts, longest), and which of these places are tokens."""
        steps = self._torch.arange(longest, device=self._device)
        starts = texts.starts[numbers][:, None]
        there = steps < texts.lengths[numbers][:, None]
        return (starts + steps).where(there, starts), there

    def _run_padded(self, ids: Any, there: Any, layers: list[Any], added: Any | None) -> Any:
        """As `BertEncoder._run`, for texts side by side: (texts, longest, dimensions)."""
        functional, epsilon = self._torch.nn.functional, self._epsilon
        count, longest = ids.shape
        first = self._first_position
        x = self._words[ids] + self._positions[first : first + longest] + self._type
        if added is not None:
            x += added
        width = x.shape[-1]
        shape = (count, longest, 3, self._heads, width // self._heads)
        mask = there[:, None, None, :].expand(count, 1, longest, longest)
        x = functional.layer_norm(x, (width,), *self._embedding_norm, epsilon)
        for layer in layers:
            queries, keys, values = self._linear(x, layer.attend).view(shape).permute(2, 0, 3, 1, 4)
            mixed = functional.scaled_dot_product_attention(queries, keys, values, attn_mask=mask, scale=1.0)
            mixed = mixed.transpose(1, 2).reshape(count, longest, width)
            x = functional.layer_norm(self._linear(mixed, layer.out) + x, (width,), *layer.out_norm, epsilon)
            wide = functional.gelu(self._linear(x, layer.widen))
            x = functional.layer_norm(self._linear(wide, layer.narrow) + x, (width,), *layer.narrow_norm, epsilon)
        return x

    def _linear(self, x: Any, weights: tuple[Any, Any]) -> Any:
        matrix, bias = weights
        return self._torch.addmm(bias, x.flatten(0, -2), matrix).view(*x.shape[:-1], -1)

    # ---- from vectors to matches

    def _compared(self, vectors: Any, weights: Any, texts: _Texts, pairs: Pairs) -> Any:
        """As `matching.matched`, for vectors of length 1."""
        self._torch.set_float32_matmul_precision("highest")  # here rounding would not average out
        lengths = texts.known[pairs]
        order = np.argsort(-lengths.sum(axis=1), kind="stable")
        numbers = self._sent(pairs[order])
        found = self._torch.empty((len(pairs), 2), dtype=self._torch.float64, device=self._device)
        for batch, (first, second) in _compared_batches(lengths[order], vectors.shape[1]):
            places, there = self._grid(texts, numbers[batch, 0], first)
            others, those = self._grid(texts, numbers[batch, 1], second)
            similar = self._torch.bmm(vectors[places], vectors[others].transpose(1, 2)).clamp_(max=1)
            precise = similar.masked_fill(~those[:, None, :], -2).amax(2)
            recalled = similar.masked_fill_(~there[:, :, None], -2).amax(1)
            for side, (best, own) in enumerate(
                ((precise, weights[places] * there), (recalled, weights[others] * those))
            ):
                found[batch, side] = (best * own).sum(1, dtype=self._torch.float64) / own.sum(1)
        return found[self._sent(np.argsort(order, kind="stable"))]


def _host(values: Any) -> NDArray[Any]:
    """Brought back from the device, when it has done all before."""
    found: NDArray[Any] = values.cpu().numpy()
    return found


def _padded_batches(lengths: Numbers, least: int, most: int, limit: int) -> Iterator[tuple[slice, int]]:
    """Texts by falling length in batches of `least` to `most` tokens, with little padding; and the longest."""
    start = 0
    while start < len(lengths):
        longest = min(limit, -(-int(lengths[start]) // ALIGNED) * ALIGNED)
        fit = max(1, most // longest)
        alike = int(np.searchsorted(-lengths[start : start + fit], -(1 - WASTED) * longest, side="right"))
        count = max(alike, min(fit, least // longest), 1)
        yield slice(start, start + count), longest
        start += count


def _compared_batches(lengths: Numbers, width: int) -> Iterator[tuple[slice, tuple[int, int]]]:
    """Pairs of texts, sorted by falling length, in batches: which, and the longest of each side."""
    start = 0
    while start < len(lengths):
        longest = int(lengths[start].sum())
        batch = slice(start, start + max(1, COMPARED // (longest * max(width, longest))))
        first, second = lengths[batch].max(axis=0).tolist()
        yield batch, (first, second)
        start = batch.stop
