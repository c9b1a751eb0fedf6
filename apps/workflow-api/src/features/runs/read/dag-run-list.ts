import { runStatus, type Clock, type DagRunSummary } from '@weir/workflow-engine/model';
import type { Principal } from '../../../access/principal';
import type { DagRunRepository, RunPosition, RunScan } from '../store/dag-run-repository';
import { filterHash, readCursor, writeCursor } from './run-cursor';
import { filteredWorkspaces, readStart, runMatcher, toScan, type RunFilter, type RunMatcher } from './run-filter';

export interface RunListQuery extends RunFilter {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface RunPage {
  readonly runs: readonly DagRunSummary[];
  /** The names of the steps that failed last, by the keys of their runs. */
  readonly failedSteps: ReadonlyMap<string, string>;
  /** The names of the steps that are active now, by the keys of their runs. */
  readonly activeSteps: ReadonlyMap<string, readonly string[]>;
  readonly nextCursor?: string;
}

const defaultLimit = 100;
const maxLimit = 500;
// No index serves the search for strings and labels, so they are compared here, in batches and up to a limit.
const scanSize = 500;
const maxScanned = 10_000;

/**
 * Lists a page of runs, newest first. When few runs pass the filters, a page may hold less than `limit`, even
 * nothing, and still have a next cursor: one call reads at most 10,000 runs.
 */
export async function listDagRuns(
  { runs, clock }: { readonly runs: Pick<DagRunRepository, 'scan' | StepNames>; readonly clock: Clock },
  query: RunListQuery,
  principal: Principal,
): Promise<RunPage> {
  const { cursor, limit: requestedLimit, ...filter } = query;
  const workspaces = filteredWorkspaces(filter, principal);
  const hash = filterHash(hashedFilter(filter, workspaces));
  const start = cursor ? readCursor(cursor, hash) : { since: readStart(filter, clock), after: undefined };
  const scan = toScan(filter, start.since, workspaces);
  const limit = requestedLimit === undefined || requestedLimit < 1 ? defaultLimit : Math.min(requestedLimit, maxLimit);
  const matches = runMatcher(filter, clock.now());
  const { found, next } = await search(runs, { scan, matches, after: start.after, limit });
  const page = {
    runs: found,
    failedSteps: await nameFailedSteps(runs, found),
    activeSteps: await nameActiveSteps(runs, found),
  };
  if (next === undefined) return page;
  return { ...page, nextCursor: writeCursor(hash, { since: start.since, after: next }) };
}

/** What a page reads of steps: one query for all runs, whatever their number. */
type StepNames = 'listFailedSteps' | 'listActiveSteps';

async function nameActiveSteps(
  runs: Pick<DagRunRepository, 'listActiveSteps'>,
  found: readonly DagRunSummary[],
): Promise<RunPage['activeSteps']> {
  const begun = found.filter(({ status }) => runStatus.isRunning(status) || runStatus.isWaiting(status));
  return begun.length === 0 ? new Map() : runs.listActiveSteps(begun.map(({ id }) => id));
}

async function nameFailedSteps(
  runs: Pick<DagRunRepository, 'listFailedSteps'>,
  found: readonly DagRunSummary[],
): Promise<ReadonlyMap<string, string>> {
  const failed = found.filter(({ status }) => runStatus.isFailed(status)).map(({ id }) => id);
  if (failed.length === 0) return new Map();
  const steps = await runs.listFailedSteps(failed);
  return new Map([...steps].flatMap(([id, last]) => last.slice(-1).map(({ name }) => [id, name] as const)));
}

function hashedFilter(filter: RunFilter, workspaces: RunScan['workspaces']) {
  const { status, fromDate, toDate, dagRunId, name, exactName, labels, tags, minDurationSec, maxDurationSec } = filter;
  return {
    status,
    fromDate,
    toDate,
    dagRunId,
    name,
    exactName,
    labels,
    tags,
    minDurationSec,
    maxDurationSec,
    workspaces,
  };
}

interface Search {
  readonly scan: Omit<RunScan, 'limit' | 'after'>;
  readonly matches: RunMatcher;
  readonly after: RunPosition | undefined;
  readonly limit: number;
}

/** `next` is the position from which the search continues; missing at the end of the runs. */
export async function search(
  runs: Pick<DagRunRepository, 'scan'>,
  { scan, matches, after, limit }: Search,
): Promise<{ readonly found: readonly DagRunSummary[]; readonly next?: RunPosition }> {
  const found: DagRunSummary[] = [];
  let position = after;
  for (let scanned = 0; scanned < maxScanned; scanned += scanSize) {
    const batch = await runs.scan({ ...scan, after: position, limit: scanSize });
    for (const run of batch) {
      if (matches(run)) {
        // One run more than the page holds means that there is a next page.
        if (found.length === limit && position !== undefined) return { found, next: position };
        found.push(run);
      }
      position = run;
    }
    if (batch.length < scanSize) return { found };
  }
  return position === undefined ? { found } : { found, next: position };
}
