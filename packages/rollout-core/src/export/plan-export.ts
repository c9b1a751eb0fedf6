import { AppError } from '@weir/foundation';
import type { Interaction } from '../cache/interaction';
import type { InteractionCache } from '../cache/interaction-cache';
import { discountRewards, type DiscountedReward } from '../rewards/discount-rewards';
import { exportInvalid, exportStyles, maxTokensOf, type ExportOptions, type ExportStyle } from './export-options';
import { planRows, type PlannedRow } from './export-plan';
import { createExportReport, type ExportReport } from './export-report';
import { findRetryOrphans } from './retry-orphans';
import { assertProven } from './unproven';

/** A planned row with the reward that it has. */
export interface RewardedRow extends PlannedRow {
  readonly reward: DiscountedReward;
}

export interface LeftOutInteraction {
  readonly interaction: Interaction;
  /** A reason of quarantine, or `retry_orphan`. */
  readonly reason: string;
}

/** The contents and omissions of an export, without its tensors. */
export interface ExportPlan {
  readonly rows: readonly RewardedRow[];
  /** The interactions are in order of completion. */
  readonly leftOut: readonly LeftOutInteraction[];
  readonly report: ExportReport;
}

/**
 * Plans the rows of an export. Changes nothing. Linear in the interactions and the segments of their paths, not in their
 * tokens. Fails like `exportTrajectories`, but for rewards beyond float32.
 */
export function planExport(cache: InteractionCache, options: ExportOptions = {}): ExportPlan {
  const { dropRetryOrphans = false, quarantine } = options;
  const style = checkStyle(options.style ?? 'individual');
  const retries = findRetryOrphans(cache);
  const dropped = new Set(dropRetryOrphans ? retries.orphans.map(({ id }) => id) : []);
  if (options.strict === true) {
    assertProven({ interactions: cache, quarantine, dropped, unresolved: retries.unresolved });
  }
  const rewards = discountRewards(cache, { ...options, without: dropped });
  const leftOut = [...cache].flatMap((interaction) => {
    const reason = interaction.quarantine ?? quarantine ?? (dropped.has(interaction.id) ? 'retry_orphan' : undefined);
    return reason === undefined ? [] : [{ interaction, reason }];
  });
  const untrained = new Set(leftOut.map(({ interaction }) => interaction));
  const rows = planRows(
    [...cache].filter((interaction) => !untrained.has(interaction)),
    style,
  );
  checkSize(rows, maxTokensOf(options));
  return {
    rows: rows.map((row) => ({ ...row, reward: findReward(rewards, row) })),
    leftOut,
    report: createExportReport(cache, { style, rows, retries, isDropped: dropRetryOrphans, quarantine }),
  };
}

function findReward(rewards: ReadonlyMap<string, DiscountedReward>, { interaction }: PlannedRow): DiscountedReward {
  const reward = rewards.get(interaction.id);
  if (reward === undefined) throw exportInvalid('A row has no reward.');
  return reward;
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
