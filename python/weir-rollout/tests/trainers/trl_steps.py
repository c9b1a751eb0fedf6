"""
Training steps of both GRPO trainers of TRL on a CPU, with a small model of random weights and episodes of a proxy at
`ROLLOUT_URL`, with `ROLLOUT_ADMIN_KEY`. Needs TRL and PyTorch, which no environment here has: it is run by hand.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from types import SimpleNamespace
from typing import Any

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from torch.nn.functional import scaled_dot_product_attention
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig, GRPOTrainer
from trl.experimental.async_grpo import AsyncGRPOConfig, AsyncGRPOTrainer, async_grpo_trainer, packing

from weir_rollout.adapters.trl import TrlRollout
from weir_rollout.adapters.trl_async import TrlRolloutWorker

AGENT = "tests.scripted_agent:ScriptedAgent"
URL, ADMIN_KEY = os.environ["ROLLOUT_URL"], os.environ["ROLLOUT_ADMIN_KEY"]
VOCABULARY = 50_000
GROUP, STEPS = 2, 3
PROMPTS = ["One?", "Two?"]


def attention(queries: Any, keys: Any, values: Any, starts_q: Any, starts_k: Any, *_: Any, **options: Any) -> Any:
    """What the kernel for GPUs does: causal attention of several sequences, which end where their keys end."""
    parts = []
    for sequence in range(len(starts_q) - 1):
        here_q = slice(int(starts_q[sequence]), int(starts_q[sequence + 1]))
        here_k = slice(int(starts_k[sequence]), int(starts_k[sequence + 1]))
        query, key, value = (one.transpose(0, 1) for one in (queries[here_q], keys[here_k], values[here_k]))
        seen = torch.ones(query.shape[1], key.shape[1], dtype=torch.bool).tril(key.shape[1] - query.shape[1])
        part = scaled_dot_product_attention(query, key, value, attn_mask=seen, scale=options["softmax_scale"])
        parts.append(part.transpose(0, 1))
    return torch.cat(parts)


# The asynchronous trainer has these two for GPUs only.
async_grpo_trainer.get_peak_flops_per_device = lambda *_: None
packing._flash_attn = lambda: SimpleNamespace(flash_attn_varlen_func=attention)


def returning(reward: float) -> dict[str, Any]:
    return {"agent": {"calls": 2, "then": {"do": "return", "type": "float", "value": reward}}}


def a_model() -> Any:
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    return Qwen2ForCausalLM(Qwen2Config(vocab_size=VOCABULARY, num_key_value_heads=2, **sizes))


def a_tokenizer() -> Any:
    words = {word: number for number, word in enumerate(["[PAD]", "[EOS]", "[UNK]"])}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    special = {"pad_token": "[PAD]", "eos_token": "[EOS]", "unk_token": "[UNK]"}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special)


def shared(folder: str) -> dict[str, Any]:
    return {
        "output_dir": folder,
        "max_steps": STEPS,
        "per_device_train_batch_size": GROUP * len(PROMPTS),
        "num_generations": GROUP,
        "learning_rate": 1e-2,
        "use_cpu": True,
        "bf16": False,
        "report_to": "none",
        "save_strategy": "no",
        "logging_steps": 1,
    }


def train(trainer: Any) -> list[dict[str, float]]:
    """Trains, and returns the mean reward and the norm of the gradient of each step. The weights have to change."""
    before = trainer.model.lm_head.weight.detach().clone()
    trainer.train()
    after = trainer.model.lm_head.weight.detach()
    assert torch.isfinite(after).all() and not torch.equal(before, after)
    return [{key: one[key] for key in ("reward", "grad_norm")} for one in trainer.state.log_history if "loss" in one]


def train_synchronously(folder: str) -> list[dict[str, float]]:
    rewards = itertools.cycle([0.0, 1.0])
    with TrlRollout(URL, ADMIN_KEY, AGENT, to_data=lambda _: returning(next(rewards))) as rollout:
        trainer = GRPOTrainer(
            model=a_model(),
            processing_class=a_tokenizer(),
            args=GRPOConfig(**shared(folder)),
            train_dataset=Dataset.from_dict({"prompt": PROMPTS * STEPS}),
            reward_funcs=rollout.reward_func,
            rollout_func=rollout.rollout_func,
        )
        return train(trainer)


class NoTransfer:
    """The weights go nowhere: the engine of the proxy keeps its own."""

    def init_weight_transfer(self) -> None: ...

    def pause(self) -> None: ...

    def send_weights(self, iterator: Any) -> None:
        for _ in iterator:
            pass

    def resume(self) -> None: ...

    def destroy(self) -> None: ...


def train_asynchronously(folder: str) -> list[dict[str, float]]:
    model = os.path.join(folder, "model")
    a_model().save_pretrained(model)
    worker = TrlRolloutWorker(
        URL,
        ADMIN_KEY,
        AGENT,
        PROMPTS,
        group_size=GROUP,
        ahead=2 * GROUP * len(PROMPTS),
        to_data=lambda _: {"members": [returning(0.0), returning(1.0)]},
    )
    trainer = AsyncGRPOTrainer(
        model=model,
        processing_class=a_tokenizer(),
        args=AsyncGRPOConfig(**shared(folder), token_budget=256),
        train_dataset=Dataset.from_dict({"prompt": PROMPTS}),
        reward_funcs=TrlRollout.reward_func,
        rollout_worker=worker,
        weight_transfer=NoTransfer(),
    )
    return train(trainer)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print("GRPOTrainer:", train_synchronously(folder))
        print("AsyncGRPOTrainer:", train_asynchronously(folder))
