import { isAppError } from '@weir/foundation';
import type { DeadLettersResponse, RedriveRequest, RedriveResponse } from '@weir/workflow-contract/schemas';
import type { DagRunSummary } from '@weir/workflow-engine/model';
import type { Requester } from '../../access/audited-operation';
import type { RunFiles } from '../../run-files';
import { visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { presentRuns, type DagRunRepository, type DagRuns } from '../runs';
import type { DeadLetter, QueueReads } from './store';

export interface DeadLetterDependencies {
  readonly queue: Pick<QueueReads, 'listDeadLetters'>;
  readonly runs: Pick<DagRunRepository, 'listSummaries'>;
  readonly runFiles: Pick<RunFiles, 'view'>;
  readonly decisions: Pick<DagRuns['decisions'], 'retry'>;
}

export type DeadLetterService = ReturnType<typeof createDeadLetterService>;

const maxListed = 500;

/** Serves the runs that were given up, limited to those that the principal may see. */
export function createDeadLetterService({ queue, runs, runFiles, decisions }: DeadLetterDependencies) {
  const read = async (
    queueName: string | undefined,
    principal: Principal,
  ): Promise<readonly { readonly letter: DeadLetter; readonly run: DagRunSummary }[]> => {
    const workspaces = visibleWorkspaces(principal, { kind: 'all' });
    const letters = await queue.listDeadLetters({ queueName, workspaces, limit: maxListed });
    const summaries = await runs.listSummaries(letters.map(({ runId }) => runId));
    return letters.flatMap((letter) => {
      const run = summaries.get(letter.runId);
      return run === undefined ? [] : [{ letter, run }];
    });
  };
  return {
    list: async (queueName: string | undefined, principal: Principal): Promise<DeadLettersResponse> => {
      const found = await read(queueName, principal);
      const presented = await presentRuns(
        runFiles,
        found.map(({ run }) => run),
      );
      return {
        deadLetters: found.flatMap(({ letter: { queueName: name, reason, failures, at } }, index) => {
          const run = presented[index];
          return run === undefined ? [] : [{ queue: name, reason, failures, at: at.toISOString(), run }];
        }),
      };
    },

    /** Retries each run separately, and returns the reasons of refusals. */
    redrive: async (
      { queue: name, dagRunId }: RedriveRequest,
      { principal, audit }: Requester,
    ): Promise<RedriveResponse> => {
      const response: { redriven: RedriveResponse['redriven']; refused: RedriveResponse['refused'] } = {
        redriven: [],
        refused: [],
      };
      for (const { run } of await read(name, principal)) {
        if (dagRunId !== undefined && run.dagRunId !== dagRunId) continue;
        const address = { name: run.dagName, dagRunId: run.dagRunId };
        try {
          await audit.inPart({ resourceId: `${address.name}/${address.dagRunId}`, principal }, (requester) =>
            decisions.retry(address, {}, requester),
          );
          response.redriven.push(address);
        } catch (error) {
          if (!isAppError(error)) throw error;
          response.refused.push({ ...address, reason: error.reason ?? error.code });
        }
      }
      return response;
    },
  };
}
