"""
What adapters hand over, against the sources of TRL, verl and AReaL as they are published: classes and functions that
are run as they are, and names. For the environment of requirements-trainers.txt; `trainers.acceptance.spec.ts` runs it.
"""

from __future__ import annotations

import ast
import contextvars
import dataclasses
import inspect
import logging
import queue
import sys
import threading
import time
import typing
from abc import ABC, abstractmethod
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import numpy as np
import pydantic
import pytest

from weir_rollout import CompletedEpisode, RolloutWorkflow
from weir_rollout.adapters.completions import to_completions
from weir_rollout.adapters.trl import TrlRollout
from weir_rollout.adapters.trl_async import TrlRolloutWorker, TrlSample
from weir_rollout.adapters.verl import to_data_proto, to_verl_arrays
from weir_rollout.errors import RolloutError
from weir_rollout.proxy_process import ProxyProcess

from ..doubles import stand_in
from ..rows import an_export, recorded_row, two_turns
from .published_source import definition, parameters, published, run, texts

AGENT = "tests.scripted_agent:ScriptedAgent"
THEN = {"do": "return", "type": "float", "value": 0.5}
SCRIPT = {"calls": 2, "then": THEN}
FAILING = {"calls": 1, "then": {"do": "raise", "message": "broken"}}
ASYNC_GRPO = "trl/experimental/async_grpo/async_grpo_trainer.py"
AGENT_LOOP = "verl/experimental/agent_loop/agent_loop.py"


class Tensor(np.ndarray[Any, Any]):
    """An array with the two methods of a tensor that the published functions call."""

    def dim(self) -> int:
        return self.ndim


def to_tensor(array: Any, dtype: Any = None) -> Tensor:
    return np.asarray(array, dtype).view(Tensor)


TORCH = SimpleNamespace(
    tensor=to_tensor,
    from_numpy=to_tensor,
    is_tensor=lambda value: isinstance(value, Tensor),
    zeros_like=np.zeros_like,
    int64=np.int64,
    float32=np.float32,
    utils=SimpleNamespace(data=SimpleNamespace(IterableDataset=object)),
)


def to_members(prompt: Any) -> dict[str, Any]:
    return {"members": [{"agent": SCRIPT}, {"agent": {**SCRIPT, "then": {**THEN, "value": 1.5}}}]}


def test_trl_finds_the_keys_that_it_needs_in_the_output_of_a_rollout(proxy: ProxyProcess) -> None:
    trainer = definition(published("trl/trainer/grpo_trainer.py"), "GRPOTrainer")
    generate = definition(trainer, "_generate")
    (needed,) = (
        ast.literal_eval(one.value)
        for one in ast.walk(generate)
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "required_keys"
    )
    with TrlRollout(proxy.url, proxy.admin_key, AGENT, to_data=lambda prompt: {"agent": prompt}) as rollout:
        assert needed <= rollout.rollout_func([SCRIPT], None).keys()
    assert "env_mask" in texts(generate)
    assert {"rollout_func", "reward_funcs"} <= set(parameters(definition(trainer, "__init__")))


def test_the_worker_for_trl_has_what_its_protocol_asks_for() -> None:
    source = published(ASYNC_GRPO)
    protocol = definition(source, "RolloutWorkerProtocol")
    methods = [one for one in protocol.body if isinstance(one, ast.FunctionDef)]
    for method in methods:
        assert list(inspect.signature(getattr(TrlRolloutWorker, method.name)).parameters)[1:] == parameters(method)
    attributes = {ast.unparse(one.target) for one in protocol.body if isinstance(one, ast.AnnAssign)}
    assert attributes == {"rollout_buffer", "metrics_queue"}
    assert "rollout_worker" in parameters(definition(definition(source, "AsyncGRPOTrainer"), "__init__"))


def test_samples_for_trl_have_the_fields_of_its_own() -> None:
    file = "trl/experimental/async_grpo/async_rollout_worker.py"
    (sample,) = run(published(file), "RolloutSample", dataclass=dataclasses.dataclass)
    assert [one.name for one in dataclasses.fields(TrlSample)] == [one.name for one in dataclasses.fields(sample)]


def test_the_dataset_of_trl_takes_the_samples_of_a_worker(proxy: ProxyProcess) -> None:
    known = {"torch": TORCH, "queue": queue, "threading": threading, "time": time, "contextvars": contextvars}
    (dataset_of,) = run(published(ASYNC_GRPO), "RolloutQueueDataset", logger=logging.getLogger(__name__), **known)
    worker = TrlRolloutWorker(proxy.url, proxy.admin_key, AGENT, ["Why?"], group_size=2, ahead=2, to_data=to_members)
    version = 5
    worker.update_model_version(version)
    worker.start()
    metrics: dict[str, list[float]] = defaultdict(list)
    dataset = dataset_of(worker.rollout_buffer, lambda: version, worker.check_health, 60, metrics, max_staleness=0)
    taken = iter(dataset)
    first, second = next(taken), next(taken)
    worker.stop()
    assert sorted(one["advantage"] for one in (first, second)) == pytest.approx([-1, 1])
    assert (len(first["input_ids"]), first["group_id"]) == (len(first["old_log_probs"]), 0)
    assert metrics["sample/staleness_max"] == [0, 0]


