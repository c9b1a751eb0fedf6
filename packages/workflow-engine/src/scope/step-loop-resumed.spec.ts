import { setImmediate as nextTick } from 'node:timers/promises';
import type { Step } from '@weir/workflow-spec';
import fc from 'fast-check';
import { planDag } from '../plan/plan';
import { executeSteps } from './step-loop';
import type { StepLoopOptions } from './step-loop-options';
import type { StepSnapshot } from './step-snapshot';
import { nodeStatus, type NodeStatus } from '../statuses/node-status';
import type { StepChecks } from './step-checks';
import type { StepChange, StepExecutor, StepOutcome } from './step-ports';

const aStep = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  run: { kind: 'commands', commands: ['true'] },
  depends: [],
  env: [],
  ...more,
});
const anAction = (name: string, action: string, more: Partial<Step> = {}): Step =>
  aStep(name, { run: { kind: 'action', action, with: {} }, ...more });

const succeeded: StepOutcome = { status: 'succeeded', exitCode: 0 };
const failed: StepOutcome = { status: 'failed', exitCode: 1, error: 'exit status 1' };
const waits: StepOutcome = { status: 'waiting' };
const continuing = { failure: true, skipped: true, exitCodes: [], outputs: [], markSuccess: false };
const retried = { limit: 2, intervalSec: 1 };

const snapshot = (status: NodeStatus, more: Partial<StepSnapshot> = {}): StepSnapshot => ({
  status,
  retries: 0,
  iterations: 0,
  continues: false,
  ...more,
});

