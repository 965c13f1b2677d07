"""Any other model of the transformers library, run by torch and transformers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np

from plainly.base.errors import MissingResource
from plainly.models.encoders.base import Encoder, Vectors, whole_characters
from plainly.models.encoders.device import EXACT, number_kind, running
from plainly.models.encoders.folders import Folder
from plainly.models.encoders.tokens import Tokens

PADDED_TOKENS = 8192  # in a batch
UNSTATED_LIMIT = 512  # tokens, where neither the model nor its tokeniser states one
# To these tokenisers a word at the very beginning is another one than after a blank.
BLANK_MATTERS = ("roberta", "gpt2", "bart", "longformer")
# These count positions from the number after that of padding.
SHIFTED_POSITIONS = ("roberta", "xlm-roberta", "camembert", "longformer")


class ForeignEncoder(Encoder):
    def __init__(self, folder: Folder, device: str, precision: str = EXACT) -> None:
        super().__init__(folder)
        kind = folder.config.get("model_type")
        if not isinstance(kind, str):
            raise folder.broken("config.json", f"model_type is {kind!r}, not the name of a kind of model")
        missing = [package for package in ("torch", "transformers") if find_spec(package) is None]
        if missing:
            without = "" if (folder.path / "tokenizer.json").is_file() else " without a tokenizer.json"
            raise MissingResource(
                f"the model {folder.name} (of type {kind}{without}) needs {' and '.join(missing)}: "
                f"pip install {' '.join(missing)}"
            )
        import torch
        import transformers

        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        options: dict[str, Any] = {"add_prefix_space": True} if kind in BLANK_MATTERS else {}
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder.path, local_files_only=True, **options)
            model = transformers.AutoModel.from_pretrained(folder.path, local_files_only=True).eval()
        except Exception as error:  # whatever goes wrong in there, the model cannot be used
            raise folder.broken("", error) from None
        model = model.to(device, number_kind(torch, precision))
        self._torch, self._tokenizer, self._device, self._precision = torch, tokenizer, device, precision
        self._model = model.encoder if hasattr(model, "encoder") and hasattr(model, "decoder") else model
        self.layers = int(model.config.num_hidden_layers)
        self.vocabulary = int(model.config.vocab_size)
        shift = model.config.pad_token_id + 1 if kind in SHIFTED_POSITIONS else 0
        positions = getattr(model.config, "max_position_embeddings", UNSTATED_LIMIT) - shift
        self.limit = min(tokenizer.model_max_length, positions)
        self.special = frozenset({tokenizer.cls_token_id, tokenizer.sep_token_id} - {None})

    def tokens(self, texts: Sequence[str], limit: int | None = None) -> Tokens:
        most = min(limit or self.limit, self.limit)
        found, cut = [], []
        for text in texts:
            text = whole_characters(text).strip()
            ids = self._tokenizer(text, verbose=False)["input_ids"]
            cut.append(len(ids) > most)
            if cut[-1]:
                ids = self._tokenizer(text, truncation=True, max_length=most)["input_ids"]
            found.append(ids)
        return replace(Tokens.of(found, list(map(len, found))), cut=np.array(cut, dtype=np.bool_))

    def encode(self, tokens: Tokens, layer: int) -> list[Vectors]:
        self.check_layer(layer)
        ids = [row.tolist() for row in tokens]
        found: list[Vectors] = [np.empty((0, 0), dtype=np.float32)] * len(ids)
        order = sorted(range(len(ids)), key=lambda i: -len(ids[i]))
        while order:
            size = max(1, PADDED_TOKENS // max(1, len(ids[order[0]])))
            batch, order = order[:size], order[size:]
            vectors = self._run([ids[i] for i in batch], layer)
            for row, i in enumerate(batch):
                found[i] = vectors[row, : len(ids[i])]
        return found

    def _run(self, ids: list[list[int]], layer: int) -> Vectors:
        padding = self._tokenizer.pad_token_id or 0
        longest = len(ids[0])
        padded = self._torch.tensor([row + [padding] * (longest - len(row)) for row in ids], device=self._device)
        mask = self._torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in ids], device=self._device)
        with running(self._torch, self._precision):
            out = self._model(input_ids=padded, attention_mask=mask, output_hidden_states=True)
        vectors: Vectors = out.hidden_states[layer].float().cpu().numpy()
        return vectors
