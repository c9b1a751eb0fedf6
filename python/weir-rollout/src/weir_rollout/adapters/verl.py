"""
Batches for verl. Keys, dtypes and sides of padding are those of `AgentLoopWorker._postprocess` in
`verl/experimental/agent_loop/agent_loop.py` of verl 0.9.1, the position ids those of `compute_position_id_with_mask`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import invalid_request
from ..tensors.training_batch import LoadedRow
from ..tensors.training_dict import Array
from .completions import Completion, to_completions


def to_data_proto(
    rows: Sequence[LoadedRow],
    uids: Sequence[str],
    *,
    prompt_length: int | None = None,
    response_length: int | None = None,
    pad_token_id: int = 0,
) -> Any:
    """
    A `DataProto` for the trainer of verl. `uids` names for each row what it was played for: rows of one group have one
    uid. Needs the extra `verl`.
    """
    import torch
    from verl import DataProto

    if len(uids) != len(rows):
        raise invalid_request("uids_invalid", f"There are {len(uids)} uids for {len(rows)} rows.")
    arrays = to_verl_arrays(
        rows, prompt_length=prompt_length, response_length=response_length, pad_token_id=pad_token_id
    )
    tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
    return DataProto.from_dict(tensors=tensors, non_tensors={"uid": np.array(uids, dtype=object)})


def to_verl_arrays(
    rows: Sequence[LoadedRow],
    *,
    prompt_length: int | None = None,
    response_length: int | None = None,
    pad_token_id: int = 0,
) -> dict[str, Array]:
    """
    The tensors of the batch as arrays: prompts padded on the left, responses on the right, the reward at the last token
    of the response. Lengths are those of the longest, or as given. `routed_experts`, int16 `[rows, length, layers,
    experts]`, is there where the exports asked for it, with 0 where no experts are needed: on padding, and at the last
    token. Raises `RolloutError`, reasons `row_too_long` (a row is never cut), `experts_unknown` and
    `tensors_not_compatible`.
    """
    completions = to_completions(rows)
    prompts = _padded([one.prompt_ids for one in completions], prompt_length, "left", pad_token_id)
    responses = _padded([one.ids for one in completions], response_length, "right", pad_token_id)
    width = responses.shape[1]
    mask = _padded([one.mask for one in completions], width, "right", 0)
    logprobs = _padded([one.logprobs for one in completions], width, "right", 0)
    attention = np.concatenate([_attended(completions, prompts.shape[1], "left"), _attended(completions, width)], 1)
    arrays = {
        "prompts": prompts.astype(np.int64),
        "responses": responses.astype(np.int64),
        "response_mask": mask.astype(np.int64),
        "input_ids": np.concatenate([prompts, responses], 1).astype(np.int64),
        "attention_mask": attention,
        "position_ids": np.maximum(attention.cumsum(1) - 1, 0),
        "rollout_log_probs": logprobs.astype(np.float32),
        "rm_scores": _scores(completions, width),
    }
    experts = _experts(completions, prompts.shape[1], attention.shape[1])
    return arrays if experts is None else {**arrays, "routed_experts": experts}


def _experts(completions: Sequence[Completion], prompt_length: int, width: int) -> Array | None:
    rows = [one.routed_experts() for one in completions]
    known = [row for row in rows if row is not None]
    if not known:
        return None
    if len(known) != len(rows) or len({row.shape[1:] for row in known}) > 1:
        raise invalid_request("tensors_not_compatible", "The rows do not all have experts of one shape.")
    experts = np.zeros((len(rows), width, *known[0].shape[1:]), np.int16)
    for number, (one, row) in enumerate(zip(completions, known, strict=True)):
        start = prompt_length - len(one.prompt_ids)
        experts[number, start : start + len(row)] = row
    return experts


def _scores(completions: Sequence[Completion], width: int) -> Array:
    scores = np.zeros((len(completions), width), np.float32)
    for row, one in enumerate(completions):
        scores[row, len(one.ids) - 1] = one.reward
    return scores


def _attended(completions: Sequence[Completion], width: int, side: str = "right") -> Array:
    parts = [one.prompt_ids if side == "left" else one.ids for one in completions]
    return _padded([np.ones(len(part), np.int64) for part in parts], width, side, 0)


def _padded(parts: Sequence[Array], width: int | None, side: str, padding: int) -> Array:
    longest = max((len(part) for part in parts), default=0)
    if width is not None and longest > width:
        raise invalid_request("row_too_long", f"A row has {longest} tokens where {width} are allowed.")
    padded = np.full((len(parts), longest if width is None else width), padding, parts[0].dtype if parts else np.int64)
    for row, part in enumerate(parts):
        if len(part) > 0:
            padded[row, slice(len(part)) if side == "right" else slice(-len(part), None)] = part
    return padded
