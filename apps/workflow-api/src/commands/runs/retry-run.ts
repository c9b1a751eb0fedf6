import type { WorkflowClient } from '@weir/workflow-client';
import { executeRun } from './execute-run';
import { resolveDagName } from '../shared/find-runnable-target';
import type { StoreCommand } from '../shared/program-host';

export interface RetryOptions extends StoreCommand {
  readonly dag: string;
  readonly runId: string;
  /** The only step that is executed again. */
  readonly step?: string | undefined;
  readonly downstream?: boolean | undefined;
  /** Why the step executes without its preconditions being checked. */
  readonly bypassPreconditions?: string | undefined;
}

/** Executes an ended run again, under its id, and shows it. Returns the exit code. */
export async function retryRun(options: RetryOptions): Promise<number> {
  const { dag, runId: dagRunId, step: stepName, downstream: includeDownstream, bypassPreconditions } = options;
  const dagName = await resolveDagName(options, dag);
  const retry = async (client: WorkflowClient) => {
    const body = { dagRunId, stepName, includeDownstream, bypassPreconditions };
    await client.POST('/dag-runs/{name}/{dagRunId}/retry', { params: { path: { name: dagName, dagRunId } }, body });
    return { dagName, dagRunId };
  };
  return executeRun(options, { word: 'retried', here: ({ client }) => retry(client()), onServer: retry });
}
