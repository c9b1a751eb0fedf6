"""Runs agents in the trainer's process."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

import httpx

from ..workflow import Agent, accepted_kwargs
from .outcome import EpisodeError
from .run_agent import AgentJob


class InlineRunner:
    """
    Runs an agent as a coroutine. Its code has to be asynchronous. An agent whose time is over is cancelled; code that
    suppresses that goes on, but its session is gone then.
    """

    def __init__(self, agent: Agent, http_client: Callable[[], httpx.AsyncClient]) -> None:
        self._agent = agent
        self._http_client = http_client

    async def __call__(self, job: AgentJob) -> Any:
        # Not opened here: an agent may do so with a block of its own.
        http_client = self._http_client()
        running = asyncio.ensure_future(self._start(job, http_client))
        try:
            done, _ = await asyncio.wait({running}, timeout=job.timeout)
        finally:
            # It may end with an error that nobody waits for any more.
            running.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
            running.cancel()
            await http_client.aclose()
        if not done:
            raise EpisodeError("timed_out", f"The agent did not return within {job.timeout:g} s.")
        if running.cancelled():
            raise EpisodeError("agent_failed", "The agent cancelled itself.")
        return running.result()

    async def _start(self, job: AgentJob, http_client: httpx.AsyncClient) -> Any:
        offered = {
            "base_url": job.base_url,
            "api_key": job.api_key,
            "http_client": http_client,
            "sample_index": job.sample_index,
        }
        try:
            run = self._agent.run
            returned = run(job.data, **accepted_kwargs(run, offered))
            return await returned if inspect.isawaitable(returned) else returned
        # An agent that exits must not end the trainer.
        except (Exception, SystemExit) as error:
            raise EpisodeError("agent_failed", f"The agent failed: {error!r}") from error
