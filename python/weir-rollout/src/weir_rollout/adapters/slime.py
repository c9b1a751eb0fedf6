"""
Samples for slime. Arguments and fields are those of `Sample` in `slime/utils/types.py` and of custom generate functions
in `slime/rollout/sglang_rollout.py` of slime 0.3. Nothing of slime is imported.
"""

from __future__ import annotations

import copy
import dataclasses
import itertools
from collections.abc import Callable, Mapping
from typing import Any

from ..client.async_rollout_client import AsyncRolloutClient
from ..episode.outcome import CompletedEpisode
from ..rollout import Rollout
from ..tensors.load import load_rows
from .completions import Completion, rejected_episode, to_completions, was_cut

ToData = Callable[[Any, Mapping[str, Any]], Any]


def sample_to_data(sample: Any, sampling_params: Mapping[str, Any]) -> dict[str, Any]:
    """The data of an agent, which has to use the `sampling_params` itself."""
    return {
        "prompt": sample.prompt,
        "label": sample.label,
        "metadata": sample.metadata,
        "sampling_params": dict(sampling_params),
    }


class SampleRollout:
    """
    Plays one episode for each sample that a trainer gives, in one event loop. `to_data` makes the data of the agent
    from the sample and its sampling parameters; `options` are those of `Rollout`. A rejected episode fails the step of
    the trainer (`episode_rejected`), unless `rejected_reward` is given: then it is a removed sample with this reward,
    which counts in the baseline of its group.
    """

    def __init__(
        self,
        url: str,
        admin_key: str,
        agent: Any,
        *,
        kwargs: Mapping[str, Any] | None = None,
        to_data: ToData = sample_to_data,
        rejected_reward: float | None = None,
        **options: Any,
    ) -> None:
        export: Any = {"style": "concat", **options.pop("export", {})}
        self._client = AsyncRolloutClient(url, admin_key)
        self._rollout = Rollout(self._client, export=export, **options)
        self._workflow = self._rollout.resolve(agent, kwargs=kwargs)
        self._to_data = to_data
        self._rejected_reward = rejected_reward

    async def play(self, sample: Any, sampling_params: Mapping[str, Any]) -> Any:
        """The sample with the row of its episode; a list of samples, of one `rollout_id`, where it has several."""
        outcome = await self._workflow.arun_episode(None, self._to_data(sample, sampling_params))
        if isinstance(outcome, CompletedEpisode):
            rows = to_completions(load_rows(outcome.exported))
            filled = [self._filled(sample, one, was_cut(outcome, one)) for one in rows]
            if len(filled) == 1:
                return filled[0]
            # Siblings have one id, so that their trainer counts one episode.
            siblings = sample.index if sample.rollout_id is None else sample.rollout_id
            return [dataclasses.replace(one, rollout_id=siblings) for one in filled]
        if self._rejected_reward is None:
            raise rejected_episode(outcome)
        return dataclasses.replace(
            sample,
            tokens=[0, 0],
            response_length=1,
            loss_mask=[0],
            rollout_log_probs=[0.0],
            reward=self._rejected_reward,
            remove_sample=True,
            status=type(sample).Status.FAILED,
            metadata={**sample.metadata, "rejected": outcome.reason},
        )

    async def close(self) -> None:
        """Ends processes and connections."""
        await self._rollout.close()
        await self._client.close()

    def further_fields(self, one: Completion) -> dict[str, Any]:
        """The fields of a row that trainers have in different forms."""
        raise NotImplementedError

    def _filled(self, sample: Any, one: Completion, is_cut: bool) -> Any:
        teacher, statuses = one.extra("ref_logprobs"), type(sample).Status
        return dataclasses.replace(
            sample,
            tokens=[*one.prompt_ids.tolist(), *one.ids.tolist()],
            response_length=len(one.ids),
            loss_mask=one.mask.tolist(),
            rollout_log_probs=one.logprobs.tolist(),
            teacher_log_probs=None if teacher is None else teacher.tolist(),
            reward=one.reward,
            status=statuses.TRUNCATED if is_cut else statuses.COMPLETED,
            # Of its own: `replace` shares what it does not change.
            metadata=copy.deepcopy(sample.metadata),
            **self.further_fields(one),
        )


class SlimeRollout(SampleRollout):
    """For `--custom-generate-function-path`: `generate` of an instance of this class in a module of yours."""

    async def generate(self, args: Any, sample: Any, sampling_params: Mapping[str, Any]) -> Any:
        """
        Plays the episode of a sample. Versions of the weights become `weight_versions`; experts, log-probabilities of
        a teacher and sampling masks are carried where the export asks for them (`routed_experts`, `ref_logprobs`,
        `sampling_mask`).
        """
        return await self.play(sample, sampling_params)

    def further_fields(self, one: Completion) -> dict[str, Any]:
        """Kept tokens as one list and its offsets; experts as a tensor `[length - 1, layers, experts]` of int32."""
        experts, masks = one.routed_experts(), one.sampling_mask()
        fields: dict[str, Any] = {"weight_versions": [version for version, _, _ in one.version_spans()]}
        if masks is not None:
            fields["rollout_top_p_token_ids"] = [token for mask in masks for token in mask]
            fields["rollout_top_p_token_offsets"] = [0, *itertools.accumulate(len(mask) for mask in masks)]
        if experts is not None:
            import torch

            fields["rollout_routed_experts"] = torch.from_numpy(experts.astype("int32"))
        return fields
