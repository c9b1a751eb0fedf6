"""Sessions that sample with a LoRA adapter."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from weir_rollout import AsyncRolloutClient, ProxyWorkflow, RolloutClient, SessionAdapter
from weir_rollout.episode.run_agent import AgentJob

MATH: SessionAdapter = {"name": "math", "path": "/adapters/math"}
ANSWER = {
    "capacity": 1,
    "session_id": "task-0",
    "session_api_key": "key",
    "adapters": [{"name": "math", "version": 7}],
}


def recording(calls: list[tuple[str, Any]]) -> httpx.MockTransport:
    def answer(request: httpx.Request) -> httpx.Response:
        calls.append((request.url.path, json.loads(request.content) if request.content else None))
        return httpx.Response(200, json=ANSWER)

    return httpx.MockTransport(answer)


EXPECTED = [
    ("/rl/start_session", {"task_id": "task", "adapter": MATH}),
    ("/rl/start_session", {"task_id": ""}),
    (
        "/update_weights",
        {"file": "/adapters/math-7", "adapter": "math", "version": 7, "in_flight": "finish"},
    ),
    ("/adapters", None),
    ("/adapters/math", None),
]


def test_a_session_names_its_adapter_and_an_update_the_adapter_that_it_is_of() -> None:
    calls: list[tuple[str, Any]] = []
    with RolloutClient("http://proxy.invalid", "key") as client:
        client._http = httpx.Client(base_url=client.url, transport=recording(calls))
        client.start(task_id="task", adapter=MATH)
        client.start()
        client.update_weights(7, file="/adapters/math-7", adapter="math", in_flight="finish")
        assert [one["version"] for one in client.adapters()] == [7]
        client.release_adapter("math")
    assert calls == EXPECTED


@pytest.mark.anyio
async def test_an_asynchronous_client_does_the_same() -> None:
    calls: list[tuple[str, Any]] = []
    async with AsyncRolloutClient("http://proxy.invalid", "key") as client:
        client._http = httpx.AsyncClient(base_url=client.url, transport=recording(calls))
        await client.start(task_id="task", adapter=MATH)
        await client.start()
        await client.update_weights(7, file="/adapters/math-7", adapter="math", in_flight="finish")
        assert [one["version"] for one in await client.adapters()] == [7]
        await client.release_adapter("math")
    assert calls == EXPECTED


@pytest.mark.anyio
async def test_the_episodes_of_a_workflow_have_its_adapter() -> None:
    calls: list[tuple[str, Any]] = []
    async with AsyncRolloutClient("http://proxy.invalid", "key") as client:
        client._http = httpx.AsyncClient(base_url=client.url, transport=recording(calls))

        async def run_agent(job: AgentJob) -> float:
            return 1.0

        workflow = ProxyWorkflow(client, run_agent, adapter=MATH)
        await workflow.arun_episode(None, {})
    assert ("/rl/start_session", {"task_id": "", "adapter": MATH}) in calls
