"""What `run` returned, as rewards to set."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from .outcome import EpisodeError

_LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class GivenRewards:
    """Rewards to set."""

    last: float | None
    """Of the last interaction."""
    named: Mapping[str, float]
    """By id."""


def read_reward(returned: Any) -> GivenRewards:
    """
    A number rewards the last interaction, as does a bool: true is 1, false is 0. A dict rewards the interactions that
    it names. `None` sets nothing. Raises `reward_invalid` for anything else. Numbers of NumPy are numbers.
    """
    if returned is None:
        return GivenRewards(None, {})
    if isinstance(returned, Mapping):
        return GivenRewards(None, {_to_id(key): _to_number(value) for key, value in returned.items()})
    return GivenRewards(_to_number(returned), {})


def check_named(rewards: Mapping[str, float], interaction_ids: Collection[str]) -> None:
    """Raises `reward_unknown_interaction` for an id of no interaction."""
    for given in rewards:
        if given not in interaction_ids:
            raise EpisodeError("reward_unknown_interaction", f'The episode has no interaction "{given[:100]}".')


def _to_id(key: Any) -> str:
    if isinstance(key, str):
        return key
    raise EpisodeError("reward_invalid", "The ids of rewards are strings.")


def _to_number(value: Any) -> float:
    # Checked as a trainer gets it: a number beyond float32 would be infinite. Not a number fails the comparison.
    if isinstance(value, Real | np.bool_) and abs(float(value)) <= _LARGEST:
        return float(value)
    raise EpisodeError(
        "reward_invalid", "The agent returned no reward: a finite number, a bool, or a dict of them by id."
    )
