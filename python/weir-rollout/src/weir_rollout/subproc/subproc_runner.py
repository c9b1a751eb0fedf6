"""Runs agents in processes of a pool."""

from __future__ import annotations

import pickle
from typing import Any

from ..episode.outcome import EpisodeError
from ..episode.run_agent import AgentJob
from ..workflow import Agent
from .process_pool import ProcessPool
from .worker import WorkerTask


class SubprocRunner:
    """
    Pickles agent and data for a process of the pool. `LLM_BASE_URL` and `LLM_API_KEY` are set in that process only.
    Synchronous code is allowed.
    """

    def __init__(self, agent: Agent, pool: ProcessPool) -> None:
        self._agent = agent
        self._pool = pool

    async def __call__(self, job: AgentJob) -> Any:
        try:
            agent_and_data = pickle.dumps((self._agent, job.data))
        except Exception as error:
            message = f"The agent or the data cannot be pickled: {error!r}"
            raise EpisodeError("not_serializable", message) from error
        env = {"LLM_BASE_URL": job.base_url, "LLM_API_KEY": job.api_key}
        return await self._pool.run(WorkerTask(agent_and_data, job.sample_index, env), job.timeout)
