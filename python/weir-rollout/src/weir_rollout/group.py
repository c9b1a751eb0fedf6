"""Groups of episodes with equal data."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Sequence
from typing import Any

from .episode.outcome import CompletedEpisode, EpisodeError, EpisodeOutcome, GroupOutcome, RejectedEpisode, to_rejected
from .workflow import RolloutWorkflow, accepted_kwargs

GroupFilter = Callable[[Sequence[CompletedEpisode]], "str | None"]
"""Why a group is of no use, as a stable identifier; `None` keeps it. Called with at least one member."""


def zero_variance(completed: Sequence[CompletedEpisode]) -> str | None:
    """Rejects a group whose completed members all have the same reward: its advantages would all be 0."""
    return None if len({member.reward for member in completed}) > 1 else "zero_variance"


class GroupedWorkflow(RolloutWorkflow):
    """
    Plays each episode `size` times at the same time, with equal data: each member gets a deep copy, so that none sees
    what another one does to it; data that cannot be copied is the same object for all. The outcome has one entry for
    each member; a failed one does not affect the others.
    """

    def __init__(self, workflow: RolloutWorkflow, *, size: int, filter: GroupFilter | None = None) -> None:
        self._workflow = workflow
        self._size = size
        self._filter = filter

    async def arun_episode(self, engine: Any, data: Any) -> GroupOutcome:
        """Plays the members."""
        copies = _copies(data, self._size)
        members = await asyncio.gather(*(self._play(engine, one, index) for index, one in enumerate(copies)))
        return _summarize(members, self._filter)

    async def _play(self, engine: Any, data: Any, index: int) -> EpisodeOutcome:
        arun_episode: Callable[..., Any] = self._workflow.arun_episode
        try:
            outcome = await arun_episode(engine, data, **accepted_kwargs(arun_episode, {"sample_index": index}))
            if isinstance(outcome, CompletedEpisode | RejectedEpisode):
                return outcome
            raise EpisodeError("agent_failed", "A member of a group is an episode.")
        except Exception as error:
            return to_rejected(error, "agent_failed")


def _copies(data: Any, size: int) -> list[Any]:
    try:
        return [copy.deepcopy(data) for _ in range(size)]
    # What an object raises that cannot be copied is up to it.
    except Exception:
        return [data] * size


def _summarize(members: Sequence[EpisodeOutcome], filter: GroupFilter | None) -> GroupOutcome:
    completed = [member for member in members if isinstance(member, CompletedEpisode)]
    if not completed:
        return GroupOutcome("rejected", "no_members", tuple(members))
    reason = None if filter is None else filter(completed)
    if reason is not None:
        return GroupOutcome("rejected", reason, tuple(members))
    return GroupOutcome("complete" if len(completed) == len(members) else "partial", None, tuple(members))
