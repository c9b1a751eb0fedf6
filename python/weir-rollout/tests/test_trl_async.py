"""The worker for the asynchronous trainer of TRL, on episodes of the built proxy."""

from __future__ import annotations

import queue
from collections.abc import Sequence
from typing import Any

import pytest

from weir_rollout import RolloutClient, RolloutError
from weir_rollout.adapters.trl_async import TrlRolloutWorker, TrlSample
from weir_rollout.proxy_process import ProxyProcess

AGENT = f"{__package__}.scripted_agent:ScriptedAgent"
LIMIT = 60.0


def returning(reward: float) -> dict[str, Any]:
    return {"agent": {"calls": 2, "then": {"do": "return", "type": "float", "value": reward}}}


FAILING = {"agent": {"calls": 1, "then": {"do": "raise", "message": "broken"}}}


def a_worker(proxy: ProxyProcess, members: Sequence[Any], **options: Any) -> TrlRolloutWorker:
    given = {"group_size": len(members), "ahead": len(members), **options}
    return TrlRolloutWorker(
        proxy.url, proxy.admin_key, AGENT, ["Why?"], to_data=lambda _: {"members": list(members)}, **given
    )


def take(worker: TrlRolloutWorker, count: int) -> list[TrlSample]:
    return [worker.rollout_buffer.get(timeout=LIMIT) for _ in range(count)]


def test_groups_become_samples_with_advantages(proxy: ProxyProcess) -> None:
    worker = a_worker(proxy, [returning(0.0), returning(1.0)])
    worker.start()
    # `ahead` has room for one group: the second begins when the first was taken.
    first, second, third, _fourth = take(worker, 4)
    worker.stop()
    assert [one.group_id for one in (first, second, third)] == [0, 0, 1]
    assert sorted(one.advantage for one in (first, second)) == pytest.approx([-1, 1])
    assert sorted(one.metrics["reward"] for one in (first, second)) == [0, 1]
    assert (first.metrics["reward_std"], first.prompt) == (0.5, [{"role": "user", "content": "Why?"}])
    for one in (first, second):
        assert len(one.input_ids) == len(one.completion_mask) == len(one.old_log_probs)
        dtypes = [one.input_ids.dtype.name, one.completion_mask.dtype.name, one.old_log_probs.dtype.name]
        assert dtypes == ["int64", "int64", "float32"]
        assert (one.old_log_probs[one.completion_mask == 0] == 0).all()


def test_samples_have_the_version_that_the_trainer_set(proxy: ProxyProcess, sync_client: RolloutClient) -> None:
    worker = a_worker(proxy, [returning(0.0), returning(1.0)])
    version = sync_client.versions.get() + 1
    # TRL sets the first version before it starts the worker.
    worker.update_model_version(version)
    worker.start()
    (one,) = take(worker, 1)
    worker.stop()
    assert one.model_version == version


def test_rejected_members_are_counted_and_give_no_sample(proxy: ProxyProcess) -> None:
    worker = a_worker(proxy, [returning(0.0), returning(1.0), FAILING])
    worker.start()
    samples = take(worker, 2)
    worker.stop()
    assert {one.group_id for one in samples} == {0}
    assert worker.metrics_queue.get_nowait() == {"rollout/rejected_total": 1.0}


def test_a_worker_without_samples_tells_the_reason_of_the_last_rejection(proxy: ProxyProcess) -> None:
    worker = a_worker(proxy, [FAILING, FAILING])
    worker.check_health(LIMIT)
    worker.start()
    worker.metrics_queue.get(timeout=LIMIT)
    with pytest.raises(RuntimeError, match="agent_failed"):
        worker.check_health(-1)
    worker.stop()
    with pytest.raises(queue.Empty):
        worker.rollout_buffer.get_nowait()


def test_a_worker_that_has_ended_is_not_healthy(proxy: ProxyProcess) -> None:
    worker = a_worker(proxy, [returning(0.0), returning(1.0)])
    worker.start()
    take(worker, 1)
    worker.stop()
    worker.stop()
    with pytest.raises(RuntimeError, match="has ended"):
        worker.check_health(LIMIT)


def test_a_worker_of_something_that_is_no_agent_is_refused(proxy: ProxyProcess) -> None:
    with pytest.raises(RolloutError) as refused:
        TrlRolloutWorker(proxy.url, proxy.admin_key, object(), ["Why?"], group_size=2, ahead=2)
    assert refused.value.reason == "workflow_invalid"
    with pytest.raises(ValueError, match="at least group_size"):
        TrlRolloutWorker(proxy.url, proxy.admin_key, AGENT, ["Why?"], group_size=4, ahead=2)
