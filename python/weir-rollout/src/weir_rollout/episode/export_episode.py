"""The export of an episode, with the sum of its rewards."""

from __future__ import annotations

from typing import Protocol

from ..client.calls import SessionInteraction
from ..contract import ExportOptions, ExportResponse
from .outcome import CompletedEpisode


class Exports(Protocol):
    """What exports sessions."""

    async def interactions(self, session_id: str) -> list[SessionInteraction]: ...

    async def export(self, session_id: str, options: ExportOptions | None = None) -> ExportResponse: ...


async def export_episode(client: Exports, session_id: str, options: ExportOptions | None) -> CompletedEpisode:
    """The proxy keeps the data."""
    reward = sum(one.reward or 0.0 for one in await client.interactions(session_id))
    return CompletedEpisode(session_id, reward, await client.export(session_id, options))
