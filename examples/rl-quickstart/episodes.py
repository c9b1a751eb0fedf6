"""The episodes of one step: those that the proxy still has for it, and what is missing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import httpx
from weir_rollout import ApiError, AsyncRolloutClient, CompletedEpisode, Rollout, TrainingLog

from agent import ITEMS

GROUP, ATTEMPTS = 8, 50
EXPORT: Any = {"discount": 0}
"""Each answer is rewarded for itself."""
Answer = TypeVar("Answer")


class Episodes:
    """Groups of equal size for every item. What is played but not trained is noted in a file, with the reason."""

    def __init__(self, client: AsyncRolloutClient, rollout: Rollout, log: TrainingLog, agent: str, notes: Path) -> None:
        self._client, self._rollout, self._log, self._agent, self._notes = client, rollout, log, agent, notes

    async def collect(self, version: int, seed: int) -> list[list[CompletedEpisode]]:
        """Repeats what failed, so that a training survives a proxy or an engine that is killed."""
        for attempt in range(ATTEMPTS):
            groups = await until_answered(lambda: self._kept(version))
            played = (
                self._play(item, GROUP - len(group), seed + 100 * attempt + 10_000 * number)
                for number, (item, group) in enumerate(groups.items())
                if len(group) < GROUP
            )
            for group, more in zip(
                (group for group in groups.values() if len(group) < GROUP), await asyncio.gather(*played), strict=True
            ):
                group.extend(more)
            if all(len(group) == GROUP for group in groups.values()):
                return list(groups.values())
        raise RuntimeError(f"No whole groups in {ATTEMPTS} attempts.")

    async def _play(self, item: str, size: int, seed: int) -> list[CompletedEpisode]:
        workflow = self._rollout.resolve(self._agent, group_size=size, task_id=item)
        outcome = await workflow.arun_episode(None, {"item": item, "seed": seed})
        members = getattr(outcome, "members", (outcome,))
        for one in members:
            if not isinstance(one, CompletedEpisode):
                self._note(one.session_id, [], f"{one.reason}: {one.error}")
        return [one for one in members if isinstance(one, CompletedEpisode)]

    async def _kept(self, version: int) -> dict[str, list[CompletedEpisode]]:
        for session in await self._client.sessions():
            if session["state"] != "exported":
                await self._discard(session["session_id"], "not exported")
        groups: dict[str, list[CompletedEpisode]] = {item: [] for item in ITEMS}
        async for episode in (await self._log.recover(version, EXPORT)).episodes:
            group = groups[episode.session_id[0]]
            if len(group) < GROUP:
                group.append(episode)
            else:
                await self._discard(episode.session_id, "surplus")
        return groups

    async def _discard(self, session_id: str, reason: str) -> None:
        interactions = await self._client.interactions(session_id)
        self._note(session_id, [one.id for one in interactions], reason)
        await self._client.remove(session_id)

    def _note(self, session_id: str | None, interactions: list[str], reason: str) -> None:
        print(f"not trained: session {session_id}, {reason}", flush=True)
        with self._notes.open("a") as file:
            file.write(f"{json.dumps({'session': session_id, 'interactions': interactions, 'reason': reason})}\n")


async def until_answered(call: Callable[[], Awaitable[Answer]]) -> Answer:
    """Repeats a call that can be repeated, while the proxy or its engine is being restarted."""
    for _ in range(600):
        try:
            return await call()
        except (httpx.TransportError, ApiError) as error:
            if isinstance(error, ApiError) and error.status < 500:
                raise
            failure = error
            await asyncio.sleep(0.2)
    raise failure
