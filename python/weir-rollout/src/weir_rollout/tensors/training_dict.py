"""The tensors that a trainer gets, and whether they may be trained on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import RolloutError, invalid_request

Array = NDArray[Any]
TensorDict = dict[str, Array]
"""
`input_ids`, `loss_mask` and `versions` int32, `logprobs` float32, `attention_mask` bool, each `[rows, length]`;
`rewards` float32 `[rows]`. Optional: `turn_ids` int32 `[rows, length]`, `original_rewards` float32 `[rows]`, and
those of `EXTRA_KEYS`.
"""


@dataclass(frozen=True)
class ExtraKey:
    """A further key with values for trained tokens."""

    dtype: type
    axes: int
    """Axes after `[rows, length]`."""
    fill: float
    """The neutral value: of padding, of tokens that are not trained, and of entries that are not there."""
    least: float
    of_all_tokens: bool = False
    """Whether tokens have values that are not trained."""


NO_ID = -1
NO_LOGPROB = -9999
"""A logarithm whose probability is 0 and that is still finite."""
EXTRA_KEYS: Mapping[str, ExtraKey] = {
    "loss_weights": ExtraKey(np.float32, 0, 0, 0),
    "top_ids": ExtraKey(np.int32, 1, NO_ID, NO_ID),
    "top_logprobs": ExtraKey(np.float32, 1, NO_LOGPROB, NO_LOGPROB),
    "sampling_mask": ExtraKey(np.int32, 1, NO_ID, NO_ID),
    "ref_logprobs": ExtraKey(np.float32, 0, 0, NO_LOGPROB),
    "ref_top_ids": ExtraKey(np.int32, 1, NO_ID, NO_ID),
    "ref_top_logprobs": ExtraKey(np.float32, 1, NO_LOGPROB, NO_LOGPROB),
    "prompt_logprobs": ExtraKey(np.float32, 0, 0, NO_LOGPROB, of_all_tokens=True),
    "routed_experts": ExtraKey(np.int16, 2, NO_ID, NO_ID, of_all_tokens=True),
}
"""
`loss_weights`: how much each trained token counts in the loss, `[rows, length]`. `top_ids` and `top_logprobs`: the
likeliest tokens at each trained position, `[rows, length, count]`. `ref_…`: the same of a reference or a teacher, and
its log-probabilities of the trained tokens. `prompt_logprobs`: those of context tokens,
`[rows, length]`. `sampling_mask`: the tokens that cut-offs left, -1 after them, `[rows, length, count]`.
 `routed_experts`: the choices of a mixture of experts for all tokens,
