"""Rows of different lengths as one batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from ..errors import RolloutError, invalid_request
from .training_dict import (
    DTYPES,
    EXTRA_KEYS,
    NO_VERSION,
    OPTIONAL_KEYS,
    ROW_KEYS,
    Array,
    TensorDict,
    check_training_dict,
)

MAX_ELEMENTS = 268_435_456
_FILL: Mapping[str, float] = {
    "versions": NO_VERSION,
    "turn_ids": NO_VERSION,
    **{name: key.fill for name, key in EXTRA_KEYS.items()},
}


def pad_and_concatenate(
    dicts: Sequence[TensorDict],
    *,
    side: Literal["right", "left"] = "right",
    pad_token_id: int = 0,
    length: int | None = None,
    max_elements: int = MAX_ELEMENTS,
) -> TensorDict:
    """
    One batch of all rows, in order, padded to one length, at least that of the longest, which is the default. Padding
    is `pad_token_id` in `input_ids`, 0 in `loss_mask` and `logprobs`, -1 in `versions` and `turn_ids`, and false in
    `attention_mask`; further keys get their neutral value. Raises `RolloutError`, reasons `training_dict_invalid`,
    `tensors_not_compatible` and, before anything is allocated, `tensors_too_large`.
    """
    if not dicts:
        raise _not_compatible("There are no dictionaries to pad.")
    checked = [check_training_dict(one, padding=side) for one in dicts]
    width = _padded_length(checked, length, max_elements)
    if not -(2**31) <= pad_token_id < 2**31:
        raise _not_compatible("The pad token id is not a 32-bit integer.")
    fill = {**_FILL, "input_ids": pad_token_id}
    batch: TensorDict = {}
    for name in _common_keys(checked):
        parts = [one[name] for one in checked]
        if name in ROW_KEYS:
            batch[name] = np.concatenate(parts)
        else:
            batch[name] = _pad(parts, name, width, fill.get(name, 0), side)
    return batch


def _pad(parts: Sequence[Array], name: str, width: int, fill: float, side: Literal["right", "left"]) -> Array:
    """Dictionaries may have fewer entries for a token than others."""
    if parts[0].ndim > 3 and len({part.shape[2:] for part in parts}) > 1:
        raise _not_compatible(f'The axes of "{name}" differ.')
    axes = tuple(max(sizes) for sizes in zip(*(part.shape[2:] for part in parts), strict=True))
    padded: Array = np.full((sum(len(part) for part in parts), width, *axes), fill, DTYPES[name])
    row = 0
    for part in parts:
        rows, length = part.shape[:2]
        start = width - length if side == "left" else 0
        entries = tuple(slice(size) for size in part.shape[2:])
        here = (slice(row, row + rows), slice(start, start + length), *entries)
        padded[here] = part
        row += rows
    return padded


def _common_keys(dicts: Sequence[TensorDict]) -> list[str]:
    for name in OPTIONAL_KEYS:
        if len({name in one for one in dicts}) == 2:
            raise _not_compatible(f'Only some of the dictionaries have "{name}".')
    return [name for name in DTYPES if name in dicts[0]]


def _padded_length(dicts: Sequence[TensorDict], length: int | None, max_elements: int) -> int:
    longest = max(one["input_ids"].shape[1] for one in dicts)
    width = longest if length is None else length
    if width < longest:
        raise _not_compatible(f"The length to pad to, {width}, is less than the longest row, {longest}.")
    rows = sum(len(one["input_ids"]) for one in dicts)
    entries = max(int(np.prod(one[name].shape[2:])) for one in dicts for name in one)
    if rows * width * entries > max_elements:
        raise RolloutError(
            "payload_too_large",
            f"A key of the batch would have more than {max_elements} elements.",
            reason="tensors_too_large",
        )
    return width


def _not_compatible(message: str) -> RolloutError:
    return invalid_request("tensors_not_compatible", message)
