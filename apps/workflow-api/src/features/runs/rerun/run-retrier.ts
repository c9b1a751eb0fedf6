import { AppError } from '@weir/foundation';
import {
  isLeftOut,
  runStatus,
  nodeStatus,
  planDag,
  stepsToRetry,
  type DagRun,
  type DagRunStep,
  type Clock,
} from '@weir/workflow-engine/model';
import type { Dag } from '@weir/workflow-spec';
import type { AuditedOperation } from '../../../access/audited-operation';
import type { DagParser } from '../../../dag-parser';
import { stepNotFound } from '../store/dag-run-errors';
import type { DagRunRepository } from '../store/dag-run-repository';
import { parseStored } from '../store/stored-spec';

export interface RunRetrierDependencies {
  readonly runs: Pick<DagRunRepository, 'listAllSteps' | 'commit'>;
  readonly parser: DagParser;
  readonly clock: Clock;
}

export interface RetryRequest {
  /** Name of the only step to execute again. Default: every step that did not pass. */
  readonly step?: string | undefined;
  /** Whether the steps after that one are executed again too. */
  readonly downstream?: boolean | undefined;
  /** Whether the retry policy of the DAG requests it. */
  readonly isAutomatic?: boolean;
  /** Why that step executes without its preconditions being checked. Default: they are checked. */
  readonly bypassReason?: string | undefined;
  /** Who asks for it. */
  readonly by?: string;
  /** The worker that executes it at once. Without one the run is queued. */
  readonly ownerId?: string;
}

export type RunRetrier = ReturnType<typeof createRunRetrier>;

/**
 * Starts a new attempt of an ended run, under its id and with its stored spec and parameters. Steps that passed are
 * not executed again.
 */
export function createRunRetrier({ runs, parser, clock }: RunRetrierDependencies) {
  /** Returns the steps that are reset, including those of handlers. */
  const plan = async (run: DagRun, { step, downstream }: Pick<RetryRequest, 'step' | 'downstream'>) => {
    if (runStatus.isActive(run.status)) throw runActive(run);
    const nodes = await runs.listAllSteps(run.id);
    const steps = nodes.filter(({ scope }) => scope === '');
    const { dag } = await parseStored(parser, run);
    const only = step === undefined ? undefined : findPosition(dag, steps, step);
    const choice = { ...(only === undefined ? {} : { only }), ...(downstream === undefined ? {} : { downstream }) };
    const retried = stepsToRetry(
      planDag(dag.steps),
      steps.map(({ status }) => status),
      choice,
    )
      .flatMap((index) => steps[index] ?? [])
      .filter((row) => row.position === only || !isLeftOut(row));
    const handlers = nodes.filter(({ scope }) => /^on\/[^/]+$/.test(scope));
    // A run may also have failed because of a handler.
    const hasFailedHandler = handlers.some(
      ({ status }) => nodeStatus.isTerminal(status) && !nodeStatus.isPassed(status),
    );
    if (retried.length === 0 && !hasFailedHandler) throw nothingToRetry(run);
    const again = new Set(retried);
    const reusedSteps = steps.filter((row) => nodeStatus.isPassed(row.status) && !again.has(row)).length;
    return { steps: [...retried, ...handlers], reusedSteps, only: only === undefined ? undefined : steps[only] };
  };

  return {
    /** Throws the errors of `retry` in the present state, and changes nothing. */
    check: async (run: DagRun): Promise<void> => {
      await plan(run, {});
    },

    /** Throws `dag_run_active`, `step_not_found` or `nothing_to_retry`. */
    async retry(run: DagRun, audit: AuditedOperation, request: RetryRequest = {}): Promise<void> {
      const { isAutomatic = false, ownerId } = request;
      const { only, ...planned } = await plan(run, request);
      const event = {
        kind: 'retried',
        at: clock.now(),
        attempt: run.attempt,
        by: isAutomatic ? 'auto' : 'manual',
        ...planned,
        ownerId,
        bypass: toBypass(request, only),
      } as const;
      const stored = await runs.commit(run.id, event, { audit });
      if (stored === undefined) throw runActive(run);
    },
  };
}

function toBypass({ bypassReason, by = '' }: RetryRequest, step: DagRunStep | undefined) {
  return bypassReason === undefined || step === undefined ? undefined : { step: step.name, by, reason: bypassReason };
}

function findPosition({ steps: planned }: Dag, steps: readonly DagRunStep[], text: string): number {
  const found = planned.findIndex(({ name, id }) => name === text || id === text);
  if (found < 0 || steps[found] === undefined) throw stepNotFound(text);
  return found;
}

function runActive({ dagRunId }: DagRun): AppError {
  return new AppError('conflict', `The run "${dagRunId}" is active.`, { reason: 'dag_run_active' });
}

function nothingToRetry({ dagRunId }: DagRun): AppError {
  return new AppError('conflict', `All steps of the run "${dagRunId}" passed: name the step to execute again.`, {
    reason: 'nothing_to_retry',
  });
}
