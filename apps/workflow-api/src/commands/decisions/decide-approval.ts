import type { WorkflowClient } from '@weir/workflow-client';
import { resolveDagName } from '../shared/find-runnable-target';
import type { DecisionWord } from '../shared/formats';
import type { StoreCommand } from '../shared/program-host';
import { findRunById } from '../shared/run-queries';
import { withApi } from '../shared/with-api';

export interface DecideOptions extends StoreCommand {
  /** Default: the DAG of the run with this id. */
  readonly dag?: string | undefined;
  readonly runId: string;
  readonly step: string;
  readonly decision: DecisionWord;
  readonly input?: Readonly<Record<string, string>> | undefined;
  readonly reason?: string | undefined;
  /** What is to be changed after a push-back. */
  readonly comment?: string | undefined;
  /** The step that a push-back returns to. Default: that of the file. */
  readonly to?: string | undefined;
}

const words = { approve: 'approved', reject: 'rejected', 'push-back': 'sent back' } as const;

/** Decides about a step that waits; any free worker resumes the run. Returns the exit code. */
export async function decideApproval(options: DecideOptions): Promise<number> {
  const { dag, runId: dagRunId, step, decision, print } = options;
  const named = dag === undefined ? undefined : await resolveDagName(options, dag);
  const { name, isResumed } = await withApi(options, async (client) => {
    const dagName = named ?? (await findRunById(client, dagRunId)).name;
    return { name: dagName, isResumed: await decide(client, dagName, options) };
  });
  print(`${name} ${dagRunId}: ${step} ${words[decision]}${isResumed ? ', queued' : ''}`);
  return 0;
}

/** Returns whether the decision resumes the run. */
async function decide(client: WorkflowClient, name: string, options: DecideOptions): Promise<boolean> {
  const { runId: dagRunId, step: stepName, decision, input: inputs, reason, comment, to } = options;
  const params = { name, dagRunId, stepName };
  switch (decision) {
    case 'approve':
      return (
        await client.POST('/dag-runs/{name}/{dagRunId}/steps/{stepName}/approve', {
          params: { path: params },
          body: { inputs },
        })
      ).data.resumed;
    case 'reject':
      return (
        (
          await client.POST('/dag-runs/{name}/{dagRunId}/steps/{stepName}/reject', {
            params: { path: params },
            body: { reason },
          })
        ).data.resumed ?? false
      );
    case 'push-back':
      return (
        await client.POST('/dag-runs/{name}/{dagRunId}/steps/{stepName}/push-back', {
          params: { path: params },
          body: { inputs, comment, rewindTo: to },
        })
      ).data.resumed;
  }
}
