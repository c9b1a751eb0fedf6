import type { DType } from './dtype';
import { elementsPerToken, extraKeyNames, extraKeys, findNotNeutral, pairedKeys, type ExtraKey } from './extra-keys';
import { sameShape } from './shape';
import type { Tensor, TensorDict } from './tensor';
import { tensorFailure } from './tensor-errors';

/**
 * The input of a trainer: `rows` trajectories of `length` tokens. A single interaction has one row, so its token keys
 * are `[1, length]` and its `rewards` `[1]`; there is no form without the row axis, which makes a batch nothing but
 * more rows.
 */
export type TrainingTensorDict = Readonly<{
  /** Token ids, from 0. `[rows, length]` */
  input_ids: Tensor<'int32'>;
  /** 1 where the token was generated and is trained on, 0 for prompt and padding. `[rows, length]` */
  loss_mask: Tensor<'int32'>;
  /** Natural logarithm of the probability the engine gave the token; 0 where `loss_mask` is 0. `[rows, length]` */
  logprobs: Tensor<'float32'>;
  /** Version of the weights that made the token; -1 if it was not sampled. `[rows, length]` */
  versions: Tensor<'int32'>;
  /** True for tokens, false for padding. `[rows, length]` */
  attention_mask: Tensor<'bool'>;
  /** One finite reward per row. `[rows]` */
  rewards: Tensor<'float32'>;
  /** Optional. Number of the turn that made the token, from 0; -1 if it was not sampled. `[rows, length]` */
  turn_ids?: Tensor<'int32'>;
  /** Optional. The reward of each row before any transformation. `[rows]` */
  original_rewards?: Tensor<'float32'>;
  /** Optional. How much each trained token counts in the loss, from 0; 0 where `loss_mask` is 0. `[rows, length]` */
  loss_weights?: Tensor<'float32'>;
  /**
   * Optional, with `top_logprobs`. The likeliest tokens at the position of each trained token, likeliest first; -1 where
   * there are fewer, and where `loss_mask` is 0. `[rows, length, count]`
   */
  top_ids?: Tensor<'int32'>;
  /** Natural logarithms of the probabilities of `top_ids`; -9999, a probability of 0, where that is -1. */
  top_logprobs?: Tensor<'float32'>;
  /**
   * Optional. The tokens that cut-offs left to sample each trained token from; -1 after the last one, and everywhere
   * where nothing was cut off or `loss_mask` is 0. `[rows, length, count]`
   */
  sampling_mask?: Tensor<'int32'>;
  /** Optional. Natural logarithms of the trained tokens by a reference or a teacher; 0 elsewhere. `[rows, length]` */
  ref_logprobs?: Tensor<'float32'>;
  /** Optional, with `ref_top_logprobs`. Like `top_ids`, of the reference or the teacher. `[rows, length, count]` */
  ref_top_ids?: Tensor<'int32'>;
  ref_top_logprobs?: Tensor<'float32'>;
  /** Optional. Natural logarithms of context tokens by the engine that sampled; 0 elsewhere. `[rows, length]` */
  prompt_logprobs?: Tensor<'float32'>;
  /**
   * Optional. The experts that each layer of a mixture of experts chose for each token, for replay; -1 where they are not
   * known, as for the last token of a row, which no layer has seen. `[rows, length, layers, experts]`
   */
  routed_experts?: Tensor<'int16'>;
}>;

/** The keys with one element per token, and their dtypes. */
const tokenKeys = {
  input_ids: 'int32',
  loss_mask: 'int32',
  logprobs: 'float32',
  versions: 'int32',
  attention_mask: 'bool',
} as const satisfies Record<string, DType>;

/** The keys that a dictionary may have or not. */
const optionalKeys = {
  turn_ids: 'int32',
  original_rewards: 'float32',
  ...(Object.fromEntries(extraKeyNames.map((key) => [key, extraKeys[key].dtype])) as Record<ExtraKey, DType>),
} as const satisfies Record<string, DType>;

/** The version and the turn of tokens that were not sampled. */
export const paddingVersion = -1;

