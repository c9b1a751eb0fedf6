import { startFakeEngine, type FakeAnswer, type FakeEngine, type FakeEngineDialect } from '@weir/fake-engine';
import { waitFor } from '@weir/test-kit';
import { createGenerationControl, type GenerationControl, type GenerationControlOptions } from './generation-control';
import { createHttpEngine } from '../dialects/http-engine';
import { aRequest, collect, neverAborted } from '../testing/generations';

const held = (ids: readonly number[], after: number): FakeAnswer => ({ ids, faults: { holdAfterTokens: after } });

describe('createGenerationControl', () => {
  let fake: FakeEngine;
  let control: GenerationControl;
  const open = async (dialect: FakeEngineDialect, options: GenerationControlOptions = {}): Promise<void> => {
    fake = await startFakeEngine({ dialect });
    control = createGenerationControl(createHttpEngine({ dialect, url: fake.url }), { retryDelayMs: 1, ...options });
  };
  /** Aborts a call whose script says so; the answer may not have come that far yet. */
  const abortWhenHeld = (call: number, count: number): Promise<unknown> =>
    waitFor(
      () => {
        fake.abortRunning();
        return fake.calls[call]?.ids.length === count;
      },
      { what: 'the answer to be held' },
    );
  afterEach(async () => {
    await control.stop();
    await fake.stop();
  });

  it('assigns the current version to tokens for which the engine reports none', async () => {
    await open('llama-cpp', { initialVersion: 3 });
    const first = await collect(control.generate(aRequest({ maxNewTokens: 2 }), neverAborted));
    control.setVersion(4);
    const second = await collect(control.generate(aRequest({ maxNewTokens: 2 }), neverAborted));

    expect([first.versions, second.versions]).toEqual([
      [3, 3],
      [4, 4],
    ]);
  });

  it('prefers the version that the engine reports', async () => {
    await open('vllm', { initialVersion: 3 });
    fake.setWeightVersion('step-9');
    const got = await collect(control.generate(aRequest({ maxNewTokens: 2 }), neverAborted));

    expect(got.versions).toEqual([9, 9]);
  });

  it('continues an interrupted generation with the tokens so far, and a version for each part', async () => {
    await open('sglang', { initialVersion: 1 });
    fake.setScript(({ callNumber }) => (callNumber === 0 ? held([1, 2, 3, 4, 5], 3) : [6, 7]));
    const running = collect(control.generate(aRequest({ maxNewTokens: 10 }), neverAborted));
    await waitFor(() => fake.calls.length === 1, { what: 'the first part' });
    control.pause('wait');
    await abortWhenHeld(0, 3);
    await waitFor(() => control.running === 0, { what: 'the first part to end' });
    control.setVersion(2);
    control.resume();
    const got = await running;

    expect(got).toMatchObject({ ids: [1, 2, 3, 6, 7], versions: [1, 1, 1, 2, 2], end: { reason: 'stop' } });
    expect(got.end.doubt).toBeUndefined();
    expect(fake.calls[1]?.request).toMatchObject({ promptIds: [11, 12, 13, 1, 2, 3], maxNewTokens: 7 });
    expect(got.logprobs).toEqual(fake.calls.flatMap((call) => [...call.logprobs]));
  });

  it('aborts running generations when it is paused with abort, and continues them', async () => {
    await open('vllm-generate');
    fake.setScript(({ callNumber }) => (callNumber === 0 ? held([1, 2, 3, 4, 5], 2) : [8]));
    const events = control.generate(aRequest(), neverAborted)[Symbol.asyncIterator]();
    const first = await events.next();
    const second = await events.next();
    const third = events.next();
    control.pause('abort');
    control.setVersion(5);
    await control.waitUntilDrained(neverAborted);
    control.resume();
    const pieces = [first, second, await third].map(({ value }) => value as unknown);
    const end = (await events.next()).value as unknown;

    expect(pieces).toMatchObject([
      { tokens: { ids: Int32Array.of(1), versions: Int32Array.of(0) } },
      { tokens: { ids: Int32Array.of(2), versions: Int32Array.of(0) } },
      { tokens: { ids: Int32Array.of(8), versions: Int32Array.of(5) } },
    ]);
    expect(end).toEqual({ kind: 'end', reason: 'stop' });
    await waitFor(() => fake.abortCalls.length === 1, { what: 'the abort' });
  });

  it('relabels nothing when a version is set while a part runs, and doubts tokens that cannot be placed', async () => {
    await open('sglang', { initialVersion: 1 });
    fake.setScript(() => held([1, 2, 3], 2));
    const running = collect(control.generate(aRequest(), neverAborted));
    await waitFor(() => control.running === 1, { what: 'the part to run' });
    await waitFor(() => fake.calls.length === 1, { what: 'the call to arrive' });
    control.setVersion(2);
    await waitFor(
      () => {
        fake.release();
        return control.running === 0;
      },
      { what: 'the answer' },
    );

    const got = await running;
    expect(got.versions).toEqual([1, 1, 1]);
    expect(got.end.doubt).toBe('version_changed_within_answer');
  });

  it('corrects versions that the engine reports at the end', async () => {
    await open('vllm', { initialVersion: 1 });
    fake.setWeightVersion('1');
    fake.setScript(() => ({ ids: [1, 2, 3], versionChangeAfter: 1 }));
    const got = await collect(control.generate(aRequest(), neverAborted));

    expect(got.versions).toEqual([1, 2, 2]);
    expect(got.end.doubt).toBeUndefined();
  });

  it('reports the quarantine with each chunk, for a caller that disconnects before the end', async () => {
    await open('sglang', { initialVersion: 1 });
    fake.setScript(() => ({ ids: [1, 2], faults: { holdAfterTokens: 1, wrongPromptEcho: true } }));
    for await (const event of control.generate(aRequest(), neverAborted)) {
      expect(event).toMatchObject({ kind: 'tokens', doubt: 'prompt_ids_differ' });
      break;
    }
  });

  it('quarantines a chunk after a version was set whose position the engine does not report', async () => {
    await open('sglang', { initialVersion: 1 });
    fake.setScript(() => held([1, 2], 1));
    const events = control.generate(aRequest(), neverAborted)[Symbol.asyncIterator]();
    const first: unknown = (await events.next()).value;
    control.setVersion(2);
    const second = events.next();
    let hasCome = false;
    void second.then(() => (hasCome = true));
    await waitFor(
      () => {
        fake.release();
        return hasCome;
      },
      { what: 'the second piece' },
    );

    expect(first).not.toHaveProperty('doubt');
    expect((await second).value).toMatchObject({ doubt: 'version_changed_within_answer' });
    await events.return?.();
  });

  it('ends by length when the budget was used up before the interruption', async () => {
    await open('sglang');
    fake.setScript(() => ({ ids: [1, 2, 3], finishReason: 'abort' }));
    const got = await collect(control.generate(aRequest({ maxNewTokens: 3 }), neverAborted));

    expect(got.end.reason).toBe('length');
  });

  it('gives up after the last round', async () => {
    await open('sglang', { maxSegments: 3 });
    fake.setScript(() => ({ ids: [1], finishReason: 'abort' }));
    const got = await collect(control.generate(aRequest({ maxNewTokens: 50 }), neverAborted));

    expect(got).toMatchObject({ ids: [1, 1, 1], end: { reason: 'aborted' } });
  });

  it('does not restart a grammar in the middle of an answer', async () => {
    await open('sglang');
    fake.setScript(() => ({ ids: [1], finishReason: 'abort' }));
    const got = await collect(control.generate(aRequest({ grammar: 'root ::= "a"' }), neverAborted));

    expect(got).toMatchObject({ ids: [1], end: { reason: 'aborted' } });
    expect(fake.calls).toHaveLength(1);
  });

  it('resends requests that a paused engine rejected', async () => {
    await open('sglang');
    fake.setScript(({ callNumber }) => {
      if (callNumber > 0) return [4];
      control.pause('wait');
      return { ids: [], faults: { status: 503 } };
    });
    const running = collect(control.generate(aRequest(), neverAborted));
    await waitFor(() => control.isPaused && control.running === 0, { what: 'the engine to turn it away' });
    control.resume();

    expect(await running).toMatchObject({ ids: [4], end: { reason: 'stop' } });
  });

  it('does not retry a failure after an interruption by itself', async () => {
    await open('sglang');
    fake.setScript(({ callNumber }) =>
      callNumber === 0 ? { ids: [1], finishReason: 'abort' } : { ids: [], faults: { status: 503 } },
    );
    await expect(collect(control.generate(aRequest(), neverAborted))).rejects.toMatchObject({
      code: 'upstream_failed',
    });
  });

  describe('while paused', () => {
    beforeEach(async () => {
      await open('vllm', { maxPauseMs: 20 });
      control.pause('wait');
    });

    it('sends nothing to the engine, and fails after the longest wait', async () => {
      await expect(collect(control.generate(aRequest(), neverAborted))).rejects.toMatchObject({
        code: 'unavailable',
        reason: 'paused',
      });
      expect(fake.calls).toHaveLength(0);
    });

    it('stops waiting when the caller disconnects', async () => {
      const controller = new AbortController();
      const running = collect(control.generate(aRequest(), controller.signal));
      controller.abort(new Error('gone'));
      await expect(running).rejects.toThrow('gone');
    });
  });

  it.each([-1, 1.5, Number.NaN])('refuses %p as a version', async (version) => {
    await open('vllm');
    expect(() => control.setVersion(version)).toThrow(expect.objectContaining({ reason: 'version_invalid' }) as Error);
  });

  it('refuses a version before the present one, and accepts the same again', async () => {
    await open('vllm', { initialVersion: 2 });
    control.setVersion(2);
    expect(() => control.setVersion(1)).toThrow(expect.objectContaining({ reason: 'version_not_monotone' }) as Error);
  });
});
