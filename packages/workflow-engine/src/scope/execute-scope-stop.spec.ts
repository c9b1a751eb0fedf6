import { getEventListeners } from 'node:events';
import { executeSteps } from './execute-scope';
import type { RunRecorder, StepChange } from '../model/steps/step-change';
import type { StepExecutor } from './loop/step-execution';
import { aStep, formatChange, options, settle, HeldExecutor, ListRecorder } from '../testing/step-loop-options';

describe('stopping a run', () => {
  it('aborts running steps by signal and those that have not started at once', async () => {
    const recorder = new ListRecorder();
    const executor = new HeldExecutor();
    const stop = new AbortController();
    const run = executeSteps(options([aStep('a'), aStep('b', ['a'])], { recorder, executor, signal: stop.signal }));
    await settle();
    const { context } = executor.running.get('a') ?? {};
    stop.abort();
    await settle();
    expect(context?.signal.aborted).toBe(true);
    expect(recorder.texts().at(-1)).toEqual(['b not_started']);
    executor.end('a', { status: 'aborted' });

    expect((await run).status).toBe('aborted');
    expect(recorder.texts().at(-1)).toEqual(['a aborted']);
  });

  it('starts nothing when the stop was requested before the run', async () => {
    const recorder = new ListRecorder();
    const executor = new HeldExecutor();

    const { status } = await executeSteps(options([aStep('a')], { recorder, executor, signal: AbortSignal.abort() }));

    expect(status).toBe('aborted');
    expect(recorder.texts()).toEqual([['a not_started']]);
    expect(executor.running.size).toBe(0);
  });

  it('does not execute a step whose start was being recorded when the stop came', async () => {
    const executor = new HeldExecutor();
    const stop = new AbortController();
    const changes: StepChange[] = [];
    const recorder: RunRecorder = {
      stepsChanged: (batch) => {
        changes.push(...batch);
        stop.abort();
        return Promise.resolve();
      },
    };

    const { status } = await executeSteps(options([aStep('a')], { recorder, executor, signal: stop.signal }));

    expect(status).toBe('aborted');
    expect(changes.map(formatChange)).toEqual(['a starting', 'a aborted']);
    expect(executor.running.size).toBe(0);
  });

  it('counts a step that rejects after the abort as aborted', async () => {
    const stop = new AbortController();
    const executor: StepExecutor = {
      execute: (_step, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    };
    const recorder = new ListRecorder();
    const run = executeSteps(options([aStep('a')], { recorder, executor, signal: stop.signal }));
    await settle();
    stop.abort();

    expect((await run).status).toBe('aborted');
    expect(recorder.texts().flat()).toEqual(['a starting', 'a aborted']);
  });

  it('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    await executeSteps(options([aStep('a')], { signal }));

    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a recorder that fails', () => {
  it('ends the run: running steps are aborted and waited for, then its error is thrown', async () => {
    const executor = new HeldExecutor();
    const broken = new Error('disk full');
    let calls = 0;
    const recorder: RunRecorder = {
      stepsChanged: () => {
        calls += 1;
        return calls === 1 ? Promise.resolve() : Promise.reject(broken);
      },
    };
    const steps = [aStep('a'), aStep('b'), aStep('c', ['a'])];
    let error: unknown;
    const run = executeSteps(options(steps, { executor, recorder })).catch((caught: unknown) => {
      error = caught;
    });
    await settle();
    const { context } = executor.running.get('b') ?? {};
    executor.end('a');
    await settle();
    expect(context?.signal.aborted).toBe(true);
    expect(error).toBeUndefined();
    executor.end('b', { status: 'aborted' });
    await run;

    expect(error).toBe(broken);
    expect(calls).toBe(2);
    expect(executor.running.size).toBe(0);
  });
});
