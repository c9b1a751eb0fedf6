"""Rows as a prompt and its completion, which most trainers want apart, and what these adapters have in common."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..episode.outcome import CompletedEpisode
from ..errors import RolloutError, invalid_request
from ..tensors.load import load_rows
from ..tensors.training_batch import LoadedRow
from ..tensors.training_dict import NO_ID, NO_VERSION, Array


@dataclass(frozen=True)
class Completion:
    """A row, split before its first sampled token. All but `prompt_ids` and `reward` are of the same length."""

    prompt_ids: Array
    """int32."""
    ids: Array
    """int32; tokens of tools and users are among them."""
    mask: Array
    """int32: 1 for tokens that were sampled, 0 for those of tools and users between them."""
    logprobs: Array
    """float32: natural logarithms, 0 where nothing was sampled."""
    versions: Array
    """int32: the version of the weights, -1 where nothing was sampled."""
    reward: float
    row: LoadedRow
    """The whole row, with the further tensors that its export asked for."""

    def extra(self, key: str) -> Array | None:
        """
        A further tensor of the export, such as `ref_logprobs`, for `ids`. `None` where the export did not ask for it.
        """
        tensor = self.row.tensors.get(key)
        return None if tensor is None else tensor[0, len(self.prompt_ids) :]

    @property
    def oldest_version(self) -> int:
        """Of the weights that sampled a token of this row."""
        return int(self.versions[self.versions != NO_VERSION].min())

    @property
    def newest_version(self) -> int:
        """Of the weights that sampled a token of this row."""
        return int(self.versions.max())

    def version_spans(self) -> list[tuple[str, int, int]]:
        """Runs of sampled tokens of one version of the weights: the version, and where in `ids` they begin and end."""
        return [
            (str(self.versions[start]), start, end)
            for start, end in runs_of(self.versions)
            if self.versions[start] != NO_VERSION
        ]

    def routed_experts(self) -> Array | None:
        """
        The experts of all tokens but the last, `[length - 1, layers, experts]` int16; `None` where the export did not
        ask for them. Raises `RolloutError`, reason `experts_unknown`, where the engine did not report those of a token:
        trainers replay each row.
        """
        tensor = self.row.tensors.get("routed_experts")
        if tensor is None:
            return None
        experts: Array = tensor[0, :-1]
        if (experts == NO_ID).any():
            position = int(np.argwhere(experts == NO_ID)[0][0])
            raise invalid_request("experts_unknown", f'Row "{self.row.id}" has no experts for its token {position}.')
        return experts

    def sampling_mask(self) -> list[list[int]] | None:
        """
        For each of `ids` the tokens that cut-offs left to sample from, in order; empty where nothing was sampled.
        `None` where the export did not ask for them, or no token was sampled with cut-offs. Raises `RolloutError`,
        reason `sampling_mask_partial`, where only some were: trainers have no mask that excludes nothing.
        """
        kept = self.extra("sampling_mask")
        if kept is None or (kept == NO_ID).all():
            return None
        masks = [[int(token) for token in entries[entries != NO_ID]] for entries in kept]
        if any(sampled and not mask for sampled, mask in zip(self.mask, masks, strict=True)):
            raise invalid_request("sampling_mask_partial", f'Row "{self.row.id}" was sampled partly without cut-offs.')
        return masks


def to_completions(rows: Iterable[LoadedRow]) -> list[Completion]:
    """The rows of `load` or `load_rows`. A row has at least one sampled token."""
    return [_to_completion(row) for row in rows]


def runs_of(values: Array) -> Iterator[tuple[int, int]]:
    """Where each run of equal values begins and ends. There is at least one value."""
    return itertools.pairwise([0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), len(values)])


def only_completion(episode: CompletedEpisode) -> Completion:
    """
    The row of an episode, for trainers that know one for each episode. Raises `RolloutError`, reason `rows_not_one`,
    where it has several.
    """
    completions = to_completions(load_rows(episode.exported))
    if len(completions) != 1:
        raise invalid_request("rows_not_one", f'Session "{episode.session_id}" has {len(completions)} rows.')
    return completions[0]


def was_cut(episode: CompletedEpisode, one: Completion) -> bool:
    """Whether the last answer of a row ended at a limit of tokens, rather than by itself."""
    return episode.exported["interactions"][one.row.id]["model_response"]["stop_reason"] == "length"


def rejected_episode(outcome: Any) -> RolloutError:
    """The error for a trainer that has no way to leave an episode out; reason `episode_rejected`."""
    error = RolloutError("conflict", f"An episode was rejected: {outcome.reason}.", reason="episode_rejected")
    error.__cause__ = getattr(outcome, "error", None)
    return error


def group_advantages(rewards: Sequence[float]) -> list[float]:
    """
    How much better each member of a group is than its mean, in standard deviations of the group (GRPO). 0 for all where
    the rewards are equal.
    """
    if not rewards:
        return []
    values = np.asarray(rewards, np.float64)
    centred = values - values.mean()
    return [float(one) for one in centred / (values.std() + 1e-8)]


def _to_completion(row: LoadedRow) -> Completion:
    tensors = row.tensors
    first = int(tensors["loss_mask"][0].argmax())
    ids, mask, logprobs, versions = (
        tensors[name][0, first:] for name in ("input_ids", "loss_mask", "logprobs", "versions")
    )
    return Completion(tensors["input_ids"][0, :first], ids, mask, logprobs, versions, float(tensors["rewards"][0]), row)
