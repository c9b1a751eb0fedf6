"""What each task of the job does: plays episodes at the proxy of the job."""

from __future__ import annotations

import asyncio
import os

from openai import AsyncOpenAI
from weir_rollout import AsyncRolloutClient, CompletedEpisode, Rollout, load


class GreetingAgent:
    """Runs in a process of its own, with its own model address and key."""

    async def run(self, data: dict[str, str]) -> float:
        async with AsyncOpenAI(base_url=os.environ["LLM_BASE_URL"], api_key=os.environ["LLM_API_KEY"]) as client:
            messages = [{"role": "user", "content": data["question"]}]
            answer = await client.chat.completions.create(model="any", messages=messages, max_tokens=16)
        return float(bool(answer.choices[0].message.content))


async def main() -> None:
    rank = os.environ["SLURM_PROCID"]
    config = {"rollout": {"llm": {"mode": "subproc", "subproc_max_workers": 2}}}
    async with (
        AsyncRolloutClient(os.environ["WEIR_PROXY_URL"], os.environ["ROLLOUT_ADMIN_KEY"]) as client,
        Rollout(client, config=config, scheduler="slurm") as rollout,
    ):
        # Each task asks for its own sessions; the proxy keeps them apart.
        workflow = rollout.resolve(GreetingAgent(), task_id=f"rank-{rank}")
        outcomes = await asyncio.gather(*(workflow.arun_episode(None, {"question": str(one)}) for one in range(2)))
    completed = [outcome for outcome in outcomes if isinstance(outcome, CompletedEpisode)]
    rows = load([outcome.exported for outcome in completed]).rows
    print(f"rank {rank}: {len(completed)} of {len(outcomes)} episodes, {len(rows)} rows", flush=True)
    if len(completed) < len(outcomes):
        raise SystemExit(f"rank {rank}: {outcomes}")


if __name__ == "__main__":
    asyncio.run(main())
