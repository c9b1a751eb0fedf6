import { AppError } from '@weir/errors';
import {
  readSafetensors,
  writeSafetensors,
  type Tensor,
  type TensorDict,
  type TrainingTensorDict,
} from '@weir/tensor-dict';
import { batchInvalid } from './batch-errors';
import { packRows } from './pack-rows';
import { unpackRows, type PackedRows } from './unpack-rows';

/** Identifies the format in the file's metadata. */
const trainingBatchFormat = 'weir-training-batch';
const trainingBatchVersion = '1';

export interface BatchRow {
  readonly id: string;
  readonly dict: TrainingTensorDict;
}

export interface TrainingBatchLimits {
  /** Tokens of all rows together, with 25 bytes each when unpacked. Default 134217728. */
  readonly maxTokens?: number;
  /** Length of the file's header, which contains the ids of the rows. Default 67108864. */
  readonly maxHeaderBytes?: number;
}

/**
 * Writes many rows as one safetensors file without padding; docs/specs/303-training-export.md specifies the layout: ids
 * of all tokens, log-probabilities of the trained ones, and a table of spans for masks, versions and turns. About 4
 * bytes per context token and 8 per trained one. {@link readTrainingBatch} returns the same bits.
 *
 * Takes dictionaries of one row, as `exportTrajectories` returns them. Fails with `invalid_request`, reason
 * `batch_invalid` or `training_dict_invalid`, for others, and for an optional key that only some rows have.
 */
export function writeTrainingBatch(
  rows: readonly BatchRow[],
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array<ArrayBuffer> {
  const packed = packRows(rows.map(({ dict }) => dict));
  return writeSafetensors(packed, {
    metadata: {
      ...metadata,
      format: trainingBatchFormat,
      format_version: trainingBatchVersion,
      row_ids: JSON.stringify(rows.map(({ id }) => id)),
    },
  });
}

/**
 * Reads the rows of a file of {@link writeTrainingBatch}, in order.
 *
 * Fails with `invalid_request`, reason `batch_invalid`, for another format or inconsistent tables, and like
 * `readSafetensors`; `payload_too_large`, reason `batch_too_large`, for more tokens than allowed.
 */
export function readTrainingBatch(bytes: Uint8Array, limits: TrainingBatchLimits = {}): readonly BatchRow[] {
  const { maxTokens = 134_217_728, maxHeaderBytes = 67_108_864 } = limits;
  const { tensors, metadata } = readSafetensors(bytes, { maxHeaderBytes, maxTensors: 16 });
  if (metadata.format !== trainingBatchFormat || metadata.format_version !== trainingBatchVersion) {
    throw batchInvalid('The file is not a training batch of version 1.');
  }
  const packed = toPackedRows(tensors);
  if (!(packed.ids.length <= maxTokens)) {
    throw new AppError('payload_too_large', `The batch has more than ${maxTokens} tokens.`, {
      reason: 'batch_too_large',
    });
  }
  const ids = parseRowIds(metadata.row_ids ?? '');
  const dicts = unpackRows(packed);
  if (ids.length !== dicts.length) throw batchInvalid('The batch does not have one id for each row.');
  return dicts.map((dict, row) => ({ id: ids[row] ?? '', dict }));
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
]);

function toPackedRows(tensors: TensorDict): PackedRows {
  for (const name of Object.keys(tensors)) {
    if (!tensorNames.has(name)) throw batchInvalid('The batch has an unknown tensor.');
  }
  return {
    ids: int32(tensors, 'input_ids'),
    logprobs: float32(tensors, 'logprobs'),
    offsets: int32(tensors, 'row_offsets'),
    rewards: float32(tensors, 'rewards'),
    originalRewards: Object.hasOwn(tensors, 'original_rewards') ? float32(tensors, 'original_rewards') : undefined,
    starts: int32(tensors, 'span_starts'),
    lengths: int32(tensors, 'span_lengths'),
    versions: int32(tensors, 'span_versions'),
    turns: Object.hasOwn(tensors, 'span_turns') ? int32(tensors, 'span_turns') : undefined,
  };
}

function getList(tensors: TensorDict, name: string): Tensor {
  const tensor = Object.hasOwn(tensors, name) ? tensors[name] : undefined;
  if (tensor?.shape.length !== 1) throw batchInvalid(`The batch has no list "${name}".`);
  return tensor;
}

function int32(tensors: TensorDict, name: string): Int32Array {
  const tensor = getList(tensors, name);
  if (tensor.dtype !== 'int32') throw batchInvalid(`"${name}" of the batch is not int32.`);
  return tensor.data;
}

function float32(tensors: TensorDict, name: string): Float32Array {
  const tensor = getList(tensors, name);
  if (tensor.dtype !== 'float32') throw batchInvalid(`"${name}" of the batch is not float32.`);
  return tensor.data;
}

function parseRowIds(text: string): readonly string[] {
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
