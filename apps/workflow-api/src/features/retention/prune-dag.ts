import { runStatus, type DagRunSummary, type Clock } from '@weir/workflow-engine/model';
import type { DagRunRepository } from '../runs';
import type { RemoveRun } from './remove-run';
import type { RetentionRule } from './retention-rule';

export interface PruneDependencies {
  readonly runs: Pick<DagRunRepository, 'scan'>;
  readonly removeRun: RemoveRun;
  readonly clock: Clock;
}

export interface PruneRequest {
  readonly dagName: string;
  readonly rule: RetentionRule;
  readonly signal: AbortSignal;
  /** Limits the runs that are read beyond the retained ones; the next call continues. */
  readonly maxScanned: number;
}

const dayMs = 86_400_000;
const pageSize = 100;
const retainedPageSize = 500;
const workspaces = { unassigned: true, named: 'all' } as const;

/**
 * Removes the runs of a DAG that its rule does not retain, newest first, and returns their number. The newest run,
 * active runs and those that wait for an automatic retry are always retained.
 */
export async function pruneDag(dependencies: PruneDependencies, request: PruneRequest): Promise<number> {
  const { runs, removeRun, clock } = dependencies;
  const { dagName, rule, signal, maxScanned } = request;
  const endedBy = rule.kind === 'days' ? new Date(clock.now().getTime() - rule.days * dayMs) : undefined;
  const isOld = ({ finishedAt, status, retryAt }: DagRunSummary): boolean =>
    runStatus.isTerminal(status) &&
    retryAt === null &&
    (endedBy === undefined || (finishedAt !== null && finishedAt <= endedBy));
  let after = await findLastRetained(runs, { dagName, count: rule.kind === 'runs' ? rule.runs : 1 });
  let removed = 0;
  for (let scanned = 0; after !== undefined && scanned < maxScanned; scanned += pageSize) {
    // A run ends after it was created, so this page has all runs that ended by then.
    const page = await runs.scan({ dagName, to: endedBy, after, limit: pageSize, workspaces });
    for (const run of page) {
      if (signal.aborted) return removed;
      if (isOld(run) && (await removeRun(run))) removed += 1;
    }
    after = page.length < pageSize ? undefined : page.at(-1);
  }
  return removed;
}

/** Returns the oldest of the newest `count` runs, which are always retained, or `undefined` when there are no further runs. */
async function findLastRetained(
  runs: PruneDependencies['runs'],
  { dagName, count }: { readonly dagName: string; readonly count: number },
): Promise<DagRunSummary | undefined> {
  let after: DagRunSummary | undefined;
  for (let left = count; left > 0; left -= retainedPageSize) {
    const limit = Math.min(left, retainedPageSize);
    const page: readonly DagRunSummary[] = await runs.scan({ dagName, after, limit, workspaces });
    if (page.length < limit) return undefined;
    after = page.at(-1);
  }
  return after;
}
