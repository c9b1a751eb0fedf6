"""
Episodes for the GRPO trainer of TRL. What `rollout_func` is given and returns is that of `RolloutFunc` and
`GRPOTrainer._generate` in `trl/trainer/grpo_trainer.py` of TRL 1.16.0. Nothing of TRL is imported.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any

from ..client.async_rollout_client import AsyncRolloutClient
from ..episode.outcome import CompletedEpisode
from ..rollout import Rollout
from ..workflow import RolloutWorkflow
from .completions import only_completion

# TRL wants a completion for each prompt. With an empty mask it has no loss, and without a reward no advantage.
_REJECTED: Mapping[str, Any] = {
    "prompt_ids": [0],
    "completion_ids": [0],
    "logprobs": [0.0],
    "env_mask": [0],
    "episode_reward": None,
}


class TrlRollout:
    """
    For `GRPOTrainer(reward_funcs=rollout.reward_func, rollout_func=rollout.rollout_func)`. Plays one episode for each
    prompt; TRL repeats prompts to make groups. `to_data` makes the data of the agent from a prompt; `options` are those
    of `Rollout`. Leaving its `with` block ends processes and connections.
    """

    def __init__(
        self,
        url: str,
        admin_key: str,
        agent: Any,
        *,
        kwargs: Mapping[str, Any] | None = None,
        to_data: Callable[[Any], Any] = lambda prompt: {"prompt": prompt},
        **options: Any,
    ) -> None:
        # Connections belong to the loop that opened them, and TRL calls from synchronous code.
        self._loop = asyncio.new_event_loop()
        self._to_data = to_data
        self._loop.run_until_complete(self._open(url, admin_key, agent, kwargs, options))

    async def _open(self, url: str, admin_key: str, agent: Any, kwargs: Any, options: dict[str, Any]) -> None:
        export: Any = {"style": "concat", **options.pop("export", {})}
        self._client = AsyncRolloutClient(url, admin_key)
        self._rollout = Rollout(self._client, export=export, **options)
        self._workflow: RolloutWorkflow = self._rollout.resolve(agent, kwargs=kwargs)

    def rollout_func(self, prompts: Sequence[Any], trainer: Any) -> dict[str, list[Any]]:
        """
        For each prompt the tokens of its episode, `env_mask` (0 for tokens of tools and users) and `episode_reward`.
        A rejected episode is a masked token without a reward. Raises `RolloutError`, reason `rows_not_one`, for an
        episode of several rows: TRL knows one for each prompt.
        """
        played = self._loop.run_until_complete(self._play(prompts))
        return {key: [one[key] for one in played] for key in _REJECTED}

    @staticmethod
    def reward_func(prompts: Any, completions: Any, episode_reward: Sequence[float | None], **_: Any) -> list[Any]:
        """The rewards of the episodes."""
        return list(episode_reward)

    def close(self) -> None:
        """Ends processes and connections."""
        self._loop.run_until_complete(self._rollout.close())
        self._loop.run_until_complete(self._client.close())
        self._loop.close()

    async def _play(self, prompts: Sequence[Any]) -> list[Mapping[str, Any]]:
        episodes = (self._workflow.arun_episode(None, self._to_data(prompt)) for prompt in prompts)
        return [_fields(outcome) for outcome in await asyncio.gather(*episodes)]

    def __enter__(self) -> TrlRollout:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _fields(outcome: Any) -> Mapping[str, Any]:
    if not isinstance(outcome, CompletedEpisode):
        return _REJECTED
    one = only_completion(outcome)
    return {
        "prompt_ids": one.prompt_ids.tolist(),
        "completion_ids": one.ids.tolist(),
        "logprobs": one.logprobs.tolist(),
        "env_mask": one.mask.tolist(),
        "episode_reward": one.reward,
    }
