"""
Plays the episodes of rollout-sdk.ts by the package for Python and prints what it measured as JSON:
`rollout_sdk.py <url> <mode> <episodes> <parallel>`, with the texts as a JSON list on standard input.
"""

import asyncio
import json
import os
import resource
import sys
import time

from weir_rollout import AsyncRolloutClient, CompletedEpisode, Rollout, load


async def main(url: str, mode: str, episodes: int, parallel: int) -> None:
    texts = iter(json.load(sys.stdin))
    config = {"rollout": {"llm": {"mode": mode, "subproc_max_workers": 8}}}
    rows = rejected = 0
    async with (
        AsyncRolloutClient(url, os.environ["ROLLOUT_ADMIN_KEY"]) as client,
        Rollout(client, config=config) as rollout,
    ):
        workflow = rollout.resolve("rollout_sdk_agent:BenchAgent")
        begin, cpu = time.perf_counter(), time.process_time()

        async def play() -> None:
            nonlocal rows, rejected
            for text in texts:
                outcome = await workflow.arun_episode(None, {"text": text})
                if isinstance(outcome, CompletedEpisode):
                    rows += len(load(outcome.exported).rows)
                else:
                    rejected += 1

        await asyncio.gather(*(play() for _ in range(parallel)))
        seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
    measured = {
        "seconds": seconds,
        "rows": rows,
        "rejected": rejected,
        "trainerMegabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "trainerCpuMs": cpu * 1000,
    }
    if rows == 0:
        raise SystemExit(f"None of {episodes} episodes was completed.")
    print(json.dumps(measured))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
