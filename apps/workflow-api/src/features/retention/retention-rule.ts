import type { Dag } from '@weir/workflow-spec';

/** How long the runs of a DAG are retained, or how many of them. */
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