const checks: StepChecks = {
  conditions: () => Promise.resolve({ kind: 'met' }),
  hasWritten: () => Promise.resolve(false),
  retryLimits: ({ retryPolicy }) =>
    Promise.resolve({ limit: Number(retryPolicy?.limit), intervalSec: Number(retryPolicy?.intervalSec) }),
};
const atOnce = {
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
const execute = async (
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

describe('a run that is resumed', () => {
  const chain = [aStep('a'), aStep('b', { depends: ['a'] })];

  it.each<[NodeStatus, string[], string]>([
    ['not_started', ['a', 'b'], 'succeeded'],
    ['succeeded', ['b'], 'succeeded'],
    ['partially_succeeded', ['b'], 'partially_succeeded'],
    ['running', [], 'failed'],
    ['retrying', ['a', 'b'], 'succeeded'],
    ['waiting', [], 'waiting'],
    ['rejected', [], 'rejected'],
  ])('whose first step is %s executes %j and ends as %s', async (status, executed, outcome) => {
    const recorded = await execute(chain, [snapshot(status), snapshot('not_started')]);

    expect(recorded.executed).toEqual(executed);
    expect(recorded.status).toBe(outcome);
  });

  it.each<[NodeStatus, NodeStatus, string]>([
    ['failed', 'aborted', 'failed'],
    ['aborted', 'aborted', 'failed'],
    ['skipped', 'skipped', 'succeeded'],
    ['rejected', 'aborted', 'rejected'],
  ])('executes nothing when all had ended: %s, %s', async (first, second, outcome) => {
    const recorded = await execute(chain, [snapshot(first), snapshot(second)]);

    expect(recorded.changes).toEqual([]);
    expect(recorded.status).toBe(outcome);
  });

  it('fails a step that was executing, and aborts what depends on it', async () => {
    const recorded = await execute(chain, [snapshot('running'), snapshot('not_started')]);

    expect(recorded.ends).toEqual({ a: 'failed: owner lost', b: 'aborted: upstream failed' });
  });

  it('lets dependents run after a lost step that continues on failure', async () => {
    const steps = [aStep('a', { continueOn: continuing }), aStep('b', { depends: ['a'] })];
    const recorded = await execute(steps, [snapshot('running'), snapshot('not_started')]);

    expect(recorded.executed).toEqual(['b']);
    expect(recorded.status).toBe('partially_succeeded');
  });

  it('keeps in mind that the dependents of a failed step run all the same', async () => {
    const recorded = await execute(chain, [snapshot('failed', { continues: true }), snapshot('not_started')]);

    expect(recorded.executed).toEqual(['b']);
    expect(recorded.status).toBe('partially_succeeded');
  });

  it('starts a step only once every one it depends on has ended', async () => {
    const steps = [aStep('a', { idempotent: true }), aStep('b'), aStep('c', { depends: ['a', 'b'] })];
    const recorded = await execute(steps, [snapshot('running'), snapshot('succeeded'), snapshot('not_started')]);

    expect(recorded.executed).toEqual(['a', 'c']);
  });

  it.each<[string, Step, Partial<StepSnapshot>, number[]]>([
    ['idempotent', aStep('a', { idempotent: true }), {}, [2]],
    ['one that may be tried again', aStep('a', { retryPolicy: retried }), {}, [2]],
    ['one on its second try', aStep('a', { retryPolicy: retried }), { retries: 1 }, [3]],
    ['one whose limit is a reference', aStep('a', { retryPolicy: { ...retried, limit: '${N}' } }), {}, [2]],
    [
      'a loop',
      aStep('a', { run: { kind: 'foreach', items: [], as: 'item', maxConcurrent: 1, collect: [], steps: [] } }),
      {},
      [1],
    ],
    ['a call of a DAG', anAction('a', 'dag.run'), {}, [1]],
    ['a wait', anAction('a', 'wait.duration'), {}, [1]],
    ['a call on its second try', anAction('a', 'dag.run', { retryPolicy: retried }), { retries: 1 }, [2]],
  ])('executes again what was executing: %s', async (_, step, how, attempts) => {
    const recorded = await execute([step], [snapshot('running', how)]);

    expect(recorded.attempts).toEqual({ a: attempts });
    expect(recorded.status).toBe('succeeded');
  });

  it.each<[string, Step, Partial<StepSnapshot>]>([
    ['a command', aStep('a'), {}],
    ['an action that does something', anAction('a', 'http.request'), {}],
    ['one that used up its tries', aStep('a', { retryPolicy: retried }), { retries: 2 }],
    ['one that has no tries', aStep('a', { retryPolicy: { ...retried, limit: 0 } }), {}],
  ])('does not execute again what was executing: %s', async (_, step, how) => {
    const recorded = await execute([step], [snapshot('running', how)]);

    expect(recorded.ends).toEqual({ a: 'failed: owner lost' });
    expect(recorded.executed).toEqual([]);
  });

  it.each([
    aStep('a', { retryPolicy: { limit: 1, intervalSec: 1 } }),
    anAction('a', 'wait.http', { retryPolicy: { limit: 1, intervalSec: 1 } }),
  ])('counts the try that had failed of a step that waited for its next one', async (step) => {
    const recorded = await execute([step], [snapshot('retrying')], { outcomes: { a: failed } });

    expect(recorded.attempts).toEqual({ a: [2] });
    expect(recorded.status).toBe('failed');
  });

  it('continues the iterations of a repeated step', async () => {
    const step = aStep('a', { idempotent: true, repeatPolicy: { mode: 'while', limit: 3, intervalSec: 0 } });
    const recorded = await execute([step], [snapshot('running', { iterations: 1 })]);

    expect(recorded.changes.filter(({ kind }) => kind === 'iteration_ended')).toHaveLength(1);
    expect(recorded.changes.at(-1)).toMatchObject({ kind: 'ended', doneCount: 3 });
  });

  it('aborts what depends on a step that was turned down', async () => {
    const steps = [...chain, aStep('c', { depends: ['b'] }), aStep('x')];
    const recorded = await execute(steps, [
      snapshot('rejected'),
      ...Array.from({ length: 3 }, () => snapshot('not_started')),
    ]);

    expect(recorded.ends).toEqual({ b: 'aborted: upstream failed', c: 'aborted: upstream failed', x: 'succeeded' });
    expect(recorded.status).toBe('rejected');
  });

  it('ends aborted when the only step was lost and the run was asked to stop', async () => {
    const ends: (string | undefined)[] = [];
    const outcome = await executeSteps({
      plan: planDag([aStep('a')]),
      executor: { execute: () => Promise.reject(new Error('nothing may execute')) },
      recorder: { stepsChanged: (_changes, end) => Promise.resolve(void ends.push(end)) },
      checks,
      clock: { now: () => new Date(0) },
      timer: atOnce,
      signal: AbortSignal.abort(),
      snapshots: [snapshot('running')],
      maxActiveSteps: 0,
    });

    expect({ status: outcome.status, ends }).toEqual({ status: 'aborted', ends: ['aborted'] });
  });

  it('aborts what was lost and starts nothing when it was asked to stop', async () => {
    const steps = [aStep('a'), aStep('b', { idempotent: true }), aStep('c')];
    const snapshots = [snapshot('running'), snapshot('running'), snapshot('waiting')];
    const recorded = await execute(steps, snapshots, { signal: AbortSignal.abort() });

    expect(recorded.ends).toEqual({ a: 'aborted: run stopped', b: 'aborted: run stopped', c: 'aborted: run stopped' });
    expect(recorded.status).toBe('aborted');
  });
});

describe('a step that waits for a person', () => {
  it('lets independent branches finish before its run waits', async () => {
    const steps = [aStep('a'), aStep('b', { depends: ['a'] }), aStep('x'), aStep('y', { depends: ['x'] })];
    const recorded = await execute(steps, undefined, { outcomes: { a: waits } });

    expect(recorded.executed).toEqual(['a', 'x', 'y']);
    expect(recorded.status).toBe('waiting');
    expect(recorded.waiting).toEqual([0]);
    expect(recorded.ends).toEqual({ x: 'succeeded', y: 'succeeded' });
  });

  it('gives its place to others', async () => {
    const recorded = await execute([aStep('a'), aStep('b')], undefined, { outcomes: { a: waits }, maxActiveSteps: 1 });

    expect(recorded.ends).toEqual({ b: 'succeeded' });
  });

  it('is aborted with its run', async () => {
    const stop = new AbortController();
    const executor: StepExecutor = {
      execute: ({ name }, { signal }) => {
        if (name === 'a') return Promise.resolve(waits);
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ status: 'aborted' }));
        });
      },
    };
    const run = execute([aStep('a'), aStep('b')], undefined, { executor, signal: stop.signal });
    for (let tick = 0; tick < 5; tick += 1) await nextTick();
    stop.abort();

    expect(await run).toMatchObject({ status: 'aborted', waiting: [], ends: { a: 'aborted: run stopped' } });
  });
});

