"""What a trainer goes on from when it was killed."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jax
import numpy as np

from learning import Moments, no_moments
from policy import Weights, random_weights


@dataclass(frozen=True)
class Step:
    """What one step of training shows."""

    reward: float
    """The mean over all answers of a whole episode; an answer that was not reached counts as 0."""
    kl: float
    """To the policy at the start, estimated on the sampled tokens."""
    logprob_difference: float
    """The largest one between what the engine recorded and what the policy computes."""
    tokens: dict[str, int]
    """Of each interaction that was trained."""


@dataclass(frozen=True)
class Checkpoint:
    """The policy after all steps of its history; its version is their number."""

    start: Weights
    weights: Weights
    moments: Moments
    history: list[Step]

    @property
    def version(self) -> int:
        return len(self.history)


def save(checkpoint: Checkpoint, file: Path) -> None:
    """Replaces the file at once, and after it is on the disk."""
    leaves = jax.tree.leaves((checkpoint.start, checkpoint.weights, checkpoint.moments))
    history = np.frombuffer(json.dumps([asdict(step) for step in checkpoint.history]).encode(), np.uint8)
    draft = file.with_suffix(".draft")
    with draft.open("wb") as stream:
        np.savez(stream, *leaves, history=history)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(file)


def restore(file: Path) -> Checkpoint:
    """The one that was saved last."""
    like = random_weights(seed=0)
    structure = jax.tree.structure((like, like, no_moments(like)))
    with np.load(file) as saved:
        history: list[dict[str, Any]] = json.loads(saved["history"].tobytes())
        leaves = [saved[f"arr_{number}"] for number in range(structure.num_leaves)]
    start, weights, moments = jax.tree.unflatten(structure, leaves)
    return Checkpoint(start, weights, moments, [Step(**step) for step in history])
