"""
Prompt groups for NeMo-RL, by `PromptGroupRecord` and `Completion` in `nemo_rl/experience/interfaces.py` and the message
logs that `nemo_rl/environments/nemo_gym.py` makes, of NeMo-RL after 0.8. Needs NeMo-RL.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..episode.outcome import CompletedEpisode, GroupOutcome
from ..tensors.training_dict import Array
from .completions import Completion as Row
from .completions import only_completion, rejected_episode, runs_of, was_cut


def to_prompt_group(group: GroupOutcome, datum: Mapping[str, Any]) -> Any:
    """
    A `PromptGroupRecord` of the members of a group. `datum` is the `DatumSpec` that they were played for. Raises
    `RolloutError`, reason `episode_rejected`, where a member was rejected, since NeMo-RL compares complete groups only;
    reason `rows_not_one`, where one has several rows, since it knows one for each.
    """
    from nemo_rl.experience.interfaces import Completion, PromptGroupRecord

    completions = []
    for member in group.members:
        if not isinstance(member, CompletedEpisode):
            raise rejected_episode(member)
        one = only_completion(member)
        log, is_cut = to_message_log(one), was_cut(member, one)
        completions.append(Completion(message_log=log, env_extras=None, truncated=is_cut, reward=one.reward))
    return PromptGroupRecord(
        prompt_idx=datum["idx"],
        prompt=completions[0].message_log[:1],
        extra_env_info=datum["extra_env_info"],
        metadata={"task_name": datum.get("task_name"), "loss_multiplier": datum["loss_multiplier"]},
        completions=completions,
        rollout_metrics={},
        loss_multiplier=datum["loss_multiplier"],
    )


def to_message_log(one: Row) -> list[dict[str, Any]]:
    """
    The message log of a row: messages of the role `assistant` are its sampled tokens with `generation_logprobs`, those
    of the role `user` all others. `token_ids` are int64. Messages have no texts, since a row has none;
    `routed_experts`, `[tokens, layers, experts]` int16, where the export asked for them.
    """
    import torch

    tensors = one.row.tensors
    ids, mask, logprobs = (tensors[name][0] for name in ("input_ids", "loss_mask", "logprobs"))
    experts = one.routed_experts()
    # There the last token has a row too, from which nothing is predicted.
    routes: Array | None = None if experts is None else np.concatenate([experts, experts[-1:]])
    log: list[dict[str, Any]] = []
    for start, end in runs_of(mask):
        is_sampled = bool(mask[start])
        message: dict[str, Any] = {"role": "assistant" if is_sampled else "user", "content": ""}
        message["token_ids"] = torch.from_numpy(ids[start:end].astype(np.int64))
        if is_sampled:
            message["generation_logprobs"] = torch.from_numpy(logprobs[start:end].copy())
        if routes is not None:
            message["routed_experts"] = torch.from_numpy(routes[start:end].copy())
        log.append(message)
    return log
