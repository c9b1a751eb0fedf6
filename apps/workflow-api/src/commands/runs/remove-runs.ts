import { AppError } from '@weir/foundation';
import { isApiError, type WorkflowClient } from '@weir/workflow-client';
import type { DagRunSummary } from '@weir/workflow-contract/schemas';
import { runStatus } from '@weir/workflow-engine/model';
import { systemClock } from '../../adapters/clock';
import type { StoreCommand } from '../shared/program-host';
import { resolveDagName } from '../shared/find-runnable-target';
import { findRuns, readRun, type RunAddress } from '../shared/run-queries';
import { withApi } from '../shared/with-api';

export interface RemoveOptions extends StoreCommand {
  readonly dag?: string | undefined;
  readonly runId?: string | undefined;
  readonly history: boolean;
  readonly olderThan?: number | undefined;
  /** Whether the runs are listed instead. */
  readonly dryRun: boolean;
}

/** Deletes one run that has ended, or those of the history, with their logs. Returns the exit code. */
export async function removeRuns(options: RemoveOptions): Promise<number> {
  const { dag, runId: dagRunId, history, olderThan, dryRun } = options;
  assertUnambiguous(options);
  const dagName = dag === undefined ? undefined : await resolveDagName(options, dag);
  const endedBefore = olderThan === undefined ? undefined : new Date(systemClock.now().getTime() - olderThan);
  const count = await withApi(options, async (client) => {
    if (!dryRun && dagName !== undefined && dagRunId !== undefined) return removeRun(client, dagName, dagRunId);
    const runs = history
      ? await findEnded(client, { dagName, endedBefore })
      : await findOne(client, { dagName: dagName ?? '', dagRunId: dagRunId ?? '' });
    if (!dryRun) return removeEach(client, runs);
    for (const run of runs) options.print(`${run.name} ${run.dagRunId}: ${run.statusLabel}`);
    return runs.length;
  });
  const runs = count === 1 ? '1 run' : `${count} runs`;
  options.print(dryRun ? `${runs} would be removed` : `${runs} removed`);
  return 0;
}

function assertUnambiguous({ dag, runId, history, olderThan }: RemoveOptions): void {
  if (history === (runId !== undefined))
    throw ambiguousRequest('Name one run with --run-id, or ask for many with --history.');
  if (!history && dag === undefined) throw ambiguousRequest('Name the DAG of the run.');
  if (!history && olderThan !== undefined) throw ambiguousRequest('--older-than goes with --history.');
  if (history && dag === undefined && olderThan === undefined) {
    throw ambiguousRequest('Name a DAG or give --older-than: this would remove the history of every DAG.');
  }
}

function ambiguousRequest(message: string): AppError {
  return new AppError('invalid_request', message, { reason: 'request_invalid' });
}

async function removeRun(client: WorkflowClient, name: string, dagRunId: string): Promise<number> {
  await client.DELETE('/dag-runs/{name}/{dagRunId}', { params: { path: { name, dagRunId } } });
  return 1;
}

/** Returns the run that a removal would delete. Throws what the removal would. */
async function findOne(client: WorkflowClient, address: RunAddress): Promise<readonly DagRunSummary[]> {
  const run = await readRun(client, address);
  if (!runStatus.isTerminal(run.statusLabel)) {
    throw new AppError('conflict', 'The run is active: stop it first.', { reason: 'dag_run_active' });
  }
  return [run];
}

async function findEnded(
  client: WorkflowClient,
  { dagName, endedBefore }: { readonly dagName: string | undefined; readonly endedBefore: Date | undefined },
): Promise<readonly DagRunSummary[]> {
  // A run ends after it was created, so no matching run is left out.
  const runs = await findRuns(client, {
    dagName,
    statuses: runStatus.all.filter(runStatus.isTerminal),
    to: endedBefore,
  });
  return runs.filter(({ finishedAt }) => endedBefore === undefined || Date.parse(finishedAt) < endedBefore.getTime());
}

async function removeEach(client: WorkflowClient, runs: readonly DagRunSummary[]): Promise<number> {
  let count = 0;
  for (const { name, dagRunId } of runs) if (await removeUnlessActive(client, name, dagRunId)) count += 1;
  return count;
}

/** Others may retry or remove one of many runs while the rest is removed. */
async function removeUnlessActive(client: WorkflowClient, name: string, dagRunId: string): Promise<boolean> {
  try {
    await removeRun(client, name, dagRunId);
    return true;
  } catch (error) {
    const reason = isApiError(error) ? error.reason : undefined;
    if (reason === 'dag_run_active' || reason === 'dag_run_not_found') return false;
    throw error;
  }
}
