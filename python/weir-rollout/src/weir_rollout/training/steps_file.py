"""The file of a training log."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ..errors import RolloutError, invalid_request
from .training_steps import StepSession, TrainingStep, TrainingSteps


def read_steps(file: Path) -> TrainingSteps:
    """
    No file is no step. Raises `RolloutError`, reason `training_log_invalid`, for a file that is damaged: what it held
    would be trained twice.
    """
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return ()
    try:
        return tuple(_step(one) for one in json.loads(content)["steps"])
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(file) from error


def write_steps(file: Path, steps: TrainingSteps) -> None:
    """Replaces the file at once, and after it is on the disk."""
    draft = file.with_name(f"{file.name}.draft")
    listed = [
        {
            "version": step.version,
            "sessions": [{"id": one.id, "created_at": one.created_at} for one in step.sessions],
        }
        for step in steps
    ]
    with draft.open("w", encoding="utf8") as stream:
        stream.write(f"{json.dumps({'steps': listed}, indent=2)}\n")
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(file)


def _step(given: Any) -> TrainingStep:
    version = given["version"]
    if isinstance(version, bool) or not isinstance(version, int) or version < 0:
        raise ValueError("version")
    return TrainingStep(version, tuple(_session(one) for one in given["sessions"]))


def _session(given: Any) -> StepSession:
    session_id, created_at = given["id"], given["created_at"]
    if not isinstance(session_id, str) or not isinstance(created_at, str | None):
        raise ValueError("session")
    return StepSession(session_id, created_at)


def _damaged(file: Path) -> RolloutError:
    return invalid_request("training_log_invalid", f'The training log "{file}" is damaged.')
