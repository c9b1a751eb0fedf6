import { setImmediate as nextTick } from 'node:timers/promises';
import { AppError } from '@weir/foundation';
import fc from 'fast-check';
import { executeSteps } from './execute-scope';
import type { StepChange } from '../model/steps/step-change';
import type { StepExecutor } from './loop/step-execution';
import {
  aStep,
  succeeded,
  failed,
  formatChange,
  options,
  settle,
  HeldExecutor,
  ListRecorder,
} from '../testing/step-loop-options';

describe('runDag', () => {
  it('records an end and the starts that follow from it in one call', async () => {
    const recorder = new ListRecorder();
    const steps = [aStep('a'), aStep('b', ['a']), aStep('c', ['a'])];

    const outcome = await executeSteps(options(steps, { recorder, maxActiveSteps: 1 }));

    expect(outcome.status).toBe('succeeded');
    expect(recorder.texts()).toEqual([
      ['a starting'],
      ['a succeeded', 'b starting'],
      ['b succeeded', 'c starting'],
      ['c succeeded'],
    ]);
  });

  it('starts no step before its start and the ends before it are stored', async () => {
    const executor = new HeldExecutor();
    const stored: (() => void)[] = [];
    const recorder = { stepsChanged: () => new Promise<void>((resolve) => stored.push(resolve)) };
    const run = executeSteps(options([aStep('a'), aStep('b', ['a'])], { executor, recorder }));
    await settle();
    expect([...executor.running.keys()]).toEqual([]);
    stored.shift()?.();
    await settle();
    expect([...executor.running.keys()]).toEqual(['a']);
    executor.end('a');
    await settle();
    expect([...executor.running.keys()]).toEqual([]);
    stored.shift()?.();
    await settle();
    expect([...executor.running.keys()]).toEqual(['b']);
    executor.end('b');
    await settle();
    stored.shift()?.();

    expect((await run).status).toBe('succeeded');
  });

  it('collects changes while the recorder is busy into its next call', async () => {
    const executor = new HeldExecutor();
    const stored: (() => void)[] = [];
    const calls: number[] = [];
    const recorder = {
      stepsChanged: (changes: readonly StepChange[]) => {
        calls.push(changes.length);
        return new Promise<void>((resolve) => stored.push(resolve));
      },
    };
    const run = executeSteps(
      options(
        Array.from({ length: 100 }, (_, index) => aStep(`s${index}`)),
        { executor, recorder },
      ),
    );
    stored.shift()?.();
    await settle();
    executor.end('s0');
    await settle();
    for (let index = 1; index < 100; index += 1) executor.end(`s${index}`);
    stored.shift()?.();
    await settle();
    stored.shift()?.();
    await run;

    expect(calls).toEqual([100, 1, 99]);
  });

  it('records the process of a step between its start and its end', async () => {
    const recorder = new ListRecorder();
    const executor: StepExecutor = {
      execute: (_step, { onStarted }) => {
        onStarted({ pid: 7, startedAt: 'boot:1' });
        return Promise.resolve(succeeded);
      },
    };

    await executeSteps(options([aStep('a')], { recorder, executor }));

    expect(recorder.calls.flat()).toMatchObject([
      { kind: 'starting', attempt: 1 },
      { kind: 'process_started', attempt: 1, process: { pid: 7, startedAt: 'boot:1' } },
      { kind: 'ended', attempt: 1, outcome: succeeded },
    ]);
  });

  it('drops a process that is reported after the end of its step', async () => {
    const recorder = new ListRecorder();
    const executor = new HeldExecutor();
    const run = executeSteps(options([aStep('a'), aStep('b')], { recorder, executor }));
    await settle();
    const { context } = executor.running.get('a') ?? {};
    executor.end('a');
    await settle();
    context?.onStarted({ pid: 7, startedAt: 'boot:1' });
    executor.end('b');
    await run;

    expect(recorder.calls.flat().filter(({ kind }) => kind === 'process_started')).toEqual([]);
  });

  it('succeeds with a DAG without steps and records nothing', async () => {
    const recorder = new ListRecorder();

    expect((await executeSteps(options([], { recorder }))).status).toBe('succeeded');
    expect(recorder.calls).toEqual([]);
  });

  it('aborts the dependents of a failed step and lets other branches continue', async () => {
    const recorder = new ListRecorder();
    const executor: StepExecutor = { execute: (step) => Promise.resolve(step.name === 'a' ? failed : succeeded) };
    const steps = [aStep('a'), aStep('b', ['a']), aStep('c', ['b']), aStep('x'), aStep('y', ['x'])];

    const outcome = await executeSteps(options(steps, { recorder, executor }));

    expect(outcome.status).toBe('failed');
    expect(recorder.calls.flat().filter(({ kind }) => kind === 'not_started')).toMatchObject([
      { stepName: 'b', error: 'upstream failed' },
      { stepName: 'c', error: 'upstream failed' },
    ]);
    expect(recorder.texts().flat()).toContain('y succeeded');
  });
});

describe('an executor that throws', () => {
  const executeFailing = async (error: unknown) => {
    const recorder = new ListRecorder();
    const executor: StepExecutor = {
      execute: () => {
        throw error;
      },
    };
    const { status } = await executeSteps(options([aStep('a')], { recorder, executor }));
    const end = recorder.calls.flat().find((change) => change.kind === 'ended');
    return { status, outcome: end?.outcome };
  };

  it('fails the step without showing a foreign error', async () => {
    const error = new Error('spawn echo hunter2');

    expect(await executeFailing(error)).toEqual({
      status: 'failed',
      outcome: { status: 'failed', error: 'The step could not be executed.', cause: error },
    });
  });

  it('shows the message of an AppError, at most 1,024 characters', async () => {
    const { outcome } = await executeFailing(new AppError('unavailable', 'x'.repeat(5_000)));

    expect(outcome?.error).toBe('x'.repeat(1_024));
  });
});

describe('any DAG', () => {
  it('records every step once from start to end and never runs more at once than allowed', async () => {
    const sizes = fc.array(fc.tuple(fc.array(fc.nat(20), { maxLength: 3 }), fc.boolean()), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(3), async (shape, maxActiveSteps) => {
        const steps = shape.map(([depends], index) =>
          aStep(
            `s${index}`,
            depends.filter((dependency) => dependency < index).map((dependency) => `s${dependency}`),
          ),
        );
        const recorder = new ListRecorder();
        let active = 0;
        let most = 0;
        const executor: StepExecutor = {
          execute: async (_step, { index }) => {
            active += 1;
            most = Math.max(most, active);
            await nextTick();
            active -= 1;
            return shape[index]?.[1] === true ? succeeded : failed;
          },
        };

        const { status } = await executeSteps(options(steps, { recorder, executor, maxActiveSteps }));

        const changes = recorder.calls.flat();
        for (const [index, step] of steps.entries()) {
          const own = changes.filter((change) => change.index === index).map(({ kind }) => kind);
          expect([['not_started'], ['starting', 'ended']]).toContainEqual(own);
          const start = changes.findIndex((change) => change.index === index && change.kind === 'starting');
          for (const name of start < 0 ? [] : step.depends) {
            const end = changes.findIndex((change) => formatChange(change) === `${name} succeeded`);
            expect(end).toBeGreaterThanOrEqual(0);
            expect(end).toBeLessThan(start);
          }
        }
        if (maxActiveSteps > 0) expect(most).toBeLessThanOrEqual(maxActiveSteps);
        expect(status).toBe(shape.every(([, isFine]) => isFine) ? 'succeeded' : 'failed');
      }),
      { numRuns: 60 },
    );
  });
});
