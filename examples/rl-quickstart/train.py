"""Trains the policy before a proxy of its own, or one that runs, and judges the curve."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "apps/rollout-proxy/dist/main.js"


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least-reward", type=float, default=0.9, help="mean of the last five steps")
    parser.add_argument("--output", type=Path, default=Path("rl-quickstart"), help="folder of picture and numbers")
    parser.add_argument("--state", type=Path, help="folder to go on from; a temporary one if missing")
    parser.add_argument("--program", type=Path, default=PROGRAM, help="the built proxy to start")
    parser.add_argument("--proxy", help="URL of a proxy that runs, with ROLLOUT_ADMIN_KEY in the environment")
    parser.add_argument("--prepare", action="store_true", help="write the first policy to the state folder, and end")
    parser.add_argument("--agent", default="agent:ShelfAgent")
    return parser.parse_args()


def main() -> None:
    given = read_arguments()
    # Not at the top: the processes of the agents import this module, and need none of it.
    import jax

    jax.config.update("jax_compilation_cache_dir", str(Path(sys.prefix) / "compiled"))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    from weir_rollout.proxy_process import ProxyProcess, node_command

    from training import prepare, train

    with ExitStack() as stack:
        state = given.state or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        model = prepare(state.resolve(), given.seed)
        if given.prepare:
            return
        url, admin_key = given.proxy, os.environ.get("ROLLOUT_ADMIN_KEY", "")
        if url is None:
            folder = str(model.parent)
            # Settings in the user's home folder must not matter.
            env = {"ROLLOUT_MODEL": str(model), "ROLLOUT_DATA_DIR": f"{folder}/data", "HOME": folder}
            proxy = stack.enter_context(ProxyProcess(node_command(str(given.program)), env=env))
            url, admin_key = proxy.url, proxy.admin_key
        history = asyncio.run(train(given.steps, given.seed, given.agent, model.parent, url, admin_key))

    given.output.mkdir(parents=True, exist_ok=True)
    (given.output / "steps.json").write_text(f"{json.dumps([asdict(step) for step in history], indent=1)}\n")
    from picture import draw

    draw(history, given.output / "curve.svg")
    last = history[-5:]
    reward = sum(step.reward for step in last) / len(last)
    difference = max(step.logprob_difference for step in history)
    print(f"reward: {history[0].reward:.3f} at first, {reward:.3f} in the last {len(last)} steps")
    print(f"largest difference of log-probabilities: {difference:.1e}")
    if not (reward >= given.least_reward and difference <= 1e-4):
        raise SystemExit("The training did not succeed.")


if __name__ == "__main__":
    main()
