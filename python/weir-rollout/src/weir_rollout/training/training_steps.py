"""Which sessions went into which version of the weights; the file of a training log in every language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import RolloutError


@dataclass(frozen=True)
class StepSession:
    """A session of a step."""

    id: str
    created_at: str | None
    """With the id it names one session for ever: ids start again after a restart of the proxy. `None`: not there."""


@dataclass(frozen=True)
class TrainingStep:
    """The sessions that make one version of the weights."""

    version: int
    sessions: tuple[StepSession, ...]


TrainingSteps = tuple[TrainingStep, ...]


def with_step(steps: TrainingSteps, version: int, sessions: Sequence[StepSession]) -> TrainingSteps:
    """Replaces this step and later ones, which a killed trainer began and whose weights it never saved."""
    earlier = tuple(step for step in steps if step.version < version)
    for session in sessions:
        for step in earlier:
            if session.created_at is not None and session in step.sessions:
                raise RolloutError(
                    "conflict",
                    f'Session "{session.id}" was trained into version {step.version} already.',
                    reason="already_trained",
                )
    return (*earlier, TrainingStep(version, tuple(sessions)))


def sessions_up_to(steps: TrainingSteps, version: int) -> list[StepSession]:
    """The sessions that the weights of this version hold."""
    return [session for step in steps if step.version <= version for session in step.sessions]


def sessions_after(steps: TrainingSteps, version: int) -> list[StepSession]:
    """The sessions of steps whose weights were never saved."""
    return [session for step in steps if step.version > version for session in step.sessions]


def without_steps_up_to(steps: TrainingSteps, version: int) -> TrainingSteps:
    """What is left once these were acknowledged."""
    return tuple(step for step in steps if step.version > version)
