import { AppError } from '@weir/errors';
import {
  isActiveRun,
  isPassedNode,
  isTerminalNode,
  isTerminalRun,
  pendingStep,
  planDag,
  runStatuses,
  stepsToRetry,
  type Plan,
  nodeKey,
  type DagRun,
  type DagRunStep,
  type StepPatch,
} from '@weir/workflow-engine';
import type { Clock } from '../../../adapters/clock';
import type { DagParser } from '../../../dag-parser';
import { stepNotFound } from '../dag-run-errors';
import type { DagRunRepository } from '../storage/dag-run-repository';
import { parseStored } from '../stored-spec';

export interface RunRetrierDependencies {
  readonly runs: Pick<DagRunRepository, 'listAllSteps' | 'requeue'>;
  readonly parser: DagParser;
  readonly clock: Clock;
  /** Told after a run was put back into its queue. */
  readonly onQueued: () => void;
}

export interface RetryRequest {
  /** Name of the only step that is carried out again; every one that did not end well when missing. */
  readonly step?: string | undefined;
  /** Whether the steps after that one are carried out again, too. */
  readonly downstream?: boolean | undefined;
  /** Whether nobody asked for it. */
  readonly isAutomatic?: boolean;
  /** The runner that carries it out at once. Without it the run is queued for whichever runner is free. */
  readonly ownerId?: string;
}

export type RunRetrier = ReturnType<typeof createRunRetrier>;

/**
 * Carries a run that has ended out again, under its id and with the text and the parameters that are stored with it.
 * Steps that ended well stay.
 */
export function createRunRetrier({ runs, parser, clock, onQueued }: RunRetrierDependencies) {
  return {
    /** Throws `dag_run_active`, `step_not_found` or `nothing_to_retry`. */
    async retry(run: DagRun, { step, downstream, isAutomatic = false, ownerId }: RetryRequest = {}): Promise<void> {
      if (isActiveRun(run.status)) throw runActive(run);
      const nodes = await runs.listAllSteps(run.id);
      const steps = nodes.filter(({ scope }) => scope === '');
      const { dag } = await parseStored(parser, run);
      const plan = planDag(dag.steps);
      const only = step === undefined ? undefined : findPosition(plan, steps, step);
      const choice = { ...(only === undefined ? {} : { only }), ...(downstream === undefined ? {} : { downstream }) };
      const retried = stepsToRetry(
        plan,
        steps.map(({ status }) => status),
        choice,
      ).flatMap((index) => steps[index] ?? []);
      const handlers = nodes.filter(({ scope }) => /^on\/[^/]+$/.test(scope));
      // A run may also have failed by what follows its steps.
      const hasFailedHandler = handlers.some(({ status }) => isTerminalNode(status) && !isPassedNode(status));
      if (retried.length === 0 && !hasFailedHandler) throw nothingToRetry(run);
      const isQueued = await runs.requeue(run.id, {
        from: runStatuses.filter(isTerminalRun),
        at: clock.now(),
        attempt: run.attempt,
        patches: [...retried, ...handlers].map(toPatch),
        // Of what ended well nothing is kept: it was asked for all the same.
        deletedScopes: [...retried, ...handlers].filter(hasPassed).map(nodeKey),
        retry: isAutomatic ? 'auto' : 'manual',
        ownerId,
      });
      if (!isQueued) throw runActive(run);
      onQueued();
    },
  };
}

function toPatch(step: DagRunStep): StepPatch {
  const { scope, position } = step;
  const gate = resetDecisions(step);
  // Another piece of work, which must not be taken for the one that is done.
  return hasPassed(step)
    ? { scope, position, ...pendingStep, ...gate, memo: null, iteration: step.iteration + 1 }
    : { scope, position, ...pendingStep, ...gate };
}

/** What a person decided was about work that is done again; only what was sent back with it still counts. */
function resetDecisions({ gate }: DagRunStep): Pick<StepPatch, 'gate'> {
  if (gate === null) return {};
  return { gate: gate.pushBacks === undefined ? null : { pushBacks: gate.pushBacks } };
}

function hasPassed({ status }: DagRunStep): boolean {
  return isTerminalNode(status) && isPassedNode(status);
}

function findPosition({ steps: planned }: Plan, steps: readonly DagRunStep[], text: string): number {
  const found = planned.findIndex(({ name, id }) => name === text || id === text);
  if (found < 0 || steps[found] === undefined) throw stepNotFound(text);
  return found;
}

function runActive({ dagRunId }: DagRun): AppError {
  return new AppError('conflict', `The run "${dagRunId}" is active.`, { reason: 'dag_run_active' });
}

function nothingToRetry({ dagRunId }: DagRun): AppError {
  return new AppError(
    'conflict',
    `All steps of the run "${dagRunId}" ended well: name the step to be carried out again.`,
    {
      reason: 'nothing_to_retry',
    },
  );
}