describe('a step that chooses ways', () => {
  const router = aStep('router');
  const chooses = (...skips: string[]) => ({ outcomes: { router: { ...succeeded, skips } } });

  it('skips the ways that were not taken and what comes after them', async () => {
    const steps = [
      router,
      ...['b', 'c'].map((name) => aStep(name, { depends: ['router'] })),
      aStep('d', { depends: ['c'] }),
    ];
    const recorded = await execute(steps, undefined, chooses('c'));

    expect(recorded.ends).toEqual({
      router: 'succeeded',
      b: 'succeeded',
      c: 'skipped: route not taken',
      d: 'skipped: upstream skipped',
    });
    expect(recorded.status).toBe('succeeded');
  });

  it('skips a target that waits for something else, too', async () => {
    const steps = [router, aStep('other'), aStep('b', { depends: ['router', 'other'] })];
    const recorded = await execute(steps, undefined, { ...chooses('b'), maxActiveSteps: 1 });

    expect(recorded.ends).toEqual({ router: 'succeeded', other: 'succeeded', b: 'skipped: route not taken' });
  });

  it('lets the dependents of a skipped target run that continues when skipped', async () => {
    const steps = [router, aStep('b', { depends: ['router'], continueOn: continuing }), aStep('c', { depends: ['b'] })];
    const recorded = await execute(steps, undefined, chooses('b'));

    expect(recorded.ends).toMatchObject({ b: 'skipped: route not taken', c: 'succeeded' });
  });

  it('leaves a target alone that had ended already', async () => {
    const steps = [aStep('x'), aStep('router', { depends: ['x'] }), aStep('b', { depends: ['router', 'x'] })];
    const recorded = await execute(steps, undefined, {
      outcomes: { x: failed, router: { ...succeeded, skips: ['b'] } },
    });

    expect(recorded.ends).toMatchObject({ router: 'aborted: upstream failed', b: 'aborted: upstream failed' });
  });
});

