"""
Samples for miles. Arguments and fields are those of `Sample`, `WeightVersionsPerCall` and `RolloutSamplingMask` in
`miles/utils`, and of `GenerateFnInput` in `miles/rollout/base_types.py` of miles 0.1. Needs miles.
"""

from __future__ import annotations

from typing import Any

from .completions import Completion
from .slime import SampleRollout


class MilesRollout(SampleRollout):
    """For `--custom-generate-function-path`: `generate` of an instance of this class in a module of yours."""

    async def generate(self, given: Any) -> Any:
        """
        Plays the episode of the sample of a `GenerateFnInput`. Versions of the weights become spans in
        `weight_versions`; experts, log-probabilities of a teacher and sampling masks are carried where the export asks
        for them (`routed_experts`, `ref_logprobs`, `sampling_mask`).
        """
        from miles.rollout.base_types import GenerateFnOutput

        return GenerateFnOutput(samples=await self.play(given.sample, given.sampling_params))

    def further_fields(self, one: Completion) -> dict[str, Any]:
        """Experts as an array `[length - 1, layers, experts]` of int32, masks in the class of miles."""
        from miles.utils.sampling_mask import RolloutSamplingMask
        from miles.utils.types import WeightVersionSpan, WeightVersionsPerCall

        prompt = len(one.prompt_ids)
        spans = [
            WeightVersionSpan(version=version, abs_start=prompt + start, abs_end=prompt + end)
            for version, start, end in one.version_spans()
        ]
        fields: dict[str, Any] = {"weight_versions": [WeightVersionsPerCall(spans=[span]) for span in spans]}
        experts, masks = one.routed_experts(), one.sampling_mask()
        if experts is not None:
            fields["rollout_routed_experts"] = experts.astype("int32")
        if masks is not None:
            # There a mask is never empty. A token that was not sampled gets itself alone; it has no loss.
            kept = [mask or [int(token)] for mask, token in zip(masks, one.ids, strict=True)]
            fields["rollout_sampling_mask"] = RolloutSamplingMask.from_mask_list(kept)
        return fields
