"""How far ahead of training episodes may run."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from weir_rollout import StalenessControl

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("max_concurrent", "batch_size", "max_staleness", "version", "capacity"),
    [(8, 4, 0, 0, 4), (8, 4, 1, 0, 8), (2, 4, 1, 0, 2), (100, 4, 2, 0, 12), (8, 4, 0, 5, 4)],
)
async def test_capacity_at_the_start(
    max_concurrent: int, batch_size: int, max_staleness: int, version: int, capacity: int
) -> None:
    control = StalenessControl(
        max_concurrent=max_concurrent, batch_size=batch_size, max_staleness=max_staleness, version=version
    )
    assert control.capacity == capacity


async def test_room_returns_with_a_rejected_episode_and_with_a_version() -> None:
    control = StalenessControl(max_concurrent=8, batch_size=2, max_staleness=0)
    await control.acquire()
    await control.acquire()
    assert control.capacity == 0
    control.release(False)
    assert control.capacity == 1
    control.release(True)
    assert control.capacity == 1
    control.set_version(1)
    assert control.capacity == 3


async def test_acquire_waits_for_room() -> None:
    control = StalenessControl(max_concurrent=1, batch_size=4, max_staleness=0)
    await control.acquire()
    waiting = asyncio.ensure_future(control.acquire())
    await asyncio.sleep(0)
    assert not waiting.done()
    control.release(True)
    await waiting
    assert control.running == 1


async def test_a_cancelled_wait_takes_nothing() -> None:
    control = StalenessControl(max_concurrent=1, batch_size=4, max_staleness=0)
    await control.acquire()
    waiting = asyncio.ensure_future(control.acquire())
    await asyncio.sleep(0)
    waiting.cancel()
    control.release(False)
    await asyncio.wait({waiting})
    assert (waiting.cancelled(), control.running, control.capacity) == (True, 0, 1)


async def test_no_episode_starts_that_would_be_too_stale() -> None:
    for seed in range(200):
        source = random.Random(seed)
        batch_size, max_staleness = source.randint(1, 4), source.randint(0, 3)
        control = StalenessControl(
            max_concurrent=source.randint(1, 6), batch_size=batch_size, max_staleness=max_staleness
        )
        for _ in range(80):
            step = source.choice(["start", "accept", "reject", "train"])
            if step == "start" and control.capacity > 0:
                # The batch that it will be part of, were all that is ahead of it accepted.
                trained_at = (control.accepted + control.running) // batch_size
                assert trained_at - control.version <= max_staleness
                await control.acquire()
            elif step in ("accept", "reject") and control.running > 0:
                control.release(step == "accept")
            elif step == "train" and control.accepted >= (control.version + 1) * batch_size:
                control.set_version(control.version + 1)


@pytest.mark.parametrize(
    "wrong", [{"max_concurrent": 0}, {"batch_size": 0}, {"max_staleness": -1}, {"batch_size": 1.5}]
)
async def test_refuses_other_numbers(wrong: Any) -> None:
    with pytest.raises(ValueError, match="must be a whole number"):
        StalenessControl(**{"max_concurrent": 1, "batch_size": 1, "max_staleness": 0, **wrong})


async def test_refuses_a_lower_version_and_an_end_without_an_episode() -> None:
    control = StalenessControl(max_concurrent=1, batch_size=1, max_staleness=0, version=3)
    with pytest.raises(ValueError, match="cannot go from 3 to 2"):
        control.set_version(2)
    with pytest.raises(ValueError, match="No episode"):
        control.release(True)
