"""
An agent loop for verl that plays its episodes in front of the proxy. Arguments and output are those of `AgentLoopBase`,
`AgentLoopOutput` and `AgentLoopWorker` in `verl/experimental/agent_loop/agent_loop.py` of verl 0.9.1. Needs the extra
`verl`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from verl.experimental.agent_loop.agent_loop import AgentLoopMetrics, AgentLoopOutput

from ..client.async_rollout_client import AsyncRolloutClient
from ..episode.outcome import CompletedEpisode
from ..rollout import Rollout
from .completions import Completion, only_completion, rejected_episode


class WeirAgentLoop:
    """
    For the file of `actor_rollout_ref.rollout.agent.agent_loop_config_path`, by the path of this class as `_target_`.
    Other keys of that file are the arguments here, up to `rejected_reward`; verl gives those after it, for loops that
    sample themselves. The data of the agent are `sampling_params` and the fields of the dataset. Connections are of one
    episode: verl makes a loop for each.

    `options` are those of `Rollout`. A rejected episode fails the step of verl (`episode_rejected`), unless
    `rejected_reward` is given: then it is a masked token with this reward, which counts in the baseline of its group.
    """

    def __init__(
        self,
        url: str,
        admin_key: str,
        agent: str,
        *,
        kwargs: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        rejected_reward: float | None = None,
        trainer_config: Any = None,
        server_manager: Any = None,
        tokenizer: Any = None,
        processor: Any = None,
        hf_model_type: Any = None,
        dataset_cls: Any = None,
        data_config: Any = None,
        tools: Any = None,
    ) -> None:
        self._url, self._admin_key, self._agent, self._kwargs = url, admin_key, agent, kwargs
        self._options: dict[str, Any] = dict(options or {})
        self._rejected_reward = rejected_reward

    async def run(self, sampling_params: dict[str, Any], **fields: Any) -> AgentLoopOutput:
        """
        Plays one episode. Raises `RolloutError`, reason `rows_not_one`, where it has several rows: verl knows one.
        """
        export: Any = {"style": "concat", **self._options.get("export", {})}
        options = {**self._options, "export": export}
        async with AsyncRolloutClient(self._url, self._admin_key) as client, Rollout(client, **options) as rollout:
            workflow = rollout.resolve(self._agent, kwargs=self._kwargs)
            outcome = await workflow.arun_episode(None, {**fields, "sampling_params": sampling_params})
        if isinstance(outcome, CompletedEpisode):
            return to_output(only_completion(outcome))
        if self._rejected_reward is None:
            raise rejected_episode(outcome)
        return AgentLoopOutput(
            prompt_ids=[0],
            response_ids=[0],
            response_mask=[0],
            response_logprobs=[0.0],
            reward_score=self._rejected_reward,
            metrics=AgentLoopMetrics(),
        )


def to_output(one: Completion) -> AgentLoopOutput:
    """A row as the output of an agent loop, with `routed_experts` where the export asked for them."""
    experts = one.routed_experts()
    return AgentLoopOutput(
        prompt_ids=one.prompt_ids.tolist(),
        response_ids=one.ids.tolist(),
        response_mask=one.mask.tolist(),
        response_logprobs=one.logprobs.tolist(),
        routed_experts=experts,
        reward_score=one.reward,
        # A context before each answer.
        num_turns=2 * int((np.diff(one.mask, prepend=0) == 1).sum()),
        metrics=AgentLoopMetrics(),
        extra_fields={"min_global_steps": one.oldest_version, "max_global_steps": one.newest_version},
    )
