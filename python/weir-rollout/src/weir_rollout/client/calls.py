"""The calls of the proxy as values, which the clients with and without `await` send."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, cast
from urllib.parse import quote

from ..contract import (
    AdapterSummary,
    ExportOptions,
    ExportResponse,
    Recording,
    ScoreSessionResponse,
    SessionAdapter,
    SessionSummary,
)

Answer = TypeVar("Answer")
_UPDATE_TIMEOUT = 2100.0
"""A large checkpoint takes minutes."""


@dataclass(frozen=True)
class Call(Generic[Answer]):
    """One request and what its answer means."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    body: Mapping[str, Any] | None
    read: Callable[[Any], Answer]
    missing_is_answer: bool = False
    """Whether 404 means the same as success."""
    min_timeout: float = 0.0
    """Seconds that it may take at least, whatever the client allows."""


@dataclass(frozen=True)
class Capacity:
    """The sessions of the proxy."""

    unfinished: int
    """Sessions that count as in flight: `active` or `ending`."""
    retained: int
    """Sessions that wait for an export or its acknowledgement."""


@dataclass(frozen=True)
class SessionInteraction:
    """A completed model call."""

    id: str
    reward: float | None
    """As it was set; `None` where none is."""


def grant() -> Call[int]:
    return Call("POST", "/grant_capacity", {}, lambda answer: int(answer["capacity"]))


def start(task_id: str, record: Recording | None, adapter: SessionAdapter | None) -> Call[tuple[str, str]]:
    return Call(
        "POST",
        "/rl/start_session",
        {
            "task_id": task_id,
            **({} if record is None else {"record": record}),
            **({} if adapter is None else {"adapter": adapter}),
        },
        lambda answer: (str(answer["session_id"]), str(answer["session_api_key"])),
    )


def reward(session_id: str, value: float, interaction_id: str | None) -> Call[None]:
    body = {"session_id": session_id, "reward": float(value), "interaction_id": interaction_id}
    return Call("POST", "/rl/set_reward", body, _nothing)


def loss_weight(
    session_id: str, weight: float | Sequence[Mapping[str, float]], interaction_id: str | None
) -> Call[None]:
    given = {"weight": float(weight)} if isinstance(weight, int | float) else {"ranges": [dict(one) for one in weight]}
    body = {"session_id": session_id, "interaction_id": interaction_id, **given}
    return Call("POST", "/rl/set_loss_weight", body, _nothing)


def end(session_id: str) -> Call[int]:
    return Call("POST", "/rl/end_session", {"session_id": session_id}, lambda answer: int(answer["interaction_count"]))


def score(
    session_id: str, scorer: str, top_logprobs: int, again: bool, timeout_seconds: float
) -> Call[ScoreSessionResponse]:
    body = {
        "session_id": session_id,
        "scorer": scorer,
        "top_logprobs": top_logprobs,
        "again": again,
        "timeout_seconds": timeout_seconds,
    }
    # The proxy answers when its time is over.
    return Call(
        "POST",
        "/rl/score_session",
        body,
        lambda answer: cast("ScoreSessionResponse", answer),
        min_timeout=timeout_seconds + 10,
    )


def interactions(session_id: str) -> Call[list[SessionInteraction]]:
    def read(answer: Any) -> list[SessionInteraction]:
        return [SessionInteraction(one["interaction_id"], one["reward"]) for one in answer["interactions"]]

    return Call("GET", _session_path(session_id), None, read)


def export(session_id: str, options: ExportOptions | None) -> Call[ExportResponse]:
    body = {**(options or {}), "session_id": session_id, "format": "json"}
    return Call("POST", "/export_trajectories", body, lambda answer: cast(ExportResponse, answer))


def export_file(session_id: str, options: ExportOptions | None) -> Call[None]:
    body = {**(options or {}), "session_id": session_id, "format": "safetensors"}
    return Call("POST", "/export_trajectories", body, _nothing)


def acknowledge(session_id: str, *, missing_is_answer: bool = False) -> Call[None]:
    return Call("POST", "/rl/acknowledge_export", {"session_id": session_id}, _nothing, missing_is_answer)


def remove(session_id: str) -> Call[None]:
    return Call("DELETE", _session_path(session_id), None, _nothing, missing_is_answer=True)


def sessions() -> Call[list[SessionSummary]]:
    return Call("GET", "/rl/sessions", None, lambda answer: cast("list[SessionSummary]", answer["sessions"]))


def get_version() -> Call[int]:
    return Call("GET", "/get_version", None, lambda answer: int(answer["version"]))


def set_version(version: int) -> Call[None]:
    return Call("POST", "/set_version", {"version": version}, _nothing)


def adapters() -> Call[list[AdapterSummary]]:
    return Call("GET", "/adapters", None, lambda answer: list(answer["adapters"]))


def release_adapter(name: str) -> Call[None]:
    return Call("DELETE", f"/adapters/{quote(name, safe='')}", None, _nothing, missing_is_answer=True)


def update_weights(version: int, file: str | None, adapter: str | None, in_flight: str) -> Call[None]:
    given = {"file": file, "adapter": adapter}
    body = {
        **{name: value for name, value in given.items() if value is not None},
        "version": version,
        "in_flight": in_flight,
    }
    return Call("POST", "/update_weights", body, _nothing, min_timeout=_UPDATE_TIMEOUT)


def pause() -> Call[None]:
    return Call("POST", "/pause_generation", {}, _nothing)


def resume() -> Call[None]:
    return Call("POST", "/continue_generation", {}, _nothing)


def count_sessions(all_sessions: list[SessionSummary]) -> Capacity:
    unfinished = sum(1 for one in all_sessions if one["state"] in ("active", "ending"))
    return Capacity(unfinished, len(all_sessions) - unfinished)


def _session_path(session_id: str) -> str:
    return f"/rl/sessions/{quote(session_id, safe='')}"


def _nothing(_answer: Any) -> None:
    return None
