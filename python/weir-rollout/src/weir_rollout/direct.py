"""The official client, bound to one session. Needs the extra `openai`."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Literal, cast

from openai import AsyncOpenAI

from .client.async_rollout_client import AsyncRolloutClient
from .client.async_rollout_session import AsyncRolloutSession
from .contract import ExportedInteraction, ExportOptions
from .errors import invalid_request


class DirectClient(AsyncOpenAI):
    """
    `chat.completions.create` and `responses.create` sample from the engine behind the proxy and record it. One client
    for each episode; leaving its `async with` block removes the session.
    """

    def __init__(self, client: AsyncRolloutClient, session: AsyncRolloutSession, **options: Any) -> None:
        super().__init__(
            base_url=session.base_url,
            api_key=session.api_key,
            # The legacy client of the same shape; the official package takes both.
            http_client=cast(Any, client.agent_http_client()),
            **options,
        )
        self.session = session
        self._discount = 1.0

    async def set_reward(self, interaction_id: str, reward: float) -> None:
        """Raises `ApiError` for an id of no completed interaction."""
        await self.session.reward(reward, interaction_id)

    async def set_last_reward(self, reward: float) -> None:
        """Rewards the interaction that was completed last."""
        await self.session.reward(reward)

    def apply_reward_discount(self, turn_discount: float) -> None:
        """The part of a child's reward that its parent gets, from 0 to 1, in exports from now on. Default 1."""
        if not 0 <= turn_discount <= 1:
            raise invalid_request("discount_invalid", "A discount is a number from 0 to 1.")
        self._discount = turn_discount

    async def export_interactions(
        self, style: Literal["individual", "concat"] = "individual"
    ) -> dict[str, ExportedInteraction]:
        """By id, in order of completion. The first export ends the session: later model calls fail."""
        await self.session.end()
        options: ExportOptions = {"style": style, "discount": self._discount}
        return (await self.session.export(options))["interactions"]

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.session.remove()
        await self.close()


async def open_direct_client(client: AsyncRolloutClient, *, task_id: str = "", **options: Any) -> DirectClient:
    """Starts a session. `options` are those of the official client."""
    await client.grant()
    return DirectClient(client, await client.start(task_id=task_id), **options)
