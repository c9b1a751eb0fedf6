import { AppError } from '@weir/foundation';
import { runStatus, type DagRunSummary } from '@weir/workflow-engine/model';
import type { Requester } from '../../../access/audited-operation';
import type { Principal } from '../../../access/principal';
import { dagRunNotFound } from '../store/dag-run-errors';
import { latest, type RunAddress, type RunAddresses } from '../read/run-addresses';
import type { TaskResult, Approvals, PushBackRequest, PushBackResult, DecisionResult } from './approvals';
import type { RetryRequest, RunRetrier } from '../rerun/run-retrier';

export interface DecisionServiceDependencies {
  readonly addresses: RunAddresses;
  readonly approvals: Approvals;
  readonly retrier: Pick<RunRetrier, 'retry'>;
  /** Deletes a run with its descendants and all their files. Returns false when it has not ended. */
  readonly removeRun: (run: DagRunSummary) => Promise<boolean>;
}

export interface StepAddress extends RunAddress {
  readonly stepName: string;
}

type Inputs = Readonly<Record<string, string>> | undefined;

export type DecisionService = ReturnType<typeof createDecisionService>;

/** Serves operations on runs that wait or have ended. All of them throw `dag_run_not_found` and `role_missing`. */
export function createDecisionService({ addresses, approvals, retrier, removeRun }: DecisionServiceDependencies) {
  return {
    /** Also throws the errors of `RunRetrier.retry`. */
    async retry(address: RunAddress, request: RetryRequest, { principal, audit }: Requester): Promise<void> {
      await retrier.retry(await addresses.toChange(address, principal), audit, { ...request, by: principal.name });
    },

    /** Throws the errors of `remove` for a run in this state. */
    checkRemove: ({ status, dagRunId }: DagRunSummary): void => {
      if (runStatus.isActive(status)) throw runActive(dagRunId);
    },

    /** Also throws `dag_run_active`. */
    async remove(address: RunAddress, principal: Principal): Promise<void> {
      const { name, dagRunId } = address;
      if (dagRunId === latest) throw exactIdNeeded();
      const run = await addresses.toChange(address, principal, 'developer');
      if (runStatus.isActive(run.status) || !(await removeRun(run))) {
        // Another request may have deleted it first.
        await addresses.toRead({ name, dagRunId }, principal);
        throw runActive(dagRunId);
      }
    },

    /** Also throws the errors of `Approvals.approve`; so do the following operations with theirs. */
    async approve(
      { stepName, ...address }: StepAddress,
      inputs: Inputs,
      { principal, audit }: Requester,
    ): Promise<DecisionResult> {
      const run = await addresses.toChange(address, principal);
      return approvals.approve(run, { step: stepName, by: principal.name, inputs, audit });
    },

    async reject(
      { stepName, ...address }: StepAddress,
      reason: string | undefined,
      { principal, audit }: Requester,
    ): Promise<DecisionResult> {
      const run = await addresses.toChange(address, principal);
      return approvals.reject(run, { step: stepName, by: principal.name, reason, audit });
    },

    async pushBack(
      { stepName, ...address }: StepAddress,
      request: Pick<PushBackRequest, 'inputs' | 'comment' | 'rewindTo'>,
      { principal, audit }: Requester,
    ): Promise<PushBackResult> {
      const run = await addresses.toChange(address, principal);
      return approvals.pushBack(run, { ...request, step: stepName, by: principal.name, audit });
    },

    async complete(
      { stepId, ...address }: RunAddress & { readonly stepId: string },
      values: Readonly<Record<string, unknown>>,
      { principal, audit }: Requester,
    ): Promise<TaskResult> {
      const { name, dagRunId } = address;
      if (dagRunId === latest) throw dagRunNotFound(name, dagRunId);
      const run = await addresses.toChange(address, principal);
      return approvals.complete(run, { stepId, by: principal.name, answer: { values }, audit });
    },
  };
}

function exactIdNeeded(): AppError {
  return new AppError('invalid_request', 'A run is deleted by its own id, not by "latest".', {
    reason: 'request_invalid',
  });
}

function runActive(dagRunId: string): AppError {
  return new AppError('invalid_request', `The run "${dagRunId}" is active: stop it first.`, {
    reason: 'dag_run_active',
  });
}
