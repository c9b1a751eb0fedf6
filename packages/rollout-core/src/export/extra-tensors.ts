import { AppError } from '@weir/foundation';
import { createTensor, extraKeys, type TrainingTensorDict } from '@weir/tensor-dict';
import type { Interaction } from '../cache/interaction';
import type { LossWeights } from '../cache/loss-weights';
import { trainedSpans, type PlannedRow } from './export-plan';

/** What rows may have besides the tensors that every trainer needs. */
export const extraTensors = ['loss_weights', 'top_logprobs'] as const;
export type ExtraTensor = (typeof extraTensors)[number];

type ExtraKeys = Partial<TrainingTensorDict>;

/** Makes the further tensors of a row. */
export type BuildExtraTensors = (row: PlannedRow) => ExtraKeys;

interface ExtraTensorOptions {
  readonly tensors: readonly ExtraTensor[];
  /** Of one tensor of all rows together. */
  readonly maxElements: number;
  readonly lossWeights: LossWeights;
}

/**
 * Prepares further tensors of rows, which have the same axes in all of them. Fails with `conflict`, reason
 * `tensor_not_recorded`, where no call that is trained has the values, and with `payload_too_large`, reason
 * `export_too_large`, where a tensor of all rows together would have more than `maxElements`.
 */
export function prepareExtraTensors(
  rows: readonly PlannedRow[],
  { tensors, maxElements, lossWeights }: ExtraTensorOptions,
): BuildExtraTensors {
  const builders = new Set(tensors);
  const tokens = rows.reduce((sum, { interaction }) => sum + interaction.pathTokens, 0);
  const parts: BuildExtraTensors[] = [];
  if (builders.has('loss_weights')) parts.push((row) => ({ loss_weights: lossWeightTensor(row, lossWeights) }));
  if (builders.has('top_logprobs') && rows.length > 0) {
    const count = topCount(rows);
    checkElements(tokens * count, maxElements);
    parts.push((row) => topTensors(row, count));
  }
  return (row) => Object.assign({}, ...parts.map((build) => build(row))) as ExtraKeys;
}

function lossWeightTensor(row: PlannedRow, lossWeights: LossWeights) {
  const weights = new Float32Array(row.interaction.pathTokens);
  for (const { interaction, from, to } of trainedSpans(row)) {
    lossWeights.write(interaction.id, weights.subarray(from, to));
  }
  return createTensor('float32', [1, weights.length], weights);
}

function topCount(rows: readonly PlannedRow[]): number {
  const count = rows.reduce(
    (most, { trained }) => trained.reduce((max, { sampled }) => Math.max(max, sampled.top?.count ?? 0), most),
    0,
  );
  if (count === 0) throw notRecorded('top_logprobs');
  return count;
}

function topTensors(row: PlannedRow, count: number): ExtraKeys {
  const length = row.interaction.pathTokens;
  const ids = new Int32Array(length * count).fill(extraKeys.top_ids.fill);
  const logprobs = new Float32Array(length * count).fill(extraKeys.top_logprobs.fill);
  for (const { interaction, from } of trainedSpans(row)) copyTop(interaction, { ids, logprobs, count, from });
  const shape = [1, length, count];
  return {
    top_ids: createTensor('int32', shape, ids),
    top_logprobs: createTensor('float32', shape, logprobs),
  };
}

interface TopTarget {
  readonly ids: Int32Array;
  readonly logprobs: Float32Array;
  readonly count: number;
  /** The position of the first sampled token in the row. */
  readonly from: number;
}

/** Calls may have recorded fewer entries than others of the session. */
function copyTop({ sampled: { top, ids: sampledIds } }: Interaction, { ids, logprobs, count, from }: TopTarget): void {
  if (top === undefined) return;
  for (let token = 0; token < sampledIds.length; token += 1) {
    const source = token * top.count;
    const target = (from + token) * count;
    ids.set(top.ids.subarray(source, source + top.count), target);
    logprobs.set(top.logprobs.subarray(source, source + top.count), target);
  }
}

function checkElements(elements: number, maxElements: number): void {
  if (elements <= maxElements) return;
  throw new AppError('payload_too_large', `A tensor of the rows would have more than ${maxElements} elements.`, {
    reason: 'export_too_large',
    details: { elements, maxElements },
  });
}

function notRecorded(tensor: ExtraTensor): AppError {
  return new AppError('conflict', `No call that is trained has recorded what "${tensor}" needs.`, {
    reason: 'tensor_not_recorded',
    details: { tensor },
  });
}
