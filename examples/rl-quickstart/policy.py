"""A tiny transformer of the llama architecture in JAX: the policy, its gradient step, and its file for the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import jax
import jax.numpy as jnp
import numpy as np

WIDTH, HEADS, LAYERS, HIDDEN = 32, 2, 2, 64
HEAD_WIDTH = WIDTH // HEADS
EPSILON, ROPE_BASE, CONTEXT = 1e-5, 10_000.0, 512
CONTROL = ["<|im_start|>", "<|im_end|>", "<|endoftext|>"]
TEMPLATE = (
    "{%- for message in messages -%}{{- '<|im_start|>' + message.content + '<|im_end|>' -}}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{- '<|im_start|>' -}}{%- endif -%}"
)
Weights = dict[str, Any]


def letters_of_bytes() -> list[str]:
    """The visible characters by which byte-level vocabularies write the 256 bytes."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = iter(range(256, 512))
    return [chr(byte) if byte in visible else chr(next(hidden)) for byte in range(256)]


# llama.cpp wants at least one merge: that of two spaces.
MERGES = ["\u0120 \u0120"]
VOCABULARY = [*letters_of_bytes(), *(merge.replace(" ", "") for merge in MERGES), *CONTROL]


def random_weights(seed: int) -> Weights:
    """Random, but for a constant first channel by which digits are likelier than other tokens."""
    random = np.random.default_rng(seed)

    def uniform(rows: int, columns: int, scale: float) -> Any:
        return random.uniform(-scale, scale, (rows, columns)).astype(np.float32)

    weights: Weights = {"token_embd": uniform(len(VOCABULARY), WIDTH, 1.0)}
    weights["token_embd"][:, 0] = 2
    weights["output"] = uniform(len(VOCABULARY), WIDTH, 0.1)
    weights["output"][:, 0] = 0
    weights["output"][[VOCABULARY.index(digit) for digit in "0123"], 0] = 2
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


def write_gguf(weights: Weights, file: Path) -> None:
    """The weights as the file that the embedded engine reads."""
    writer = gguf.GGUFWriter(str(file), "llama")
    writer.add_name("weir-quickstart")
    writer.add_vocab_size(len(VOCABULARY))
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(HEAD_WIDTH)
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_rope_freq_base(ROPE_BASE)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(VOCABULARY)
    writer.add_token_types([3 if token in CONTROL else 1 for token in VOCABULARY])
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(VOCABULARY.index("<|endoftext|>"))
    writer.add_eos_token_id(VOCABULARY.index("<|im_end|>"))
    writer.add_pad_token_id(VOCABULARY.index("<|endoftext|>"))
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    for name, value in weights.items():
        writer.add_tensor(f"{name}.weight", np.asarray(value, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
