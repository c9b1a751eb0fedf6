import { AppError } from '@weir/foundation';
import type { DagRunCountsResponse } from '@weir/workflow-contract/schemas';
import { runStatus, type Clock, type RunStatus } from '@weir/workflow-engine/model';
import type { Principal } from '../../../access/principal';
import type { DagRunRepository, RunCount, RunScan } from '../store/dag-run-repository';
import { search } from './dag-run-list';
import {
  filteredWorkspaces,
  nameMatcher,
  readStart,
  runMatcher,
  selectsByIndex,
  toScan,
  type RunFilter,
} from './run-filter';

export interface RunCountsQuery extends RunFilter {
  readonly by: 'status' | 'hour';
}

interface Dependencies {
  readonly runs: Pick<DagRunRepository, 'scan' | 'countRuns'>;
  readonly clock: Clock;
}

interface Counted {
  readonly counts: readonly Pick<RunCount, 'status' | 'hour' | 'count'>[];
  readonly isComplete: boolean;
}

const hourMs = 3_600_000;
const maxHours = 1000;
const maxCounted = 100_000;

/** Throws `workspace_not_found` or `range_too_long`. */
export async function countDagRuns(
  { runs, clock }: Dependencies,
  query: RunCountsQuery,
  principal: Principal,
): Promise<DagRunCountsResponse> {
  const from = readStart(query, clock);
  const scan = toScan(query, from, filteredWorkspaces(query, principal));
  const isByHour = query.by === 'hour';
  const now = clock.now();
  if (isByHour && (scan.to ?? now).getTime() - (from?.getTime() ?? 0) > maxHours * hourMs) throw rangeTooLong();
  const { counts, isComplete } = selectsByIndex(query)
    ? await countByIndex(runs, { scan, query, isByHour })
    : await countByReading(runs, { scan, query, now });
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const statuses = presentStatuses(counts);
  return { total, statuses, isComplete, ...(isByHour ? { hours: presentHours(counts) } : {}) };
}

async function countByIndex(
  runs: Dependencies['runs'],
  {
    scan,
    query,
    isByHour,
  }: { readonly scan: Omit<RunScan, 'limit'>; readonly query: RunFilter; readonly isByHour: boolean },
): Promise<Counted> {
  const { counts, isComplete } = await runs.countRuns({ ...scan, byHour: isByHour, limit: maxCounted });
  const hasName = nameMatcher(query);
  return { counts: counts.filter(({ dagName }) => hasName(dagName)), isComplete };
}

async function countByReading(
  runs: Dependencies['runs'],
  { scan, query, now }: { readonly scan: Omit<RunScan, 'limit'>; readonly query: RunFilter; readonly now: Date },
): Promise<Counted> {
  const matches = runMatcher(query, now);
  const { found, next } = await search(runs, { scan, matches, after: undefined, limit: Infinity });
  const counts = found.map(({ status, createdAt }) => ({ status, hour: startOfHour(createdAt), count: 1 }));
  return { counts, isComplete: next === undefined };
}

function presentStatuses(counts: readonly Pick<RunCount, 'status' | 'count'>[]): DagRunCountsResponse['statuses'] {
  const byStatus = new Map<RunStatus, number>();
  for (const { status, count } of counts) byStatus.set(status, count + (byStatus.get(status) ?? 0));
  return runStatus.all.flatMap((status) => {
    const count = byStatus.get(status);
    return count === undefined ? [] : [{ status: runStatus.toNumber(status), statusLabel: status, count }];
  });
}

function presentHours(counts: Counted['counts']): NonNullable<DagRunCountsResponse['hours']> {
  const byHour = new Map<number, Pick<RunCount, 'status' | 'count'>[]>();
  for (const { status, hour, count } of counts) {
    const at = hour?.getTime() ?? 0;
    const inHour = byHour.get(at);
    if (inHour === undefined) byHour.set(at, [{ status, count }]);
    else inHour.push({ status, count });
  }
  return [...byHour]
    .toSorted(([left], [right]) => left - right)
    .map(([hour, inHour]) => ({ start: new Date(hour).toISOString(), statuses: presentStatuses(inHour) }));
}

function startOfHour(time: Date): Date {
  return new Date(time.getTime() - (time.getTime() % hourMs));
}

function rangeTooLong(): AppError {
  return new AppError('invalid_request', `Hours are counted in a range of at most ${maxHours} hours.`, {
    reason: 'range_too_long',
  });
}