@pytest.fixture
def agent_loop(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The adapter with the published classes of verl, without the module that they are in."""
    known = {"BaseModel": pydantic.BaseModel, "Optional": typing.Optional, "Any": Any, "torch": TORCH}
    names = ("AgentLoopMetrics", "AgentLoopOutput")
    classes = run(published(AGENT_LOOP), *names, **known)
    for one in classes:
        one.model_rebuild(_types_namespace={**known, **dict(zip(names, classes, strict=True))})
    stand_in(monkeypatch, AGENT_LOOP.removesuffix(".py").replace("/", "."), **dict(zip(names, classes, strict=True)))
    monkeypatch.delitem(sys.modules, "weir_rollout.adapters.verl_agent_loop", raising=False)
    from weir_rollout.adapters import verl_agent_loop

    return verl_agent_loop


@pytest.mark.anyio
async def test_the_agent_loop_for_verl_gives_its_output(proxy: ProxyProcess, agent_loop: Any) -> None:
    source = published(AGENT_LOOP)
    assert parameters(definition(definition(source, "AgentLoopBase"), "run")) == ["sampling_params"]
    made = next(
        one
        for one in ast.walk(definition(definition(source, "AgentLoopWorker"), "_run_agent_loop"))
        if isinstance(one, ast.Call) and ast.unparse(one.func) == "hydra.utils.instantiate"
    )
    given: dict[str, Any] = {str(one.arg): None for one in made.keywords if one.arg != "config"}
    loop = agent_loop.WeirAgentLoop(url=proxy.url, admin_key=proxy.admin_key, agent=AGENT, **given)
    output = (await loop.run({"temperature": 1.0}, agent=SCRIPT, raw_prompt="Why?")).as_dict()
    assert output["response_mask"][0] == 1
    assert len(output["responses"]) == len(output["response_mask"]) == len(output["rollout_log_probs"])
    assert (output["rm_scores"][-1], output["num_turns"], len(output["prompts"]) > 0) == (0.5, 4, True)
    assert set(output["extra_fields"]) <= texts(definition(definition(source, "AgentLoopWorker"), "_postprocess"))


@pytest.mark.anyio
async def test_a_rejected_episode_fails_the_step_of_verl_unless_its_reward_is_given(
    proxy: ProxyProcess, agent_loop: Any
) -> None:
    def a_loop(**given: Any) -> Any:
        return agent_loop.WeirAgentLoop(proxy.url, proxy.admin_key, AGENT, **given)

    with pytest.raises(RolloutError, match="agent_failed"):
        await a_loop().run({}, agent=FAILING)
    output = await a_loop(rejected_reward=-1.0).run({}, agent=FAILING)
    assert (output.reward_score, output.response_mask) == (-1, [0])


def test_the_agent_loop_for_verl_gives_experts_and_versions(agent_loop: Any) -> None:
    (one,) = to_completions([recorded_row()])
    output = agent_loop.to_output(one)
    assert (output.routed_experts.shape, output.response_logprobs) == ((5, 2, 1), [-0.25, -0.5, 0, -1])
    assert output.extra_fields == {"min_global_steps": 3, "max_global_steps": 4}


def test_batches_for_verl_have_its_keys_and_the_arguments_of_its_class(monkeypatch: pytest.MonkeyPatch) -> None:
    postprocess = definition(definition(published(AGENT_LOOP), "AgentLoopWorker"), "_postprocess")
    assert to_verl_arrays([recorded_row()]).keys() <= texts(postprocess)
    from_dict = definition(definition(published("verl/protocol.py"), "DataProto"), "from_dict")
    given: dict[str, Any] = {}
    stand_in(monkeypatch, "torch", from_numpy=TORCH.from_numpy)
    stand_in(monkeypatch, "verl", DataProto=SimpleNamespace(from_dict=lambda **arguments: given.update(arguments)))
    to_data_proto([two_turns()], ["a"])
    assert given.keys() <= set(parameters(from_dict))


@pytest.mark.anyio
async def test_areal_accepts_the_tensors_of_an_episode(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"torch": TORCH, "InteractionWithTokenLogpReward": type(None)}
    (check,) = run(published("areal/infra/workflow_executor.py"), "check_trajectory_format", **known)
    bases = {"ABC": ABC, "abstractmethod": abstractmethod}
    (workflow_class,) = run(published("areal/api/workflow_api.py"), "RolloutWorkflow", **bases)
    stand_in(monkeypatch, "torch", from_numpy=TORCH.from_numpy)
    stand_in(monkeypatch, "areal.api", RolloutWorkflow=workflow_class)
    monkeypatch.delitem(sys.modules, "weir_rollout.adapters.areal", raising=False)
    from weir_rollout.adapters.areal import ArealWorkflow

    class Played(RolloutWorkflow):
        async def arun_episode(self, engine: Any, data: Any) -> Any:
            exported: Any = an_export({"two": recorded_row().tensors})
            return CompletedEpisode("s", 0.5, exported)

    warned = SimpleNamespace(warning=pytest.fail, info=pytest.fail)
    tensors = await ArealWorkflow(Played()).arun_episode(None, {})
    assert check(tensors, batch_size=1, logger=warned)
