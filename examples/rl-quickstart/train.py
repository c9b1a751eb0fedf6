"""GRPO on the exported tokens of an agent, with new weights in the engine after each step."""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from weir_rollout import AsyncRolloutClient, GroupOutcome, Rollout, TensorDict, load
from weir_rollout.proxy_process import ProxyProcess, node_command

from picture import draw
from policy import Weights, random_weights, token_logprobs, write_gguf

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parents[1] / "apps/rollout-proxy/dist/main.js"
GROUP, LEARNING_RATE, CLIP, PASSES = 8, 0.01, 0.2, 4


@dataclass(frozen=True)
class Step:
    """What one step of training shows."""

    reward: float
    kl: float
    """To the random weights at the start, estimated on the sampled tokens."""
    logprob_difference: float
    """The largest one between what the engine recorded and what the policy computes."""


@jax.jit
def improve(weights: Weights, moments: Any, step: int, ids: Any, mask: Any, recorded: Any, advantages: Any) -> Any:
    """One step of Adam on the clipped objective."""

    def loss(current: Weights) -> Any:
        ratio = jnp.exp(token_logprobs(current, ids) - recorded)
        gain = jnp.minimum(ratio * advantages, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantages)
        return -(gain * mask).sum() / mask.sum()

    gradient = jax.grad(loss)(weights)
    first = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, moments[0], gradient)
    second = jax.tree.map(lambda old, new: 0.99 * old + 0.01 * new**2, moments[1], gradient)
    scale = jnp.sqrt(1 - 0.99**step) / (1 - 0.9**step)
    move = lambda weight, one, two: weight - LEARNING_RATE * scale * one / (jnp.sqrt(two) + 1e-8)  # noqa: E731
    return jax.tree.map(move, weights, first, second), (first, second)


def advantages_of(outcome: GroupOutcome) -> list[float]:
    """Of each row: its reward against those of the same turn in the group, by their spread."""
    rewards = np.array(
        [[one["reward"] for one in member.exported["interactions"].values()] for member in outcome.completed]
    )
    return list(((rewards - rewards.mean(0)) / (rewards.std(0) + 1e-4)).reshape(-1))


async def play(workflow: Any) -> tuple[TensorDict, Any]:
    """A group for each item, as one batch with the advantages of its rows."""
    outcomes = await asyncio.gather(*(workflow.arun_episode(None, {"item": item}) for item in "abcd"))
    for outcome in outcomes:
        if outcome.status != "complete":
            raise RuntimeError(f"A group is {outcome.status}: {outcome.members}")
    batch = load([member.exported for outcome in outcomes for member in outcome.completed], length=12).batch
    assert batch is not None
    return batch, np.array([one for outcome in outcomes for one in advantages_of(outcome)], np.float32)


async def train(steps: int, folder: Path, proxy: ProxyProcess, weights: Weights) -> list[Step]:
    start = weights
    moments = (jax.tree.map(jnp.zeros_like, weights), jax.tree.map(jnp.zeros_like, weights))
    history: list[Step] = []
    config = {"rollout": {"llm": {"mode": "subproc", "subproc_max_workers": 2}}}
    async with (
        AsyncRolloutClient(proxy.url, proxy.admin_key, timeout=180) as client,
        # Each turn is rewarded for itself.
        Rollout(client, config=config, timeout=120, export={"discount": 0}) as rollout,
    ):
        workflow = rollout.resolve("agent:ShelfAgent", group_size=GROUP)
        for step in range(1, steps + 1):
            batch, advantages = await play(workflow)
            assert set(batch["versions"][batch["loss_mask"] == 1]) == {step - 1}
            ids, mask, recorded = batch["input_ids"], batch["loss_mask"][:, 1:], batch["logprobs"][:, 1:]
            computed = token_logprobs(weights, ids)
            difference = float(jnp.abs((computed - recorded) * mask).max())
            kl = float(((computed - token_logprobs(start, ids)) * mask).sum() / mask.sum())
            history.append(Step(float(batch["rewards"].mean()), kl, difference))
            print(
                f"step {step:3}: reward {history[-1].reward:.3f}  KL {kl:.3f}  difference {difference:.1e}", flush=True
            )
            for number in range(PASSES):
                count = (step - 1) * PASSES + number + 1
                weights, moments = improve(weights, moments, count, ids, mask, recorded, advantages[:, None])
            file = folder / f"policy-{step}.gguf"
            write_gguf(weights, file)
            await client.update_weights(step, file=str(file))
            file.unlink()
    return history


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument(
        "--output", type=Path, default=Path("rl-quickstart"), help="folder of the picture and the numbers"
    )
    given = parser.parse_args()
    weights = random_weights(seed=1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_gguf(weights, folder / "policy-0.gguf")
        env = {"ROLLOUT_MODEL": str(folder / "policy-0.gguf"), "ROLLOUT_DATA_DIR": str(folder / "data"), "HOME": name}
        with ProxyProcess(node_command(str(PROGRAM)), env=env) as proxy:
            history = asyncio.run(train(given.steps, folder, proxy, weights))
    given.output.mkdir(parents=True, exist_ok=True)
    (given.output / "steps.json").write_text(json.dumps([asdict(step) for step in history]))
    draw(history, given.output / "curve.png")
    reward = sum(step.reward for step in history[-5:]) / 5
    difference = max(step.logprob_difference for step in history)
    print(f"reward of the last five steps: {reward:.3f}; largest difference of log-probabilities: {difference:.1e}")
    if not (reward >= 0.9 and difference <= 1e-4):
        raise SystemExit("The training did not succeed.")


if __name__ == "__main__":
    main()
