"""Errors of this package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class RolloutError(Exception):
    """A refusal with a stable `reason` for programs."""

    def __init__(self, code: str, message: str, *, reason: str | None = None, details: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.details = details


class ApiError(RolloutError):
    """An error answer of the proxy."""

    def __init__(self, status: int, headers: Mapping[str, str], body: Any) -> None:
        known = body if isinstance(body, Mapping) else {}
        message = str(known.get("message", f"The proxy answered with status {status}."))
        reason = known.get("reason")
        super().__init__(
            str(known.get("code", "internal")),
            message,
            reason=None if reason is None else str(reason),
            details=known.get("details"),
        )
        self.status = status
        self.headers = headers
        request_id = known.get("requestId")
        self.request_id = None if request_id is None else str(request_id)


def invalid_request(reason: str, message: str, details: Any = None) -> RolloutError:
    """What the caller gave cannot be used."""
    return RolloutError("invalid_request", message, reason=reason, details=details)
