import { runStatus, type RunStatus } from '@weir/workflow-engine';
import type { RunView } from '../features/local-control';
import type { StoreCommand } from './program-host';
import { resolveDagName } from './find-runnable-target';
import { table } from './table';
import { withRunControl } from './with-run-control';

export const listFormats = ['text', 'json'] as const;
export type ListFormat = (typeof listFormats)[number];

export interface HistoryOptions extends StoreCommand {
  /** Every DAG when left out. */
  readonly dag?: string | undefined;
  readonly runId?: string | undefined;
  readonly status?: readonly RunStatus[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly limit: number;
  readonly format: ListFormat;
}

const maxListed = 1000;

/** Lists runs, newest first. Returns the exit code. */
export async function showHistory(options: HistoryOptions): Promise<number> {
  const { dag, runId: dagRunId, status: statuses, from, to, limit } = options;
  const dagName = dag === undefined ? undefined : await resolveDagName(options, dag);
  const query = { dagName, dagRunId, statuses: statuses === undefined ? undefined : [...statuses], from, to, limit };
  printRuns(options, await withRunControl(options, (control) => control.history(query)));
  return 0;
}

/** Lists the runs that are queued, running or waiting. Returns the exit code. */
export async function showActive(options: StoreCommand & { readonly format: ListFormat }): Promise<number> {
  const query = { statuses: runStatus.all.filter(runStatus.isActive), limit: maxListed };
  printRuns(options, await withRunControl(options, (control) => control.history(query)));
  return 0;
}

function printRuns({ print, format }: Pick<HistoryOptions, 'print' | 'format'>, runs: readonly RunView[]): void {
  if (format === 'json') print(JSON.stringify({ runs }));
  else print(table([['CREATED', 'STATUS', 'SECONDS', 'DAG', 'RUN ID', 'TRIGGER'], ...runs.map(toRow)]));
}

function toRow({ createdAt, status, isStopping, dagName, dagRunId, triggerType, ...run }: RunView): readonly string[] {
  const { startedAt, finishedAt } = run;
  const seconds =
    startedAt === null || finishedAt === null ? '-' : ((finishedAt.getTime() - startedAt.getTime()) / 1000).toFixed(2);
  const state = isStopping ? `${status} (stopping)` : status;
  return [createdAt.toISOString(), state, seconds, dagName, dagRunId, triggerType];
}
