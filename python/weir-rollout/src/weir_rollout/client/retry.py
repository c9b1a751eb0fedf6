"""When a call that can be repeated safely is repeated, and after how long."""

from __future__ import annotations

from collections.abc import Iterator

import httpx

from ..errors import ApiError

FIRST_DELAY = 0.1
MAX_DELAY = 5.0
_RETRYABLE = frozenset({408, 425, 429, 502, 503, 504})


def delays() -> Iterator[float]:
    """Seconds before each repetition, without end."""
    delay = FIRST_DELAY
    while True:
        yield delay
        delay = min(2 * delay, MAX_DELAY)


def delay_before_repeat(error: Exception, usual: float) -> float | None:
    """Seconds to wait before the call is repeated; `None` for an error that would only come again."""
    if isinstance(error, httpx.TransportError):
        return usual
    if not isinstance(error, ApiError) or error.status not in _RETRYABLE:
        return None
    asked = error.headers.get("retry-after", "")
    return min(float(asked), MAX_DELAY) if asked.isdecimal() else usual
