"""The control operations of the proxy, for asynchronous code."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Literal

import httpx

from ..contract import (
    AdapterSummary,
    ExportOptions,
    ExportResponse,
    Recording,
    ScoreSessionResponse,
    SessionAdapter,
    SessionSummary,
)
from ..tensors.load import load_rows
from ..tensors.training_batch import LoadedRow
from . import calls
from .async_rollout_session import AsyncRolloutSession
from .calls import Answer, Call, Capacity, SessionInteraction
from .http import LIMITS, SharedTransport, agent_http_client, check_status, control_headers, read_answer
from .partial_file import written_at_once
from .retry import delay_before_repeat, delays


class AsyncVersions:
    """The version of the engine's weights."""

    def __init__(
        self, send: Callable[[Call[int]], Awaitable[int]], tell: Callable[[Call[None]], Awaitable[None]]
    ) -> None:
        self._send = send
        self._tell = tell

    async def get(self) -> int:
        """The version that sampled tokens get."""
        return await self._send(calls.get_version())

    async def set(self, version: int) -> None:
        """Tokens sampled from now on have this version."""
        await self._tell(calls.set_version(version))


class AsyncRolloutClient:
    """
    The control operations of the proxy, with the admin key. `url` is that of the proxy, without `/v1`; `timeout` is for
    one call, in seconds. Raises `ApiError` for an error answer, and `httpx.TransportError` where there is none.
    """

    def __init__(self, url: str, admin_key: str, *, timeout: float = 60.0) -> None:
        self.url = url.rstrip("/")
        self._admin_key = admin_key
        self._timeout = timeout
        self._transport = httpx.AsyncHTTPTransport(limits=LIMITS)
        self._http = httpx.AsyncClient(
            base_url=self.url, timeout=timeout, transport=SharedTransport(self._transport), trust_env=False
        )
        self.versions = AsyncVersions(self.send, self.send)

    async def grant(self, *, wait_seconds: float | None = None) -> int:
        """
        Reserves capacity for one session and returns the number of unused grants. Waits while there is none, at most
        `wait_seconds`; then the last refusal is raised.
        """
        return await self._repeat(calls.grant(), wait_seconds)

    async def start(
        self,
        *,
        task_id: str = "",
        record: Recording | None = None,
        adapter: SessionAdapter | None = None,
        wait_seconds: float | None = None,
    ) -> AsyncRolloutSession:
        """
        Uses one grant. Repeated until it is answered, without starting a second session. `record` says what is recorded
        of its calls besides their tokens; `adapter` is the LoRA adapter that samples them, which the engine loads if it
        does not have it.
        """
        session_id, api_key = await self._repeat(calls.start(task_id, record, adapter), wait_seconds)
        return AsyncRolloutSession(self, session_id, api_key)

    async def reward(self, session_id: str, reward: float, interaction_id: str | None = None) -> None:
        """Default: of the interaction that was completed last."""
        await self.send(calls.reward(session_id, reward, interaction_id))

    async def end(self, session_id: str) -> int:
        """Ends a session and returns the number of completed interactions."""
        return await self.send(calls.end(session_id))

    async def score(
        self,
        session_id: str,
        scorer: str,
        *,
        top_logprobs: int = 0,
        again: bool = False,
        timeout_seconds: float = 600.0,
    ) -> ScoreSessionResponse:
        """
        Has a configured model of the proxy score a session that has ended: a reference or a teacher. Repeating a call
        that failed goes on where it stopped; `again` scores what has been scored too.
        """
        return await self.send(calls.score(session_id, scorer, top_logprobs, again, timeout_seconds))

    async def interactions(self, session_id: str) -> list[SessionInteraction]:
        """The completed interactions, in order."""
        return await self.send(calls.interactions(session_id))

    async def export(self, session_id: str, options: ExportOptions | None = None) -> ExportResponse:
        """Can be repeated, until it is acknowledged."""
        return await self.send(calls.export(session_id, options))

    async def export_file(
        self, session_id: str, file: str | os.PathLike[str], options: ExportOptions | None = None
    ) -> Path:
        """The same as a safetensors file, for `load`; written as it arrives, and in place only when it is complete."""
        call = calls.export_file(session_id, options)
        target = Path(file)
        async with self._stream(call) as response:
            with written_at_once(target) as partial, partial.open("wb") as stream:
                async for part in response.aiter_bytes():
                    stream.write(part)
        return target

    async def export_stream(self, session_id: str, options: ExportOptions | None = None) -> AsyncIterator[LoadedRow]:
        """The rows of the same file, one at a time, for exports that are larger than the memory."""
        with tempfile.TemporaryDirectory(prefix="weir-export-") as folder:
            for row in load_rows(await self.export_file(session_id, Path(folder) / "export.safetensors", options)):
                yield row

    async def acknowledge(self, session_ids: Iterable[str]) -> None:
        """The proxy deletes these exports. Idempotent: sessions that are gone are skipped."""
        for session_id in session_ids:
            await self.send(calls.acknowledge(session_id, missing_is_answer=True))

    async def pause(self) -> None:
        """Returns once nothing is being sampled."""
        await self.send(calls.pause())

    async def resume(self) -> None:
        """Sampling goes on."""
        await self.send(calls.resume())

    async def update_weights(
        self,
        version: int,
        *,
        file: str | None = None,
        adapter: str | None = None,
        in_flight: Literal["continue", "finish", "drop"] = "continue",
    ) -> None:
        """
        Other weights, as that version. `file` is a GGUF file on the machine of the proxy for its embedded engine, a
        folder or model for SGLang and vLLM; without it the trainer has loaded the weights itself. `adapter` is the
        LoRA adapter that is updated, and nothing else; it needs a `file`.
        """
        await self.send(calls.update_weights(version, file, adapter, in_flight))

    async def update_engine_weights(self, version: int, load_weights: Callable[[], Awaitable[object]]) -> None:
        """
        For weights that the proxy does not load itself: pauses generation, calls `load_weights` (the engine's own
        operation), sets the version and resumes. Where `load_weights` fails, generation resumes under the old version
        and the error is passed on: the weights must be the old ones then.
        """
        await self.pause()
        try:
            await load_weights()
            await self.versions.set(version)
        finally:
            await self.resume()

    async def adapters(self) -> list[AdapterSummary]:
        """The LoRA adapters with their versions."""
        return await self.send(calls.adapters())

    async def release_adapter(self, name: str) -> None:
        """
        The engine unloads all versions of a LoRA adapter that no session has, and the proxy forgets it. Idempotent: one
        that is unknown is skipped.
        """
        await self.send(calls.release_adapter(name))

    async def capacity(self) -> Capacity:
        """How many sessions there are."""
        return calls.count_sessions(await self.sessions())

    async def sessions(self) -> list[SessionSummary]:
        """All sessions, in the order of their start."""
        return await self.send(calls.sessions())

    async def remove(self, session_id: str) -> None:
        """Deletes a session with its data. Idempotent."""
        await self.send(calls.remove(session_id))

    async def send(self, call: Call[Answer], idempotency_key: str | None = None) -> Answer:
        """One call, once."""
        headers = control_headers(self._admin_key, idempotency_key)
        timeout = max(self._timeout, call.min_timeout)
        return read_answer(
            call, await self._http.request(call.method, call.path, json=call.body, headers=headers, timeout=timeout)
        )

    def agent_http_client(self) -> httpx.AsyncClient:
        """For one agent, over the connections of this client. Closing it closes none of them."""
        return agent_http_client(self._transport)

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()
        await self._transport.aclose()

    async def _repeat(self, call: Call[Answer], wait_seconds: float | None) -> Answer:
        key = str(uuid.uuid4())
        deadline = None if wait_seconds is None else time.monotonic() + wait_seconds
        for usual in delays():
            try:
                return await self.send(call, key)
            except Exception as error:
                delay = delay_before_repeat(error, usual)
                if delay is None or (deadline is not None and time.monotonic() + delay > deadline):
                    raise
                await asyncio.sleep(delay)
        raise AssertionError("delays never end")

    @asynccontextmanager
    async def _stream(self, call: Call[None]) -> AsyncIterator[httpx.Response]:
        headers = control_headers(self._admin_key, None)
        async with self._http.stream(call.method, call.path, json=call.body, headers=headers) as response:
            if not response.is_success:
                await response.aread()
            check_status(response)
            yield response

    async def __aenter__(self) -> AsyncRolloutClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
