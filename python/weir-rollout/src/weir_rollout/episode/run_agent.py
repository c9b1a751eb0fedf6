"""One call of an agent's `run`, in the trainer's process or in another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class AgentJob:
    """One call of an agent's `run`."""

    data: Any
    base_url: str
    api_key: str
    sample_index: int
    timeout: float
    """Seconds."""


class RunAgent(Protocol):
    """
    Runs an agent and returns what it returned. Raises `EpisodeError`: `agent_failed`, `timed_out`, `worker_died`,
    `not_serializable` or `cancelled`.
    """

    async def __call__(self, job: AgentJob) -> Any: ...
