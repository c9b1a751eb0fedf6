"""Reading of safetensors files, by memory mapping where they are on disk."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import RolloutError, invalid_request
from .training_dict import Array

_DTYPES: Mapping[str, str] = {"I32": "<i4", "F32": "<f4", "I16": "<i2"}
_MAX_HEADER = 67_108_864


def read_safetensors(source: bytes | str | os.PathLike[str]) -> tuple[dict[str, Array], dict[str, str]]:
    """Tensors and metadata. Raises `RolloutError`, reason `batch_invalid`."""
    data: Array = (
        np.frombuffer(source, np.uint8) if isinstance(source, bytes) else np.memmap(Path(source), np.uint8, "r")
    )
    if len(data) < 8:
        raise batch_invalid("The file is too short.")
    header_length = int.from_bytes(data[:8].tobytes(), "little")
    if header_length > min(_MAX_HEADER, len(data) - 8):
        raise batch_invalid("The header of the file is longer than the file, or than is allowed.")
    try:
        header = json.loads(data[8 : 8 + header_length].tobytes())
        metadata = header.pop("__metadata__", {})
        body = data[8 + header_length :]
        return {name: _tensor(body, entry) for name, entry in header.items()}, metadata
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise batch_invalid("The header of the file cannot be read.") from error


def _tensor(body: Array, entry: Mapping[str, Any]) -> Array:
    begin, end = entry["data_offsets"]
    shape = tuple(entry["shape"])
    dtype = np.dtype(_DTYPES[entry["dtype"]])
    if not 0 <= begin <= end <= len(body) or end - begin != math.prod(shape) * dtype.itemsize:
        raise ValueError("offsets")
    # Tensors are not aligned in the file.
    return np.frombuffer(body, dtype, math.prod(shape), begin).reshape(shape) if end > begin else np.empty(shape, dtype)


def batch_invalid(message: str) -> RolloutError:
    """A file that is no training batch."""
    return invalid_request("batch_invalid", message)
