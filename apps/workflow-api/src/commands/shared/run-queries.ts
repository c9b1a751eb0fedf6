import { AppError } from '@weir/foundation';
import { isApiError, type WorkflowClient } from '@weir/workflow-client';
import type { DagRunDetails, DagRunSummary } from '@weir/workflow-contract/schemas';
import { runStatus, type RunStatus } from '@weir/workflow-engine/model';

/** A run by its DAG and its id. */
export interface RunAddress {
  readonly dagName: string;
  readonly dagRunId: string;
}

/** Without an id, the newest run of the DAG. */
export type RunOrLatest = Pick<RunAddress, 'dagName'> & { readonly dagRunId?: string | undefined };

export interface RunQuery {
  readonly dagName?: string | undefined;
  readonly dagRunId?: string | undefined;
  readonly statuses?: readonly RunStatus[] | undefined;
  /** A run must have all of them. */
  readonly labels?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Default: all runs. */
  readonly limit?: number;
}

const latest = 'latest';
const pageSize = 500;

/** Throws `dag_run_not_found`. */
export async function readRun(
  client: WorkflowClient,
  { dagName, dagRunId = latest }: RunOrLatest,
): Promise<DagRunDetails> {
  try {
    return (await client.GET('/dag-runs/{name}/{dagRunId}', { params: { path: { name: dagName, dagRunId } } })).data
      .dagRunDetails;
  } catch (error) {
    if (dagRunId !== latest || !isApiError(error) || error.reason !== 'dag_run_not_found') throw error;
    throw new AppError('not_found', `There is no run of the DAG "${dagName}".`, { reason: error.reason, cause: error });
  }
}

/** Lists the newest runs first. */
export async function findRuns(client: WorkflowClient, query: RunQuery): Promise<readonly DagRunSummary[]> {
  const { limit = Number.POSITIVE_INFINITY } = query;
  const found: DagRunSummary[] = [];
  for (let cursor: string | undefined; found.length < limit;) {
    const { data: page } = await readPage(client, query, cursor);
    found.push(...page.dagRuns.filter((run) => matches(run, query)));
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  return found.slice(0, limit);
}

/** Finds a run by its id in all DAGs. Throws `dag_run_not_found` or `dag_run_ambiguous`. */
export async function findRunById(client: WorkflowClient, dagRunId: string): Promise<DagRunSummary> {
  const [run, other] = await findRuns(client, { dagRunId, limit: 2 });
  if (run === undefined) {
    throw new AppError('not_found', `There is no run "${dagRunId}".`, { reason: 'dag_run_not_found' });
  }
  if (other === undefined) return run;
  throw new AppError('conflict', `Several DAGs have a run "${dagRunId}": name the DAG.`, {
    reason: 'dag_run_ambiguous',
  });
}

function readPage(client: WorkflowClient, query: RunQuery, cursor?: string) {
  const { dagName, dagRunId, statuses, labels, from, to } = query;
  const filter = {
    status: statuses?.map(runStatus.toNumber),
    // The API takes whole seconds; without a date it would list only today's runs.
    fromDate: from === undefined ? 0 : Math.floor(from.getTime() / 1000),
    toDate: to === undefined ? undefined : Math.ceil(to.getTime() / 1000),
    dagRunId,
    limit: pageSize,
    cursor,
  };
  // Only the list of all DAGs is filtered by labels; it compares parts of names.
  return dagName === undefined || labels !== undefined
    ? client.GET('/dag-runs', { params: { query: { ...filter, name: dagName, labels: labels?.join(',') } } })
    : client.GET('/dag-runs/{name}', { params: { path: { name: dagName }, query: filter } });
}

/** The list compares parts of names and ids, and whole seconds. */
function matches({ name, dagRunId, createdAt = '' }: DagRunSummary, query: RunQuery): boolean {
  const time = Date.parse(createdAt);
  return (
    (query.dagName === undefined || query.dagName === name) &&
    (query.dagRunId === undefined || query.dagRunId === dagRunId) &&
    !(query.from !== undefined && time < query.from.getTime()) &&
    !(query.to !== undefined && time >= query.to.getTime())
  );
}
