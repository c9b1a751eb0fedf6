"""The picture of a training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")
# The same numbers give the same file.
matplotlib.rcParams["svg.hashsalt"] = "weir"
# Letters as text, not as outlines.
matplotlib.rcParams["svg.fonttype"] = "none"
from matplotlib import pyplot  # noqa: E402


def draw(history: list[Any], file: Path) -> None:
    """Reward, KL and difference of log-probabilities over the steps."""
    figure, axes = pyplot.subplots(1, 3, figsize=(12, 3.2), layout="constrained")
    columns = {"reward": "reward", "kl": "KL to the start", "logprob_difference": "largest |log-prob difference|"}
    for axis, (key, title) in zip(axes, columns.items(), strict=True):
        axis.plot(range(1, len(history) + 1), [getattr(step, key) for step in history])
        axis.set(title=title, xlabel="step")
        axis.grid(alpha=0.3)
    axes[0].set_ylim(0, 1)
    axes[2].set_yscale("log")
    axes[2].axhline(1e-4, color="tab:red", linestyle="--", label="limit")
    axes[2].legend()
    figure.savefig(file, metadata={"Date": None})
