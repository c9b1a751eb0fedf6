"""The picture of a training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")
from matplotlib import pyplot  # noqa: E402


def draw(history: list[Any], file: Path) -> None:
    """Reward, KL and difference of log-probabilities over the steps."""
    figure, axes = pyplot.subplots(1, 3, figsize=(12, 3.2), layout="constrained")
    columns = {"reward": "reward", "kl": "KL to the start", "logprob_difference": "largest |log-prob difference|"}
    for axis, (key, title) in zip(axes, columns.items(), strict=True):
        axis.plot(range(1, len(history) + 1), [getattr(step, key) for step in history])
        axis.set(title=title, xlabel="step")
    axes[0].set_ylim(0, 1)
    axes[2].set_yscale("log")
    figure.savefig(file, dpi=120)
