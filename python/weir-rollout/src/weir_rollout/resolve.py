"""What a trainer is given, as a workflow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from .errors import RolloutError, invalid_request
from .group import GroupedWorkflow, GroupFilter
from .import_path import import_path
from .workflow import Agent, RolloutWorkflow, is_agent, is_class_with, is_workflow

MAX_IMPORTS = 16
WrapAgent = Callable[[Agent], RolloutWorkflow]


def resolve_workflow(
    given: Any,
    *,
    kwargs: Mapping[str, Any] | None = None,
    group_size: int = 1,
    filter: GroupFilter | None = None,
    wrap_agent: WrapAgent | None = None,
) -> RolloutWorkflow:
    """
    In this order: a workflow is used as it is; a class of workflows is instantiated with `kwargs`; a string is imported
    and what it names is resolved in turn; an agent, or a class of agents, is wrapped; a group size above 1 wraps the
    result in groups. Raises `RolloutError`, reason `workflow_invalid` or `import_failed`.
    """
    if isinstance(group_size, bool) or not isinstance(group_size, int) or group_size < 1:
        raise _invalid("The size of a group is a whole number from 1.")
    workflow = _resolve_one(given, kwargs or {}, wrap_agent)
    return workflow if group_size == 1 else GroupedWorkflow(workflow, size=group_size, filter=filter)


def _resolve_one(given: Any, kwargs: Mapping[str, Any], wrap_agent: WrapAgent | None) -> RolloutWorkflow:
    value = _import_all(given)
    if is_workflow(value):
        return cast(RolloutWorkflow, value)
    if is_class_with(value, "arun_episode"):
        return cast(RolloutWorkflow, value(**kwargs))
    agent = value(**kwargs) if is_class_with(value, "run") else value
    if not is_agent(agent):
        raise _invalid("A workflow is an object with arun_episode() or run(), a class of them, or the path of one.")
    if wrap_agent is None:
        raise _invalid("An agent needs a proxy.")
    return wrap_agent(cast(Agent, agent))


def _import_all(given: Any) -> Any:
    value = given
    for _ in range(MAX_IMPORTS):
        if not isinstance(value, str):
            return value
        value = import_path(value)
    raise _invalid(f"The import path {str(given)[:200]!r} leads to further ones without end.")


def _invalid(message: str) -> RolloutError:
    return invalid_request("workflow_invalid", message)
