import { setImmediate as nextTick } from 'node:timers/promises';
import type { Step } from '@weir/workflow-spec';
import { planDag } from '../model/plan/plan';
import { executeSteps } from './execute-scope';
import type { StepSnapshot } from './loop/step-snapshot';
import type { NodeStatus } from '../model/statuses/node-status';
import type { StepExecutor } from './loop/step-execution';
import {
  aStep,
  anAction,
  succeeded,
  failed,
  waits,
  continuing,
  retried,
  snapshot,
  checks,
  atOnce,
  execute,
} from '../testing/resumed-loop';

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
  ])('executes nothing when all steps had ended: %s, %s', async (first, second, outcome) => {
    const recorded = await execute(chain, [snapshot(first), snapshot(second)]);

    expect(recorded.changes).toEqual([]);
    expect(recorded.status).toBe(outcome);
  });

  it('fails a step that was executing, and aborts its dependents', async () => {
    const recorded = await execute(chain, [snapshot('running'), snapshot('not_started')]);

    expect(recorded.ends).toEqual({ a: 'failed: owner lost', b: 'aborted: upstream failed' });
  });

  it.each([
    ['no more than a limit that is known only now', {}, 'failed: owner lost', []],
    ['but executes an idempotent step all the same', { idempotent: true }, 'succeeded', ['a']],
  ])('uses %s', async (_, more, end, executed) => {
    const step = aStep('a', { retryPolicy: { ...retried, limit: '1' }, ...more });
    const recorded = await execute([step], [snapshot('running', { retries: 1 })]);

    expect(recorded.ends).toEqual({ a: end });
    expect(recorded.executed).toEqual(executed);
  });

  it('lets dependents run after a lost step that continues on failure', async () => {
    const steps = [aStep('a', { continueOn: continuing }), aStep('b', { depends: ['a'] })];
    const recorded = await execute(steps, [snapshot('running'), snapshot('not_started')]);

    expect(recorded.executed).toEqual(['b']);
    expect(recorded.status).toBe('partially_succeeded');
  });

  it('remembers that the dependents of a failed step run nevertheless', async () => {
    const recorded = await execute(chain, [snapshot('failed', { continues: true }), snapshot('not_started')]);

    expect(recorded.executed).toEqual(['b']);
    expect(recorded.status).toBe('partially_succeeded');
  });

  it('starts a step only once all its dependencies have ended', async () => {
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
  ])('executes a step again that was executing: %s', async (_, step, how, attempts) => {
    const recorded = await execute([step], [snapshot('running', how)]);

    expect(recorded.attempts).toEqual({ a: attempts });
    expect(recorded.status).toBe('succeeded');
  });

  it.each<[string, Step, Partial<StepSnapshot>]>([
    ['a command', aStep('a'), {}],
    ['an action that does something', anAction('a', 'http.request'), {}],
    ['one that used up its tries', aStep('a', { retryPolicy: retried }), { retries: 2 }],
    ['one that has no tries', aStep('a', { retryPolicy: { ...retried, limit: 0 } }), {}],
  ])('does not execute a step again that was executing: %s', async (_, step, how) => {
    const recorded = await execute([step], [snapshot('running', how)]);

    expect(recorded.ends).toEqual({ a: 'failed: owner lost' });
    expect(recorded.executed).toEqual([]);
  });

  it.each([
    aStep('a', { retryPolicy: { limit: 1, intervalSec: 1 } }),
    anAction('a', 'wait.http', { retryPolicy: { limit: 1, intervalSec: 1 } }),
  ])('counts the failed try of a step that was waiting for its next one', async (step) => {
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

  it('aborts the dependents of a rejected step', async () => {
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

  it('aborts the lost step and starts nothing when it was asked to stop', async () => {
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

  it('frees its slot for others', async () => {
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

describe('a step that chooses routes', () => {
  const router = aStep('router');
  const chooses = (...skips: string[]) => ({ outcomes: { router: { ...succeeded, skips } } });

  it('skips the routes that were not taken and the steps downstream of them', async () => {
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

  it('skips even a target that also waits for another step', async () => {
    const steps = [router, aStep('other'), aStep('b', { depends: ['router', 'other'] })];
    const recorded = await execute(steps, undefined, { ...chooses('b'), maxActiveSteps: 1 });

    expect(recorded.ends).toEqual({ router: 'succeeded', other: 'succeeded', b: 'skipped: route not taken' });
  });

  it('runs the dependents of a skipped target that continues when skipped', async () => {
    const steps = [router, aStep('b', { depends: ['router'], continueOn: continuing }), aStep('c', { depends: ['b'] })];
    const recorded = await execute(steps, undefined, chooses('b'));

    expect(recorded.ends).toMatchObject({ b: 'skipped: route not taken', c: 'succeeded' });
  });

  it('does not change a target that had already ended', async () => {
    const steps = [aStep('x'), aStep('router', { depends: ['x'] }), aStep('b', { depends: ['router', 'x'] })];
    const recorded = await execute(steps, undefined, {
      outcomes: { x: failed, router: { ...succeeded, skips: ['b'] } },
    });

    expect(recorded.ends).toMatchObject({ router: 'aborted: upstream failed', b: 'aborted: upstream failed' });
  });
});
