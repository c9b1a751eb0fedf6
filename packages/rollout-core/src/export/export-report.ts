import type { Interaction } from '../cache/interaction';
import type { InteractionCache } from '../cache/interaction-cache';
import type { MismatchReport } from '../cache/mismatch-report';
import type { ExportStyle } from './export-options';
import type { PlannedRow } from './export-plan';
import type { RetryOrphans } from './retry-orphans';

export interface QuarantinedInteraction {
  readonly id: string;
  readonly reason: string;
}

/** The contents and omissions of an export as numbers, ids and reasons, without text or token ids. */
export interface ExportReport {
  readonly style: ExportStyle;
  /** Completed calls of the session. */
  readonly interactions: number;
  readonly rows: number;
  /** Tokens of all rows together. */
  readonly tokens: number;
  /** Tokens with a `loss_mask` of 1. Together with `untrainedTokens`, all sampled tokens. */
  readonly trainedTokens: number;
  /** Sampled tokens of quarantined calls and of dropped orphans. */
  readonly untrainedTokens: number;
  /** Answers to repeated requests that were not continued. */
  readonly orphans: {
    readonly isDropped: boolean;
    readonly ids: readonly string[];
    /** Orphans with a reward, which is lost when they are dropped. */
    readonly rewarded: readonly string[];
    /** The latest of repeated requests without a continued answer; the client may have seen another answer. */
    readonly unresolved: readonly string[];
  };
  readonly quarantined: readonly QuarantinedInteraction[];
  /** How many calls continued their parent's tokens, and why the others did not. */
  readonly drift: {
    readonly root: number;
    readonly continued: number;
    readonly forked: Readonly<Record<string, number>>;
  };
  /** The places where requests differ from a known conversation. */
  readonly mismatches: MismatchReport;
}

interface ReportInput {
  readonly style: ExportStyle;
  readonly rows: readonly PlannedRow[];
  readonly retries: RetryOrphans;
  readonly isDropped: boolean;
  /** The reason of all calls that have no reason of their own. */
  readonly quarantine: string | undefined;
}

export function createExportReport(
  cache: InteractionCache,
  { style, rows, retries, isDropped, quarantine: common }: ReportInput,
): ExportReport {
  const all = [...cache];
  const sampled = sampledTokens(all);
  const trained = sampledTokens(rows.flatMap((row) => row.trained));
  return {
    style,
    interactions: all.length,
    rows: rows.length,
    tokens: rows.reduce((sum, { interaction }) => sum + interaction.pathTokens, 0),
    trainedTokens: trained,
    untrainedTokens: sampled - trained,
    orphans: {
      isDropped,
      ids: retries.orphans.map(({ id }) => id),
      rewarded: retries.orphans.filter(({ id }) => cache.rewards.get(id) !== undefined).map(({ id }) => id),
      unresolved: retries.unresolved.map(({ id }) => id),
    },
    quarantined: all.flatMap(({ id, quarantine = common }) =>
      quarantine === undefined ? [] : [{ id, reason: quarantine }],
    ),
    drift: countContinuity(all),
    mismatches: cache.mismatches(),
  };
}

function countContinuity(all: readonly Interaction[]): ExportReport['drift'] {
  const forked = new Map<string, number>();
  for (const { continuity } of all) {
    if (continuity.kind !== 'forked') continue;
    const reason = continuity.reason ?? 'unknown';
    forked.set(reason, (forked.get(reason) ?? 0) + 1);
  }
  const count = (kind: string) => all.filter(({ continuity }) => continuity.kind === kind).length;
  return { root: count('root'), continued: count('continued'), forked: Object.fromEntries(forked) };
}

const sampledTokens = (interactions: readonly Interaction[]): number =>
  interactions.reduce((sum, { sampled }) => sum + sampled.ids.length, 0);
