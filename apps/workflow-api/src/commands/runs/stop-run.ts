import { AppError } from '@weir/foundation';
import { isApiError, type WorkflowClient } from '@weir/workflow-client';
import type { DagRunSummary } from '@weir/workflow-contract/schemas';
import { runStatus, type RunStatus } from '@weir/workflow-engine/model';
import { resolveDagName } from '../shared/find-runnable-target';
import type { StoreCommand } from '../shared/program-host';
import { findRuns, readRun, type RunOrLatest } from '../shared/run-queries';
import { withApi } from '../shared/with-api';

export interface StopOptions extends StoreCommand {
  readonly dag: string;
  /** Default: every run of the DAG. */
  readonly runId?: string | undefined;
}

export interface StoppedRun {
  readonly dagName: string;
  readonly dagRunId: string;
  readonly outcome: 'aborted' | 'asked to stop';
}

/** Aborts queued and waiting runs and requests running ones to end, without waiting for them. Returns the exit code. */
export async function stopRuns(options: StopOptions): Promise<number> {
  const address = { dagName: await resolveDagName(options, options.dag), dagRunId: options.runId };
  return printStopped(options, await withApi(options, (client) => requestStop(client, address)));
}

/** Aborts queued runs. Returns the exit code. */
export async function dequeueRuns(options: StopOptions): Promise<number> {
  const address = { dagName: await resolveDagName(options, options.dag), dagRunId: options.runId };
  return printStopped(options, await withApi(options, (client) => dequeue(client, address)));
}

/** Throws `dag_run_not_found` or `not_running`. */
export function requestStop(client: WorkflowClient, address: RunOrLatest): Promise<readonly StoppedRun[]> {
  return stopEach(client, address, {
    isMeant: runStatus.isActive,
    word: 'active',
    reason: 'not_running',
    stop: (params) => client.POST('/dag-runs/{name}/{dagRunId}/stop', { params: { path: params } }),
  });
}

function dequeue(client: WorkflowClient, address: RunOrLatest): Promise<readonly StoppedRun[]> {
  return stopEach(client, address, {
    isMeant: runStatus.isQueued,
    word: 'queued',
    reason: 'not_queued',
    stop: (params) => client.GET('/dag-runs/{name}/{dagRunId}/dequeue', { params: { path: params } }),
  });
}

interface StopKind {
  readonly isMeant: (status: RunStatus) => boolean;
  readonly word: string;
  /** Explains why one of many runs could not be stopped: it ended, or was claimed, while the others were stopped. */
  readonly reason: string;
  readonly stop: (params: { readonly name: string; readonly dagRunId: string }) => Promise<unknown>;
}

async function stopEach(client: WorkflowClient, { dagName, dagRunId }: RunOrLatest, kind: StopKind) {
  if (dagRunId !== undefined) {
    const run = await readRun(client, { dagName, dagRunId });
    await kind.stop({ name: run.name, dagRunId });
    return [toStopped(run)];
  }
  const runs = await findRuns(client, { dagName, statuses: runStatus.all.filter(kind.isMeant) });
  if (runs.length === 0) {
    throw new AppError('not_found', `No run of the DAG "${dagName}" is ${kind.word}.`, { reason: 'not_running' });
  }
  const stopped: StoppedRun[] = [];
  for (const run of runs) {
    if (await tryStop(run, kind)) stopped.push(toStopped(run));
  }
  return stopped;
}

async function tryStop({ name, dagRunId }: DagRunSummary, { stop, reason }: StopKind): Promise<boolean> {
  try {
    await stop({ name, dagRunId });
    return true;
  } catch (error) {
    if (isApiError(error) && error.reason === reason) return false;
    throw error;
  }
}

function toStopped({ name, dagRunId, statusLabel }: DagRunSummary): StoppedRun {
  return { dagName: name, dagRunId, outcome: runStatus.isRunning(statusLabel) ? 'asked to stop' : 'aborted' };
}

function printStopped({ print }: StopOptions, runs: readonly StoppedRun[]): number {
  for (const { dagName, dagRunId, outcome } of runs) print(`${dagName} ${dagRunId}: ${outcome}`);
  return 0;
}
