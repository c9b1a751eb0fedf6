"""
Samples for the trainer of prime-rl, by `TrainingSample` in `src/prime_rl/transport/types.py` of prime-rl 0.9. Needs
prime-rl.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import invalid_request
from ..tensors.training_batch import LoadedRow
from ..tensors.training_dict import Array
from .completions import Completion, to_completions


def to_training_samples(
    rows: Sequence[LoadedRow], advantages: Sequence[float], *, env_name: str, temperature: float
) -> list[Any]:
    """
    A `TrainingSample` for each row. `advantages` has one number for each row, which its sampled tokens get;
    `temperature` is that of all of them. Log-probabilities of a reference, loss weights, experts and sampling masks are
    carried where the export asked for them (`ref_logprobs`, `loss_weights`, `routed_experts`, `sampling_mask`).
    """
    if len(advantages) != len(rows):
        raise invalid_request("advantages_invalid", f"There are {len(advantages)} advantages for {len(rows)} rows.")
    return [
        _to_sample(one, advantage, env_name, temperature)
        for one, advantage in zip(to_completions(rows), advantages, strict=True)
    ]


def _to_sample(one: Completion, advantage: float, env_name: str, temperature: float) -> Any:
    from prime_rl.transport.types import TrainingSample

    tensors = one.row.tensors
    mask = tensors["loss_mask"][0]
    return TrainingSample(
        token_ids=tensors["input_ids"][0].tolist(),
        mask=(mask == 1).tolist(),
        logprobs=tensors["logprobs"][0].tolist(),
        temperatures=[temperature] * len(mask),
        env_name=env_name,
        ref_logprobs=_stream(one, "ref_logprobs"),
        routed_experts=_experts(one),
        rl_weights=_stream(one, "loss_weights"),
        advantages=(mask * advantage).tolist(),
        sampling_mask=_sampling_mask(one),
    )


def _stream(one: Completion, key: str) -> list[float] | None:
    tensor = one.row.tensors.get(key)
    return None if tensor is None else [float(value) for value in tensor[0]]


def _experts(one: Completion) -> Any:
    from prime_rl.transport.types import RoutedExperts

    experts = one.routed_experts()
    if experts is None:
        return None
    # There the last token has a row too, from which nothing is predicted.
    rows: Array = np.concatenate([experts, experts[-1:]])
    return RoutedExperts(data=rows.tobytes(), shape=list(rows.shape), dtype=str(rows.dtype))


def _sampling_mask(one: Completion) -> Any:
    from prime_rl.transport.types import SamplingMask

    masks = one.sampling_mask()
    if masks is None:
        return None
    counts = [0] * len(one.prompt_ids) + [len(mask) for mask in masks]
    ids = [token for mask in masks for token in mask]
    return SamplingMask(ids=np.array(ids, np.int32).tobytes(), counts=np.array(counts, np.int32).tobytes())
