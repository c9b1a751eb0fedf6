import { setImmediate as nextTick } from 'node:timers/promises';
import type { Step } from '@weir/workflow-spec';
import { planDag } from '../model/plan/plan';
import { executeSteps } from './execute-scope';
import type { StepLoopOptions } from './loop/step-loop-options';
import type { CheckResult } from '../model/steps/check-result';
import type { StepChecks } from './loop/step-checks';
import type { StepChange } from '../model/steps/step-change';
import type { StepOutcome } from '../model/steps/step-outcome';
import { startTimeLimit } from './attempts/attempt-time-limit';

const aStep = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  run: { kind: 'commands', commands: ['true'] },
  depends: [],
  env: [],
  ...more,
});
const guard = [{ kind: 'command', command: 'true', negate: false }] as const;
const continues = { failure: false, skipped: false, exitCodes: [], outputs: [], markSuccess: false };

/** A clock with its timers, which moves when the spec says so. */
const manualTime = () => {
  let nowMs = 0;
  const waiting = new Map<() => void, number>();
  return {
    now: () => new Date(nowMs),
    start: (afterMs: number, due: () => void) => {
      const wake = () => due();
      waiting.set(wake, nowMs + afterMs);
      return () => void waiting.delete(wake);
    },
    advance: (ms: number) => {
      nowMs += ms;
      for (const [wake, at] of [...waiting]) {
        if (at > nowMs) continue;
        waiting.delete(wake);
        wake();
      }
    },
    waiters: () => waiting.size,
  };
};

const settle = async () => {
  for (let tick = 0; tick < 12; tick += 1) await nextTick();
};

/** Runs these steps on a clock that the spec moves. */
const start = (
  steps: readonly Step[],
  outcomes: Readonly<Record<string, readonly StepOutcome[]>>,
  {
    answers = {},
    ...more
  }: Partial<StepLoopOptions> & { readonly answers?: Readonly<Record<string, CheckResult>> } = {},
) => {
  const clock = manualTime();
  const changes: StepChange[] = [];
  const ends: (string | undefined)[] = [];
  const stop = new AbortController();
  const checks: StepChecks = {
    preconditions: (step) => Promise.resolve(answers[step.name] ?? { kind: 'met' }),
    conditions: (step) => Promise.resolve(answers[step.name] ?? { kind: 'met' }),
    hasWritten: () => Promise.resolve(false),
    retryLimits: ({ retryPolicy }) =>
      Promise.resolve({ limit: Number(retryPolicy?.limit), intervalSec: Number(retryPolicy?.intervalSec) }),
    repeatLimits: (_, { limit, intervalSec, maxIntervalSec }) =>
      Promise.resolve({
        intervalSec: Number(intervalSec),
        ...(limit === undefined ? {} : { limit: Number(limit) }),
        ...(maxIntervalSec === undefined ? {} : { maxIntervalSec: Number(maxIntervalSec) }),
      }),
  };
  const run = executeSteps({
    plan: planDag(steps),
    executor: {
      execute: (step, { attempt, signal }) => {
        const outcome = outcomes[step.name]?.[attempt - 1];
        if (outcome !== undefined) return Promise.resolve(outcome);
        return new Promise((resolve) => {
          const abort = () => resolve({ status: 'aborted', error: 'run stopped' });
          if (signal.aborted) abort();
          signal.addEventListener('abort', abort);
        });
      },
    },
    checks,
    recorder: {
      stepsChanged: (each, end) => {
        changes.push(...each);
        ends.push(end);
        return Promise.resolve();
      },
    },
    clock,
    timer: clock,
    signal: stop.signal,
    maxActiveSteps: 0,
    ...more,
  });
  const texts = () =>
    changes.map((change) => {
      if (change.kind === 'ended') return `${change.stepName} ${change.outcome.status}`;
      if (change.kind === 'not_started') return `${change.stepName} ${change.status}: ${change.error}`;
      if (change.kind === 'starting') return `${change.stepName} starting ${change.attempt}`;
      return `${change.stepName} ${change.kind}`;
    });
  return { run, clock, stop, changes, texts, ends };
};

const succeeded: StepOutcome = { status: 'succeeded', exitCode: 0 };
const failed = (exitCode = 1): StepOutcome => ({ status: 'failed', exitCode, error: `exit status ${exitCode}` });

describe('preconditions', () => {
  it('skip a step, and its dependents, before it is recorded as starting', async () => {
    const steps = [
      aStep('a', { preconditions: guard }),
      aStep('b', { depends: ['a'] }),
      aStep('c', { depends: ['b'] }),
    ];
    const { run, texts, ends } = start(steps, {}, { answers: { a: { kind: 'not_met', reason: 'no' } } });

    expect((await run).status).toBe('succeeded');
    expect(texts()).toEqual(['a skipped: no', 'b skipped: upstream skipped', 'c skipped: upstream skipped']);
    expect(ends).toEqual(['succeeded']);
  });

  it('fail a step when they cannot be checked', async () => {
    const steps = [aStep('a', { preconditions: guard }), aStep('b', { depends: ['a'] })];
    const { run, texts } = start(steps, {}, { answers: { a: { kind: 'failed', error: 'bad' } } });

    expect((await run).status).toBe('failed');
    expect(texts()).toEqual(['a failed: bad', 'b aborted: upstream failed']);
  });

  it('let a step start once they hold, and occupy a slot until then', async () => {
    const steps = [aStep('a', { preconditions: guard }), aStep('b')];
    const { run, texts } = start(steps, { a: [succeeded], b: [succeeded] }, { maxActiveSteps: 1 });

    expect((await run).status).toBe('succeeded');
    expect(texts()).toEqual(['a starting 1', 'a succeeded', 'b starting 1', 'b succeeded']);
  });
});