describe('leaving a run', () => {
  it('asks active steps to end, records nothing more and rejects', async () => {
    const leave = new AbortController();
    const changes: StepChange[] = [];
    let isAsked = false;
    const run = execute([aStep('a'), aStep('b', { depends: ['a'] })], undefined, {
      release: leave.signal,
      recorder: {
        stepsChanged: (each) => {
          changes.push(...each);
          return Promise.resolve();
        },
      },
      executor: {
        execute: (_step, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              isAsked = true;
              setImmediate(() => resolve({ status: 'aborted' }));
            });
          }),
      },
    }).catch((error: unknown) => error);
    for (let tick = 0; tick < 5; tick += 1) await nextTick();
    leave.abort();

    expect(await run).toMatchObject({ reason: 'run_released' });
    expect(isAsked).toBe(true);
    expect(changes.map(({ kind }) => kind)).toEqual(['starting']);
  });

  it('starts nothing that was being recorded at that moment', async () => {
    const leave = new AbortController();
    let executed = 0;
    const run = execute([aStep('a')], undefined, {
      release: leave.signal,
      recorder: {
        stepsChanged: () => {
          leave.abort();
          return Promise.resolve();
        },
      },
      executor: {
        execute: () => {
          executed += 1;
          return Promise.resolve(succeeded);
        },
      },
    }).catch((error: unknown) => error);

    expect(await run).toMatchObject({ reason: 'run_released' });
    expect(executed).toBe(0);
  });

  it('rejects before the first step when it was left already', async () => {
    const run = execute([aStep('a')], undefined, { release: AbortSignal.abort() }).catch((error: unknown) => error);

    expect(await run).toMatchObject({ reason: 'run_released' });
  });
});

interface Row {
  status: NodeStatus;
  retries: number;
  iterations: number;
  continues: boolean;
}

/** What a store would hold after these changes. */
const apply = (rows: Row[], changes: readonly StepChange[]): void => {
  for (const change of changes) {
    const row = rows[change.index];
    if (row === undefined) throw new Error('no such row');
    if (change.kind === 'starting') Object.assign(row, { status: 'running', retries: change.retryCount });
    if (change.kind === 'retrying') row.status = 'retrying';
    if (change.kind === 'iteration_ended') row.iterations = change.doneCount;
    if (change.kind === 'not_started') row.status = change.status;
    if (change.kind === 'ended') Object.assign(row, { status: change.outcome.status, continues: change.continues });
  }
};

