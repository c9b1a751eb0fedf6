"""Whether a proxy records what a trainer can train on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import numpy as np

from ..client.async_rollout_client import AsyncRolloutClient
from ..client.async_rollout_session import AsyncRolloutSession
from ..errors import RolloutError
from ..tensors.load import load


@dataclass(frozen=True)
class Check:
    """One finding."""

    name: str
    is_sound: bool
    finding: str


async def check_proxy(client: AsyncRolloutClient) -> AsyncIterator[Check]:
    """
    Engine, tokenizer and parity, by one episode of two calls that is removed afterwards. Parity: the second prompt
    continues the sampled tokens of the first answer, and every trained token has a log-probability.
    """
    ready = await client.agent_http_client().get(f"{client.url}/ready")
    yield Check("engine", ready.is_success, "model calls are accepted" if ready.is_success else ready.text)
    if not ready.is_success:
        return
    await client.grant()
    async with await client.start(task_id="doctor") as session:
        try:
            await _play(client, session)
        except httpx.HTTPStatusError as error:
            yield Check("tokenizer", False, error.response.text)
            return
        await session.end()
        options: Any = {"style": "concat", "check_drift": True}
        exported = await session.export(options)
    quarantined = exported["report"].get("quarantined", [])
    yield Check(
        "tokenizer", not quarantined, f"quarantined: {quarantined}" if quarantined else "nothing is quarantined"
    )
    yield _parity(exported)


def _parity(exported: Any) -> Check:
    try:
        rows = load(exported).rows
    except RolloutError as error:
        return Check("parity", False, str(error))
    if len(rows) != 1:
        return Check("parity", False, f"two calls of one conversation gave {len(rows)} rows instead of one")
    tensors = rows[0].tensors
    trained = tensors["loss_mask"] == 1
    if not np.all(tensors["logprobs"][trained] <= 0):
        return Check("parity", False, "a log-probability is above 0")
    tokens = int(trained.sum())
    return Check("parity", tokens > 0, f"one row of {trained.size} tokens, {tokens} of them sampled")


async def _play(client: AsyncRolloutClient, session: AsyncRolloutSession) -> None:
    messages: list[Any] = [{"role": "user", "content": "Say something."}]
    headers = {"authorization": f"Bearer {session.api_key}"}
    async with client.agent_http_client() as http_client:
        for _ in range(2):
            body = {"model": "any", "max_tokens": 16, "messages": messages}
            response = await http_client.post(f"{session.base_url}/chat/completions", json=body, headers=headers)
            response.raise_for_status()
            message = response.json()["choices"][0]["message"]
            messages = [*messages, message, {"role": "user", "content": "Go on."}]
