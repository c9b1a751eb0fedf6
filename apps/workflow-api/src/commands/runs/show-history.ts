import { AppError } from '@weir/foundation';
import type { DagRunSummary } from '@weir/workflow-contract/schemas';
import { runStatus, type RunStatus } from '@weir/workflow-engine/model';
import { systemClock } from '../../adapters/clock';
import { resolveDagName } from '../shared/find-runnable-target';
import type { StoreCommand } from '../shared/program-host';
import { findRuns, type RunQuery } from '../shared/run-queries';
import type { ListFormat } from '../shared/formats';
import { printList } from '../shared/print-list';
import { formatTable } from '../shared/table';
import { withApi } from '../shared/with-api';

export interface HistoryOptions extends StoreCommand {
  /** Default: every DAG. */
  readonly dag?: string | undefined;
  readonly runId?: string | undefined;
  readonly status?: readonly RunStatus[] | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Milliseconds before now; instead of `from`. */
  readonly last?: number | undefined;
  readonly limit: number;
  readonly format: ListFormat;
}

const maxListed = 1000;

/** Lists runs, newest first. Returns the exit code. */
export async function showHistory(options: HistoryOptions): Promise<number> {
  const { dag, runId: dagRunId, status: statuses, labels, from, to, last, limit } = options;
  if (last !== undefined && (from !== undefined || to !== undefined)) {
    throw new AppError('invalid_request', '--last excludes --from and --to.', { reason: 'request_invalid' });
  }
  const dagName = dag === undefined ? undefined : await resolveDagName(options, dag);
  const since = last === undefined ? from : new Date(systemClock.now().getTime() - last);
  return listRuns(options, { dagName, dagRunId, statuses, labels, from: since, to, limit });
}

/** Lists the runs that are queued, running or waiting. Returns the exit code. */
export async function showActive(options: StoreCommand & Pick<HistoryOptions, 'dag' | 'runId' | 'format'>) {
  const { dag, runId: dagRunId } = options;
  const dagName = dag === undefined ? undefined : await resolveDagName(options, dag);
  return listRuns(options, {
    dagName,
    dagRunId,
    statuses: runStatus.all.filter(runStatus.isActive),
    limit: maxListed,
  });
}

async function listRuns(options: StoreCommand & { readonly format: ListFormat }, query: RunQuery): Promise<number> {
  const runs = (await withApi(options, (client) => findRuns(client, query))).map(toListedRun);
  const table = (): string =>
    formatTable([['CREATED', 'STATUS', 'SECONDS', 'DAG', 'RUN ID', 'TRIGGER'], ...runs.map(toRow)]);
  printList({ value: { runs }, table }, options);
  return 0;
}

/** Prints neither parameters nor free text, which may contain confidential values. */
export function toListedRun(run: DagRunSummary) {
  return {
    dagName: run.name,
    dagRunId: run.dagRunId,
    status: run.statusLabel,
    triggerType: run.triggerType ?? 'unknown',
    queueName: run.queue ?? null,
    workspace: run.workspace ?? null,
    labels: run.labels ?? [],
    createdAt: toUtc(run.createdAt) ?? '',
    queuedAt: toUtc(run.queuedAt),
    startedAt: toUtc(run.startedAt),
    finishedAt: toUtc(run.finishedAt),
    scheduleTime: toUtc(run.scheduleTime),
    isStopping: run.stopRequested ?? false,
    error: run.error ?? null,
  };
}

export function toUtc(time: string | undefined): string | null {
  return time === undefined || time === '' ? null : new Date(time).toISOString();
}

function toRow(run: ReturnType<typeof toListedRun>): readonly string[] {
  const { createdAt, status, isStopping, dagName, dagRunId, triggerType, startedAt, finishedAt } = run;
  const seconds =
    startedAt === null || finishedAt === null
      ? '-'
      : ((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toFixed(2);
  return [createdAt, isStopping ? `${status} (stopping)` : status, seconds, dagName, dagRunId, triggerType];
}