describe('any DAG of steps that may execute twice', () => {
  const arbitraryShape = ({ fails, skips }: { readonly fails: boolean; readonly skips: boolean }) =>
    fc.array(
      fc.record({
        depends: fc.array(fc.nat(20), { maxLength: 3 }),
        fails: fails ? fc.boolean() : fc.constant(false),
        continues: fc.boolean(),
        skips: skips ? fc.boolean() : fc.constant(false),
        isTried: fc.boolean(),
      }),
      { minLength: 1, maxLength: 15 },
    );
  // A step that waits for a failed one and for one that was skipped goes the way of whichever ended first (spec 201).
  const shapes = fc.oneof(arbitraryShape({ fails: true, skips: false }), arbitraryShape({ fails: false, skips: true }));

  it('ends in the same way when its owners die at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(
        shapes,
        fc.array(fc.nat(12), { maxLength: 4 }),
        fc.nat(3),
        async (shape, deaths, maxActiveSteps) => {
          const steps = shape.map(({ depends, continues, isTried }, index) =>
            aStep(`s${index}`, {
              depends: depends.filter((at) => at < index).map((at) => `s${at}`),
              idempotent: true,
              ...(continues ? { continueOn: continuing } : {}),
              ...(isTried ? { retryPolicy: { limit: 1, intervalSec: 0 } } : {}),
            }),
          );
          const executor: StepExecutor = {
            execute: async ({ name }, { index }) => {
              await nextTick();
              const { fails, skips } = shape[index] ?? {};
              if (fails === true) return failed;
              const dependents = steps.filter(({ depends }) => depends.includes(name)).map((step) => step.name);
              return skips === true ? { ...succeeded, skips: dependents.slice(0, 1) } : succeeded;
            },
          };
          const finish = async (plannedDeaths: readonly number[]) => {
            const rows: Row[] = steps.map(() => ({ ...snapshot('not_started') }));
            for (let life = 0; ; life += 1) {
              const died = new AbortController();
              let calls = 0;
              const outcome = await execute(steps, life === 0 ? undefined : rows.map((row) => ({ ...row })), {
                executor,
                maxActiveSteps,
                release: died.signal,
                recorder: {
                  stepsChanged: (changes) => {
                    const dies = calls === plannedDeaths[life];
                    calls += 1;
                    if (dies && calls % 2 === 0) return Promise.reject(new Error('died before it was stored'));
                    apply(rows, changes);
                    if (dies) died.abort();
                    return Promise.resolve();
                  },
                },
              }).catch(() => undefined);
              if (outcome !== undefined) return { status: outcome.status, ends: rows.map(({ status }) => status) };
            }
          };

          expect(await finish(deaths)).toEqual(await finish([]));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('never leaves a step without an end', async () => {
    const statuses: readonly NodeStatus[] = ['not_started', 'running', 'retrying', 'succeeded', 'failed', 'skipped'];
    const stood = fc.array(fc.constantFrom(...statuses), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(stood, async (found) => {
        const steps = found.map((_, index) => aStep(`s${index}`));
        const { changes } = await execute(
          steps,
          found.map((status) => snapshot(status)),
        );
        const ended = new Set(changes.filter(({ kind }) => kind === 'ended').map(({ index }) => index));
        expect([...found.keys()].filter((index) => !nodeStatus.isTerminal(found[index] ?? 'failed'))).toEqual(
          [...ended].sort((left, right) => left - right),
        );
        expect(found.some((status) => nodeStatus.isRetrying(status)) && ended.size === 0).toBe(false);
      }),
    );
  });
});

describe('10,000 steps', () => {
  const count = 10_000;
  const shapes: Readonly<Record<string, readonly Step[]>> = {
    'in a chain': Array.from({ length: count }, (_, index) =>
      aStep(`s${index}`, index === 0 ? {} : { depends: [`s${index - 1}`] }),
    ),
    'after one': Array.from({ length: count }, (_, index) =>
      aStep(`s${index}`, index === 0 ? {} : { depends: ['s0'] }),
    ),
  };

  it.each(Object.keys(shapes))('%s execute, which takes minutes if the work grows with their square', async (shape) => {
    const steps = shapes[shape] ?? [];
    const { executed } = await execute(steps, undefined);
    expect(executed).toHaveLength(count);

    const half = steps.map((_, index) => snapshot(index < count / 2 ? 'succeeded' : 'not_started'));
    expect((await execute(steps, half)).executed).toHaveLength(count / 2);
  });
});
