"""Import paths: `package.module:Name`, or `package.module.Name`."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import RolloutError, invalid_request


def import_path(text: str) -> Any:
    """What a path names. Raises `RolloutError`, reason `import_failed`."""
    module_name, separator, name = text.rpartition(":") if ":" in text else text.rpartition(".")
    if not separator or not module_name or not name:
        raise _failed(text, 'is not of the form "module:name"')
    try:
        value: Any = importlib.import_module(module_name)
    except Exception as error:
        raise _failed(text, "cannot be imported") from error
    for part in name.split("."):
        if not hasattr(value, part):
            raise _failed(text, f'has no "{part}"')
        value = getattr(value, part)
    return value


def _failed(text: str, what: str) -> RolloutError:
    return invalid_request("import_failed", f'The import path "{text[:200]}" {what}.')
