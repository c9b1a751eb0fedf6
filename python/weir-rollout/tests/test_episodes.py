"""The table of cases that the SDKs of all languages play."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import httpx
import pytest

from weir_rollout import AsyncRolloutClient, CompletedEpisode, GroupOutcome, RejectedEpisode, Rollout, zero_variance
from weir_rollout.proxy_process import ProxyProcess

from .conftest import CASES

pytestmark = pytest.mark.anyio
AGENT = f"{__package__}.scripted_agent:ScriptedAgent"
MODES = ("inline", "subproc")


def cases(kind: str) -> list[Any]:
    return [
        pytest.param(mode, case, id=f"{mode}: {case['name']}")
        for mode in MODES
        for case in CASES[kind]
        if mode in case["modes"]
    ]


def rollout_of(client: AsyncRolloutClient, mode: str, *, timeout: float | None = None, workers: int = 2) -> Rollout:
    config = {"rollout": {"llm": {"mode": mode, "subproc_max_workers": workers}}}
    return Rollout(client, config=config, timeout=timeout or CASES["default_timeout_seconds"])


async def check_all_freed(client: AsyncRolloutClient, proxy: ProxyProcess) -> None:
    assert await client.sessions() == []
    metrics = httpx.get(f"{proxy.url}/metrics", headers={"authorization": f"Bearer {proxy.admin_key}"}, trust_env=False)
    assert "\nweir_rollout_grants_unused 0\n" in metrics.text


def summary(outcome: Any) -> dict[str, Any]:
    return {"status": outcome.status, "reason": outcome.reason if isinstance(outcome, RejectedEpisode) else None}


@pytest.mark.parametrize(("mode", "case"), cases("episodes"))
async def test_episode(client: AsyncRolloutClient, proxy: ProxyProcess, mode: str, case: dict[str, Any]) -> None:
    data: dict[str, Any] = {"agent": case["agent"]}
    if case.get("data") == "unserializable":
        data["handle"] = threading.Lock()
    async with rollout_of(client, mode, timeout=case.get("timeout_seconds")) as rollout:
        outcome = await rollout.resolve(AGENT).arun_episode(None, data)
    expected = case["expected"]
    assert summary(outcome) == {"status": expected["status"], "reason": expected["reason"]}, outcome
    if isinstance(outcome, CompletedEpisode):
        exported = outcome.exported["interactions"].values()
        assert [one["original_reward"] for one in exported] == expected["rewards"]
    await check_all_freed(client, proxy)


@pytest.mark.parametrize(("mode", "case"), cases("groups"))
async def test_group(client: AsyncRolloutClient, proxy: ProxyProcess, mode: str, case: dict[str, Any]) -> None:
    filter = zero_variance if case["filter"] == "zero_variance" else None
    async with rollout_of(client, mode, workers=4) as rollout:
        workflow = rollout.resolve(AGENT, group_size=len(case["members"]), filter=filter)
        outcome = await workflow.arun_episode(None, {"members": case["members"]})
    assert isinstance(outcome, GroupOutcome)
    expected = case["expected"]
    assert (outcome.status, outcome.reason) == (expected["status"], expected["reason"])
    assert [summary(member) for member in outcome.members] == expected["members"]
    await check_all_freed(client, proxy)


@pytest.mark.parametrize("mode", MODES)
async def test_the_next_episode_is_played_after_a_failed_one(client: AsyncRolloutClient, mode: str) -> None:
    failing = {"do": "kill"} if mode == "subproc" else {"do": "raise", "message": "broken"}
    async with rollout_of(client, mode, workers=1) as rollout:
        workflow = rollout.resolve(AGENT)
        await workflow.arun_episode(None, {"agent": {"calls": 1, "then": failing}})
        then = {"do": "return", "type": "float", "value": 1}
        outcome = await workflow.arun_episode(None, {"agent": {"calls": 1, "then": then}})
    assert outcome.status == "completed"


@pytest.mark.parametrize("mode", MODES)
async def test_a_cancelled_episode_leaves_nothing(client: AsyncRolloutClient, proxy: ProxyProcess, mode: str) -> None:
    async with rollout_of(client, mode) as rollout:
        hanging = {"agent": {"calls": 1, "then": {"do": "hang"}}}
        playing = asyncio.ensure_future(rollout.resolve(AGENT).arun_episode(None, hanging))
        while not any(one["interaction_count"] == 1 for one in await client.sessions()):
            await asyncio.wait({playing}, timeout=0.02)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        await check_all_freed(client, proxy)


async def test_an_episode_at_a_proxy_that_refuses_is_rejected(proxy: ProxyProcess) -> None:
    async with AsyncRolloutClient(proxy.url, "the-key-of-another-proxy") as stranger, Rollout(stranger) as rollout:
        outcome = await rollout.resolve(AGENT).arun_episode(None, {})
    assert summary(outcome) == {"status": "rejected", "reason": "proxy_failed"}
