"""The command `weir-rollout`."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from ..client.async_rollout_client import AsyncRolloutClient
from ..episode.outcome import CompletedEpisode
from ..errors import RolloutError
from ..proxy_process import IMAGE, ProxyProcess, image_command, node_command, npm_command
from ..rollout import Rollout
from .doctor import check_proxy


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; the exit code is 1 when it failed."""
    given = _parser().parse_args(arguments)
    try:
        if given.command == "up":
            return _up(given)
        if given.command == "doctor":
            return asyncio.run(_doctor(given))
        return asyncio.run(_episode(given))
    except (RolloutError, RuntimeError, httpx.TransportError, ValueError) as error:
        print(f"weir-rollout: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="weir-rollout", description="The trainer's side of the Weir rollout proxy.")
    commands = parser.add_subparsers(dest="command", required=True)
    up = commands.add_parser("up", help="start a proxy and keep it until it ends or is interrupted")
    source = up.add_mutually_exclusive_group()
    source.add_argument("--program", help="a built proxy: .../apps/rollout-proxy/dist/main.js, run by node")
    source.add_argument("--image", nargs="?", const=IMAGE, help=f"a container image, run by docker; default {IMAGE}")
    source.add_argument("--npm", default="latest", metavar="VERSION", help="of the npm package; the default is latest")
    up.add_argument("--port", type=int, default=8090, help="default 8090")
    doctor = commands.add_parser("doctor", help="check engine, tokenizer and token parity of a proxy that runs")
    episode = commands.add_parser("episode", help="play one episode and print its outcome as JSON")
    episode.add_argument("workflow", help="import path: module:name")
    episode.add_argument("--data", type=json.loads, default={}, help="JSON, default {}")
    episode.add_argument("--mode", choices=("inline", "subproc"), default="inline")
    episode.add_argument("--timeout", type=float, default=600, help="seconds, default 600")
    for command in (doctor, episode):
        command.add_argument("--url", default="http://127.0.0.1:8090", help="of the proxy; default %(default)s")
        command.add_argument(
            "--admin-key", default=os.environ.get("ROLLOUT_ADMIN_KEY", ""), help="or ROLLOUT_ADMIN_KEY"
        )
    return parser


def _up(given: argparse.Namespace) -> int:
    if given.program is not None:
        command = node_command(given.program)
    elif given.image is not None:
        variables = sorted({"ROLLOUT_ADMIN_KEY", *(name for name in os.environ if name.startswith("ROLLOUT_"))})
        command = image_command(given.image, given.port, [name for name in variables if name != "ROLLOUT_PORT"])
    else:
        is_embedded = os.environ.get("ROLLOUT_ENGINE", "embedded") == "embedded"
        command = npm_command(given.npm, embedded_engine=is_embedded)
    with (
        ProxyProcess(command, env={"ROLLOUT_PORT": str(given.port)}, deadline=600) as proxy,
        _named_key(proxy.admin_key) as place,
    ):
        try:
            print(f"url: {proxy.url}\nadmin key: in {place}", flush=True)
            return proxy.wait()
        except KeyboardInterrupt:
            return 0


@contextmanager
def _named_key(key: str) -> Iterator[str]:
    """
    Names the place of the key, which is not printed: logs keep what is. One that is not in the environment is in a file
    that only its owner reads, as long as the proxy runs.
    """
    if os.environ.get("ROLLOUT_ADMIN_KEY") == key:
        yield "ROLLOUT_ADMIN_KEY"
        return
    with tempfile.TemporaryDirectory(prefix="weir-rollout-") as folder:
        file = Path(folder, "admin_key")
        file.touch(mode=0o600)
        file.write_text(key)
        yield str(file)


async def _doctor(given: argparse.Namespace) -> int:
    async with AsyncRolloutClient(given.url, given.admin_key) as client:
        is_sound = True
        async for check in check_proxy(client):
            print(f"{'ok' if check.is_sound else 'failed':8}{check.name}: {check.finding}")
            is_sound = is_sound and check.is_sound
    return 0 if is_sound else 1


async def _episode(given: argparse.Namespace) -> int:
    sys.path.insert(0, os.getcwd())
    async with (
        AsyncRolloutClient(given.url, given.admin_key) as client,
        Rollout(client, config={"rollout": {"llm": {"mode": given.mode}}}, timeout=given.timeout) as rollout,
    ):
        outcome = await rollout.resolve(given.workflow).arun_episode(None, given.data)
    if isinstance(outcome, CompletedEpisode):
        print(json.dumps({"status": "completed", "reward": outcome.reward, "exported": outcome.exported}))
        return 0
    print(json.dumps({"status": outcome.status, "reason": outcome.reason, "error": str(outcome.error)}))
    return 1
