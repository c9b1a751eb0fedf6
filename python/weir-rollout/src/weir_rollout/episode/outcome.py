"""What comes of an episode, or of a group of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from ..contract import ExportResponse

RejectionReason = Literal[
    "agent_failed",
    "timed_out",
    "worker_died",
    "not_serializable",
    "no_interactions",
    "reward_invalid",
    "reward_unknown_interaction",
    "proxy_failed",
    "cancelled",
]
"""Why an episode gave no trajectory. The table of cases in the contract package explains each one."""

REJECTION_REASONS: tuple[RejectionReason, ...] = get_args(RejectionReason)


@dataclass(frozen=True)
class CompletedEpisode:
    """An episode that gave a trajectory."""

    session_id: str
    reward: float
    """The sum of the rewards that were set, before discounting; 0 where none was."""
    exported: ExportResponse
    status: Literal["completed"] = "completed"
    kind: Literal["episode"] = "episode"


@dataclass(frozen=True)
class RejectedEpisode:
    """An episode without a trajectory."""

    reason: RejectionReason
    error: Exception
    session_id: str | None
    clean_up_error: Exception | None = None
    """Where the session could not be removed either: the proxy removes it after its idle time."""
    status: Literal["rejected"] = "rejected"
    kind: Literal["episode"] = "episode"


EpisodeOutcome = CompletedEpisode | RejectedEpisode


@dataclass(frozen=True)
class GroupOutcome:
    """The members of a group."""

    status: Literal["complete", "partial", "rejected"]
    """`complete`: all members completed; `partial`: some; `rejected`: none, or a filter rejected the group."""
    reason: str | None
    """`no_members`, or that of the filter."""
    members: tuple[EpisodeOutcome, ...]
    """One for each member, in order."""
    kind: Literal["group"] = "group"

    @property
    def completed(self) -> tuple[CompletedEpisode, ...]:
        """The members that gave a trajectory."""
        return tuple(member for member in self.members if isinstance(member, CompletedEpisode))


class EpisodeError(Exception):
    """Why an episode was rejected, on its way to the outcome."""

    def __init__(self, reason: RejectionReason, message: str) -> None:
        super().__init__(message)
        self.reason: RejectionReason = reason


def to_rejected(
    error: Exception,
    otherwise: RejectionReason,
    *,
    session_id: str | None = None,
    clean_up_error: Exception | None = None,
) -> RejectedEpisode:
    """The outcome of a failed episode. `otherwise` is for errors that do not say themselves why."""
    reason = error.reason if isinstance(error, EpisodeError) else otherwise
    return RejectedEpisode(reason, error, session_id, clean_up_error)
