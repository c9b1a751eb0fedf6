"""Environments of verifiers as agents. Needs the extra `verifiers`, 0.4 or later."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from typing import Any

from verifiers.v1 import EvalClientConfig, ModelContext
from verifiers.v1.utils.loaders import load_environment, resolve_env_config


class VerifiersAgent:
    """
    Plays a task of an environment of verifiers in front of the proxy. `env` is the block `[env]` of a run of verifiers.
    For the mode `subproc`: verifiers reads the key of the model from the environment of its process. The data of an
    episode is `{"task": number}`; the reward is the sum over the traces of verifiers, and a failure of the environment
    is one of the agent.
    """

    def __init__(self, env: Mapping[str, Any], *, model: str = "any") -> None:
        self._env = dict(env)
        self._model = model

    async def run(self, data: Mapping[str, Any]) -> float:
        """Plays the task with that number."""
        env = load_environment(resolve_env_config(self._env))
        client = EvalClientConfig(base_url=os.environ["LLM_BASE_URL"], api_key_var="LLM_API_KEY")
        task = next(itertools.islice(iter(env.taskset), data["task"], None))
        async with env.serving():
            (slot,) = env.slots(task)
            episode = await env.run_slot(slot, ModelContext(model=self._model, client=client))
        if not episode.ok:
            raise RuntimeError(f"The episode of verifiers failed: {episode.errors}")
        return sum(float(trace.reward) for trace in episode.traces)
