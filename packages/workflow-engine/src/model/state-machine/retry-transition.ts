import { nodeKey, type Bypass, type DagRunStep, type StepPatch } from '../run-model/dag-run';
import { pendingStep } from '../run-model/new-step';
import { exitCodeOf } from '../run-model/run-attempt';
import { runStatus } from '../statuses/run-status';
import { nodeStatus } from '../statuses/node-status';
import type { RunRetried, RunState } from './run-event';
import { createTransition, queuedAt, type RunEffect, type RunTransition } from './run-transition';

/** Changes nothing for a run that is active, for another attempt than the last one, and for an automatic retry that is not due. */
export function retryRun(run: RunState, event: RunRetried): RunTransition | undefined {
  const { at, attempt, by, steps, ownerId, bypass } = event;
  const { retryAt, fencingToken } = run;
  if (!runStatus.isTerminal(run.status) || attempt !== run.attempt) return undefined;
  if (by === 'auto' && (retryAt === null || retryAt > at)) return undefined;
  return createTransition(run, {
    expected: { fencingToken },
    patch: {
      ...queuedAt(at),
      startedAt: null,
      attempt: attempt + 1,
      ...(by === 'auto' ? { autoRetryCount: run.autoRetryCount + 1 } : {}),
      ...(ownerId === undefined
        ? {}
        : { status: 'running', ownerId, queuedAt: null, startedAt: at, fencingToken: fencingToken + 1 }),
    },
    steps: {
      patches: steps.map((step) =>
        resetStep(step, step.name === bypass?.step && step.scope === '' ? bypass : undefined),
      ),
      deletedScopes: steps.filter(hasPassed).map(nodeKey),
    },
    effects: [recordAttempt(run, event), { kind: 'enqueue', at }, { kind: 'notify_queue' }],
  });
}

function recordAttempt(run: RunState, { attempt, by, steps, reusedSteps }: RunRetried): RunEffect {
  const { status, startedAt, finishedAt, error, ownerId } = run;
  const ended = { status, startedAt, finishedAt, error, ownerId, exitCode: exitCodeOf(steps) };
  const cause = by === 'auto' ? 'auto_retry' : 'retry';
  return { kind: 'record_attempt', ended, next: { attempt: attempt + 1, cause, reusedSteps, startedAt: null } };
}

function resetStep(step: DagRunStep, bypass: Bypass | undefined): StepPatch {
  const { scope, position, iteration } = step;
  const patch = { scope, position, ...pendingStep, ...resetDecisions(step, bypass) };
  // A step that passed is new work: child runs and loop iterations of the old one must not be found again.
  return hasPassed(step) ? { ...patch, memo: null, iteration: iteration + 1 } : patch;
}

/** Decisions were about work that is done again; only the history of push-backs still counts. */
function resetDecisions({ decisions }: DagRunStep, bypass: Bypass | undefined): Pick<StepPatch, 'decisions'> {
  const pushBacks = decisions?.pushBacks;
  if (bypass !== undefined) {
    const { by, reason } = bypass;
    return { decisions: { ...(pushBacks === undefined ? {} : { pushBacks }), bypass: { by, reason } } };
  }
  if (decisions === null) return {};
  return { decisions: pushBacks === undefined ? null : { pushBacks } };
}

function hasPassed({ status }: DagRunStep): boolean {
  return nodeStatus.isTerminal(status) && nodeStatus.isPassed(status);
}
