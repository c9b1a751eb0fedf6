"""The clients, with and without `await`, and the official client bound to a session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import openai
import pytest

from weir_rollout import ApiError, AsyncRolloutClient, Capacity, RolloutClient, RolloutError, RolloutSession, load
from weir_rollout.direct import open_direct_client
from weir_rollout.proxy_process import ProxyProcess


def ask(session: RolloutSession, content: str) -> str:
    body = {"model": "any", "max_tokens": 4, "messages": [{"role": "user", "content": content}]}
    headers = {"authorization": f"Bearer {session.api_key}"}
    answer = httpx.post(f"{session.base_url}/chat/completions", json=body, headers=headers, trust_env=False, timeout=60)
    return str(answer.json()["id"])


def start(client: RolloutClient) -> RolloutSession:
    assert client.grant() == 1
    return client.start(task_id="task")


def test_a_session_from_start_to_acknowledgement(sync_client: RolloutClient) -> None:
    session = start(sync_client)
    first, second = ask(session, "One."), ask(session, "Two.")
    session.reward(0.5, first)
    assert session.end() == 2
    session.reward(1)
    assert [(one.id, one.reward) for one in session.interactions()] == [(first, 0.5), (second, 1)]
    assert list(session.export({"discount": 0})["interactions"]) == [first, second]
    assert sync_client.capacity() == Capacity(unfinished=0, retained=1)
    session.acknowledge()
    assert sync_client.sessions() == []


def test_a_session_records_the_likeliest_tokens_and_gets_loss_weights(sync_client: RolloutClient) -> None:
    assert sync_client.grant() == 1
    with sync_client.start(record={"top_logprobs": 2}) as session:
        call = ask(session, "One.")
        session.loss_weight(0.5)
        session.loss_weight([{"from": 0, "to": 1, "weight": 3}], call)
        session.end()
        batch = load(session.export({"include_tensors": ["top_logprobs", "loss_weights"]})).batch
        assert batch is not None
        trained = batch["loss_mask"] == 1
        assert (batch["top_ids"][trained][:, 0] >= 0).all()
        assert batch["top_logprobs"].shape == (*trained.shape, 2)
        assert batch["loss_weights"][trained][:2].tolist() == [3, 0.5]
        with pytest.raises(ApiError) as refused:
            sync_client.score(session.id, "teacher", top_logprobs=2)
        assert refused.value.reason == "scorer_not_found"


def test_a_session_is_removed_when_its_block_is_left(sync_client: RolloutClient) -> None:
    with pytest.raises(ZeroDivisionError), start(sync_client) as session:
        ask(session, "One.")
        assert sync_client.capacity() == Capacity(unfinished=1, retained=0)
        raise ZeroDivisionError
    assert sync_client.capacity() == Capacity(unfinished=0, retained=0)
    session.remove()
    sync_client.remove(session.id)


def test_a_file_and_json_give_the_same_tensors(sync_client: RolloutClient, tmp_path: Path) -> None:
    with start(sync_client) as session:
        ask(session, "One.")
        ask(session, "Two.")
        sync_client.end(session.id)
        sync_client.reward(session.id, 1)
        file = sync_client.export_file(session.id, tmp_path / "export.safetensors", {"discount": 0.5})
        from_file, from_json = load(file), load(sync_client.export(session.id, {"discount": 0.5}))
    assert [row.id for row in from_file.rows] == [row.id for row in from_json.rows]
    assert from_file.batch is not None
    assert from_json.batch is not None
    assert from_file.batch.keys() == from_json.batch.keys()
    for name, tensor in from_file.batch.items():
        np.testing.assert_array_equal(tensor, from_json.batch[name])
    assert [path.name for path in tmp_path.iterdir()] == ["export.safetensors"]


def test_rows_are_streamed_and_leave_no_file(
    sync_client: RolloutClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with start(sync_client) as session:
        ids = [ask(session, "One."), ask(session, "Two.")]
        session.end()
        rows = sync_client.export_stream(session.id)
        assert next(rows).id == ids[0]
        assert len(list(tmp_path.iterdir())) == 1
        assert [row.id for row in rows] == ids[1:]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.anyio
async def test_rows_are_streamed_to_asynchronous_code(client: AsyncRolloutClient) -> None:
    async with await open_direct_client(client) as direct:
        answer = await direct.chat.completions.create(
            model="any", messages=[{"role": "user", "content": "One."}], max_tokens=4
        )
        await direct.session.end()
        assert [row.id async for row in client.export_stream(direct.session.id)] == [answer.id]


def test_a_refused_file_leaves_nothing(sync_client: RolloutClient, tmp_path: Path) -> None:
    with pytest.raises(ApiError) as refused:
        sync_client.export_file("no-session", tmp_path / "export.safetensors")
    assert refused.value.status == 404
    assert list(tmp_path.iterdir()) == []


def test_versions_pause_and_resume(sync_client: RolloutClient) -> None:
    sync_client.pause()
    sync_client.versions.set(7)
    sync_client.resume()
    assert sync_client.versions.get() == 7


def test_weights_are_updated_to_a_version(sync_client: RolloutClient, home: Path) -> None:
    (model,) = home.rglob("model.gguf")
    version = sync_client.versions.get() + 1
    sync_client.update_weights(version, file=str(model), in_flight="finish")
    with start(sync_client) as session:
        ask(session, "One.")
        session.end()
        (row,) = load(session.export()).rows
    assert set(row.tensors["versions"][row.tensors["loss_mask"] == 1]) == {version}
    with pytest.raises(ApiError):
        sync_client.update_weights(version, file=str(model.with_name("missing.gguf")))


def test_errors_of_the_proxy(sync_client: RolloutClient, proxy: ProxyProcess) -> None:
    with pytest.raises(ApiError) as unknown:
        sync_client.end("no-session")
    assert (unknown.value.status, unknown.value.code) == (404, "not_found")
    with RolloutClient(proxy.url, "the-key-of-another-proxy") as stranger, pytest.raises(ApiError) as refused:
        stranger.grant()
    assert refused.value.status in (401, 403)


def replaying(*answers: httpx.Response | Exception) -> tuple[httpx.MockTransport, list[httpx.Request]]:
    requests: list[httpx.Request] = []
    left = list(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        given = left.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    return httpx.MockTransport(answer), requests


def busy(retry_after: str) -> httpx.Response:
    body = {"code": "rate_limited", "message": "Later."}
    return httpx.Response(429, headers={"retry-after": retry_after}, json=body)


def test_a_grant_is_repeated_under_one_key_until_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[httpx.Response | Exception] = [
        busy("0"),
        httpx.ReadError("lost"),
        httpx.Response(200, json={"capacity": 3}),
    ]
    transport, requests = replaying(*answers)
    with RolloutClient("http://proxy.invalid", "key") as client:
        monkeypatch.setattr(client, "_http", httpx.Client(base_url=client.url, transport=transport))
        assert client.grant() == 3
    assert len({request.headers["idempotency-key"] for request in requests}) == 1
    assert len(requests) == 3


def test_a_grant_is_not_repeated_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    transport, requests = replaying(busy("5"))
    with RolloutClient("http://proxy.invalid", "key") as client:
        monkeypatch.setattr(client, "_http", httpx.Client(base_url=client.url, transport=transport))
        with pytest.raises(ApiError, match="Later"):
            client.grant(wait_seconds=1)
    assert len(requests) == 1


@pytest.mark.anyio
async def test_the_official_client_bound_to_a_session(client: AsyncRolloutClient) -> None:
    messages: list[Any] = [{"role": "user", "content": "Begin."}]
    async with await open_direct_client(client) as direct:
        first = await direct.chat.completions.create(model="any", messages=messages, max_tokens=4)
        messages += [json.loads(first.choices[0].message.model_dump_json()), {"role": "user", "content": "Go on."}]
        second = await direct.chat.completions.create(model="any", messages=messages, max_tokens=4)
        await direct.set_reward(first.id, 0.25)
        await direct.set_last_reward(1)
        with pytest.raises(ApiError):
            await direct.set_reward("chatcmpl-none", 1)
        with pytest.raises(RolloutError):
            direct.apply_reward_discount(2)
        direct.apply_reward_discount(0.5)
        exported = await direct.export_interactions()
        assert [one["reward"] for one in exported.values()] == [0.75, 1]
        assert exported[second.id]["parent_id"] == first.id
        assert list(await direct.export_interactions("concat")) == [second.id]
        with pytest.raises(openai.APIStatusError):
            await direct.chat.completions.create(model="any", messages=messages)
    assert await client.sessions() == []


@pytest.mark.anyio
async def test_the_official_client_asks_for_responses(client: AsyncRolloutClient) -> None:
    async with await open_direct_client(client) as direct:
        response = await direct.responses.create(model="any", input="Begin.", max_output_tokens=16)
        assert list(await direct.export_interactions()) == [response.id]
