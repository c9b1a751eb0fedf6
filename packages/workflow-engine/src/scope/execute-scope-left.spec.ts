import { setImmediate as nextTick } from 'node:timers/promises';
import type { Step } from '@weir/workflow-spec';
import fc from 'fast-check';
import { nodeStatus, type NodeStatus } from '../model/statuses/node-status';
import type { StepChange } from '../model/steps/step-change';
import type { StepExecutor } from './loop/step-execution';
import { aStep, succeeded, failed, continuing, snapshot, execute } from '../testing/resumed-loop';

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

  it('does not start a step that was being recorded at that moment', async () => {
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

  it('rejects before the first step when it was already left', async () => {
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

  it.each(Object.keys(shapes))('%s execute, which would take minutes in quadratic time', async (shape) => {
    const steps = shapes[shape] ?? [];
    const { executed } = await execute(steps, undefined);
    expect(executed).toHaveLength(count);

    const half = steps.map((_, index) => snapshot(index < count / 2 ? 'succeeded' : 'not_started'));
    expect((await execute(steps, half)).executed).toHaveLength(count / 2);
  });
});
