"""Weights that reach the engine without the proxy."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import httpx
import pytest

from weir_rollout import ApiError, AsyncRolloutClient, RolloutClient

LoadWeights = Callable[[], None]
Update = Callable[[list[str], int, LoadWeights], Awaitable[None]]


def recording(calls: list[str]) -> httpx.MockTransport:
    def answer(request: httpx.Request) -> httpx.Response:
        calls.append(f"{request.url.path} {request.content.decode()}".replace(" {}", ""))
        is_refused = request.content == b'{"version":0}'
        body = {"code": "conflict", "message": "not above"} if is_refused else {}
        return httpx.Response(409 if is_refused else 200, json=body)

    return httpx.MockTransport(answer)


async def update(calls: list[str], version: int, load_weights: LoadWeights) -> None:
    with RolloutClient("http://proxy.invalid", "key") as client:
        client._http = httpx.Client(base_url=client.url, transport=recording(calls))
        client.update_engine_weights(version, load_weights)


async def update_async(calls: list[str], version: int, load_weights: LoadWeights) -> None:
    async def load() -> None:
        load_weights()

    async with AsyncRolloutClient("http://proxy.invalid", "key") as client:
        client._http = httpx.AsyncClient(base_url=client.url, transport=recording(calls))
        await client.update_engine_weights(version, load)


both = pytest.mark.parametrize("update", [update, update_async])


@pytest.mark.anyio
@both
async def test_weights_are_loaded_while_generation_is_paused(update: Update) -> None:
    calls: list[str] = []
    await update(calls, 4, lambda: calls.append("load"))
    assert calls == ["/pause_generation", "load", '/set_version {"version":4}', "/continue_generation"]


@pytest.mark.anyio
@both
async def test_generation_resumes_under_the_old_version_when_the_weights_cannot_be_loaded(update: Update) -> None:
    def fail() -> None:
        raise FileNotFoundError("no file")

    calls: list[str] = []
    with pytest.raises(FileNotFoundError):
        await update(calls, 4, fail)
    assert calls == ["/pause_generation", "/continue_generation"]


@pytest.mark.anyio
@both
async def test_generation_resumes_when_the_version_is_refused(update: Update) -> None:
    calls: list[str] = []
    with pytest.raises(ApiError, match="not above"):
        await update(calls, 0, lambda: None)
    assert calls[-1] == "/continue_generation"