`[rows, length, layers, experts]`, -1 where they are not known.
"""
PAIRED_KEYS = (("top_ids", "top_logprobs"), ("ref_top_ids", "ref_top_logprobs"))
Padding = Literal["none", "right", "left"]

TOKEN_KEYS: Mapping[str, type] = {
    "input_ids": np.int32,
    "loss_mask": np.int32,
    "logprobs": np.float32,
    "versions": np.int32,
    "attention_mask": np.bool_,
}
DTYPES: Mapping[str, type] = {
    **TOKEN_KEYS,
    "rewards": np.float32,
    "turn_ids": np.int32,
    "original_rewards": np.float32,
    **{name: key.dtype for name, key in EXTRA_KEYS.items()},
}
OPTIONAL_KEYS = frozenset({"turn_ids", "original_rewards", *EXTRA_KEYS})
ROW_KEYS = frozenset({"rewards", "original_rewards"})
NO_VERSION = -1
"""The version and the turn of tokens that were not sampled."""


def check_training_dict(tensors: Mapping[str, Array], *, padding: Padding = "none") -> TensorDict:
    """
    Whether a trainer may be given these tensors, as they are. Raises `RolloutError`, reason `training_dict_invalid`,
    for wrong keys, dtypes or shapes, masks other than 0 and 1, log-probabilities that are not finite or not 0 where
    nothing was sampled, negative ids, rewards that are not finite, and padding that is not neutral or on another side.
    """
    _check_keys(tensors)
    _check_shapes(tensors)
    attended, mask, logprobs = tensors["attention_mask"], tensors["loss_mask"], tensors["logprobs"]
    _check_padding(attended, padding)
    _require("loss_mask", "is neither 0 nor 1", (mask == 0) | (mask == 1))
    _require("logprobs", "is not finite", np.isfinite(logprobs))
    _require("logprobs", "is not 0 where loss_mask is 0", (mask == 1) | (logprobs == 0))
    _require("loss_mask", "is not 0 on padding", attended | (mask == 0))
    _require("versions", "is not -1 on padding", attended | (tensors["versions"] == NO_VERSION))
    _require("input_ids", "is negative", ~attended | (tensors["input_ids"] >= 0))
    if "turn_ids" in tensors:
        turns = tensors["turn_ids"]
        _require("turn_ids", "is not -1 on padding", attended | (turns == NO_VERSION))
        _require("turn_ids", "is below its range", ~attended | (turns >= mask - 1))
    for key in ROW_KEYS & tensors.keys():
        _require(key, "is not finite", np.isfinite(tensors[key]))
    for key in EXTRA_KEYS.keys() & tensors.keys():
        _check_extra(key, tensors[key], attended if EXTRA_KEYS[key].of_all_tokens else mask == 1)
    for one, other in PAIRED_KEYS:
        if (one in tensors) != (other in tensors):
            raise _invalid(other if one in tensors else one, "is missing")
        if one in tensors and tensors[one].shape != tensors[other].shape:
            raise _invalid(other, f"has another shape than {one}")
    return dict(tensors)


def _check_extra(key: str, tensor: Array, has_value: Array) -> None:
    fill = EXTRA_KEYS[key].fill
    entries = tensor.reshape(*has_value.shape, -1)
    _require(key, f"is not {fill} where it has no value", has_value | (entries == fill).all(axis=2))
    _require(key, "is not finite", np.isfinite(entries))
    _require(key, "is below its range", entries >= EXTRA_KEYS[key].least)


def _check_keys(tensors: Mapping[str, Array]) -> None:
    for name in tensors.keys() - DTYPES.keys():
        raise _invalid(name[:64], "is not a training key")
    for name, dtype in DTYPES.items():
        if name not in tensors:
            if name not in OPTIONAL_KEYS:
                raise _invalid(name, "is missing")
        elif tensors[name].dtype != dtype:
            raise _invalid(name, f"is {tensors[name].dtype} instead of {np.dtype(dtype).name}")


def _check_shapes(tensors: Mapping[str, Array]) -> None:
    shape = tensors["input_ids"].shape
    if len(shape) != 2 or 0 in shape:
        raise _invalid("input_ids", "is not of shape [rows, length] with at least one of each")
    for name, tensor in tensors.items():
        expected = shape[:1] if name in ROW_KEYS else shape
        axes = EXTRA_KEYS[name].axes if name in EXTRA_KEYS else 0
        if tensor.shape[: len(expected)] != expected or tensor.ndim != len(expected) + axes or 0 in tensor.shape:
            raise _invalid(name, f"has the shape {tensor.shape} instead of {expected}")


def _check_padding(attended: Array, padding: Padding) -> None:
    length = attended.shape[1]
    first = attended.argmax(axis=1)
    end = length - attended[:, ::-1].argmax(axis=1)
    _require("attention_mask", "attends to no token", attended.any(axis=1))
    _require("attention_mask", "has a gap", attended.sum(axis=1) == end - first)
    if padding != "left":
        _require("attention_mask", "has padding on the left", first == 0)
    if padding != "right":
        _require("attention_mask", "has padding on the right", end == length)


def _require(key: str, what: str, holds: Array | np.bool_) -> None:
    if not np.all(holds):
        raise _invalid(key, what, {"position": [int(axis) for axis in np.argwhere(~holds)[0]]})


def _invalid(key: str, what: str, details: Mapping[str, Any] | None = None) -> RolloutError:
    return invalid_request("training_dict_invalid", f'Training key "{key}" {what}.', {"key": key, **(details or {})})
