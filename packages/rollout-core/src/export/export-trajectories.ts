import type { TrainingTensorDict } from '@weir/tensor-dict';
import type { InteractionCache } from '../cache/interaction-cache';
import { maxTokensOf, type ExportOptions } from './export-options';
import type { ExportReport } from './export-report';
import { prepareExtraTensors } from './extra-tensors';
import { planExport } from './plan-export';
import { buildTrainingRow } from './training-row';

/** A row for training. */
export interface TrainingEntry {
  readonly id: string;
  /** Interactions whose sampled tokens this row trains, in order; each interaction is in one entry only. */
  readonly trainedIds: readonly string[];
  readonly reward: number;
  readonly originalReward: number;
  readonly dict: TrainingTensorDict;
}

export interface TrajectoryExport {
  /** The entries are in order of completion. */
  readonly entries: readonly TrainingEntry[];
  readonly report: ExportReport;
}

/**
 * Builds the training rows of a session. Every trainable sampled token is trained in exactly one row, with the id,
 * log-probability and version of its sampling. Changes nothing, so it can be repeated with other options. Linear in the
 * tokens of the rows.
 *
 * Fails with `invalid_request` (reasons `export_style_invalid`, `discount_invalid`), `conflict` (reasons `export_unproven`,
 * `tensor_not_recorded`), `invalid_request` (reason `scorer_ambiguous`), `payload_too_large` (reason `export_too_large`) before any row is built, and `internal` (reason `export_invalid`) for an inconsistent session or a
 * discounted reward beyond float32.
 */
export function exportTrajectories(cache: InteractionCache, options: ExportOptions = {}): TrajectoryExport {
  const { turnIds = true, originalRewards = true, tensors = [] } = options;
  const { rows, report } = planExport(cache, options);
  const buildExtra = prepareExtraTensors(rows, {
    tensors,
    maxElements: maxTokensOf(options),
    lossWeights: cache.lossWeights,
    scores: cache.scores,
    scorer: options.scorer,
  });
  const entries = rows.map(({ reward, ...row }): TrainingEntry => ({
    id: row.interaction.id,
    trainedIds: row.trained.map(({ id }) => id),
    ...reward,
    dict: buildTrainingRow(row, reward, { turnIds, originalRewards, buildExtra }),
  }));
  return { entries, report };
}
