"""GRPO on the exported tokens of an agent, with new weights in the engine after each step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from weir_rollout import AsyncRolloutClient, CompletedEpisode, Rollout, TrainingLog, load

from agent import ITEMS
from checkpoint import Checkpoint, Step, restore, save
from episodes import EXPORT, GROUP, Episodes, until_answered
from learning import first_policy, group_advantages, improve, no_moments
from model_file import write_gguf
from policy import token_logprobs

Groups = list[list[CompletedEpisode]]
LENGTH = 20
ANSWERS = 2 * GROUP * len(ITEMS)
score = jax.jit(token_logprobs)


def batch_of(groups: Groups) -> tuple[dict[str, Any], list[str]]:
    """All rows with their advantages, padded to the shape that the gradient step is compiled for; and their ids."""
    loaded = load([episode.exported for group in groups for episode in group], length=LENGTH)
    assert loaded.batch is not None
    rewards = [[[row["reward"] for row in one.exported["interactions"].values()] for one in group] for group in groups]
    advantages = [one for group in rewards for member in group_advantages(group) for one in member]
    columns = {**loaded.batch, "advantages": np.array(advantages, np.float32)}
    padded = {
        name: np.pad(column, [(0, ANSWERS - len(column)), *([(0, 0)] * (column.ndim - 1))])
        for name, column in columns.items()
    }
    return padded, [row.id for row in loaded.rows]


def train_step(before: Checkpoint, groups: Groups) -> Checkpoint:
    """The next checkpoint."""
    batch, ids = batch_of(groups)
    sampled = batch["loss_mask"] == 1
    assert set(batch["versions"][sampled]) == {before.version}
    mask = batch["loss_mask"][:, 1:]
    computed = score(before.weights, batch["input_ids"])
    at_start = score(before.start, batch["input_ids"])
    step = Step(
        reward=float(batch["rewards"].sum() / ANSWERS),
        kl=float(((computed - at_start) * mask).sum() / mask.sum()),
        logprob_difference=float(jnp.abs((computed - batch["logprobs"][:, 1:]) * mask).max()),
        tokens={row: int(count) for row, count in zip(ids, batch["loss_mask"].sum(axis=1), strict=False)},
    )
    names = ("input_ids", "loss_mask", "logprobs", "advantages")
    given = {**{name: batch[name] for name in names}, "start_logprobs": at_start}
    weights, moments = improve(before.weights, before.moments, given, before.version)
    return replace(before, weights=weights, moments=moments, history=[*before.history, step])


async def update_engine(client: AsyncRolloutClient, checkpoint: Checkpoint, folder: Path) -> None:
    """Can be repeated: the same file and version again does nothing."""
    file = folder / f"policy-{checkpoint.version}.gguf"
    write_gguf(checkpoint.weights, file)
    await until_answered(lambda: client.update_weights(checkpoint.version, file=str(file)))
    file.unlink()


async def train(steps: int, seed: int, agent: str, folder: Path, url: str, admin_key: str) -> list[Step]:
    """Goes on from the checkpoint in the folder."""
    file = folder / "checkpoint.npz"
    checkpoint = restore(file)
    config = {"rollout": {"llm": {"mode": "subproc", "subproc_max_workers": 2}}}
    async with (
        AsyncRolloutClient(url, admin_key, timeout=180) as client,
        Rollout(client, config=config, timeout=120, export=EXPORT, keep_until_trained=True) as rollout,
    ):
        log = TrainingLog(client, folder / "training.json")
        episodes = Episodes(client, rollout, log, agent, folder / "not-trained.jsonl")
        if await until_answered(client.versions.get) < checkpoint.version:
            await update_engine(client, checkpoint, folder)
        while checkpoint.version < steps:
            groups = await episodes.collect(checkpoint.version, 1_000_000 * seed + 100_000 * checkpoint.version)
            checkpoint = await train_once(log, checkpoint, groups, file)
            await update_engine(client, checkpoint, folder)
            print_step(checkpoint)
    return checkpoint.history


async def train_once(log: TrainingLog, before: Checkpoint, groups: Groups, file: Path) -> Checkpoint:
    """Killed anywhere within, it trains none of the episodes twice and loses none."""
    version = before.version + 1
    await until_answered(lambda: log.begin(version, [one for group in groups for one in group]))
    checkpoint = train_step(before, groups)
    save(checkpoint, file)
    await until_answered(lambda: log.trained(version))
    return checkpoint


def print_step(checkpoint: Checkpoint) -> None:
    step = checkpoint.history[-1]
    figures = f"reward {step.reward:.3f}  KL {step.kl:.3f}  difference {step.logprob_difference:.1e}"
    print(f"step {checkpoint.version:3}: {figures}", flush=True)


def prepare(folder: Path, seed: int) -> Path:
    """The first policy, unless the folder has one already. Returns its file for the engine."""
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint, model = folder / "checkpoint.npz", folder / "policy-start.gguf"
    if not checkpoint.exists():
        weights = first_policy(seed)
        write_gguf(weights, model)
        save(Checkpoint(weights, weights, no_moments(weights), []), checkpoint)
    return model
