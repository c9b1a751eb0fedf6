"""One process of a pool, as the trainer sees it."""

from __future__ import annotations

import multiprocessing
import pickle
from typing import Any

from ..episode.outcome import EpisodeError
from .worker import WorkerAnswer, WorkerTask, worker_main

_SPAWN = multiprocessing.get_context("spawn")


class WorkerProcess:
    """For one task at a time. Its methods block. It is of no more use once `is_alive` is false."""

    def __init__(self) -> None:
        self._connection, theirs = _SPAWN.Pipe()
        # Daemonic, so that a trainer that ends does not wait for it.
        self._process = _SPAWN.Process(target=worker_main, args=(theirs,), daemon=True)
        self.is_alive = True
        try:
            self._process.start()
            theirs.close()
            # Starting Python is not part of an agent's time.
            self._receive()
        except Exception as error:
            self.is_alive = False
            raise EpisodeError("worker_died", f"The process of the agent could not be started: {error!r}") from error

    def run(self, task: WorkerTask, timeout: float) -> Any:
        """Returns what the agent returned. Kills the process when the time is over. Raises `EpisodeError`."""
        try:
            self._connection.send_bytes(pickle.dumps(task))
            if not self._connection.poll(timeout):
                self.kill()
                raise EpisodeError("timed_out", f"The agent did not return within {timeout:g} s.")
            answer: WorkerAnswer = pickle.loads(self._receive())
        except (EOFError, OSError) as error:
            self.kill()
            raise EpisodeError("worker_died", "The process of the agent ended before it returned.") from error
        return _read(answer)

    def kill(self) -> None:
        """The process ends at once."""
        self.is_alive = False
        if self._process.pid is not None:
            self._process.kill()

    def join(self) -> None:
        """Waits for the end of a killed process, and frees what it held."""
        if self._process.pid is not None:
            self._process.join()
            self._process.close()
        self._connection.close()

    def _receive(self) -> bytes:
        return self._connection.recv_bytes()


def _read(answer: WorkerAnswer) -> Any:
    if answer.kind != "returned":
        raise EpisodeError(answer.kind, answer.value.decode("utf8"))
    try:
        return pickle.loads(answer.value)
    except Exception as error:
        raise EpisodeError("not_serializable", f"The result of the agent cannot be read: {error!r}") from error
