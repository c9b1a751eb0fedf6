"""The trainer's side of the Weir rollout proxy."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# At once, because its module has the same name.
from .import_path import import_path

if TYPE_CHECKING:
    from .client.async_rollout_client import AsyncRolloutClient
    from .client.async_rollout_session import AsyncRolloutSession
    from .client.calls import Capacity, SessionInteraction
    from .client.rollout_client import RolloutClient
    from .client.rollout_session import RolloutSession
    from .config import RolloutConfig, check_scheduler, read_rollout_config
    from .contract import ExportOptions, ExportResponse, Recording, SessionAdapter
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
    from .group import GroupedWorkflow, GroupFilter, zero_variance
    from .resolve import resolve_workflow
    from .rollout import Rollout
    from .staleness import StalenessControl
    from .tensors.load import Exported, LoadedBatch, load, load_rows
    from .tensors.training_batch import LoadedRow
    from .tensors.training_dict import TensorDict
    from .training.training_log import Recovered, TrainingLog
    from .workflow import Agent, RolloutOutcome, RolloutWorkflow

# Each is imported when it is first used: the process of an agent needs neither NumPy nor the clients, which take most
# of its start.
_MODULES = {
    "AsyncRolloutClient": ".client.async_rollout_client",
    "AsyncRolloutSession": ".client.async_rollout_session",
    "Capacity": ".client.calls",
    "SessionInteraction": ".client.calls",
    "RolloutClient": ".client.rollout_client",
    "RolloutSession": ".client.rollout_session",
    "RolloutConfig": ".config",
    "check_scheduler": ".config",
    "read_rollout_config": ".config",
    "ExportOptions": ".contract",
    "ExportResponse": ".contract",
    "Recording": ".contract",
    "SessionAdapter": ".contract",
    "CompletedEpisode": ".episode.outcome",
    "EpisodeError": ".episode.outcome",
    "EpisodeOutcome": ".episode.outcome",
    "GroupOutcome": ".episode.outcome",
    "REJECTION_REASONS": ".episode.outcome",
    "RejectedEpisode": ".episode.outcome",
    "RejectionReason": ".episode.outcome",
    "ProxyWorkflow": ".episode.proxy_workflow",
    "ApiError": ".errors",
    "RolloutError": ".errors",
    "GroupFilter": ".group",
    "GroupedWorkflow": ".group",
    "zero_variance": ".group",
    "resolve_workflow": ".resolve",
    "Rollout": ".rollout",
    "StalenessControl": ".staleness",
    "Exported": ".tensors.load",
    "LoadedBatch": ".tensors.load",
    "load": ".tensors.load",
    "load_rows": ".tensors.load",
    "LoadedRow": ".tensors.training_batch",
    "TensorDict": ".tensors.training_dict",
    "Recovered": ".training.training_log",
    "TrainingLog": ".training.training_log",
    "Agent": ".workflow",
    "RolloutOutcome": ".workflow",
    "RolloutWorkflow": ".workflow",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_MODULES]


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
    "Recording",
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
    "SessionAdapter",
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
    "zero_variance",
]
