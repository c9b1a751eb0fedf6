"""Exports as tensors."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..contract import ExportResponse, Tensor
from .pad import pad_and_concatenate
from .training_batch import LoadedRow, iterate_rows
from .training_dict import Array, TensorDict, check_training_dict

Exported = Mapping[str, Any] | ExportResponse | bytes | str | os.PathLike[str]
"""An export as it came over the wire, or the path of a safetensors file."""

_WIRE_DTYPES = {"torch.int32": "<i4", "torch.float32": "<f4", "torch.int16": "<i2", "torch.bool": "?"}


@dataclass(frozen=True)
class LoadedBatch:
    """The rows of one or more exports."""

    rows: list[LoadedRow]
    batch: TensorDict | None
    """All rows padded to one length. `None` where there are none."""

    def to_torch(self) -> dict[str, Any]:
        """The batch as tensors of PyTorch, which share its memory. Needs the extra `torch`."""
        import torch

        return {name: torch.from_numpy(tensor) for name, tensor in (self.batch or {}).items()}


def load(
    exports: Exported | Sequence[Exported],
    *,
    side: Literal["right", "left"] = "right",
    pad_token_id: int = 0,
    length: int | None = None,
) -> LoadedBatch:
    """One or more exports as tensors. Raises `RolloutError` for what may not be trained on."""
    rows = [row for one in _many(exports) for row in load_rows(one)]
    if not rows:
        return LoadedBatch([], None)
    tensors = [row.tensors for row in rows]
    return LoadedBatch(rows, pad_and_concatenate(tensors, side=side, pad_token_id=pad_token_id, length=length))


def load_rows(exported: Exported) -> Iterator[LoadedRow]:
    """The rows of one export, one at a time; those of a file on disk are read as they are asked for."""
    if isinstance(exported, Mapping):
        for row_id, interaction in exported["interactions"].items():
            tensors = {name: _tensor(tensor) for name, tensor in interaction["tensor_dict"].items()}
            yield LoadedRow(row_id, check_training_dict(tensors))
    else:
        for row in iterate_rows(exported):
            yield LoadedRow(row.id, check_training_dict(row.tensors))


def _tensor(wire: Tensor) -> Array:
    data = np.frombuffer(base64.b64decode(wire["data"], validate=True), _WIRE_DTYPES[wire["dtype"]])
    tensor: Array = data.reshape(wire["shape"]).copy()
    return tensor


def _many(exports: Exported | Sequence[Exported]) -> Iterable[Exported]:
    return [exports] if isinstance(exports, Mapping | bytes | str | Path | os.PathLike) else exports
