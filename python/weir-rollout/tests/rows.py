"""Rows and exports to load."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from weir_rollout import LoadedRow, TensorDict
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


def two_turns() -> LoadedRow:
    """`1 2 |3 4| 5 |6|`: two prompt tokens, two sampled ones, one of a tool, and one sampled by newer weights."""
    row = a_row([1, 2, 3, 4, 5, 6], 0.5)
    row["loss_mask"][0] = [0, 0, 1, 1, 0, 1]
    row["logprobs"][0] = [0, 0, -0.25, -0.5, 0, -1]
    row["versions"][0] = [-1, -1, 3, 3, -1, 4]
    return LoadedRow("two", row)


def recorded_row() -> LoadedRow:
    """The same with scores of a teacher, loss weights, the tokens that cut-offs left, and experts of 2 layers."""
    row = two_turns()
    row.tensors["ref_logprobs"] = np.array([[0, 0, -0.5, -0.75, 0, -1.5]], np.float32)
    row.tensors["loss_weights"] = np.array([[0, 0, 1, 0.5, 0, 2]], np.float32)
    row.tensors["sampling_mask"] = np.array([[[-1, -1], [-1, -1], [3, 7], [4, -1], [-1, -1], [6, 8]]], np.int32)
    experts = np.array([[[[0], [1]], [[2], [3]], [[4], [5]], [[6], [7]], [[8], [9]], [[-1], [-1]]]], np.int16)
    return LoadedRow("two", {**row.tensors, "routed_experts": experts})


def an_export(rows: Mapping[str, TensorDict], stop_reason: str = "stop") -> dict[str, Any]:
    """A JSON export of these rows."""
    return {
        "session_id": "s",
        "revision": 0,
        "report": {},
        "interactions": {
            row_id: {
                "tensor_dict": {name: _wire(tensor) for name, tensor in tensors.items()},
                "model_response": {"stop_reason": stop_reason},
            }
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
