"""How the weights change: by imitation of the form of a conversation first, by rewards then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from policy import Weights, random_weights, token_logprobs
from vocabulary import demonstrations

RATE, DECAY_STEPS, CLIP, KL_WEIGHT, PASSES = 0.003, 25, 0.2, 0.03, 12
IMITATION_RATE, IMITATIONS = 0.01, 30
Moments = Any
Loss = Callable[[Weights], Any]


def no_moments(weights: Weights) -> Moments:
    """Those of Adam before its first step."""
    zeros = jax.tree.map(jnp.zeros_like, weights)
    return zeros, zeros, jnp.float32(0)


def adam(weights: Weights, moments: Moments, gradient: Weights, rate: Any) -> tuple[Weights, Moments]:
    """One step of it."""
    step = moments[2] + 1
    first = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, moments[0], gradient)
    second = jax.tree.map(lambda old, new: 0.99 * old + 0.01 * new**2, moments[1], gradient)
    scale = jnp.sqrt(1 - 0.99**step) / (1 - 0.9**step)
    move = lambda weight, one, two: weight - rate * scale * one / (jnp.sqrt(two) + 1e-8)  # noqa: E731
    return jax.tree.map(move, weights, first, second), (first, second, step)


def descend(loss: Loss, weights: Weights, moments: Moments, rate: Any, times: int) -> tuple[Weights, Moments]:
    """Steps of Adam, compiled once for all."""
    step = lambda _, state: adam(*state, jax.grad(loss)(state[0]), rate)  # noqa: E731
    return jax.lax.fori_loop(0, times, step, (weights, moments))


@jax.jit
def improve(weights: Weights, moments: Moments, batch: dict[str, Any], version: int) -> tuple[Weights, Moments]:
    """
    The gradient steps of GRPO on one batch of that version: the clipped objective, and a penalty for the KL to the
    policy at the start, which keeps the form and goes on exploring. The steps become smaller down to a tenth.
    """
    mask = batch["loss_mask"][:, 1:]
    advantages = batch["advantages"][:, None]

    def loss(current: Weights) -> Any:
        logprobs = token_logprobs(current, batch["input_ids"])
        ratio = jnp.exp(logprobs - batch["logprobs"][:, 1:])
        gain = jnp.minimum(ratio * advantages, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantages)
        distance = batch["start_logprobs"] - logprobs
        kl = jnp.exp(distance) - distance - 1
        return -((gain - KL_WEIGHT * kl) * mask).sum() / mask.sum()

    rate = RATE * jnp.maximum(0.1, 1 - 0.9 * version / DECAY_STEPS)
    return descend(loss, weights, moments, rate, PASSES)


def group_advantages(rewards: list[list[float]]) -> list[list[float]]:
    """Of each answer: its reward against those of the same turn in its group, by their spread."""
    advantages: list[list[float]] = [[] for _ in rewards]
    for turn in range(max(map(len, rewards))):
        members = [index for index, one in enumerate(rewards) if len(one) > turn]
        values = np.array([rewards[index][turn] for index in members])
        for index, value in zip(members, (values - values.mean()) / (values.std() + 1e-4), strict=True):
            advantages[index].append(float(value))
    return advantages


def first_policy(seed: int) -> Weights:
    """From random weights by imitation: it opens shelves and names boxes, any as likely as any other."""
    ids, mask = (jnp.asarray(part) for part in demonstrations())

    def loss(current: Weights) -> Any:
        return -(token_logprobs(current, ids) * mask[:, 1:]).sum() / mask.sum()

    weights = random_weights(seed)
    return jax.jit(lambda start: descend(loss, start, no_moments(start), IMITATION_RATE, IMITATIONS)[0])(weights)
