import { createTensor, type TrainingTensorDict } from '@weir/tensor-dict';
import { copyIds, sampledFrom } from '../cache/path-tokens';
import type { DiscountedReward } from '../rewards/discount-rewards';
import { exportInvalid } from './export-options';
import type { PlannedRow } from './export-plan';
import type { BuildExtraTensors } from './extra-tensors';

/** The version and turn of tokens that a row does not train. */
export const contextMark = -1;

export interface RowChoices {
  readonly turnIds: boolean;
  readonly originalRewards: boolean;
  readonly buildExtra: BuildExtraTensors;
}

/**
 * Builds the training dictionary of one row: shape `[1, length]`, and `[1]` for rewards. The time is linear in its
 * tokens.
 */
export function buildTrainingRow(row: PlannedRow, reward: DiscountedReward, choices: RowChoices): TrainingTensorDict {
  const { segments, trained, interaction } = row;
  const length = interaction.pathTokens;
  const ids = new Int32Array(length);
  const mask = new Int32Array(length);
  const logprobs = new Float32Array(length);
  const versions = new Int32Array(length).fill(contextMark);
  const turns = new Int32Array(choices.turnIds ? length : 0).fill(contextMark);
  const owners = new Set(trained);
  for (const segment of segments) {
    copyIds(segment, ids);
    if (!owners.has(segment.interaction)) continue;
    const from = sampledFrom(segment);
    const { sampled, pathPosition } = segment.interaction;
    mask.fill(1, from, segment.to);
    logprobs.set(sampled.logprobs, from);
    versions.set(sampled.versions, from);
    if (choices.turnIds) turns.fill(pathPosition, from, segment.to);
  }
  const shape = [1, length];
  return {
    input_ids: createTensor('int32', shape, ids),
    loss_mask: createTensor('int32', shape, mask),
    logprobs: createTensor('float32', shape, logprobs),
    versions: createTensor('int32', shape, versions),
    attention_mask: createTensor('bool', shape, new Uint8Array(length).fill(1)),
    rewards: oneReward(reward.reward),
    ...(choices.turnIds ? { turn_ids: createTensor('int32', shape, turns) } : {}),
    ...(choices.originalRewards ? { original_rewards: oneReward(reward.originalReward) } : {}),
    ...choices.buildExtra(row),
  };
}

function oneReward(reward: number) {
  const data = Float32Array.of(reward);
  // Each reward is finite, but the sum over many branches may not be.
  if (!Number.isFinite(data[0])) throw exportInvalid('A discounted reward is too large for a float32.');
  return createTensor('float32', [1], data);
}
