import { AppError } from '@weir/foundation';
import {
  extraKeyNames,
  extraKeys,
  pairedKeys,
  type ExtraKey,
  type SafetensorsReadLimits,
  type Tensor,
} from '@weir/tensor-dict';
import { batchInvalid } from './batch-errors';
import type { BatchTables } from './batch-tables';

/** Identifies the format in the file's metadata. */
export const trainingBatchFormat = 'weir-training-batch';
export const trainingBatchVersion = '1';

export interface TrainingBatchLimits {
  /** Tokens of all rows together, with 25 bytes each when unpacked. Default 134217728. */
  readonly maxTokens?: number;
  /** Length of the file's header, which contains the ids of the rows. Default 67108864. */
  readonly maxHeaderBytes?: number;
}

const tensorNames = new Set([
  'input_ids',
  'logprobs',
  'row_offsets',
  'rewards',
  'span_starts',
  'span_lengths',
  'span_versions',
  'span_turns',
  'original_rewards',
  ...extraKeyNames,
]);

export const toReadLimits = ({ maxHeaderBytes = 67_108_864 }: TrainingBatchLimits): SafetensorsReadLimits => ({
  maxHeaderBytes,
  maxTensors: 32,
});

export function checkFormat(metadata: Readonly<Record<string, string>>, names: readonly string[]): void {
  if (metadata.format !== trainingBatchFormat || metadata.format_version !== trainingBatchVersion) {
    throw batchInvalid('The file is not a training batch of version 1.');
  }
  if (names.some((name) => !tensorNames.has(name))) throw batchInvalid('The batch has an unknown tensor.');
}

export function checkTokens(tokens: number, { maxTokens = 134_217_728 }: TrainingBatchLimits): void {
  if (tokens <= maxTokens) return;
  throw new AppError('payload_too_large', `The batch has more than ${maxTokens} tokens.`, {
    reason: 'batch_too_large',
  });
}

type GetTensor = (name: string) => Tensor | undefined;

export function toTables(get: GetTensor): BatchTables {
  return {
    offsets: int32(get, 'row_offsets'),
    rewards: float32(get, 'rewards'),
    originalRewards: get('original_rewards') === undefined ? undefined : float32(get, 'original_rewards'),
    starts: int32(get, 'span_starts'),
    lengths: int32(get, 'span_lengths'),
    versions: int32(get, 'span_versions'),
    turns: get('span_turns') === undefined ? undefined : int32(get, 'span_turns'),
  };
}

/** Values of trained tokens, `[trained, …]`, or of all, `[tokens, …]`. */
export type ExtraLists = Readonly<Partial<Record<ExtraKey, Tensor>>>;

/** Rejects lists that mean nothing without another one. */
export function checkPairs(has: (key: ExtraKey) => boolean): void {
  for (const [one, other] of pairedKeys) {
    if (has(one) !== has(other)) throw batchInvalid(`The batch has only one of "${one}" and "${other}".`);
  }
}

/** How many items the lists of a batch have. */
export interface ListCounts {
  readonly tokens: number;
  readonly trained: number;
}

/** The lists of further keys, each with an item for each token that it is about. */
export function extraLists(get: GetTensor, counts: ListCounts): ExtraLists {
  checkPairs((key) => get(key) !== undefined);
  return Object.fromEntries(
    extraKeyNames.flatMap((key) => {
      const tensor = get(key);
      if (tensor === undefined) return [];
      checkExtraShape(key, tensor, counts);
      return [[key, tensor]];
    }),
  );
}

export function checkExtraShape(
  key: ExtraKey,
  { dtype, shape }: Pick<Tensor, 'dtype' | 'shape'>,
  { tokens, trained }: ListCounts,
): void {
  const { axes, dtype: expected, scope } = extraKeys[key];
  const count = scope === 'trained' ? trained : tokens;
  if (dtype !== expected) throw batchInvalid(`"${key}" of the batch is not ${expected}.`);
  if (shape.length !== 1 + axes || shape[0] !== count || shape.slice(1).includes(0)) {
    throw batchInvalid(`"${key}" of the batch does not have its entries for each of its tokens.`);
  }
}

function getList(get: GetTensor, name: string): Tensor {
  const tensor = get(name);
  if (tensor?.shape.length !== 1) throw batchInvalid(`The batch has no list "${name}".`);
  return tensor;
}

export function int32(get: GetTensor, name: string): Int32Array {
  const tensor = getList(get, name);
  if (tensor.dtype !== 'int32') throw batchInvalid(`"${name}" of the batch is not int32.`);
  return tensor.data;
}

export function float32(get: GetTensor, name: string): Float32Array {
  const tensor = getList(get, name);
  if (tensor.dtype !== 'float32') throw batchInvalid(`"${name}" of the batch is not float32.`);
  return tensor.data;
}

export function parseRowIds(text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_request', 'The ids of the rows are not JSON.', { reason: 'batch_invalid', cause });
  }
  if (!Array.isArray(value) || !value.every((id) => typeof id === 'string')) {
    throw batchInvalid('The ids of the rows are not a list of strings.');
  }
  return value;
}
