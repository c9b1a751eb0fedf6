"""Trains each episode once, whenever the trainer is killed."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..client.async_rollout_client import AsyncRolloutClient
from ..contract import ExportOptions
from ..episode.export_episode import export_episode
from ..episode.outcome import CompletedEpisode
from .steps_file import read_steps, write_steps
from .training_steps import StepSession, sessions_after, sessions_up_to, with_step, without_steps_up_to


@dataclass(frozen=True)
class Recovered:
    """What is to do after a start."""

    trained: list[str]
    """Sessions that the saved weights hold. They were acknowledged, and are not delivered again."""
    missing: list[str]
    """Sessions of a step whose weights were not saved, and that the proxy no longer has."""
    episodes: AsyncIterator[CompletedEpisode]
    """All other exported episodes of the proxy, exported again one by one."""


class TrainingLog:
    """
    Trains each episode once, whenever the trainer is killed. In this order: `begin`, training, saving the weights,
    `trained`; and after a start `recover`. Episodes come from a `Rollout` with `keep_until_trained`. For one trainer at
    a time. `file` lies next to the saved weights, and is replaced at each step; with `task_id` only sessions of this
    task are delivered again.
    """

    def __init__(self, client: AsyncRolloutClient, file: str | os.PathLike[str], *, task_id: str | None = None) -> None:
        self._client = client
        self._file = Path(file)
        self._task_id = task_id

    async def begin(self, version: int, episodes: Sequence[CompletedEpisode]) -> None:
        """
        Stores which sessions make this version of the weights. Repeating it replaces the step. Raises `RolloutError`,
        reason `already_trained`, for a session of an earlier version.
        """
        created_at = {one["session_id"]: one["created_at"] for one in await self._client.sessions()}
        sessions = [StepSession(one.session_id, created_at.get(one.session_id)) for one in episodes]
        write_steps(self._file, with_step(read_steps(self._file), version, sessions))

    async def trained(self, version: int) -> None:
        """After these weights were saved: acknowledges their sessions, and those of earlier versions. Idempotent."""
        await self._acknowledge_up_to(version)

    async def recover(self, saved_version: int, options: ExportOptions | None = None) -> Recovered:
        """What is to do after a start with the weights of `saved_version`."""
        trained = await self._acknowledge_up_to(saved_version)
        sessions = await self._client.sessions()
        at_proxy = {StepSession(one["session_id"], one["created_at"]) for one in sessions}
        begun = sessions_after(read_steps(self._file), saved_version)
        exported = [
            one["session_id"]
            for one in sessions
            if one["state"] == "exported" and self._task_id in (None, one["task_id"])
        ]
        missing = [one.id for one in begun if one not in at_proxy]
        return Recovered(trained, missing, self._deliver(exported, options))

    async def _acknowledge_up_to(self, version: int) -> list[str]:
        steps = read_steps(self._file)
        at_proxy = {StepSession(one["session_id"], one["created_at"]) for one in await self._client.sessions()}
        trained = [one.id for one in sessions_up_to(steps, version) if one in at_proxy]
        await self._client.acknowledge(trained)
        # Afterwards: a trainer that is killed in between acknowledges them at its next start.
        write_steps(self._file, without_steps_up_to(steps, version))
        return trained

    async def _deliver(self, ids: Sequence[str], options: ExportOptions | None) -> AsyncIterator[CompletedEpisode]:
        for session_id in ids:
            episode = await export_episode(self._client, session_id, options)
            if episode.exported["interactions"]:
                yield episode
            # The trainer was killed before it could reject the episode.
            else:
                await self._client.acknowledge([session_id])
