"""A process that runs agents, one at a time. It ends with its parent."""

from __future__ import annotations

import asyncio
import inspect
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Literal

from ..workflow import accepted_kwargs

READY = b"ready"


@dataclass(frozen=True)
class WorkerTask:
    """What a worker is sent."""

    agent_and_data: bytes
    """Pickled."""
    sample_index: int
    env: Mapping[str, str]


@dataclass(frozen=True)
class WorkerAnswer:
    """What it answers with, once for each task."""

    kind: Literal["returned", "agent_failed", "not_serializable"]
    value: bytes
    """What the agent returned, pickled; otherwise the message."""


def worker_main(connection: Connection) -> None:
    """The program of a worker."""
    # An interrupt is for the trainer, which ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    connection.send_bytes(READY)
    while True:
        try:
            message = connection.recv_bytes()
        except EOFError:
            return
        connection.send_bytes(pickle.dumps(_answer(pickle.loads(message))))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _answer(task: WorkerTask) -> WorkerAnswer:
    os.environ.update(task.env)
    try:
        agent, data = pickle.loads(task.agent_and_data)
    except Exception:
        return _failed("not_serializable")
    try:
        returned = _run(agent, data, task.sample_index)
    except Exception:
        return _failed("agent_failed")
    try:
        return WorkerAnswer("returned", pickle.dumps(returned))
    except Exception:
        return _failed("not_serializable")


def _run(agent: Any, data: Any, sample_index: int) -> Any:
    returned = agent.run(data, **accepted_kwargs(agent.run, {"sample_index": sample_index}))
    return asyncio.run(_awaited(returned)) if inspect.isawaitable(returned) else returned


async def _awaited(returned: Any) -> Any:
    return await returned


def _failed(kind: Literal["agent_failed", "not_serializable"]) -> WorkerAnswer:
    return WorkerAnswer(kind, traceback.format_exc().encode("utf8", "replace"))
