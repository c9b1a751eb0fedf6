"""Configuration, the order of resolution, rewards, and groups without a proxy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weir_rollout import (
    EpisodeError,
    RejectedEpisode,
    RolloutError,
    RolloutWorkflow,
    check_scheduler,
    import_path,
    read_rollout_config,
    resolve_workflow,
)
from weir_rollout.episode.read_reward import GivenRewards, check_named, read_reward

HERE = __name__


class OwnWorkflow(RolloutWorkflow):
    def __init__(self, name: str = "default") -> None:
        self.name = name
        self.seen: list[Any] = []

    async def arun_episode(self, engine: Any, data: Any, *, sample_index: int = -1) -> RejectedEpisode:
        self.seen.append((engine, data, sample_index))
        return RejectedEpisode("agent_failed", ValueError("not played"), None)


class SomeAgent:
    def __init__(self, name: str = "default") -> None:
        self.name = name

    async def run(self, data: Any) -> float:
        return 1.0


INSTANCE = OwnWorkflow("instance")
PATH_OF_INSTANCE = f"{HERE}:INSTANCE"
ENDLESS = f"{HERE}:ENDLESS"
WRAPPED: list[Any] = []


def wrap(agent: Any) -> RolloutWorkflow:
    WRAPPED.append(agent)
    return OwnWorkflow("wrapped")


def test_a_workflow_is_used_as_it_is() -> None:
    assert resolve_workflow(INSTANCE) is INSTANCE


def test_a_class_of_workflows_is_instantiated() -> None:
    workflow = resolve_workflow(OwnWorkflow, kwargs={"name": "given"})
    assert isinstance(workflow, OwnWorkflow)
    assert workflow.name == "given"


@pytest.mark.parametrize("path", [PATH_OF_INSTANCE, f"{HERE}.INSTANCE", f"{HERE}:PATH_OF_INSTANCE"])
def test_a_path_is_imported_and_resolved_in_turn(path: str) -> None:
    assert resolve_workflow(path) is INSTANCE


@pytest.mark.parametrize(
    ("given", "name"),
    [(SomeAgent("a"), "a"), (SomeAgent, "k"), (f"{HERE}:SomeAgent", "k")],
    ids=["object", "class", "path"],
)
def test_an_agent_is_wrapped(given: Any, name: str) -> None:
    workflow = resolve_workflow(given, kwargs={"name": "k"}, wrap_agent=wrap)
    assert isinstance(workflow, OwnWorkflow)
    assert workflow.name == "wrapped"
    assert WRAPPED[-1].name == name


@pytest.mark.anyio
async def test_a_group_size_wraps_the_result() -> None:
    inner = OwnWorkflow()
    data = {"list": [1]}
    outcome = await resolve_workflow(inner, group_size=3).arun_episode("engine", data)
    assert inner.seen == [("engine", data, 0), ("engine", data, 1), ("engine", data, 2)]
    assert len({id(seen) for _, seen, _ in inner.seen} | {id(data)}) == 4
    assert (outcome.status, outcome.reason, len(outcome.members)) == ("rejected", "no_members", 3)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (3, "workflow_invalid"),
        (ENDLESS, "workflow_invalid"),
        (SomeAgent(), "workflow_invalid"),
        ("no_path", "import_failed"),
        ("no_such_module:name", "import_failed"),
        (f"{HERE}:missing", "import_failed"),
    ],
)
def test_anything_else_is_refused(given: Any, reason: str) -> None:
    with pytest.raises(RolloutError) as refused:
        resolve_workflow(given)
    assert refused.value.reason == reason


@pytest.mark.parametrize("size", [0, -1, 1.5, True])
def test_a_group_needs_a_size(size: Any) -> None:
    with pytest.raises(RolloutError, match="size of a group"):
        resolve_workflow(INSTANCE, group_size=size)


def test_an_import_path_reaches_into_objects() -> None:
    assert import_path(f"{HERE}:INSTANCE.name") == "instance"


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (None, GivenRewards(None, {})),
        (1, GivenRewards(1.0, {})),
        (True, GivenRewards(1.0, {})),
        (np.float32(0.5), GivenRewards(0.5, {})),
        (np.int64(2), GivenRewards(2.0, {})),
        (np.bool_(True), GivenRewards(1.0, {})),
        ({"a": 1, "b": False}, GivenRewards(None, {"a": 1.0, "b": 0.0})),
    ],
)
def test_rewards_are_read(returned: Any, expected: GivenRewards) -> None:
    assert read_reward(returned) == expected


@pytest.mark.parametrize("returned", ["1", [1], float("nan"), float("inf"), 1e39, {"a": "1"}, {1: 1.0}, object()])
def test_what_is_no_reward_is_refused(returned: Any) -> None:
    with pytest.raises(EpisodeError) as refused:
        read_reward(returned)
    assert refused.value.reason == "reward_invalid"


def test_ids_of_no_interaction_are_refused() -> None:
    check_named({"a": 1}, ["a", "b"])
    with pytest.raises(EpisodeError, match='"c"'):
        check_named({"a": 1, "c": 1}, ["a", "b"])


def test_the_configuration_is_read() -> None:
    settings = {"other": 1, "rollout": {"llm": {"mode": "subproc", "subproc_max_workers": 8}, "more": 2}}
    config = read_rollout_config(settings)
    assert (config.mode, config.subproc_max_workers) == ("subproc", 8)
    assert read_rollout_config() == read_rollout_config({"rollout": {"llm": {}}})


@pytest.mark.parametrize(
    "llm",
    [{"mode": "online"}, {"subproc_max_workers": 0}, {"subproc_max_workers": True}, {"subproc_max_workers": 1025}, 3],
)
def test_a_wrong_configuration_is_refused(llm: Any) -> None:
    with pytest.raises(RolloutError) as refused:
        read_rollout_config({"rollout": {"llm": llm}})
    assert refused.value.reason == "config_invalid"


def test_schedulers() -> None:
    assert check_scheduler("local") == "local"
    assert check_scheduler("slurm") == "slurm"
    with pytest.raises(RolloutError, match="fixed address") as refused:
        check_scheduler("ray")
    assert refused.value.reason == "scheduler_unsupported"
    with pytest.raises(RolloutError, match="not known"):
        check_scheduler("other")
