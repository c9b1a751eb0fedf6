"""Episodes that are kept until they are trained, with a trainer that is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from weir_rollout import AsyncRolloutClient, CompletedEpisode, Recovered, RolloutError, TrainingLog, load
from weir_rollout.proxy_process import ProxyProcess

from .conftest import CASES

pytestmark = pytest.mark.anyio
PACKAGE = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
async def nothing_is_left(client: AsyncRolloutClient) -> AsyncIterator[None]:
    yield
    for one in await client.sessions():
        await client.remove(one["session_id"])


def kill_trainer(proxy: ProxyProcess, folder: Path, stage: str) -> None:
    command = [sys.executable, "-m", "tests.training_trainer", proxy.url, str(folder), stage]
    env = {**os.environ, "ROLLOUT_ADMIN_KEY": proxy.admin_key}
    with subprocess.Popen(command, cwd=PACKAGE, env=env, stdout=subprocess.PIPE, text=True) as trainer:
        assert trainer.stdout is not None
        assert trainer.stdout.readline() == f"reached: {stage}\n"
        trainer.kill()


async def recover(client: AsyncRolloutClient, folder: Path) -> tuple[TrainingLog, Recovered, list[CompletedEpisode]]:
    weights = folder / "weights"
    log = TrainingLog(client, folder / "training.json")
    recovered = await log.recover(int(weights.read_text()) if weights.exists() else 0)
    return log, recovered, [episode async for episode in recovered.episodes]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES["trainings"]])
async def test_training(client: AsyncRolloutClient, proxy: ProxyProcess, tmp_path: Path, case: dict[str, Any]) -> None:
    kill_trainer(proxy, tmp_path, case["killed_after"])
    expected = case["expected"]

    _, first, delivered = await recover(client, tmp_path)
    assert [episode.reward for episode in delivered] == [1.0] * expected["delivered"]
    assert (len(first.trained), first.missing) == (expected["trained"], [])
    assert len(await client.sessions()) == expected["at_proxy"]

    _, second, again = await recover(client, tmp_path)
    assert (again, second.trained) == (delivered, [])


async def test_an_episode_is_acknowledged_after_the_next_trainer_trained_it(
    client: AsyncRolloutClient, proxy: ProxyProcess, tmp_path: Path
) -> None:
    kill_trainer(proxy, tmp_path, "begun")
    log, _, delivered = await recover(client, tmp_path)
    assert len(load([episode.exported for episode in delivered]).rows) == 2

    await log.begin(1, delivered)
    with pytest.raises(RolloutError) as refused:
        await log.begin(2, delivered)
    assert refused.value.reason == "already_trained"
    await log.trained(1)
    await log.trained(1)

    assert await client.sessions() == []


async def test_an_episode_that_the_proxy_removed_is_missing(
    client: AsyncRolloutClient, proxy: ProxyProcess, tmp_path: Path
) -> None:
    kill_trainer(proxy, tmp_path, "begun")
    first, second = [one["session_id"] for one in await client.sessions()]
    await client.remove(first)

    _, recovered, delivered = await recover(client, tmp_path)

    assert recovered.missing == [first]
    assert [episode.session_id for episode in delivered] == [second]


async def test_only_sessions_of_the_task_are_delivered(
    client: AsyncRolloutClient, proxy: ProxyProcess, tmp_path: Path
) -> None:
    kill_trainer(proxy, tmp_path, "exported")
    recovered = await TrainingLog(client, tmp_path / "training.json", task_id="other").recover(0)
    assert [episode async for episode in recovered.episodes] == []
    assert len(await client.sessions()) == 2
