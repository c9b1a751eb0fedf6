"""Plays episodes in front of the proxy."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from ..client.async_rollout_session import AsyncRolloutSession
from ..contract import ExportOptions, SessionAdapter
from ..workflow import RolloutWorkflow
from .export_episode import Exports, export_episode
from .outcome import CompletedEpisode, EpisodeError, EpisodeOutcome, to_rejected
from .read_reward import check_named, read_reward
from .run_agent import AgentJob, RunAgent

DEFAULT_TIMEOUT = 600.0


class _Client(Exports, Protocol):
    async def grant(self) -> int: ...

    async def start(self, *, task_id: str = "", adapter: SessionAdapter | None = None) -> AsyncRolloutSession: ...


class ProxyWorkflow(RolloutWorkflow):
    """
    Plays an episode: grant, start, the agent, end, rewards, export, and without `keep_until_trained` the
    acknowledgement. `adapter` samples the calls, if there is one. Never raises, except when its task is cancelled.
    However the episode is rejected, its session is deleted first, so that its capacity is free.
    """

    def __init__(
        self,
        client: _Client,
        run_agent: RunAgent,
        *,
        task_id: str = "",
        adapter: SessionAdapter | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        export: ExportOptions | None = None,
        keep_until_trained: bool = False,
    ) -> None:
        self._client = client
        self._run_agent = run_agent
        self._task_id = task_id
        self._adapter = adapter
        self._timeout = timeout
        self._export = export
        self._keep_until_trained = keep_until_trained

    async def arun_episode(self, engine: Any, data: Any, *, sample_index: int = 0) -> EpisodeOutcome:
        """`engine` is not used. `sample_index` is the number of the member in its group."""
        session: AsyncRolloutSession | None = None
        try:
            await self._client.grant()
            session = await self._client.start(task_id=self._task_id, adapter=self._adapter)
            job = AgentJob(data, session.base_url, session.api_key, sample_index, self._timeout)
            return await self._finish(session, await self._run_agent(job))
        except asyncio.CancelledError:
            if session is not None:
                await asyncio.shield(_remove(session))
            raise
        except Exception as error:
            failed = None if session is None else await _remove(session)
            session_id = None if session is None else session.id
            return to_rejected(error, "proxy_failed", session_id=session_id, clean_up_error=failed)

    async def _finish(self, session: AsyncRolloutSession, returned: Any) -> CompletedEpisode:
        # Ended first: a call that the agent left behind must not become the last one, which gets the reward.
        if await session.end() == 0:
            raise EpisodeError("no_interactions", "The agent completed no model call.")
        await _set_rewards(session, returned)
        episode = await export_episode(self._client, session.id, self._export)
        if not episode.exported["interactions"]:
            raise EpisodeError("no_interactions", "No interaction may be used for training.")
        if not self._keep_until_trained:
            await session.acknowledge()
        return episode


async def _set_rewards(session: AsyncRolloutSession, returned: Any) -> None:
    given = read_reward(returned)
    if given.last is not None:
        await session.reward(given.last)
    if given.named:
        check_named(given.named, {one.id for one in await session.interactions()})
        for interaction_id, reward in given.named.items():
            await session.reward(reward, interaction_id)


async def _remove(session: AsyncRolloutSession) -> Exception | None:
    try:
        await session.remove()
    except Exception as error:
        return error
    return None
