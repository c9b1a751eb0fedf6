"""
A group of episodes of a proxy as a batch of verl with its advantages, and an episode by the agent loop. The proxy is at
`ROLLOUT_URL`, with `ROLLOUT_ADMIN_KEY`. Needs verl and PyTorch, which no environment here has: it is run by hand.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

import torch
from verl.trainer.ppo.core_algos import compute_grpo_outcome_advantage

from weir_rollout import AsyncRolloutClient, Rollout, load
from weir_rollout.adapters.completions import to_completions
from weir_rollout.adapters.verl import to_data_proto
from weir_rollout.adapters.verl_agent_loop import WeirAgentLoop, to_output

from ..rows import recorded_row

AGENT = "tests.scripted_agent:ScriptedAgent"
URL, ADMIN_KEY = os.environ["ROLLOUT_URL"], os.environ["ROLLOUT_ADMIN_KEY"]


def returning(reward: float) -> dict[str, Any]:
    return {"agent": {"calls": 2, "then": {"do": "return", "type": "float", "value": reward}}}


async def advantages_of_a_group() -> Any:
    async with AsyncRolloutClient(URL, ADMIN_KEY) as client, Rollout(client, export={"style": "concat"}) as rollout:
        workflow = rollout.resolve(AGENT, group_size=2)
        group = await workflow.arun_episode(None, {"members": [returning(0.0), returning(1.0)]})
    rows = [row for member in group.completed for row in load(member.exported).rows]
    batch = to_data_proto(rows, ["a"] * len(rows), prompt_length=256, response_length=256)
    advantages, _ = compute_grpo_outcome_advantage(
        token_level_rewards=batch.batch["rm_scores"],
        response_mask=batch.batch["response_mask"],
        index=batch.non_tensor_batch["uid"],
    )
    assert ((advantages != 0) == (batch.batch["response_mask"] == 1)).all()
    return advantages.sum(1) / batch.batch["response_mask"].sum(1)


def experts_of_an_output() -> list[Any]:
    (one,) = to_completions([recorded_row()])
    experts = to_output(one).as_dict()["routed_experts"]
    assert experts.dtype == torch.int16
    return [list(experts.shape), experts[-1].flatten().tolist()]


async def main() -> None:
    print("advantages:", await advantages_of_a_group())
    output = (await WeirAgentLoop(URL, ADMIN_KEY, AGENT).run({}, **returning(0.5))).as_dict()
    print("output:", {name: value.shape for name, value in output.items() if isinstance(value, torch.Tensor)})
    print("experts:", experts_of_an_output())


if __name__ == "__main__":
    asyncio.run(main())
