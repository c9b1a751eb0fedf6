"""Rows and exports to load."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from weir_rollout import TensorDict
from weir_rollout.tensors.training_dict import Array


def a_row(ids: Sequence[int], reward: float) -> TensorDict:
    """The last token is sampled, by version 0."""
    mask = np.zeros((1, len(ids)), np.int32)
    mask[0, -1] = 1
    return {
        "input_ids": np.array([ids], np.int32),
        "loss_mask": mask,
        "logprobs": (-0.5 * mask).astype(np.float32),
        "versions": mask - 1,
        "attention_mask": np.ones((1, len(ids)), np.bool_),
        "rewards": np.array([reward], np.float32),
    }


def an_export(rows: Mapping[str, TensorDict]) -> dict[str, Any]:
    """A JSON export of these rows."""
    return {
        "session_id": "s",
        "revision": 0,
        "report": {},
        "interactions": {
            row_id: {"tensor_dict": {name: _wire(tensor) for name, tensor in tensors.items()}}
            for row_id, tensors in rows.items()
        },
    }


def a_file(changes: Mapping[str, Array] | None = None, **metadata: str) -> bytes:
    """The training batch of rows `1 2 |3` and `4 |5`, with changed tensors or metadata."""
    tensors: dict[str, Array] = {
        "input_ids": np.array([1, 2, 3, 4, 5], np.int32),
        "logprobs": np.array([-0.5, -0.5], np.float32),
        "row_offsets": np.array([0, 3, 5], np.int32),
        "rewards": np.array([0.5, 1], np.float32),
        "span_starts": np.array([2, 4], np.int32),
        "span_lengths": np.array([1, 1], np.int32),
        "span_versions": np.array([0, 0], np.int32),
        **(changes or {}),
    }
    known = {"format": "weir-training-batch", "format_version": "1", "row_ids": '["a", "b"]'}
    header: dict[str, Any] = {"__metadata__": {**known, **metadata}}
    body = b""
    for name, tensor in tensors.items():
        data = tensor.tobytes()
        dtype = {"int32": "I32", "float32": "F32", "int16": "I16", "int64": "I64"}[tensor.dtype.name]
        offsets = [len(body), len(body) + len(data)]
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": offsets}
        body += data
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def _wire(tensor: Array) -> dict[str, Any]:
    data = base64.b64encode(tensor.tobytes()).decode()
    return {"type": "tensor", "data": data, "shape": list(tensor.shape), "dtype": f"torch.{tensor.dtype.name}"}
