import { AppError } from '@weir/foundation';
import { isApiError, type WorkflowClient } from '@weir/workflow-client';
import { runStatus } from '@weir/workflow-engine/model';
import { systemClock } from '../../adapters/clock';
import type { StoreCommand } from '../shared/program-host';
import { resolveDagName } from '../shared/find-runnable-target';
import { findRuns } from '../shared/run-queries';
import { withApi } from '../shared/with-api';

export interface RemoveOptions extends StoreCommand {
  readonly dag?: string | undefined;
  readonly runId?: string | undefined;
  readonly history: boolean;
  readonly olderThan?: number | undefined;
}

/** Deletes one run that has ended, or those of the history, with their logs. Returns the exit code. */
export async function removeRuns(options: RemoveOptions): Promise<number> {
  const { dag, runId: dagRunId, history, olderThan } = options;
  assertUnambiguous(options);
  const dagName = dag === undefined ? undefined : await resolveDagName(options, dag);
  const endedBefore = olderThan === undefined ? undefined : new Date(systemClock.now().getTime() - olderThan);
  const count = await withApi(options, (client) =>
    history ? removeHistory(client, { dagName, endedBefore }) : removeRun(client, dagName ?? '', dagRunId ?? ''),
  );
  options.print(count === 1 ? '1 run removed' : `${count} runs removed`);
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

async function removeHistory(
  client: WorkflowClient,
  { dagName, endedBefore }: { readonly dagName: string | undefined; readonly endedBefore: Date | undefined },
): Promise<number> {
  // A run ends after it was created, so no matching run is left out.
  const runs = await findRuns(client, {
    dagName,
    statuses: runStatus.all.filter(runStatus.isTerminal),
    to: endedBefore,
  });
  let count = 0;
  for (const { name, dagRunId, finishedAt } of runs) {
    if (endedBefore !== undefined && !(Date.parse(finishedAt) < endedBefore.getTime())) continue;
    if (await removeUnlessActive(client, name, dagRunId)) count += 1;
  }
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
