"""
Stand-ins for PyTorch and for trainers that are not on PyPI. Their classes have the fields that the sources of these
trainers say; the table in docs/specs/rollout/trainer-sdk.md of Weir has which versions were read.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from enum import Enum
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, **attributes: Any) -> None:
    """A module of that name, until the end of the test. The packages that it is in are modules too."""
    parts = name.split(".")
    for end in range(1, len(parts)):
        package = ".".join(parts[:end])
        if package not in sys.modules:
            monkeypatch.setitem(sys.modules, package, ModuleType(package))
    module = ModuleType(name)
    for key, value in attributes.items():
        setattr(module, key, value)
    monkeypatch.setitem(sys.modules, name, module)


def torch_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tensors are arrays of NumPy."""
    stand_in(monkeypatch, "torch", from_numpy=lambda array: array)


class _Status(Enum):
    """Of slime and miles."""

    PENDING = "pending"
    COMPLETED = "completed"
    TRUNCATED = "truncated"
    ABORTED = "aborted"
    FAILED = "failed"


@dataclass
class _Sample:
    """What samples of slime and miles have in common."""

    group_index: int | None = None
    index: int | None = None
    rollout_id: int | None = None
    prompt: Any = ""
    tokens: list[int] = field(default_factory=list)
    response: str = ""
    response_length: int = 0
    label: str | None = None
    reward: float | None = None
    loss_mask: list[int] | None = None
    weight_versions: list[Any] = field(default_factory=list)
    rollout_log_probs: list[float] | None = None
    rollout_routed_experts: Any = None
    remove_sample: bool = False
    teacher_log_probs: list[float] | None = None
    status: _Status = _Status.PENDING
    metadata: dict[str, Any] = field(default_factory=dict)
    Status: ClassVar[type[_Status]] = _Status

    def validate(self) -> None:
        """What the trainers check before they train on a sample."""
        assert len(self.tokens) > self.response_length > 0
        for values in (self.loss_mask, self.rollout_log_probs, self.teacher_log_probs):
            assert values is None or len(values) == self.response_length
        if self.rollout_routed_experts is not None:
            assert len(self.rollout_routed_experts) == len(self.tokens) - 1
            assert self.rollout_routed_experts.dtype == np.int32


@dataclass
class SlimeSample(_Sample):
    """`slime.utils.types.Sample`."""

    rollout_top_p_token_ids: list[int] | None = None
    rollout_top_p_token_offsets: list[int] | None = None

    def validate(self) -> None:
        """The offsets name a range of kept tokens for each token of the response."""
        super().validate()
        if self.rollout_top_p_token_ids is not None:
            assert self.rollout_top_p_token_offsets is not None
            assert len(self.rollout_top_p_token_offsets) == self.response_length + 1
            assert self.rollout_top_p_token_offsets[-1] == len(self.rollout_top_p_token_ids)


@dataclass
class MilesSample(_Sample):
    """`miles.utils.types.Sample`."""

    rollout_sampling_mask: Any = None

    def validate(self) -> None:
        """Spans of versions are in order and within the tokens; no mask is empty."""
        super().validate()
        if self.rollout_sampling_mask is not None:
            assert len(self.rollout_sampling_mask.masks) == self.response_length
            assert all(self.rollout_sampling_mask.masks)
        end = 0
        for span in [span for call in self.weight_versions for span in call.spans]:
            assert span.version and end <= span.abs_start < span.abs_end <= len(self.tokens)
            end = span.abs_end


@dataclass(frozen=True)
class WeightVersionSpan:
    """Of miles; positions are those of all tokens."""

    version: str
    abs_start: int
    abs_end: int


@dataclass
class WeightVersionsPerCall:
    """Of miles."""

    spans: list[WeightVersionSpan] = field(default_factory=list)


@dataclass(frozen=True)
class RolloutSamplingMask:
    """Of miles."""

    masks: list[list[int]]

    @classmethod
    def from_mask_list(cls, mask_list: list[list[int]]) -> RolloutSamplingMask:
        return cls(mask_list)


@dataclass(frozen=True)
class GenerateFnOutput:
    """Of miles."""

    samples: Any


def miles_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    types = {"WeightVersionSpan": WeightVersionSpan, "WeightVersionsPerCall": WeightVersionsPerCall}
    stand_in(monkeypatch, "miles.utils.types", **types)
    stand_in(monkeypatch, "miles.utils.sampling_mask", RolloutSamplingMask=RolloutSamplingMask)
    stand_in(monkeypatch, "miles.rollout.base_types", GenerateFnOutput=GenerateFnOutput)


@dataclass
class RoutedExperts:
    """Of prime-rl."""

    data: bytes
    shape: list[int]
    dtype: str


@dataclass
class SamplingMask:
    """Of prime-rl."""

    ids: bytes
    counts: bytes


@dataclass
class TrainingSample:
    """Of prime-rl."""

    token_ids: list[int]
    mask: list[bool]
    logprobs: list[float]
    temperatures: list[float]
    env_name: str
    ref_logprobs: list[float] | None = None
    routed_experts: RoutedExperts | None = None
    rl_weights: list[float] | None = None
    advantages: list[float] | None = None
    sampling_mask: SamplingMask | None = None


def prime_rl_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    types = {"TrainingSample": TrainingSample, "RoutedExperts": RoutedExperts, "SamplingMask": SamplingMask}
    stand_in(monkeypatch, "prime_rl.transport.types", **types)


@dataclass
class Completion:
    """Of NeMo-RL."""

    message_log: list[dict[str, Any]]
    env_extras: dict[str, Any] | None
    truncated: bool
    reward: float
    logprobs_valid: bool = True


@dataclass
class PromptGroupRecord:
    """Of NeMo-RL."""

    prompt_idx: int
    prompt: list[dict[str, Any]]
    extra_env_info: dict[str, Any] | None
    metadata: dict[str, Any]
    completions: list[Completion]
    rollout_metrics: dict[str, Any]
    loss_multiplier: float = 1.0


def nemo_rl_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    types = {"Completion": Completion, "PromptGroupRecord": PromptGroupRecord}
    stand_in(monkeypatch, "nemo_rl.experience.interfaces", **types)
