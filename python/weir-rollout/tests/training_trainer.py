"""A trainer that keeps episodes until they are trained. It stops after a stage for its parent to kill it there."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from weir_rollout import AsyncRolloutClient, CompletedEpisode, Rollout, TrainingLog

AGENT = f"{__package__}.scripted_agent:ScriptedAgent"
EPISODE = {"agent": {"calls": 1, "then": {"do": "return", "type": "float", "value": 1}}}


async def main(url: str, folder: Path, killed_after: str) -> None:
    async def reached(stage: str) -> None:
        if stage == killed_after:
            print(f"reached: {stage}", flush=True)
            await asyncio.Event().wait()

    async with (
        AsyncRolloutClient(url, os.environ["ROLLOUT_ADMIN_KEY"]) as client,
        Rollout(client, keep_until_trained=True) as rollout,
    ):
        log = TrainingLog(client, folder / "training.json")
        workflow = rollout.resolve(AGENT)
        outcomes = [await workflow.arun_episode(None, EPISODE) for _ in range(2)]
        completed = [outcome for outcome in outcomes if isinstance(outcome, CompletedEpisode)]
        await reached("exported")
        await log.begin(1, completed)
        await reached("begun")
        (folder / "weights").write_text("1")
        await reached("saved")
        await log.trained(1)
        await reached("acknowledged")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3]))
