import type { Dag } from '@weir/workflow-spec';

/** The time for which the runs of a DAG are retained, or the number of retained runs. */
export type RetentionRule =
  { readonly kind: 'days'; readonly days: number } | { readonly kind: 'runs'; readonly runs: number };

const defaultDays = 30;

export function retentionRule({
  histRetentionDays,
  histRetentionRuns,
}: Pick<Dag, 'histRetentionDays' | 'histRetentionRuns'>): RetentionRule {
  if (histRetentionRuns !== undefined) return { kind: 'runs', runs: histRetentionRuns };
  return { kind: 'days', days: histRetentionDays ?? defaultDays };
}
