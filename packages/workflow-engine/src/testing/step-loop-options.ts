import { setImmediate as nextTick } from 'node:timers/promises';
import type { Step } from '@weir/workflow-spec';
import { planDag } from '../model/plan/plan';
import type { StepLoopOptions } from '../scope/loop/step-loop-options';
import type { StepChecks } from '../scope/loop/step-checks';
import type { Timer } from '../model/ports/timer';
import type { RunRecorder, StepChange } from '../model/steps/step-change';
import type { StepContext, StepExecutor } from '../scope/loop/step-execution';
import type { StepOutcome } from '../model/steps/step-outcome';

export const aStep = (name: string, depends: readonly string[] = []): Step => ({
  name,
  run: { kind: 'commands', commands: ['true'] },
  depends,
  env: [],
});

export const succeeded: StepOutcome = { status: 'succeeded', exitCode: 0 };
export const failed: StepOutcome = { status: 'failed', exitCode: 1, error: 'exit status 1' };

/** Steps execute until the spec ends them. */
export class HeldExecutor implements StepExecutor {
  readonly running = new Map<string, { context: StepContext; end: (outcome: StepOutcome) => void }>();

  execute(step: Step, context: StepContext): Promise<StepOutcome> {
    return new Promise((end) => {
      this.running.set(step.name, { context, end });
    });
  }

  end(name: string, outcome: StepOutcome = succeeded): void {
    const step = this.running.get(name);
    if (step === undefined) throw new Error(`${name} does not run`);
    this.running.delete(name);
    step.end(outcome);
  }
}

export class ListRecorder implements RunRecorder {
  readonly calls: (readonly StepChange[])[] = [];

  stepsChanged(changes: readonly StepChange[]): Promise<void> {
    this.calls.push(changes);
    return Promise.resolve();
  }

  texts(): string[][] {
    return this.calls.map((changes) => changes.map(formatChange));
  }
}

export const formatChange = (change: StepChange): string =>
  change.kind === 'ended' ? `${change.stepName} ${change.outcome.status}` : `${change.stepName} ${change.kind}`;

const clock = { now: () => new Date('2026-11-21T09:30:00Z') };

/** These checks serve steps without conditions, patterns and retries. */
const noChecks: StepChecks = {
  preconditions: () => Promise.reject(new Error('no preconditions')),
  conditions: () => Promise.reject(new Error('no conditions')),
  hasWritten: () => Promise.reject(new Error('no patterns')),
  retryLimits: () => Promise.reject(new Error('no retries')),
  repeatLimits: () => Promise.reject(new Error('no repetitions')),
};
const neverDue: Timer = { start: () => () => undefined };

export const options = (steps: readonly Step[], changes: Partial<StepLoopOptions> = {}): StepLoopOptions => ({
  plan: planDag(steps),
  executor: { execute: () => Promise.resolve(succeeded) },
  recorder: new ListRecorder(),
  checks: noChecks,
  clock,
  timer: neverDue,
  signal: new AbortController().signal,
  maxActiveSteps: 0,
  ...changes,
});

/** Lets everything happen that needs no more input. */
export const settle = async () => {
  for (let tick = 0; tick < 5; tick += 1) await nextTick();
};
