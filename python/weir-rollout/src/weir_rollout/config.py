"""The section of a trainer's configuration that this package reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .errors import invalid_request

AgentMode = Literal["inline", "subproc"]
"""Where agents run: `inline` as coroutines of the trainer's process, `subproc` in a pool of processes."""

SCHEDULERS = ("local", "slurm")
MAX_WORKERS = 1024


@dataclass(frozen=True)
class RolloutConfig:
    """`rollout.llm` of a configuration."""

    mode: AgentMode = "inline"
    subproc_max_workers: int = 4


def read_rollout_config(settings: Any = None) -> RolloutConfig:
    """
    Reads `rollout.llm.mode` and `rollout.llm.subproc_max_workers` of nested mappings. Keys beside these are left to
    others. Raises `RolloutError`, reason `config_invalid`.
    """
    llm = _section(_section(settings, "rollout"), "llm")
    mode = llm.get("mode", "inline")
    if mode not in ("inline", "subproc"):
        raise invalid_request("config_invalid", f'rollout.llm.mode is "inline" or "subproc", not {str(mode)[:40]!r}.')
    workers = llm.get("subproc_max_workers", 4)
    if isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= MAX_WORKERS:
        raise invalid_request(
            "config_invalid", f"rollout.llm.subproc_max_workers is a whole number from 1 to {MAX_WORKERS}."
        )
    return RolloutConfig("subproc" if mode == "subproc" else "inline", workers)


def check_scheduler(name: str) -> str:
    """Raises `RolloutError`, reason `scheduler_unsupported`, for one under which agents cannot reach the proxy."""
    if name in SCHEDULERS:
        return name
    why = (
        "it moves actors between hosts and restarts them, while a session belongs to one proxy at a fixed address"
        if name == "ray"
        else "it is not known"
    )
    raise invalid_request(
        "scheduler_unsupported",
        f'Agents need the scheduler {" or ".join(SCHEDULERS)}; "{name[:40]}" cannot be used: {why}.',
    )


def _section(settings: Any, name: str) -> Mapping[str, Any]:
    if settings is None:
        return {}
    if not isinstance(settings, Mapping):
        raise invalid_request("config_invalid", f'What contains "{name}" in the configuration is not a mapping.')
    section = settings.get(name)
    if section is None:
        return {}
    if not isinstance(section, Mapping):
        raise invalid_request("config_invalid", f'"{name}" of the configuration is not a mapping.')
    return section
