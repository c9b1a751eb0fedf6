"""
The adapters of trainers that are not on PyPI: slime, miles, prime-rl and NeMo-RL. Stand-ins have the fields of their
classes, and check what these trainers check.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from weir_rollout import CompletedEpisode, GroupOutcome, LoadedRow, RejectedEpisode, RolloutError, RolloutWorkflow
from weir_rollout.adapters.completions import group_advantages, to_completions
from weir_rollout.adapters.miles import MilesRollout
from weir_rollout.adapters.nemo_rl import to_prompt_group
from weir_rollout.adapters.prime_rl import to_training_samples
from weir_rollout.adapters.slime import SlimeRollout
from weir_rollout.proxy_process import ProxyProcess

from .doubles import (
    MilesSample,
    SlimeSample,
    WeightVersionSpan,
    miles_stand_in,
    nemo_rl_stand_in,
    prime_rl_stand_in,
    torch_stand_in,
)
from .rows import a_row, an_export, recorded_row, two_turns

AGENT = f"{__package__}.scripted_agent:ScriptedAgent"
EXPERTS = [[[0], [1]], [[2], [3]], [[4], [5]], [[6], [7]], [[8], [9]]]
DATUM = {"idx": 7, "extra_env_info": None, "loss_multiplier": 1.0, "task_name": "math"}


def an_episode(*rows: LoadedRow, stop_reason: str = "stop") -> CompletedEpisode:
    exported: Any = an_export({row.id: row.tensors for row in rows}, stop_reason)
    return CompletedEpisode("s", 0.5, exported)


class Played(RolloutWorkflow):
    """Has played an episode already."""

    def __init__(self, outcome: Any) -> None:
        self.outcome = outcome
        self.data: Any = None

    async def arun_episode(self, engine: Any, data: Any) -> Any:
        self.data = data
        return self.outcome


REJECTED = RejectedEpisode("agent_failed", ValueError("broken"), None)


@pytest.mark.anyio
async def test_slime_gets_a_sample_with_all_that_was_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    torch_stand_in(monkeypatch)
    played = Played(an_episode(recorded_row()))
    rollout = SlimeRollout("http://127.0.0.1:1", "key", played)
    given = SlimeSample(index=4, prompt="Why?", label="Because.", metadata={"from": "dataset"})
    sample = await rollout.generate(None, given, {"temperature": 0.5})
    await rollout.close()
    sample.validate()
    assert played.data == {
        "prompt": "Why?",
        "label": "Because.",
        "metadata": {"from": "dataset"},
        "sampling_params": {"temperature": 0.5},
    }
    assert (sample.index, sample.prompt, sample.status, sample.reward) == (4, "Why?", SlimeSample.Status.COMPLETED, 0.5)
    assert (sample.tokens, sample.response_length, sample.loss_mask) == ([1, 2, 3, 4, 5, 6], 4, [1, 1, 0, 1])
    assert sample.rollout_log_probs == [-0.25, -0.5, 0, -1]
    assert sample.weight_versions == ["3", "4"]
    assert sample.teacher_log_probs == [-0.5, -0.75, 0, -1.5]
    assert sample.rollout_routed_experts.tolist() == EXPERTS
    assert (sample.rollout_top_p_token_ids, sample.rollout_top_p_token_offsets) == ([3, 7, 4, 6, 8], [0, 2, 3, 3, 5])
    assert given == SlimeSample(index=4, prompt="Why?", label="Because.", metadata={"from": "dataset"})


@pytest.mark.anyio
async def test_miles_gets_a_sample_with_all_that_was_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    miles_stand_in(monkeypatch)
    rollout = MilesRollout("http://127.0.0.1:1", "key", Played(an_episode(recorded_row())))
    output = await rollout.generate(SimpleNamespace(sample=MilesSample(index=4), sampling_params={}))
    await rollout.close()
    sample = output.samples
    sample.validate()
    spans = [span for call in sample.weight_versions for span in call.spans]
    assert spans == [WeightVersionSpan("3", 2, 4), WeightVersionSpan("4", 5, 6)]
    assert sample.rollout_routed_experts.tolist() == EXPERTS
    assert sample.teacher_log_probs == [-0.5, -0.75, 0, -1.5]
    assert sample.rollout_sampling_mask.masks == [[3, 7], [4], [5], [6, 8]]


@pytest.mark.anyio
async def test_rows_of_one_episode_are_samples_of_one_rollout() -> None:
    rollout = SlimeRollout(
        "http://127.0.0.1:1", "key", Played(an_episode(two_turns(), LoadedRow("b", a_row([8, 9], 1))))
    )
    samples = await rollout.generate(None, SlimeSample(index=4), {})
    await rollout.close()
    assert [(one.rollout_id, one.tokens, one.reward) for one in samples] == [
        (4, [1, 2, 3, 4, 5, 6], 0.5),
        (4, [8, 9], 1),
    ]
    assert samples[0].metadata is not samples[1].metadata


@pytest.mark.anyio
async def test_a_sample_whose_answer_was_cut_is_truncated() -> None:
    rollout = SlimeRollout("http://127.0.0.1:1", "key", Played(an_episode(two_turns(), stop_reason="length")))
    assert (await rollout.generate(None, SlimeSample(), {})).status is SlimeSample.Status.TRUNCATED
    await rollout.close()


@pytest.mark.anyio
async def test_a_rejected_episode_fails_the_step_unless_its_reward_is_given() -> None:
    strict = SlimeRollout("http://127.0.0.1:1", "key", Played(REJECTED))
    with pytest.raises(RolloutError, match="agent_failed") as refused:
        await strict.generate(None, SlimeSample(), {})
    assert (refused.value.reason, refused.value.__cause__) == ("episode_rejected", REJECTED.error)
    lenient = SlimeRollout("http://127.0.0.1:1", "key", Played(REJECTED), rejected_reward=-1.0)
    sample = await lenient.generate(None, SlimeSample(), {})
    sample.validate()
    assert (sample.status, sample.remove_sample, sample.reward, sample.loss_mask) == (
        SlimeSample.Status.FAILED,
        True,
        -1.0,
        [0],
    )
    assert sample.metadata == {"rejected": "agent_failed"}
    await strict.close()
    await lenient.close()


@pytest.mark.anyio
async def test_slime_gets_what_the_proxy_recorded(proxy: ProxyProcess) -> None:
    script = {"calls": 2, "then": {"do": "return", "type": "float", "value": 0.5}}
    rollout = SlimeRollout(proxy.url, proxy.admin_key, AGENT, to_data=lambda sample, _: {"agent": sample.prompt})
    sample = await rollout.generate(None, SlimeSample(prompt=script), {})
    await rollout.close()
    sample.validate()
    assert (sample.reward, set(sample.loss_mask), len(sample.weight_versions)) == (0.5, {0, 1}, 2)
    # The agent asks for 4 tokens.
    assert sample.status is SlimeSample.Status.TRUNCATED


def test_prime_rl_gets_a_sample_with_all_that_was_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    prime_rl_stand_in(monkeypatch)
    plain, rich = to_training_samples([two_turns(), recorded_row()], [-1.0, 2.0], env_name="math", temperature=0.7)
    assert (plain.token_ids, plain.mask) == ([1, 2, 3, 4, 5, 6], [False, False, True, True, False, True])
    assert (plain.logprobs, plain.temperatures) == ([0, 0, -0.25, -0.5, 0, -1], [0.7] * 6)
    assert (plain.env_name, plain.advantages) == ("math", [0, 0, -1, -1, 0, -1])
    assert (plain.ref_logprobs, plain.rl_weights, plain.routed_experts, plain.sampling_mask) == (None,) * 4
    assert (rich.ref_logprobs, rich.rl_weights) == ([0, 0, -0.5, -0.75, 0, -1.5], [0, 0, 1, 0.5, 0, 2])
    experts = np.frombuffer(rich.routed_experts.data, rich.routed_experts.dtype).reshape(rich.routed_experts.shape)
    assert experts.tolist() == [*EXPERTS, EXPERTS[-1]]
    assert np.frombuffer(rich.sampling_mask.ids, np.int32).tolist() == [3, 7, 4, 6, 8]
    assert np.frombuffer(rich.sampling_mask.counts, np.int32).tolist() == [0, 0, 2, 1, 0, 2]
    with pytest.raises(RolloutError, match="1 advantages for 2 rows"):
        to_training_samples([two_turns(), two_turns()], [1.0], env_name="math", temperature=1)


def test_nemo_rl_gets_a_prompt_group_of_message_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    torch_stand_in(monkeypatch)
    nemo_rl_stand_in(monkeypatch)
    cut = an_episode(two_turns(), stop_reason="length")
    group = GroupOutcome("complete", None, (an_episode(recorded_row()), cut))
    record = to_prompt_group(group, DATUM)
    assert (record.prompt_idx, record.metadata) == (7, {"task_name": "math", "loss_multiplier": 1.0})
    rich, plain = record.completions
    read = [(one["role"], one["token_ids"].tolist()) for one in plain.message_log]
    assert read == [("user", [1, 2]), ("assistant", [3, 4]), ("user", [5]), ("assistant", [6])]
    assert [one["generation_logprobs"].tolist() for one in plain.message_log[1::2]] == [[-0.25, -0.5], [-1]]
    assert all(one["token_ids"].dtype == np.int64 for one in plain.message_log)
    assert [one["routed_experts"].tolist() for one in rich.message_log] == [
        EXPERTS[:2],
        EXPERTS[2:4],
        EXPERTS[4:],
        EXPERTS[4:],
    ]
    assert (rich.truncated, plain.truncated) == (False, True)
    assert (plain.reward, record.prompt[0]["token_ids"].tolist()) == (0.5, [1, 2])


def test_nemo_rl_gets_no_group_with_a_rejected_member(monkeypatch: pytest.MonkeyPatch) -> None:
    torch_stand_in(monkeypatch)
    nemo_rl_stand_in(monkeypatch)
    with pytest.raises(RolloutError) as refused:
        to_prompt_group(GroupOutcome("partial", None, (an_episode(two_turns()), REJECTED)), DATUM)
    assert refused.value.reason == "episode_rejected"


def test_experts_that_the_engine_did_not_report_are_refused() -> None:
    row = recorded_row()
    row.tensors["routed_experts"][0, 1] = -1
    (one,) = to_completions([row])
    with pytest.raises(RolloutError, match="token 1") as refused:
        one.routed_experts()
    assert refused.value.reason == "experts_unknown"


def test_masks_of_a_row_that_was_sampled_partly_without_cut_offs_are_refused() -> None:
    row = recorded_row()
    row.tensors["sampling_mask"][0, 5] = -1
    (one,) = to_completions([row])
    with pytest.raises(RolloutError) as refused:
        one.sampling_mask()
    assert refused.value.reason == "sampling_mask_partial"
    row.tensors["sampling_mask"][:] = -1
    assert one.sampling_mask() is None


def test_advantages_compare_the_members_of_a_group() -> None:
    assert group_advantages([0, 1, 0, 1]) == pytest.approx([-1, 1, -1, 1])
    assert group_advantages([0.5, 0.5]) == [0, 0]
    assert group_advantages([]) == []