describe('continue_on', () => {
  it.each([
    [{ failure: true }, 'partially_succeeded'],
    [{ exitCodes: [1] }, 'partially_succeeded'],
    [{ exitCodes: [2] }, 'failed'],
    [{ failure: true, markSuccess: true }, 'succeeded'],
    [{ markSuccess: true }, 'failed'],
  ])('%j makes the run %s', async (policy, status) => {
    const steps = [aStep('a', { continueOn: { ...continues, ...policy } }), aStep('b', { depends: ['a'] })];
    const { run } = start(steps, { a: [failed()], b: [succeeded] });

    expect((await run).status).toBe(status);
  });
});

describe('retries', () => {
  const retryPolicy = { limit: 2, intervalSec: 10, backoff: 2 };

  it('wait longer each time, and start with the number of their attempt', async () => {
    const { run, clock, texts, changes } = start([aStep('a', { retryPolicy })], { a: [failed(), failed(), succeeded] });
    await settle();
    expect(texts()).toEqual(['a starting 1', 'a retrying']);
    clock.advance(9_999);
    await settle();
    expect(texts()).toHaveLength(2);
    clock.advance(1);
    await settle();
    expect(texts().slice(2)).toEqual(['a starting 2', 'a retrying']);
    clock.advance(20_000);

    expect((await run).status).toBe('succeeded');
    expect(texts().slice(4)).toEqual(['a starting 3', 'a succeeded']);
    expect(changes.flatMap((change) => (change.kind === 'starting' ? change.retryCount : []))).toEqual([0, 1, 2]);
  });

  it.each([
    ['after the limit', retryPolicy, [failed(), failed(), failed(), succeeded], 3],
    ['after a time limit', retryPolicy, [failed(124), succeeded], 1],
    ['after another exit code', { ...retryPolicy, exitCodes: [7] }, [failed(7), failed(8), succeeded], 2],
    ['when the limit is 0', { limit: 0, intervalSec: 1 }, [failed(), succeeded], 1],
  ])('end %s', async (_case, policy, outcomes, attempts) => {
    const { run, clock, texts } = start([aStep('a', { retryPolicy: policy })], { a: outcomes });
    for (let round = 0; round < 4; round += 1) {
      await settle();
      clock.advance(60_000);
    }

    expect((await run).status).toBe('failed');
    expect(texts().filter((text) => text.includes('starting'))).toHaveLength(attempts);
  });

  it('do not outlive a stop', async () => {
    const { run, stop, clock, texts } = start([aStep('a', { retryPolicy })], { a: [failed(), succeeded] });
    await settle();
    stop.abort();

    expect((await run).status).toBe('aborted');
    expect(texts()).toEqual(['a starting 1', 'a retrying', 'a aborted']);
    expect(clock.waiters()).toBe(0);
  });
});

describe('repeats', () => {
  const repeatPolicy = { mode: 'while', intervalSec: 10 } as const;

  it('continue while the step succeeds, up to the limit', async () => {
    const step = aStep('a', { repeatPolicy: { ...repeatPolicy, limit: 2 } });
    const { run, clock, changes, texts } = start([step], { a: [succeeded, succeeded, succeeded] });
    await settle();
    clock.advance(10_000);

    expect((await run).status).toBe('succeeded');
    expect(texts()).toEqual(['a starting 1', 'a iteration_ended', 'a starting 2', 'a succeeded']);
    expect(changes.at(-1)).toMatchObject({ doneCount: 2 });
  });

  it('end on a stop between two iterations, with the outcome of the last one', async () => {
    const { run, stop, changes } = start([aStep('a', { repeatPolicy })], { a: [succeeded] });
    await settle();
    stop.abort();

    expect((await run).status).toBe('succeeded');
    expect(changes.at(-1)).toMatchObject({ kind: 'ended', doneCount: 1 });
  });

  it('may finish an iteration after a stop within the time to clean up', async () => {
    const { run, stop, clock, texts } = start([aStep('a', { repeatPolicy })], {}, { maxCleanUpTimeSec: 7 });
    await settle();
    stop.abort();
    clock.advance(6_999);
    await settle();
    expect(texts()).toEqual(['a starting 1']);
    clock.advance(1);

    expect((await run).status).toBe('aborted');
  });
});

describe('time', () => {
  it('ends the run as failed when its limit is over', async () => {
    const steps = [aStep('a'), aStep('b', { depends: ['a'] })];
    const { run, clock, changes, texts } = start(steps, {}, { timeoutSec: 5 });
    await settle();
    clock.advance(5_000);

    expect((await run).status).toBe('failed');
    expect(texts()).toEqual(['a starting 1', 'b aborted: run timed out', 'a aborted']);
    expect(changes.at(-1)).toMatchObject({ outcome: { error: 'run timed out' } });
  });

  it('delays each start after the previous one', async () => {
    const { run, clock, texts } = start([aStep('a'), aStep('b')], { a: [succeeded], b: [succeeded] }, { delaySec: 3 });
    await settle();
    expect(texts()).toEqual(['a starting 1', 'a succeeded']);
    clock.advance(3_000);

    expect((await run).status).toBe('succeeded');
  });

  it('fails an attempt beyond its limit with exit code 124', () => {
    const clock = manualTime();
    const { signal } = new AbortController();
    const limit = startTimeLimit({ timer: clock, timeoutSec: 2, signal });
    clock.advance(2_000);

    expect(limit.signal.aborted).toBe(true);
    expect(limit.applyTo({ status: 'aborted' })).toEqual({
      status: 'failed',
      exitCode: 124,
      error: 'timed out after 2 seconds',
    });
  });
});
