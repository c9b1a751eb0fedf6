import { readSafetensors, writeSafetensors, type Tensor, type TrainingTensorDict } from '@weir/tensor-dict';
import { batchInvalid } from './batch-errors';
import {
  checkFormat,
  checkTokens,
  extraLists,
  float32,
  int32,
  parseRowIds,
  toReadLimits,
  toTables,
  trainingBatchFormat,
  trainingBatchVersion,
  type TrainingBatchLimits,
} from './batch-format';
import { packRows } from './pack-rows';
import { unpackRows } from './unpack-rows';

export interface BatchRow {
  readonly id: string;
  readonly dict: TrainingTensorDict;
}

/**
 * Writes many rows as one safetensors file without padding; docs/specs/rollout/training-export.md specifies the layout: ids
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
  const { tensors, metadata } = readSafetensors(bytes, toReadLimits(limits));
  checkFormat(metadata, Object.keys(tensors));
  const get = (name: string): Tensor | undefined => (Object.hasOwn(tensors, name) ? tensors[name] : undefined);
  const [ids, logprobs] = [int32(get, 'input_ids'), float32(get, 'logprobs')];
  const extra = extraLists(get, { tokens: ids.length, trained: logprobs.length });
  const packed = { ...toTables(get), ids, logprobs, extra };
  checkTokens(packed.ids.length, limits);
  const rowIds = parseRowIds(metadata.row_ids ?? '');
  const dicts = unpackRows(packed);
  if (rowIds.length !== dicts.length) throw batchInvalid('The batch does not have one id for each row.');
  return dicts.map((dict, row) => ({ id: rowIds[row] ?? '', dict }));
}
