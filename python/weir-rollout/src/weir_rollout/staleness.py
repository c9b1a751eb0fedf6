"""How far ahead of training episodes may run."""

from __future__ import annotations

import asyncio
from collections import deque


class StalenessControl:
    """
    Limits how far ahead of training episodes may run. With `running` episodes, `accepted` trajectories and the weights
    at `version`, as many more may start as

    `min(max_concurrent - running, (max_staleness + version + 1) * batch_size - (accepted + running))`

    The second term is what training consumes until a trajectory that starts now would be too stale.
    """

    def __init__(self, *, max_concurrent: int, batch_size: int, max_staleness: int, version: int = 0) -> None:
        for name, value, least in (
            ("max_concurrent", max_concurrent, 1),
            ("batch_size", batch_size, 1),
            ("max_staleness", max_staleness, 0),
            ("version", version, 0),
        ):
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ValueError(f"{name} must be a whole number from {least}.")
        self._max_concurrent = max_concurrent
        self._batch_size = batch_size
        self._max_staleness = max_staleness
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.version = version
        """Of the weights."""
        self.accepted = version * batch_size
        """Trajectories for training. The batches of earlier versions count."""
        self.running = 0
        """Episodes that have not ended."""

    @property
    def capacity(self) -> int:
        """How many episodes may start now."""
        consumable = (self._max_staleness + self.version + 1) * self._batch_size
        return min(self._max_concurrent - self.running, consumable - (self.accepted + self.running))

    async def acquire(self) -> None:
        """Waits until an episode may start, and counts it as running."""
        while self.capacity <= 0:
            changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(changed)
            await changed
        self.running += 1

    def release(self, is_accepted: bool) -> None:
        """Ends an episode. A rejected one, or a group that was filtered, gives its room back."""
        if self.running == 0:
            raise ValueError("No episode is running.")
        self.running -= 1
        self.accepted += int(is_accepted)
        self._wake_all()

    def set_version(self, version: int) -> None:
        """The weights were updated. Raises `ValueError` for a lower version."""
        if isinstance(version, bool) or not isinstance(version, int) or version < self.version:
            raise ValueError(f"The version of the weights cannot go from {self.version} to {version}.")
        self.version = version
        self._wake_all()

    def _wake_all(self) -> None:
        while self._waiting:
            changed = self._waiting.popleft()
            if not changed.done():
                changed.set_result(None)
