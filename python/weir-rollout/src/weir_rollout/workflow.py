"""Workflows and agents."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from .episode.outcome import EpisodeOutcome, GroupOutcome

RolloutOutcome = EpisodeOutcome | GroupOutcome


class RolloutWorkflow(ABC):
    """
    Plays episodes. `engine` is the one that the trainer trains; a workflow in front of a proxy does not need it. A
    workflow that takes `sample_index` learns its number in its group.
    """

    @abstractmethod
    async def arun_episode(self, engine: Any, data: Any) -> Any:
        """Plays one episode and returns its outcome."""


class Agent(Protocol):
    """
    Anything with a method `run(data, **extra_kwargs)`. It returns its reward: a number, bool, dict of them by id, or
    nothing. Of `base_url`, `api_key`, `http_client` and `sample_index` it gets those that it takes; in a process of its
    own only `sample_index`, and finds the model in `LLM_BASE_URL` and `LLM_API_KEY`.
    """

    run: Callable[..., Any]


def is_workflow(value: Any) -> bool:
    """Whether a value is a workflow, not a class of them."""
    return not isinstance(value, type) and callable(getattr(value, "arun_episode", None))


def is_agent(value: Any) -> bool:
    """Whether a value is an agent, not a class of them."""
    return not isinstance(value, type) and callable(getattr(value, "run", None))


def is_class_with(value: Any, method: str) -> bool:
    """Whether a value is a class whose instances have that method."""
    return isinstance(value, type) and callable(getattr(value, method, None))


def accepted_kwargs(function: Callable[..., Any], offered: Mapping[str, Any]) -> dict[str, Any]:
    """Of what is offered that which a function takes."""
    parameters = inspect.signature(function).parameters.values()
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters):
        return dict(offered)
    named = {one.name for one in parameters if one.kind is not inspect.Parameter.POSITIONAL_ONLY}
    return {name: value for name, value in offered.items() if name in named}
