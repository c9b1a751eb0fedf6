"""The rows of an exported file; docs/specs/rollout/training-export.md of Weir specifies the layout."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from .safetensors_file import batch_invalid, read_safetensors
from .training_dict import EXTRA_KEYS, NO_VERSION, Array, TensorDict

_REQUIRED: Mapping[str, type] = {
    "input_ids": np.int32,
    "logprobs": np.float32,
    "row_offsets": np.int32,
    "rewards": np.float32,
    "span_starts": np.int32,
    "span_lengths": np.int32,
    "span_versions": np.int32,
}
_OPTIONAL: Mapping[str, type] = {"span_turns": np.int32, "original_rewards": np.float32}


@dataclass(frozen=True)
class LoadedRow:
    """A row of an export."""

    id: str
    tensors: TensorDict
    """Of one row: token keys are `[1, length]`, `rewards` is `[1]`."""


def iterate_rows(source: bytes | str | os.PathLike[str]) -> Iterator[LoadedRow]:
    """
    The rows of an exported file, one at a time: of a file on disk only the rows that were asked for are in memory.
    Raises `RolloutError`, reason `batch_invalid`, before the first row.
    """
    tensors, metadata = read_safetensors(source)
    if metadata.get("format") != "weir-training-batch" or metadata.get("format_version") != "1":
        raise batch_invalid("The file is not a training batch of version 1.")
    _check_lists(tensors)
    _check_rows(tensors)
    _check_spans(tensors)
    ids = _row_ids(metadata.get("row_ids", ""), len(tensors["rewards"]))
    return _rows(tensors, ids)


def _rows(tensors: Mapping[str, Array], ids: list[str]) -> Iterator[LoadedRow]:
    logprob_offsets = np.concatenate([[0], np.cumsum(tensors["span_lengths"], dtype=np.int64)])
    first_spans = np.searchsorted(tensors["span_starts"], tensors["row_offsets"])
    for row, row_id in enumerate(ids):
        spans = range(int(first_spans[row]), int(first_spans[row + 1]))
        yield LoadedRow(row_id, _row(tensors, row, spans, logprob_offsets))


def _row(tensors: Mapping[str, Array], row: int, spans: range, logprob_offsets: Array) -> TensorDict:
    begin, end = (int(offset) for offset in tensors["row_offsets"][row : row + 2])
    shape = (1, end - begin)
    tensor_dict: TensorDict = {
        "input_ids": np.array(tensors["input_ids"][begin:end]).reshape(shape),
        "loss_mask": np.zeros(shape, np.int32),
        "logprobs": np.zeros(shape, np.float32),
        "versions": np.full(shape, NO_VERSION, np.int32),
        "attention_mask": np.ones(shape, np.bool_),
        "rewards": np.array(tensors["rewards"][row : row + 1]),
    }
    if "span_turns" in tensors:
        tensor_dict["turn_ids"] = np.full(shape, NO_VERSION, np.int32)
    if "original_rewards" in tensors:
        tensor_dict["original_rewards"] = np.array(tensors["original_rewards"][row : row + 1])
    for name, key in EXTRA_KEYS.items():
        if name in tensors:
            tensor_dict[name] = np.full((*shape, *tensors[name].shape[1:]), key.fill, key.dtype)
            if key.of_all_tokens:
                tensor_dict[name][0] = tensors[name][begin:end]
    for span in spans:
        start = int(tensors["span_starts"][span]) - begin
        here = slice(start, start + int(tensors["span_lengths"][span]))
        tensor_dict["loss_mask"][0, here] = 1
        trained = slice(logprob_offsets[span], logprob_offsets[span + 1])
        for name in EXTRA_KEYS.keys() & tensors.keys():
            if not EXTRA_KEYS[name].of_all_tokens:
                tensor_dict[name][0, here] = tensors[name][trained]
        tensor_dict["logprobs"][0, here] = tensors["logprobs"][trained]
        tensor_dict["versions"][0, here] = tensors["span_versions"][span]
        if "span_turns" in tensors:
            tensor_dict["turn_ids"][0, here] = tensors["span_turns"][span]
    return tensor_dict


def _check_lists(tensors: Mapping[str, Array]) -> None:
    for name in tensors.keys() - _REQUIRED.keys() - _OPTIONAL.keys() - EXTRA_KEYS.keys():
        raise batch_invalid(f'The batch has an unknown tensor "{name[:64]}".')
    for name, dtype in {**_REQUIRED, **_OPTIONAL}.items():
        tensor = tensors.get(name)
        if tensor is None and name in _OPTIONAL:
            continue
        if tensor is None or tensor.ndim != 1 or tensor.dtype != dtype:
            raise batch_invalid(f'The batch has no list "{name}" of {np.dtype(dtype).name}.')
    for name, key in EXTRA_KEYS.items():
        tensor = tensors.get(name)
        if tensor is None:
            continue
        if tensor.ndim != 1 + key.axes or tensor.dtype != key.dtype or 0 in tensor.shape[1:]:
            raise batch_invalid(f'"{name}" of the batch is not {np.dtype(key.dtype).name} with its entries.')
        if len(tensor) != len(tensors["input_ids" if key.of_all_tokens else "logprobs"]):
            raise batch_invalid(f'The batch does not have "{name}" for each of its tokens.')


def _check_rows(tensors: Mapping[str, Array]) -> None:
    offsets, rewards = tensors["row_offsets"], tensors["rewards"]
    is_ordered = len(offsets) > 0 and offsets[0] == 0 and bool((np.diff(offsets) > 0).all())
    if not is_ordered or len(offsets) != len(rewards) + 1 or offsets[-1] != len(tensors["input_ids"]):
        raise batch_invalid("The offsets of the rows do not match the tokens and rewards.")
    if "original_rewards" in tensors and len(tensors["original_rewards"]) != len(rewards):
        raise batch_invalid("The batch does not have one original reward for each row.")


def _check_spans(tensors: Mapping[str, Array]) -> None:
    starts, lengths = tensors["span_starts"].astype(np.int64), tensors["span_lengths"].astype(np.int64)
    columns = [tensors[name] for name in ("span_versions", "span_turns") if name in tensors]
    if any(len(column) != len(starts) for column in (lengths, *columns)):
        raise batch_invalid("The columns of the spans have different lengths.")
    ends = starts + lengths
    if (lengths < 1).any() or (starts[:1] < 0).any() or (starts[1:] < ends[:-1]).any():
        raise batch_invalid("The spans of the batch are not in order.")
    offsets = tensors["row_offsets"]
    row_ends = offsets[np.minimum(np.searchsorted(offsets, starts, side="right"), len(offsets) - 1)]
    if (ends > row_ends).any():
        raise batch_invalid("A span extends beyond its row.")
    if lengths.sum() != len(tensors["logprobs"]):
        raise batch_invalid("The spans do not match the log-probabilities.")


def _row_ids(text: str, rows: int) -> list[str]:
    try:
        ids = json.loads(text)
    except ValueError as error:
        raise batch_invalid("The ids of the rows are not JSON.") from error
    if not isinstance(ids, list) or len(ids) != rows or not all(isinstance(one, str) for one in ids):
        raise batch_invalid("The batch does not have one id for each row.")
    return ids
