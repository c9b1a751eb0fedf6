"""A session of the proxy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from ..contract import ExportOptions, ExportResponse
from . import calls
from .calls import SessionInteraction

if TYPE_CHECKING:
    from .rollout_client import RolloutClient


class RolloutSession:
    """A session of the proxy. Leaving its `with` block removes it, unless its export was acknowledged."""

    def __init__(self, client: RolloutClient, session_id: str, api_key: str) -> None:
        self._client = client
        self._is_removed = False
        self.id = session_id
        self.api_key = api_key
        self.base_url = client.url

    def reward(self, reward: float, interaction_id: str | None = None) -> None:
        """
        Default: of the interaction that was completed last. Also possible after the end, until the export is
        acknowledged.
        """
        self._client.send(calls.reward(self.id, reward, interaction_id))

    def loss_weight(self, weight: float | Sequence[Mapping[str, float]], interaction_id: str | None = None) -> None:
        """
        How much trained tokens count in the loss: a number for those of the interaction, or ranges of its sampled
        tokens (`from`, `to`, `weight`); a number without an interaction is for all that have no weight of their own.
        Exports have it with `loss_weights` in `include_tensors`.
        """
        self._client.send(calls.loss_weight(self.id, weight, interaction_id))

    def end(self) -> int:
        """Ends the session and returns the number of completed interactions."""
        return self._client.send(calls.end(self.id))

    def interactions(self) -> list[SessionInteraction]:
        """The completed interactions, in order."""
        return self._client.send(calls.interactions(self.id))

    def export(self, options: ExportOptions | None = None) -> ExportResponse:
        """Can be repeated, until it is acknowledged."""
        return self._client.send(calls.export(self.id, options))

    def acknowledge(self) -> None:
        """The proxy deletes the exported data."""
        self._client.send(calls.acknowledge(self.id))
        self._is_removed = True

    def remove(self) -> None:
        """Deletes the session with its data; running calls are aborted. Idempotent."""
        if self._is_removed:
            return
        self._client.remove(self.id)
        self._is_removed = True

    def __enter__(self) -> RolloutSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()
