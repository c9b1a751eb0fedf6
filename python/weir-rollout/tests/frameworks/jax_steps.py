"""Training steps of JAX on an exported file: distillation from a teacher, and replay of experts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from weir_rollout import TensorDict, load

VOCABULARY, EXPERTS, WIDTH, STEPS, RATE = 512, 128, 8, 30, 0.5
Weights = dict[str, Any]


def distillation_loss(weights: Weights, batch: TensorDict) -> Any:
    """
    Cross entropy of the teacher's likeliest tokens under a model that knows the token before, weighted by
    `loss_weights`. An entry that is not there has the id -1 and a probability of 0, so that it counts nothing.
    """
    logprobs = jax.nn.log_softmax(weights["bigrams"][batch["input_ids"][:, :-1]])
    ids, teacher = batch["ref_top_ids"][:, 1:], jnp.exp(batch["ref_top_logprobs"][:, 1:])
    student = jnp.take_along_axis(logprobs, jnp.maximum(ids, 0), axis=2)
    trained = batch["loss_weights"][:, 1:]
    return -((teacher * student).sum(axis=2) * trained).sum() / trained.sum()


def replay_loss(weights: Weights, batch: TensorDict) -> Any:
    """
    The loss of the sampled tokens under a mixture of experts whose layers take the experts of `routed_experts`. Where
    these are not known, for the last token of a row, no token follows either.
    """
    hidden = weights["embedding"][batch["input_ids"][:, :-1]]
    chosen = batch["routed_experts"][:, :-1].astype(jnp.int32)
    for layer in range(chosen.shape[2]):
        experts = weights["experts"][layer][chosen[:, :, layer]]
        hidden = hidden + jnp.einsum("btkij,btj->bti", experts, hidden) / chosen.shape[3]
    logprobs = jax.nn.log_softmax(hidden @ weights["embedding"].T)
    sampled = jnp.take_along_axis(logprobs, batch["input_ids"][:, 1:, None], axis=2)[:, :, 0]
    mask = batch["loss_mask"][:, 1:]
    return -(sampled * mask).sum() / mask.sum()


def descend(loss: Callable[[Weights, TensorDict], Any], weights: Weights, batch: TensorDict) -> tuple[float, float]:
    """The loss before and after some steps of gradient descent."""
    gradient = jax.jit(jax.grad(loss))
    before = float(loss(weights, batch))
    for _ in range(STEPS):
        weights = jax.tree.map(lambda one, slope: one - RATE * slope, weights, gradient(weights, batch))
    return before, float(loss(weights, batch))


def main(file: str) -> None:
    batch = load(file).batch
    assert batch is not None
    layers = batch["routed_experts"].shape[2]
    keys = jax.random.split(jax.random.PRNGKey(0), 2)
    moe = {
        "embedding": jax.random.normal(keys[0], (VOCABULARY, WIDTH)),
        "experts": 0.1 * jax.random.normal(keys[1], (layers, EXPERTS, WIDTH, WIDTH)),
    }
    slopes = jax.grad(replay_loss)(moe, batch)["experts"]
    used = [jnp.flatnonzero(jnp.abs(slopes[layer]).sum(axis=(1, 2))).tolist() for layer in range(layers)]
    student = {"bigrams": jnp.zeros((VOCABULARY, VOCABULARY))}
    result = {
        "distillation": descend(distillation_loss, student, batch),
        "replay": descend(replay_loss, moe, batch),
        "trained_experts": used,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1])
