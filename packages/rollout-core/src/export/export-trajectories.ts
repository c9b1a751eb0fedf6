import { AppError } from '@weir/errors';
import type { TrainingTensorDict } from '@weir/tensor-dict';
import type { InteractionCache } from '../cache/interaction-cache';
import { discountRewards } from '../rewards/discount-rewards';
import { exportInvalid, exportStyles, type ExportOptions, type ExportStyle } from './export-options';
import { planRows, type PlannedRow } from './export-plan';
import { createExportReport, type ExportReport } from './export-report';
import { findRetryOrphans } from './retry-orphans';
import { assertProven } from './unproven';
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
  /** In order of completion. */
  readonly entries: readonly TrainingEntry[];
  readonly report: ExportReport;
}

/**
 * Builds the training rows of a session. Every trainable sampled token is trained in exactly one row, with the id,
 * log-probability and version of its sampling. Changes nothing, so it can be repeated with other options. Linear in the
 * tokens of the rows.
 *
 * Fails with `invalid_request` (reasons `export_style_invalid`, `discount_invalid`), `conflict` (reason `export_unproven`), `payload_too_large` (reason
 * `export_too_large`) before any row is built, and `internal` (reason `export_invalid`) for an inconsistent session or a
 * discounted reward beyond float32.
 */
export function exportTrajectories(cache: InteractionCache, options: ExportOptions = {}): TrajectoryExport {
  const { dropRetryOrphans = false, turnIds = true, originalRewards = true } = options;
  const style = checkStyle(options.style ?? 'individual');
  const retries = findRetryOrphans(cache);
  const dropped = new Set(dropRetryOrphans ? retries.orphans.map(({ id }) => id) : []);
  const { quarantine } = options;
  if (options.strict === true) {
    assertProven({ interactions: cache, quarantine, dropped, unresolved: retries.unresolved });
  }
  const rewards = discountRewards(cache, { ...options, without: dropped });
  const trainable = [...cache].filter(
    ({ id, quarantine = options.quarantine }) => quarantine === undefined && !dropped.has(id),
  );
  const rows = planRows(trainable, style);
  checkSize(rows, options.maxTokens ?? 134_217_728);
  const entries = rows.map((row): TrainingEntry => {
    const { id } = row.interaction;
    const reward = rewards.get(id);
    if (reward === undefined) throw exportInvalid('A row has no reward.');
    const dict = buildTrainingRow(row, reward, { turnIds, originalRewards });
    return { id, trainedIds: row.trained.map((interaction) => interaction.id), ...reward, dict };
  });
  return {
    entries,
    report: createExportReport(cache, { style, rows, retries, isDropped: dropRetryOrphans, quarantine }),
  };
}

function checkStyle(style: ExportStyle): ExportStyle {
  if (exportStyles.includes(style)) return style;
  throw new AppError('invalid_request', `The export style must be ${exportStyles.join(' or ')}.`, {
    reason: 'export_style_invalid',
  });
}

function checkSize(rows: readonly PlannedRow[], maxTokens: number): void {
  const tokens = rows.reduce((sum, { interaction }) => sum + interaction.pathTokens, 0);
  if (!(tokens <= maxTokens)) {
    throw new AppError('payload_too_large', `The rows would have more than ${maxTokens} tokens.`, {
      reason: 'export_too_large',
      details: { tokens, maxTokens },
    });
  }
}
