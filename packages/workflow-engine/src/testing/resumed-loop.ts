import type { Step } from '@weir/workflow-spec';
import { planDag } from '../model/plan/plan';
import { executeSteps } from '../scope/execute-scope';
import type { StepLoopOptions } from '../scope/loop/step-loop-options';
import type { StepSnapshot } from '../scope/loop/step-snapshot';
import type { NodeStatus } from '../model/statuses/node-status';
import type { StepChecks } from '../scope/loop/step-checks';
import type { StepChange } from '../model/steps/step-change';
import type { StepOutcome } from '../model/steps/step-outcome';

export const aStep = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  run: { kind: 'commands', commands: ['true'] },
  depends: [],
  env: [],
  ...more,
});
export const anAction = (name: string, action: string, more: Partial<Step> = {}): Step =>
  aStep(name, { run: { kind: 'action', action, with: {} }, ...more });

export const succeeded: StepOutcome = { status: 'succeeded', exitCode: 0 };
export const failed: StepOutcome = { status: 'failed', exitCode: 1, error: 'exit status 1' };
export const waits: StepOutcome = { status: 'waiting' };
export const continuing = { failure: true, skipped: true, exitCodes: [], outputs: [], markSuccess: false };
export const retried = { limit: 2, intervalSec: 1 };

export const snapshot = (status: NodeStatus, more: Partial<StepSnapshot> = {}): StepSnapshot => ({
  status,
  retries: 0,
  iterations: 0,
  continues: false,
  ...more,
});

export const checks: StepChecks = {
  preconditions: () => Promise.resolve({ kind: 'met' }),
  conditions: () => Promise.resolve({ kind: 'met' }),
  hasWritten: () => Promise.resolve(false),
  retryLimits: ({ retryPolicy }) =>
    Promise.resolve({ limit: Number(retryPolicy?.limit), intervalSec: Number(retryPolicy?.intervalSec) }),
  repeatLimits: (_step, { limit, intervalSec }) =>
    Promise.resolve({ intervalSec: Number(intervalSec), ...(limit === undefined ? {} : { limit: Number(limit) }) }),
};
export const atOnce = {
  start: (_afterMs: number, due: () => void) => {
    setImmediate(due);
    return () => undefined;
  },
};

interface Recorded {
  readonly attempts: Record<string, number[]>;
  readonly executed: string[];
  readonly changes: StepChange[];
  readonly ends: Record<string, string>;
}

/** Runs steps to the end, from how they stand, with these outcomes; a step without one succeeds. */
export const execute = async (
  steps: readonly Step[],
  snapshots: readonly StepSnapshot[] | undefined,
  {
    outcomes = {},
    ...more
  }: Partial<StepLoopOptions> & { readonly outcomes?: Readonly<Record<string, StepOutcome>> } = {},
) => {
  const recorded: Recorded = { attempts: {}, executed: [], changes: [], ends: {} };
  const outcome = await executeSteps({
    plan: planDag(steps),
    executor: {
      execute: ({ name }, { attempt }) => {
        recorded.executed.push(name);
        (recorded.attempts[name] ??= []).push(attempt);
        return Promise.resolve(outcomes[name] ?? succeeded);
      },
    },
    checks,
    recorder: {
      stepsChanged: (changes) => {
        for (const change of changes) note(recorded, change);
        return Promise.resolve();
      },
    },
    clock: { now: () => new Date('2026-11-21T09:30:00Z') },
    timer: atOnce,
    signal: new AbortController().signal,
    snapshots,
    maxActiveSteps: 0,
    ...more,
  });
  return { ...recorded, status: outcome.status, waiting: outcome.waiting };
};

const note = (recorded: Recorded, change: StepChange): void => {
  recorded.changes.push(change);
  if (change.kind === 'ended') recorded.ends[change.stepName] = ending(change.outcome.status, change.outcome.error);
  if (change.kind === 'not_started') recorded.ends[change.stepName] = ending(change.status, change.error);
};
const ending = (status: string, error: string | undefined): string =>
  error === undefined ? status : `${status}: ${error}`;
