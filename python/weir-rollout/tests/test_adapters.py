"""
The adapters of trainers that need PyTorch, which is not installed here: what they hand over is compared with what the
sources of these trainers say (each adapter names them). Stand-ins take the place of PyTorch, verl and AReaL.
"""

from __future__ import annotations

import sys
from abc import ABC
from typing import Any

import numpy as np
import pytest

from weir_rollout import (
    AsyncRolloutClient,
    CompletedEpisode,
    GroupOutcome,
    RejectedEpisode,
    RolloutError,
    RolloutWorkflow,
    load,
)
from weir_rollout.adapters.completions import to_completions
from weir_rollout.adapters.trl import TrlRollout
from weir_rollout.adapters.verl import to_data_proto, to_verl_arrays
from weir_rollout.proxy_process import ProxyProcess
from weir_rollout.tensors.training_batch import LoadedRow

from .doubles import stand_in
from .rows import a_row, an_export, recorded_row, two_turns

AGENT = f"{__package__}.scripted_agent:ScriptedAgent"
GIVEN = {"calls": 2, "then": {"do": "return", "type": "float", "value": 0.5}}
FAILING = {"calls": 1, "then": {"do": "raise", "message": "broken"}}


def one_turn() -> LoadedRow:
    return LoadedRow("one", a_row([7, 8, 9, 10], 1.0))


def test_a_row_is_split_before_its_first_sampled_token() -> None:
    (one,) = to_completions([two_turns()])
    assert (one.prompt_ids.tolist(), one.ids.tolist(), one.mask.tolist()) == ([1, 2], [3, 4, 5, 6], [1, 1, 0, 1])
    assert (one.logprobs.tolist(), one.versions.tolist()) == ([-0.25, -0.5, 0, -1], [3, 3, -1, 4])
    assert one.reward == 0.5


def test_verl_pads_prompts_on_the_left_and_responses_on_the_right() -> None:
    arrays = to_verl_arrays([two_turns(), one_turn()], pad_token_id=99)
    expected: dict[str, Any] = {
        "prompts": [[99, 1, 2], [7, 8, 9]],
        "responses": [[3, 4, 5, 6], [10, 99, 99, 99]],
        "response_mask": [[1, 1, 0, 1], [1, 0, 0, 0]],
        "input_ids": [[99, 1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 99, 99, 99]],
        "attention_mask": [[0, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0]],
        "position_ids": [[0, 0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 3, 3, 3]],
        "rollout_log_probs": [[-0.25, -0.5, 0, -1], [-0.5, 0, 0, 0]],
        "rm_scores": [[0, 0, 0, 0.5], [1, 0, 0, 0]],
    }
    assert {name: array.tolist() for name, array in arrays.items()} == expected
    floats = {name for name, array in arrays.items() if array.dtype == np.float32}
    assert floats == {"rollout_log_probs", "rm_scores"}
    assert all(array.dtype == np.int64 for name, array in arrays.items() if name not in floats)


def test_verl_gets_the_lengths_it_asks_for_and_no_row_is_cut() -> None:
    arrays = to_verl_arrays([two_turns()], prompt_length=3, response_length=5)
    assert (arrays["prompts"].shape, arrays["responses"].shape, arrays["input_ids"].shape) == ((1, 3), (1, 5), (1, 8))
    with pytest.raises(RolloutError) as refused:
        to_verl_arrays([two_turns()], response_length=3)
    assert refused.value.reason == "row_too_long"


