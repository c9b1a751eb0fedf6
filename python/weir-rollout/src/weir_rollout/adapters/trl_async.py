"""
Episodes for the asynchronous GRPO trainer of TRL. The worker is a `RolloutWorkerProtocol`, its samples have the fields
of `RolloutSample`, both in `trl/experimental/async_grpo` of TRL 1.16.0. Nothing of TRL is imported.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..client.async_rollout_client import AsyncRolloutClient
from ..episode.outcome import CompletedEpisode, RejectedEpisode
from ..rollout import Rollout
from ..tensors.load import load_rows
from ..tensors.training_dict import Array
from ..workflow import RolloutWorkflow
from .completions import group_advantages, to_completions

# For one call of the proxy from the trainer's thread, and for the end of all episodes, in seconds.
_DEADLINE = 60.0


@dataclass
class TrlSample:
    """A row of an episode, as the trainer takes it from the queue."""

    prompt: list[dict[str, Any]]
    completion: list[dict[str, Any]]
    """Only for display by TRL. An export has no texts, so it is empty."""
    input_ids: Array
    """int64 `[length]`."""
    completion_mask: Array
    """int64 `[length]`: 1 for tokens that were sampled."""
    old_log_probs: Array
    """float32 `[length]`, 0 where nothing was sampled."""
    advantage: float
    """Of the episode, for all of its rows: GRPO over the members of the group that completed."""
    model_version: int
    """The oldest weights that sampled a token of the row: TRL drops it by these."""
    group_id: int
    """Counts the groups that were begun; all rows of a group have the same."""
    metrics: dict[str, float] = field(default_factory=dict)
    enqueued_at: float | None = None
    """Seconds of `time.time()`."""


class TrlRolloutWorker:
    """
    For `AsyncGRPOTrainer(rollout_worker=worker, …)`. Plays a group of `group_size` episodes for each of `prompts`, over
    and over, until it is stopped. A group begins while fewer than `ahead` samples wait in the queue or are being
    played: what training takes between two updates of the weights, times how many updates old a sample may be, and at
    least `group_size`. `to_data` makes the data of the agent from a prompt; `options` are those of `Rollout`. An
    episode of several rows gives several samples. Rejected episodes give none, and are counted in `metrics_queue`.
    """

    def __init__(
        self,
        url: str,
        admin_key: str,
        agent: Any,
        prompts: Sequence[Any],
        *,
        group_size: int,
        ahead: int,
        kwargs: Mapping[str, Any] | None = None,
        to_data: Callable[[Any], Any] = lambda prompt: {"prompt": prompt},
        **options: Any,
    ) -> None:
        if len(prompts) == 0 or group_size < 2 or ahead < group_size:
            raise ValueError("There must be prompts, and ahead must be at least group_size, which is at least 2.")
        self.rollout_buffer: queue.Queue[TrlSample] = _WatchedQueue(self._on_taken)
        self.metrics_queue: queue.Queue[dict[str, float]] = queue.Queue()
        self._prompts, self._group_size, self._ahead, self._to_data = prompts, group_size, ahead, to_data
        self._playing: set[asyncio.Task[None]] = set()
        self._room = asyncio.Event()
        self._main: Future[None] | None = None
        self._last_sample_at = time.monotonic()
        self._last_rejection: RejectedEpisode | None = None
        # Of its own: TRL calls from synchronous code, and its first update of the version comes before `start`.
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="weir-rollout-worker", daemon=True)
        self._thread.start()
        try:
            self._call(self._open(url, admin_key, agent, kwargs, options))
        except BaseException:
            self._end_loop()
            raise

    def start(self) -> None:
        """Begins to play. TRL calls it after the first update of the weights."""
        self._last_sample_at = time.monotonic()
        self._main = asyncio.run_coroutine_threadsafe(self._play_all(), self._loop)

    def stop(self) -> None:
        """Cancels what is being played, which deletes its sessions, and ends connections and processes. Idempotent."""
        if not self._thread.is_alive():
            return
        try:
            self._call(self._close())
        finally:
            self._end_loop()

    def update_model_version(self, model_version: int) -> None:
        """Sets the version at the proxy. TRL has sent the weights to the engine before."""
        self._call(self._client.versions.set(model_version))

    def check_health(self, stale_after_s: float) -> None:
        """
        Raises `RuntimeError` when playing has failed, or has given no sample within so many seconds. TRL asks when it
        finds the queue empty.
        """
        if self._main is not None and self._main.done():
            failure = None if self._main.cancelled() else self._main.exception()
            raise RuntimeError("The rollout worker has ended.") from failure
        waited = time.monotonic() - self._last_sample_at
        if waited > stale_after_s:
            rejection = self._last_rejection
            why = "" if rejection is None else f" The last rejected episode: {rejection.reason}."
            error = None if rejection is None else rejection.error
            raise RuntimeError(f"The rollout worker has given no sample for {waited:.0f} s.{why}") from error

    async def _open(self, url: str, admin_key: str, agent: Any, kwargs: Any, options: dict[str, Any]) -> None:
        export: Any = {"style": "concat", **options.pop("export", {})}
        self._client = AsyncRolloutClient(url, admin_key)
        self._rollout = Rollout(self._client, export=export, **options)
        self._workflow: RolloutWorkflow = self._rollout.resolve(agent, kwargs=kwargs, group_size=self._group_size)

    async def _close(self) -> None:
        if self._main is not None:
            self._main.cancel()
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)
        await self._rollout.close()
        await self._client.close()

    async def _play_all(self) -> None:
        group_id = 0
        while True:
            self._room.clear()
            self._raise_failures()
            if self.rollout_buffer.qsize() + (len(self._playing) + 1) * self._group_size > self._ahead:
                await self._room.wait()
                continue
            self._playing.add(asyncio.create_task(self._play(self._prompts[group_id % len(self._prompts)], group_id)))
            group_id += 1

    def _raise_failures(self) -> None:
        for task in [one for one in self._playing if one.done()]:
            self._playing.remove(task)
            task.result()

    async def _play(self, prompt: Any, group_id: int) -> None:
        try:
            group = await self._workflow.arun_episode(None, self._to_data(prompt))
            rejected = [one for one in group.members if isinstance(one, RejectedEpisode)]
            if rejected:
                self._last_rejection = rejected[-1]
                self.metrics_queue.put({"rollout/rejected_total": float(len(rejected))})
            for sample in _to_samples(prompt, group.completed, group_id):
                self.rollout_buffer.put(sample)
                self._last_sample_at = time.monotonic()
        finally:
            self._room.set()

    def _on_taken(self) -> None:
        # The trainer may take what is left after it has stopped the worker.
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._room.set)

    def _call(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        asyncio.run_coroutine_threadsafe(asyncio.wait_for(coroutine, _DEADLINE), self._loop).result()

    def _end_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_DEADLINE)
        if not self._thread.is_alive():
            self._loop.close()


class _WatchedQueue(queue.Queue[TrlSample]):
    """Tells when the trainer has taken a sample, so that the next group begins without polling."""

    def __init__(self, on_taken: Callable[[], None]) -> None:
        super().__init__()
        self._on_taken = on_taken

    def _get(self) -> TrlSample:
        sample = super()._get()
        self._on_taken()
        return sample


def _to_samples(prompt: Any, episodes: Sequence[CompletedEpisode], group_id: int) -> list[TrlSample]:
    rewards = [float(one.reward) for one in episodes]
    return [
        TrlSample(
            prompt=_to_messages(prompt),
            completion=[],
            input_ids=row.row.tensors["input_ids"][0].astype(np.int64),
            completion_mask=row.row.tensors["loss_mask"][0].astype(np.int64),
            old_log_probs=row.row.tensors["logprobs"][0],
            advantage=advantage,
            model_version=row.oldest_version,
            group_id=group_id,
            metrics={"reward": reward, "reward_std": float(np.std(rewards))},
            enqueued_at=time.time(),
        )
        for one, reward, advantage in zip(episodes, rewards, group_advantages(rewards), strict=True)
        for row in to_completions(load_rows(one.exported))
    ]


def _to_messages(prompt: Any) -> list[dict[str, Any]]:
    return prompt if isinstance(prompt, list) else [{"role": "user", "content": str(prompt)}]
