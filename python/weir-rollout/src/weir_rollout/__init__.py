"""The trainer's side of the Weir rollout proxy."""

from .client.async_rollout_client import AsyncRolloutClient
from .client.async_rollout_session import AsyncRolloutSession
from .client.calls import Capacity, SessionInteraction
from .client.rollout_client import RolloutClient
from .client.rollout_session import RolloutSession
from .config import RolloutConfig, check_scheduler, read_rollout_config
from .contract import ExportOptions, ExportResponse
from .episode.outcome import (
    REJECTION_REASONS,
    CompletedEpisode,
    EpisodeError,
    EpisodeOutcome,
    GroupOutcome,
    RejectedEpisode,
    RejectionReason,
)
from .episode.proxy_workflow import ProxyWorkflow
from .errors import ApiError, RolloutError
from .group import GroupedWorkflow, GroupFilter, zero_spread
from .import_path import import_path
from .resolve import resolve_workflow
from .rollout import Rollout
from .staleness import StalenessControl
from .tensors.load import Exported, LoadedBatch, load, load_rows
from .tensors.training_batch import LoadedRow
from .tensors.training_dict import TensorDict
from .training.training_log import Recovered, TrainingLog
from .workflow import Agent, RolloutOutcome, RolloutWorkflow

__all__ = [
    "REJECTION_REASONS",
    "Agent",
    "ApiError",
    "AsyncRolloutClient",
    "AsyncRolloutSession",
    "Capacity",
    "CompletedEpisode",
    "EpisodeError",
    "EpisodeOutcome",
    "ExportOptions",
    "ExportResponse",
    "Exported",
    "GroupFilter",
    "GroupOutcome",
    "GroupedWorkflow",
    "LoadedBatch",
    "LoadedRow",
    "ProxyWorkflow",
    "Recovered",
    "RejectedEpisode",
    "RejectionReason",
    "Rollout",
    "RolloutClient",
    "RolloutConfig",
    "RolloutError",
    "RolloutOutcome",
    "RolloutSession",
    "RolloutWorkflow",
    "SessionInteraction",
    "StalenessControl",
    "TensorDict",
    "TrainingLog",
    "check_scheduler",
    "import_path",
    "load",
    "load_rows",
    "read_rollout_config",
    "resolve_workflow",
    "zero_spread",
]
