"""The connections that the client and all episodes of a process share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx

from ..errors import ApiError
from .calls import Answer, Call

LIMITS = httpx.Limits(max_connections=256, max_keepalive_connections=256, keepalive_expiry=60.0)


class SharedTransport(httpx.AsyncBaseTransport):
    """Sends by another transport and leaves it open: an agent that closes its client closes nothing of others."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._transport.handle_async_request(request)

    async def aclose(self) -> None:
        return None


def agent_http_client(transport: httpx.AsyncBaseTransport) -> httpx.AsyncClient:
    """A client for one agent. Answers of a model take as long as they take; the episode bounds them."""
    return httpx.AsyncClient(transport=SharedTransport(transport), timeout=None, trust_env=False)


def control_headers(admin_key: str, idempotency_key: str | None) -> dict[str, str]:
    """Of a call with the admin key."""
    headers = {"authorization": f"Bearer {admin_key}"}
    return headers if idempotency_key is None else {**headers, "idempotency-key": idempotency_key}


def read_answer(call: Call[Answer], response: httpx.Response) -> Answer:
    """What an answer means. Raises `ApiError` for an error answer."""
    if call.missing_is_answer and response.status_code == 404:
        return call.read(None)
    check_status(response)
    return call.read(json.loads(response.content) if response.content else None)


def check_status(response: httpx.Response) -> None:
    """Raises `ApiError` for an error answer, whose body has been read."""
    if response.is_success:
        return
    raise ApiError(response.status_code, _lower_case(response.headers), _parse(response.content))


def _lower_case(headers: httpx.Headers) -> Mapping[str, str]:
    return {key.lower(): value for key, value in headers.items()}


def _parse(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None