export interface TrainingCheckOptions {
  /**
   * The allowed padding. `none` demands that every token is attended; `right` and `left` allow unattended tokens after
   * or before the others of a row. Default `none`.
   */
  readonly padding?: 'none' | 'right' | 'left';
}

/**
 * Whether a dictionary is one a trainer may be given, as that type. The six keys and of others only the optional ones,
 * with their dtypes; token keys of one shape `[rows, length]`, at least one row and one token; `loss_mask` 0 or 1; `logprobs` finite and 0
 * where `loss_mask` is 0; token ids from 0; in each row at least one attended token, all of them together, and
 * neutral padding (`loss_mask` 0, `logprobs` 0, `versions` -1); `turn_ids` from 0 where `loss_mask` is 1, else from -1,
 * and -1 on padding; one finite reward per row; further optional keys finite, and neutral where `loss_mask` is 0
 * (`prompt_logprobs`, `routed_experts`: on padding).
 *
 * Fails with `training_dict_invalid`; details name the key and, where there is one, the row and column.
 */
export function checkTrainingTensorDict(dict: TensorDict, options: TrainingCheckOptions = {}): TrainingTensorDict {
  const checked = checkKeys(dict);
  const [rows = 0, length = 0] = checkShapes(checked);
  for (const key of extraKeyNames) checkExtra(checked, key);
  for (const [one, other] of pairedKeys) checkPair(checked, one, other);
  for (let row = 0; row < rows; row += 1) {
    const [from, to] = attendedRange(checked, row, length, options.padding ?? 'none');
    for (let column = 0; column < length; column += 1) {
      checkToken(checked, { row, column, index: row * length + column, isPadding: column < from || column >= to });
    }
    for (const key of ['rewards', 'original_rewards'] as const) {
      const rewards = checked[key];
      if (rewards !== undefined && !Number.isFinite(rewards.data[row])) throw invalid(key, 'is not finite', { row });
    }
  }
  return checked;
}

function checkKeys(dict: TensorDict): TrainingTensorDict {
  const required: Readonly<Record<string, DType>> = { ...tokenKeys, rewards: 'float32' };
  const expected: Readonly<Record<string, DType>> = { ...required, ...optionalKeys };
  for (const name of Object.keys(dict)) {
    if (!Object.hasOwn(expected, name)) throw invalid(name.slice(0, 64), 'is not a training key');
  }
  for (const [name, dtype] of Object.entries(expected)) {
    const tensor = Object.hasOwn(dict, name) ? dict[name] : undefined;
    if (tensor === undefined) {
      if (Object.hasOwn(required, name) || Object.hasOwn(dict, name)) throw invalid(name, 'is missing');
      continue;
    }
    if (tensor.dtype !== dtype) throw invalid(name, `is ${tensor.dtype} instead of ${dtype}`);
  }
  // Names and dtypes were just compared; the compiler cannot follow a table.
  return dict as unknown as TrainingTensorDict;
}

function checkShapes(dict: TrainingTensorDict): readonly number[] {
  const { shape } = dict.input_ids;
  if (shape.length !== 2 || shape.includes(0)) {
    throw invalid('input_ids', 'is not of shape [rows, length] with at least one of each', { shape });
  }
  for (const key of [...(Object.keys(tokenKeys) as (keyof typeof tokenKeys)[]), 'turn_ids'] as const) {
    const tensor = dict[key];
    if (tensor !== undefined && !sameShape(tensor.shape, shape)) {
      throw invalid(key, 'has another shape than input_ids', { shape: tensor.shape, expected: shape });
    }
  }
  for (const key of ['rewards', 'original_rewards'] as const) {
    const tensor = dict[key];
    if (tensor !== undefined && !sameShape(tensor.shape, [shape[0] ?? 0])) {
      throw invalid(key, 'does not have one element per row', { shape: tensor.shape });
    }
  }
  return shape;
}

