"""The control operations of the proxy."""

from __future__ import annotations

import os
import tempfile
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
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
from .calls import Answer, Call, Capacity, SessionInteraction
from .http import LIMITS, check_status, control_headers, read_answer
from .partial_file import written_at_once
from .retry import delay_before_repeat, delays
from .rollout_session import RolloutSession


class Versions:
    """The version of the engine's weights."""

    def __init__(self, send: Callable[[Call[int]], int], tell: Callable[[Call[None]], None]) -> None:
        self._send = send
        self._tell = tell

    def get(self) -> int:
        """The version that sampled tokens get."""
        return self._send(calls.get_version())

    def set(self, version: int) -> None:
        """Tokens sampled from now on have this version."""
        self._tell(calls.set_version(version))


class RolloutClient:
    """
    The control operations of the proxy, with the admin key. `url` is that of the proxy, without `/v1`; `timeout` is for
    one call, in seconds. Raises `ApiError` for an error answer, and `httpx.TransportError` where there is none.
    """

    def __init__(self, url: str, admin_key: str, *, timeout: float = 60.0) -> None:
        self.url = url.rstrip("/")
        self._admin_key = admin_key
        self._timeout = timeout
        self._http = httpx.Client(base_url=self.url, timeout=timeout, limits=LIMITS, trust_env=False)
        self.versions = Versions(self.send, self.send)

    def grant(self, *, wait_seconds: float | None = None) -> int:
        """
        Reserves capacity for one session and returns the number of unused grants. Waits while there is none, at most
        `wait_seconds`; then the last refusal is raised.
        """
        return self._repeat(calls.grant(), wait_seconds)

    def start(
        self,
        *,
        task_id: str = "",
        record: Recording | None = None,
        adapter: SessionAdapter | None = None,
        wait_seconds: float | None = None,
    ) -> RolloutSession:
        """
        Uses one grant. Repeated until it is answered, without starting a second session. `record` says what is recorded
        of its calls besides their tokens; `adapter` is the LoRA adapter that samples them, which the engine loads if it
        does not have it.
        """
        session_id, api_key = self._repeat(calls.start(task_id, record, adapter), wait_seconds)
        return RolloutSession(self, session_id, api_key)

    def reward(self, session_id: str, reward: float, interaction_id: str | None = None) -> None:
        """Default: of the interaction that was completed last."""
        self.send(calls.reward(session_id, reward, interaction_id))

    def end(self, session_id: str) -> int:
        """Ends a session and returns the number of completed interactions."""
        return self.send(calls.end(session_id))

    def score(
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
        return self.send(calls.score(session_id, scorer, top_logprobs, again, timeout_seconds))

    def interactions(self, session_id: str) -> list[SessionInteraction]:
        """The completed interactions, in order."""
        return self.send(calls.interactions(session_id))

    def export(self, session_id: str, options: ExportOptions | None = None) -> ExportResponse:
        """Can be repeated, until it is acknowledged."""
        return self.send(calls.export(session_id, options))

    def export_file(self, session_id: str, file: str | os.PathLike[str], options: ExportOptions | None = None) -> Path:
        """The same as a safetensors file, for `load`; written as it arrives, and in place only when it is complete."""
        call = calls.export_file(session_id, options)
        target = Path(file)
        with self._stream(call) as response, written_at_once(target) as partial, partial.open("wb") as stream:
            for part in response.iter_bytes():
                stream.write(part)
        return target

    def export_stream(self, session_id: str, options: ExportOptions | None = None) -> Iterator[LoadedRow]:
        """The rows of the same file, one at a time, for exports that are larger than the memory."""
        with tempfile.TemporaryDirectory(prefix="weir-export-") as folder:
            yield from load_rows(self.export_file(session_id, Path(folder) / "export.safetensors", options))

    def acknowledge(self, session_ids: Iterable[str]) -> None:
        """The proxy deletes these exports. Idempotent: sessions that are gone are skipped."""
        for session_id in session_ids:
            self.send(calls.acknowledge(session_id, missing_is_answer=True))

    def pause(self) -> None:
        """Returns once nothing is being sampled."""
        self.send(calls.pause())

    def resume(self) -> None:
        """Sampling goes on."""
        self.send(calls.resume())

    def update_weights(
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
        self.send(calls.update_weights(version, file, adapter, in_flight))

    def update_engine_weights(self, version: int, load_weights: Callable[[], object]) -> None:
        """
        For weights that the proxy does not load itself: pauses generation, calls `load_weights` (the engine's own
        operation), sets the version and resumes. Where `load_weights` fails, generation resumes under the old version
        and the error is passed on: the weights must be the old ones then.
        """
        self.pause()
        try:
            load_weights()
            self.versions.set(version)
        finally:
            self.resume()

    def adapters(self) -> list[AdapterSummary]:
        """The LoRA adapters with their versions."""
        return self.send(calls.adapters())

    def release_adapter(self, name: str) -> None:
        """
        The engine unloads all versions of a LoRA adapter that no session has, and the proxy forgets it. Idempotent: one
        that is unknown is skipped.
        """
        self.send(calls.release_adapter(name))

    def capacity(self) -> Capacity:
        """How many sessions there are."""
        return calls.count_sessions(self.sessions())

    def sessions(self) -> list[SessionSummary]:
        """All sessions, in the order of their start."""
        return self.send(calls.sessions())

    def remove(self, session_id: str) -> None:
        """Deletes a session with its data. Idempotent."""
        self.send(calls.remove(session_id))

    def send(self, call: Call[Answer], idempotency_key: str | None = None) -> Answer:
        """One call, once."""
        headers = control_headers(self._admin_key, idempotency_key)
        timeout = max(self._timeout, call.min_timeout)
        return read_answer(
            call, self._http.request(call.method, call.path, json=call.body, headers=headers, timeout=timeout)
        )

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def _repeat(self, call: Call[Answer], wait_seconds: float | None) -> Answer:
        key = str(uuid.uuid4())
        deadline = None if wait_seconds is None else time.monotonic() + wait_seconds
        for usual in delays():
            try:
                return self.send(call, key)
            except Exception as error:
                delay = delay_before_repeat(error, usual)
                if delay is None or (deadline is not None and time.monotonic() + delay > deadline):
                    raise
                time.sleep(delay)
        raise AssertionError("delays never end")

    @contextmanager
    def _stream(self, call: Call[None]) -> Iterator[httpx.Response]:
        headers = control_headers(self._admin_key, None)
        with self._http.stream(call.method, call.path, json=call.body, headers=headers) as response:
            if not response.is_success:
                response.read()
            check_status(response)
            yield response

    def __enter__(self) -> RolloutClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