def test_verl_gets_experts_at_the_positions_of_their_tokens() -> None:
    arrays = to_verl_arrays([recorded_row()], prompt_length=3, response_length=5)
    experts = arrays["routed_experts"]
    assert (experts.dtype.name, experts.shape) == ("int16", (1, 8, 2, 1))
    assert experts[0, :, :, 0].tolist() == [[0, 0], [0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [0, 0], [0, 0]]
    with pytest.raises(RolloutError) as refused:
        to_verl_arrays([recorded_row(), two_turns()])
    assert refused.value.reason == "tensors_not_compatible"


def test_verl_gets_tensors_and_uids(monkeypatch: pytest.MonkeyPatch) -> None:
    class DataProto:
        @staticmethod
        def from_dict(tensors: Any, non_tensors: Any) -> Any:
            return tensors, non_tensors

    stand_in(monkeypatch, "torch", from_numpy=lambda array: ("tensor", array))
    stand_in(monkeypatch, "verl", DataProto=DataProto)
    tensors, non_tensors = to_data_proto([two_turns(), one_turn()], ["a", "b"])
    assert {kind for kind, _ in tensors.values()} == {"tensor"}
    assert (non_tensors["uid"].dtype, non_tensors["uid"].tolist()) == (object, ["a", "b"])
    with pytest.raises(RolloutError, match="1 uids for 2 rows"):
        to_data_proto([two_turns(), one_turn()], ["a"])


def areal_workflow(monkeypatch: pytest.MonkeyPatch, outcome: Any) -> Any:
    class Base(ABC):  # noqa: B024
        pass

    class Played(RolloutWorkflow):
        async def arun_episode(self, engine: Any, data: Any) -> Any:
            assert (engine, data) == ("engine", {"question": "Why?"})
            return outcome

    stand_in(monkeypatch, "torch", from_numpy=lambda array: array)
    stand_in(monkeypatch, "areal")
    stand_in(monkeypatch, "areal.api", RolloutWorkflow=Base)
    monkeypatch.delitem(sys.modules, "weir_rollout.adapters.areal", raising=False)
    from weir_rollout.adapters.areal import ArealWorkflow

    workflow = ArealWorkflow(Played())
    assert isinstance(workflow, Base)
    return workflow


@pytest.mark.anyio
async def test_areal_gets_the_padded_tensors_of_an_episode(monkeypatch: pytest.MonkeyPatch) -> None:
    exported: Any = an_export({"a": two_turns().tensors, "b": one_turn().tensors})
    completed = CompletedEpisode("s", 1.5, exported)
    tensors = await areal_workflow(monkeypatch, completed).arun_episode("engine", {"question": "Why?"})
    assert {name: tensor.shape for name, tensor in tensors.items() if tensor.ndim == 2} == dict.fromkeys(
        ["input_ids", "loss_mask", "logprobs", "versions", "attention_mask"], (2, 6)
    )
    assert tensors["rewards"].tolist() == [0.5, 1.0]


@pytest.mark.anyio
async def test_areal_gets_the_completed_members_of_a_group_and_none_for_a_rejected_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failed = RejectedEpisode("agent_failed", ValueError("broken"), None)
    exported: Any = an_export({"a": one_turn().tensors})
    partial = GroupOutcome("partial", None, (failed, CompletedEpisode("s", 1, exported)))
    tensors = await areal_workflow(monkeypatch, partial).arun_episode("engine", {"question": "Why?"})
    assert tensors["input_ids"].tolist() == [[7, 8, 9, 10]]
    assert await areal_workflow(monkeypatch, failed).arun_episode("engine", {"question": "Why?"}) is None


def test_trl_gets_one_completion_for_each_prompt(proxy: ProxyProcess) -> None:
    with TrlRollout(proxy.url, proxy.admin_key, AGENT, to_data=lambda prompt: {"agent": prompt}) as rollout:
        fields = rollout.rollout_func([GIVEN, FAILING], None)
        again = rollout.rollout_func([GIVEN], None)
    assert fields["episode_reward"] == [0.5, None]
    assert rollout.reward_func(prompts=[], completions=[], **fields) == [0.5, None]
    lengths = [[len(field[row]) for field in list(fields.values())[1:4]] for row in range(2)]
    assert [len(set(row)) for row in lengths] == [1, 1]
    # Between the two answers is the second question, which was not sampled.
    assert (set(fields["env_mask"][0]), fields["env_mask"][1]) == ({0, 1}, [0])
    assert all(
        logprob == 0 for logprob, mask in zip(fields["logprobs"][0], fields["env_mask"][0], strict=True) if mask == 0
    )
    assert len(again["prompt_ids"]) == 1


def test_trl_takes_no_episode_of_several_rows(proxy: ProxyProcess) -> None:
    export = {"style": "individual"}
    with (
        TrlRollout(proxy.url, proxy.admin_key, AGENT, to_data=lambda one: {"agent": one}, export=export) as rollout,
        pytest.raises(RolloutError) as refused,
    ):
        rollout.rollout_func([GIVEN], None)
    assert refused.value.reason == "rows_not_one"


@pytest.mark.anyio
async def test_exported_rows_are_what_the_adapters_take(client: AsyncRolloutClient) -> None:
    from weir_rollout import Rollout

    async with Rollout(client, export={"style": "concat"}) as rollout:
        outcome = await rollout.resolve(AGENT).arun_episode(None, {"agent": GIVEN})
    assert isinstance(outcome, CompletedEpisode)
    arrays = to_verl_arrays(load(outcome.exported).rows)
    assert float(arrays["rm_scores"][0, -1]) == 0.5
    assert arrays["response_mask"][0, 0] == 1
