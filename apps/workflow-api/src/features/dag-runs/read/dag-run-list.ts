import { runStatus, type DagRunSummary, type Clock } from '@weir/workflow-engine';
import { workspaceSelection, type WorkspaceQuery } from '@weir/workflow-contract';
import { visibleWorkspaces, type Principal } from '../../auth';
import type { DagRunRepository, RunPosition, RunScan } from '../storage/dag-run-repository';
import { parseLabelFilter } from './label-filter';
import { filterHash, readCursor, writeCursor } from './run-cursor';

export interface RunListQuery extends WorkspaceQuery {
  readonly status?: readonly number[] | undefined;
  readonly fromDate?: number | undefined;
  readonly toDate?: number | undefined;
  readonly dagRunId?: string | undefined;
  /** A part of the DAG's name. */
  readonly name?: string | undefined;
  /** The whole name of the DAG. */
  readonly exactName?: string | undefined;
  readonly labels?: string | undefined;
  readonly tags?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface RunPage {
  readonly runs: readonly DagRunSummary[];
  readonly nextCursor?: string;
}

const defaultLimit = 100;
const maxLimit = 500;
// No index serves the search for strings and labels, so they are compared here, in batches and up to a limit.
const scanSize = 500;
const maxScanned = 10_000;

/**
 * A page of runs, newest first. When few runs pass the filters, a page may hold less than `limit`, even nothing, and
 * still have a next cursor: one call reads at most 10,000 runs.
 */
export async function listDagRuns(
  { runs, clock }: { readonly runs: Pick<DagRunRepository, 'scan'>; readonly clock: Clock },
  query: RunListQuery,
  principal: Principal,
): Promise<RunPage> {
  const { cursor, limit: requestedLimit, status, fromDate, toDate, dagRunId, name, exactName, labels, tags } = query;
  const workspaces = visibleWorkspaces(principal, workspaceSelection(query));
  const hash = filterHash({ status, fromDate, toDate, dagRunId, name, exactName, labels, tags, workspaces });
  const start = cursor ? readCursor(cursor, hash) : { since: readStart(query, clock), after: undefined };
  const scan = toScan(query, start.since, workspaces);
  const limit = requestedLimit === undefined || requestedLimit < 1 ? defaultLimit : Math.min(requestedLimit, maxLimit);
  const { found, next } = await search(runs, { scan, matches: matcher(query), after: start.after, limit });
  if (next === undefined) return { runs: found };
  return { runs: found, nextCursor: writeCursor(hash, { since: start.since, after: next }) };
}

interface Search {
  readonly scan: Omit<RunScan, 'limit' | 'after'>;
  readonly matches: (run: DagRunSummary) => boolean;
  readonly after: RunPosition | undefined;
  readonly limit: number;
}

async function search(
  runs: Pick<DagRunRepository, 'scan'>,
  { scan, matches, after, limit }: Search,
): Promise<{ readonly found: readonly DagRunSummary[]; readonly next?: RunPosition }> {
  const found: DagRunSummary[] = [];
  let position = after;
  for (let scanned = 0; scanned < maxScanned; scanned += scanSize) {
    const batch = await runs.scan({ ...scan, after: position, limit: scanSize });
    for (const run of batch) {
      if (matches(run)) {
        // One more than the page holds: there is a next page.
        if (found.length === limit && position !== undefined) return { found, next: position };
        found.push(run);
      }
      position = run;
    }
    if (batch.length < scanSize) return { found };
  }
  return position === undefined ? { found } : { found, next: position };
}

function toScan(
  { status, toDate, exactName }: RunListQuery,
  from: Date | undefined,
  workspaces: RunScan['workspaces'],
): Omit<RunScan, 'limit' | 'after'> {
  return {
    ...(status === undefined || status.length === 0
      ? {}
      : { statuses: status.flatMap((number) => runStatus.fromNumber(number) ?? []) }),
    dagName: exactName,
    from,
    to: toDate === undefined ? undefined : new Date(toDate * 1000),
    workspaces,
  };
}

/** Without dates only today is listed, in the time zone of this server. */
function readStart({ fromDate, toDate }: RunListQuery, clock: Clock): Date | undefined {
  if (fromDate !== undefined) return new Date(fromDate * 1000);
  if (toDate !== undefined) return undefined;
  const midnight = clock.now();
  midnight.setHours(0, 0, 0, 0);
  return midnight;
}

function matcher({ dagRunId, name, labels, tags }: RunListQuery): (run: DagRunSummary) => boolean {
  const hasLabels = parseLabelFilter(labels?.trim() ? labels : tags);
  const searchedName = name?.toLowerCase() ?? '';
  return (run) =>
    run.dagRunId.includes(dagRunId ?? '') &&
    run.dagName.toLowerCase().includes(searchedName) &&
    (hasLabels === undefined || hasLabels(run.labels));
}
