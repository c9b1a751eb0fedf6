"""Rows as a prompt and its completion, which most trainers want apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..tensors.training_batch import LoadedRow
from ..tensors.training_dict import Array


@dataclass(frozen=True)
class Completion:
    """A row, split before its first sampled token. All but `prompt_ids` and `reward` are of the same length."""

    prompt_ids: Array
    ids: Array
    mask: Array
    """1 for tokens that were sampled, 0 for those of tools and users between them."""
    logprobs: Array
    versions: Array
    reward: float


def to_completions(rows: Iterable[LoadedRow]) -> list[Completion]:
    """The rows of `load` or `load_rows`. A row has at least one sampled token."""
    return [_to_completion(row) for row in rows]


def _to_completion(row: LoadedRow) -> Completion:
    tensors = row.tensors
    first = int(tensors["loss_mask"][0].argmax())
    ids, mask, logprobs, versions = (
        tensors[name][0, first:] for name in ("input_ids", "loss_mask", "logprobs", "versions")
    )
    return Completion(tensors["input_ids"][0, :first], ids, mask, logprobs, versions, float(tensors["rewards"][0]))
