"""A tiny transformer of the llama architecture in JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from vocabulary import VOCABULARY

WIDTH, HEADS, LAYERS, HIDDEN = 32, 2, 2, 64
HEAD_WIDTH = WIDTH // HEADS
EPSILON, ROPE_BASE, CONTEXT = 1e-5, 10_000.0, 512
Weights = dict[str, Any]


def random_weights(seed: int) -> Weights:
    """Uniformly random ones."""
    random = np.random.default_rng(seed)

    def uniform(rows: int, columns: int, scale: float) -> Any:
        return random.uniform(-scale, scale, (rows, columns)).astype(np.float32)

    weights: Weights = {"token_embd": uniform(len(VOCABULARY), WIDTH, 1.0)}
    weights["output"] = uniform(len(VOCABULARY), WIDTH, 0.1)
    weights["output_norm"] = np.ones(WIDTH, np.float32)
    for layer in range(LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            weights[f"blk.{layer}.{name}"] = uniform(WIDTH, WIDTH, WIDTH**-0.5)
        weights[f"blk.{layer}.ffn_gate"] = uniform(HIDDEN, WIDTH, WIDTH**-0.5)
        weights[f"blk.{layer}.ffn_up"] = uniform(HIDDEN, WIDTH, WIDTH**-0.5)
        weights[f"blk.{layer}.ffn_down"] = uniform(WIDTH, HIDDEN, HIDDEN**-0.5)
        for name in ("attn_norm", "ffn_norm"):
            weights[f"blk.{layer}.{name}"] = np.ones(WIDTH, np.float32)
    return {name: jnp.asarray(value) for name, value in weights.items()}


def _normalised(stream: Any, weight: Any) -> Any:
    return stream * weight / jnp.sqrt(jnp.mean(stream**2, axis=-1, keepdims=True) + EPSILON)


def _rotated(heads: Any) -> Any:
    """Turns neighbouring channels of each head by an angle that grows with the position."""
    angles = jnp.arange(heads.shape[1])[:, None] / ROPE_BASE ** (jnp.arange(0, HEAD_WIDTH, 2) / HEAD_WIDTH)
    cosine, sine = jnp.cos(angles)[:, None, :], jnp.sin(angles)[:, None, :]
    even, odd = heads[..., 0::2], heads[..., 1::2]
    return jnp.stack([even * cosine - odd * sine, even * sine + odd * cosine], -1).reshape(heads.shape)


def token_logprobs(weights: Weights, ids: Any) -> Any:
    """Of each token but the first, given those before it: `[rows, length - 1]`."""
    rows, length = ids.shape
    stream = weights["token_embd"][ids]
    future = jnp.triu(jnp.full((length, length), -jnp.inf), 1)
    for layer in range(LAYERS):
        read = lambda name, layer=layer: weights[f"blk.{layer}.{name}"]  # noqa: E731
        inner = _normalised(stream, read("attn_norm"))
        query, key, value = (
            (inner @ read(name).T).reshape(rows, length, HEADS, HEAD_WIDTH) for name in ("attn_q", "attn_k", "attn_v")
        )
        scores = jnp.einsum("bqhc,bkhc->bhqk", _rotated(query), _rotated(key)) / HEAD_WIDTH**0.5
        mixed = jnp.einsum("bhqk,bkhc->bqhc", jax.nn.softmax(scores + future), value)
        stream = stream + mixed.reshape(rows, length, WIDTH) @ read("attn_output").T
        inner = _normalised(stream, read("ffn_norm"))
        hidden = jax.nn.silu(inner @ read("ffn_gate").T) * (inner @ read("ffn_up").T)
        stream = stream + hidden @ read("ffn_down").T
    logits = _normalised(stream, weights["output_norm"]) @ weights["output"].T
    logprobs = jax.nn.log_softmax(logits[:, :-1])
    return jnp.take_along_axis(logprobs, ids[:, 1:, None], -1)[..., 0]