function checkExtra(dict: TrainingTensorDict, key: ExtraKey): void {
  const tensor = dict[key];
  if (tensor === undefined) return;
  const { axes, fill, min, scope } = extraKeys[key];
  const { shape, data } = tensor;
  if (shape.length !== 2 + axes || !sameShape(shape.slice(0, 2), dict.input_ids.shape) || shape.includes(0)) {
    throw invalid(key, 'does not have the shape of input_ids and its own axes', { shape });
  }
  const length = shape[1] ?? 1;
  const mask = scope === 'trained' ? 'loss_mask' : 'attention_mask';
  const index = findNotNeutral(tensor, dict[mask].data, fill);
  if (index >= 0) {
    throw invalid(key, `is not ${fill} where ${mask} is 0`, {
      row: Math.floor(index / length),
      column: index % length,
    });
  }
  if (tensor.dtype === 'float32' && !data.every(Number.isFinite)) throw invalid(key, 'is not finite');
  if (data.some((value) => value < min)) throw invalid(key, 'is below its range');
}

function checkPair(dict: TrainingTensorDict, one: ExtraKey, other: ExtraKey): void {
  const [left, right] = [dict[one], dict[other]];
  if ((left === undefined) !== (right === undefined)) throw invalid(left === undefined ? one : other, 'is missing');
  if (left !== undefined && right !== undefined && elementsPerToken(left.shape) !== elementsPerToken(right.shape)) {
    throw invalid(other, `has another shape than ${one}`, { shape: right.shape });
  }
}

/** Columns `from` up to `to` of a row are attended, the others are not. */
function attendedRange(
  dict: TrainingTensorDict,
  row: number,
  length: number,
  padding: 'none' | 'right' | 'left',
): readonly [from: number, to: number] {
  const mask = dict.attention_mask.data.subarray(row * length, (row + 1) * length);
  const from = mask.indexOf(1);
  const to = mask.lastIndexOf(1) + 1;
  if (from < 0) throw invalid('attention_mask', 'attends to no token', { row });
  if (mask.subarray(from, to).includes(0)) throw invalid('attention_mask', 'has a gap', { row });
  if (from > 0 && padding !== 'left') throw invalid('attention_mask', 'has padding on the left', { row });
  if (to < length && padding !== 'right') throw invalid('attention_mask', 'has padding on the right', { row });
  return [from, to];
}

interface TokenPosition {
  readonly row: number;
  readonly column: number;
  readonly index: number;
  readonly isPadding: boolean;
}

function checkToken(dict: TrainingTensorDict, { row, column, index, isPadding }: TokenPosition): void {
  const lossMask = dict.loss_mask.data[index];
  const logprob = dict.logprobs.data[index];
  if (lossMask !== 0 && lossMask !== 1) throw invalid('loss_mask', 'is neither 0 nor 1', { row, column });
  if (!Number.isFinite(logprob)) throw invalid('logprobs', 'is not finite', { row, column });
  if (lossMask === 0 && logprob !== 0) throw invalid('logprobs', 'is not 0 where loss_mask is 0', { row, column });
  if (isPadding) {
    if (lossMask !== 0) throw invalid('loss_mask', 'is not 0 on padding', { row, column });
    if (dict.versions.data[index] !== paddingVersion)
      throw invalid('versions', 'is not -1 on padding', { row, column });
    if (dict.turn_ids !== undefined && dict.turn_ids.data[index] !== paddingVersion)
      throw invalid('turn_ids', 'is not -1 on padding', { row, column });
  } else if ((dict.input_ids.data[index] ?? -1) < 0) {
    throw invalid('input_ids', 'is negative', { row, column });
  } else if (dict.turn_ids !== undefined && (dict.turn_ids.data[index] ?? paddingVersion) < lossMask - 1) {
    // The number is at least 0 for sampled tokens; -1 is allowed for others only.
    throw invalid('turn_ids', 'is below its range', { row, column });
  }
}

function invalid(key: string, what: string, position: Readonly<Record<string, unknown>> = {}) {
  return tensorFailure('training_dict_invalid', `Training key "${key}" ${what}.`, { key, ...position });
}
