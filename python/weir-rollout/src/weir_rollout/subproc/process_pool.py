"""A bounded pool of processes."""

from __future__ import annotations

import asyncio
import concurrent.futures
from typing import Any

from ..episode.outcome import EpisodeError
from .worker import WorkerTask
from .worker_process import WorkerProcess


class ProcessPool:
    """Processes that are started as they are needed. One that died or was killed is replaced."""

    def __init__(self, max_workers: int) -> None:
        self._slots = asyncio.Semaphore(max_workers)
        # Each waits for one process.
        self._threads = concurrent.futures.ThreadPoolExecutor(max_workers, "weir-rollout-worker")
        self._idle: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._is_closed = False

    @property
    def size(self) -> int:
        """Processes that live."""
        return len(self._all)

    async def run(self, task: WorkerTask, timeout: float) -> Any:
        """Waits for a process. The time counts from the moment when one has the task. Raises `EpisodeError`."""
        async with self._slots:
            worker = await self._acquire()
            loop = asyncio.get_running_loop()
            running = loop.run_in_executor(self._threads, worker.run, task, timeout)
            try:
                return await asyncio.shield(running)
            except asyncio.CancelledError:
                # The thread that waits for it sees its end.
                worker.kill()
                await asyncio.wait({running})
                _ = running.exception()
                raise
            finally:
                await self._release(worker)

    async def close(self) -> None:
        """Kills all processes. Episodes that run are rejected."""
        self._is_closed = True
        for worker in self._all:
            worker.kill()
        for worker in self._idle:
            await self._discard(worker)
        self._idle.clear()
        self._threads.shutdown(wait=False)

    async def _acquire(self) -> WorkerProcess:
        if self._is_closed:
            raise EpisodeError("cancelled", "The pool of processes is closed.")
        if self._idle:
            return self._idle.pop()
        worker = await asyncio.get_running_loop().run_in_executor(self._threads, WorkerProcess)
        self._all.add(worker)
        return worker

    async def _release(self, worker: WorkerProcess) -> None:
        if worker.is_alive and not self._is_closed:
            self._idle.append(worker)
        else:
            worker.kill()
            await self._discard(worker)

    async def _discard(self, worker: WorkerProcess) -> None:
        self._all.discard(worker)
        await asyncio.to_thread(worker.join)
