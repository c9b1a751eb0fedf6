"""
Workflows for AReaL, by `RolloutWorkflow` in `areal/api/workflow_api.py` and `check_trajectory_format` in
`areal/infra/workflow_executor.py` of AReaL 1.0.4. Needs the extra `areal`.
"""

from __future__ import annotations

from typing import Any

from areal.api import RolloutWorkflow as ArealRolloutWorkflow

from ..episode.outcome import CompletedEpisode, GroupOutcome
from ..tensors.load import load
from ..workflow import RolloutWorkflow


class ArealWorkflow(ArealRolloutWorkflow):  # type: ignore[misc]
    """
    Plays an episode in front of the proxy for a trainer of AReaL, which makes groups itself. A rejected episode is
    `None` there.
    """

    def __init__(self, workflow: RolloutWorkflow) -> None:
        self._workflow = workflow

    async def arun_episode(self, engine: Any, data: dict[str, Any]) -> dict[str, Any] | None:
        """The padded tensors of the episode's rows, or `None`."""
        outcome = await self._workflow.arun_episode(engine, data)
        members = outcome.members if isinstance(outcome, GroupOutcome) else (outcome,)
        if outcome.status == "rejected":
            return None
        return load([one.exported for one in members if isinstance(one, CompletedEpisode)]).to_torch()
