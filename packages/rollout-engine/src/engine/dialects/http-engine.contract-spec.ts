import {
  startFakeEngine,
  type FakeEngine,
  type FakeEngineDialect,
  type FakeFaults,
  type FakeScript,
} from '@weir/fake-engine';
import { waitFor } from '@weir/test-kit';
import type { ConnectionLimits } from '../http/engine-connection';
import { createHttpEngine, type HttpEngine } from './http-engine';
import type { GenerationRequest } from '../port/inference-engine';
import { aRequest, collect, neverAborted, type Collected } from '../testing/generations';

const createScript =
  (faults: FakeFaults, ids = [1, 2, 3, 4, 5, 6]): FakeScript =>
  () => ({ ids, tokensPerPiece: 2, faults });

const dialects: readonly FakeEngineDialect[] = ['sglang', 'vllm', 'vllm-generate', 'llama-cpp'];

describe.each(dialects)('the %s engine', (dialect) => {
  const canStream = dialect !== 'llama-cpp';
  const hasVersions = dialect !== 'llama-cpp';

  let fake: FakeEngine;
  let engine: HttpEngine;
  const open = (limits: ConnectionLimits = {}): HttpEngine => createHttpEngine({ dialect, url: fake.url, limits });
  const run = (changes: Partial<GenerationRequest> = {}, signal = neverAborted): Promise<Collected> =>
    collect(engine.generate(aRequest(changes), signal));

  beforeEach(async () => {
    fake = await startFakeEngine({ dialect });
    engine = open();
  });
  afterEach(async () => {
    await engine.stop();
    await fake.stop();
  });

  it.each([true, false])('returns the sampled tokens bit for bit (streaming: %p)', async (isStreaming) => {
    fake.setScript(() => ({ ids: [5, 0, 999, 5, 5, 17, 2], tokensPerPiece: 'seeded' }));
    const got = await run({ isStreaming });

    const [call] = fake.calls;
    expect(got.ids).toEqual([...(call?.ids ?? [])]);
    expect(got.logprobs).toEqual([...(call?.logprobs ?? [])]);
    expect(got.end).toMatchObject({ kind: 'end', reason: 'stop' });
    expect(got.end.doubt).toBeUndefined();
    expect(call?.request).toMatchObject({ promptIds: [11, 12, 13], maxNewTokens: 16, routingKey: 'session-1' });
  });

  it('reads a stream that arrives byte by byte', async () => {
    fake.setScript(() => ({ ids: [1, 2, 3], byteByByte: true }));
    const got = await run();

    expect(got).toMatchObject({ ids: [1, 2, 3], end: { reason: 'stop' } });
    expect(got.end.doubt).toBeUndefined();
    expect(got.pieces).toBe(canStream ? 3 : 1);
  });

  it('ends by length when all requested tokens were sampled', async () => {
    fake.setScript(() => [1, 2, 3]);
    expect((await run({ maxNewTokens: 3 })).end.reason).toBe('length');
  });

  it('returns the likeliest tokens, likeliest first', async () => {
    fake.setScript(() => ({ ids: [7, 8], logprobs: [-0.5, -1.5] }));
    const { top } = await run({ topLogprobs: 2 });

    expect(top.map((choices) => choices.map(({ id }) => id))).toEqual([
      [7, 8],
      [8, 9],
    ]);
    expect(top[1]?.[0]?.logprob).toBeCloseTo(-1.5, 6);
  });

  it('counts the tokens of the prompt that were in the cache', async () => {
    fake.setScript(() => ({ ids: [1], cachedTokens: 2 }));
    expect((await run()).end.cachedTokens).toBe(2);
  });

  it('sends every sampling parameter', async () => {
    await run({
      sampling: {
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        minP: 0.1,
        frequencyPenalty: 0.2,
        presencePenalty: 0.3,
        repetitionPenalty: 1.1,
        seed: 42,
        logitBias: new Map([[7, -100]]),
      },
      stop: ['END'],
      stopTokenIds: [99],
      grammar: 'root ::= "a"',
    });

    const text = JSON.stringify(fake.calls[0]?.request.body);
    for (const value of ['0.5', '0.9', '40', '0.1', '0.2', '0.3', '1.1', '42', '-100', '["END"]', 'root ::=']) {
      expect(text).toContain(value);
    }
  });

  if (hasVersions) {
    it.each([true, false])('locates a change of version in the middle (streaming: %p)', async (isStreaming) => {
      fake.setWeightVersion('4');
      fake.setScript(() => ({ ids: [1, 2, 3, 4, 5], tokensPerPiece: 2, versionChangeAfter: 3 }));
      const got = await run({ isStreaming });

      expect(got.versions).toEqual([4, 4, 4, 5, 5]);
      expect(got.end.doubt).toBeUndefined();
    });
  }

  it('reports no version if the engine has no number for it', async () => {
    fake.setScript(() => [1, 2]);
    expect((await run()).versions).toEqual([-1, -1]);
  });

  describe('doubts an answer', () => {
    const cases: readonly (readonly [string, FakeFaults, string | RegExp])[] = [
      ['without log-probabilities', { logprobs: 'missing' }, /^logprobs_/],
      ['with null for a log-probability', { logprobs: 'null' }, 'logprobs_missing'],
      ['with -9999 for a log-probability', { logprobs: 'minus-9999' }, 'logprobs_missing'],
      ['with a log-probability above 0', { logprobs: 'positive' }, 'logprobs_positive'],
      ['with one log-probability too few', { logprobs: 'short' }, /^(logprobs|ids)_/],
      ['to another prompt', { wrongPromptEcho: true }, 'prompt_ids_differ'],
      ['whose lists of ids differ', { disagreeingIds: true }, 'ids_differ'],
    ];
    it.each(cases)('%s', async (_name, faults, doubt) => {
      fake.setScript(createScript(faults));
      for (const isStreaming of [true, false]) {
        const got = await run({ isStreaming });
        expect(got.end.doubt).toEqual(typeof doubt === 'string' ? doubt : expect.stringMatching(doubt));
      }
    });

    it('whose end has no reason, and refuses one that is a stream', async () => {
      fake.setScript(createScript({ noFinishReason: true }));
      expect((await run({ isStreaming: false })).end.doubt).toBe('finish_reason_unknown');
      if (canStream) await expect(run()).rejects.toMatchObject({ code: 'upstream_failed' });
    });

    if (hasVersions) {
      it('whose version spans have a gap', async () => {
        fake.setScript(createScript({ brokenSpans: true }));
        expect((await run()).end.doubt).toBe('version_spans_invalid');
      });
    }

    if (canStream) {
      it('with a chunk sent twice', async () => {
        fake.setScript(createScript({ duplicatePiece: true }));
        const got = await run();
        // SGLang's lists may hold all tokens so far, so a list that is sent again adds no token.
        if (dialect === 'sglang') expect(got.ids).toEqual([1, 2, 3, 4, 5, 6]);
        else expect(got.end.doubt).toBe('ids_miscounted');
      });

      it('that does not end, and closes it at the limit', async () => {
        fake.setScript(createScript({ isEndless: true }));
        const got = await run({ maxNewTokens: 8 });

        expect(got.end.doubt).toBe('too_many_tokens');
        expect(got.ids).toHaveLength(8);
        await waitFor(() => fake.calls[0]?.isDisconnected, { what: 'the connection to close' });
      });
    }
  });

  describe('rejects', () => {
    it.each([
      ['429', { status: 429 }, { code: 'unavailable' }],
      ['503', { status: 503 }, { code: 'unavailable' }],
      ['500', { status: 500 }, { code: 'upstream_failed' }],
      ['a refusal', { status: 400, message: 'bad ids 11, 12' }, { code: 'upstream_failed', reason: 'engine_refused' }],
      [
        'an overflow',
        { status: 400, message: "longer than the model's context length" },
        { code: 'invalid_request', reason: 'prompt_too_long' },
      ],
      ['a reset before the answer', { resetBeforeAnswer: true }, { code: 'unavailable' }],
      ['an answer without ids', { noIds: true }, { code: 'upstream_failed', reason: 'no_ids' }],
      ['an id that is none', { malformedId: true }, { code: 'upstream_failed', reason: 'ids_malformed' }],
      ['NaN', { logprobs: 'nan' }, { code: 'upstream_failed', reason: 'engine_answer_malformed' }],
    ] as const)('%s', async (_name, faults, error) => {
      fake.setScript(createScript(faults));
      await expect(run()).rejects.toMatchObject(error);
    });

    it.each([{ resetAfterTokens: 4 }, { truncateAfterTokens: 4 }])(
      'an answer that is interrupted: %p',
      async (faults) => {
        fake.setScript(createScript(faults));
        for (const isStreaming of [true, false]) {
          const error: unknown = await run({ isStreaming }).catch((thrown: unknown) => thrown);
          expect(error).toMatchObject({ code: expect.stringMatching(/^(upstream_failed|unavailable)$/) as unknown });
          if (isStreaming && canStream) expect(error).toMatchObject({ code: 'upstream_failed' });
        }
      },
    );

    it('an unreachable engine, without its address', async () => {
      await fake.stop();
      const error: unknown = await run().catch((thrown: unknown) => thrown);

      expect(error).toMatchObject({ code: 'unavailable' });
      const { port } = new URL(fake.url);
      const { message, cause } = error as Error;
      expect(`${message} ${(cause as Error).message}`).not.toContain(port);
    });

    it('silence, at the deadline', async () => {
      await engine.stop();
      engine = open({ answerTimeoutMs: 30 });
      fake.setScript(createScript({ isHeld: true }));

      await expect(run()).rejects.toMatchObject({ code: 'upstream_timeout' });
      await waitFor(() => fake.calls[0]?.isDisconnected, { what: 'the connection to close' });
    });

    it('with the reason of the signal, and closes the connection', async () => {
      const controller = new AbortController();
      fake.setScript(createScript({ isHeld: true }));
      const running = run({}, controller.signal);
      running.catch(() => undefined);
      await waitFor(() => fake.calls.length > 0, { what: 'the call to arrive' });
      controller.abort(new Error('gone'));

      await expect(running).rejects.toThrow('gone');
      await waitFor(() => fake.calls[0]?.isDisconnected, { what: 'the connection to close' });
    });
  });

  if (canStream) {
    it('ends the generation at the engine when the loop is left', async () => {
      fake.setScript(createScript({ holdAfterTokens: 2 }));
      for await (const event of engine.generate(aRequest(), neverAborted)) {
        expect(event.kind).toBe('tokens');
        break;
      }

      await waitFor(() => fake.calls[0]?.isDisconnected, { what: 'the connection to close' });
      if (dialect === 'vllm') return;
      await waitFor(() => fake.abortCalls.length > 0, { what: 'the abort' });
      expect(fake.abortCalls).toEqual(['request-1']);
    });

    it('ends as aborted when the engine interrupts it, with the tokens so far', async () => {
      fake.setScript(createScript({ holdAfterTokens: 2 }));
      const running = run();
      await waitFor(() => fake.calls.length > 0, { what: 'the call to arrive' });
      await waitFor(
        () => {
          fake.abortRunning();
          return fake.calls[0]?.ids.length === 2;
        },
        { what: 'the answer to be held' },
      );

      expect(await running).toMatchObject({ ids: [1, 2], end: { reason: 'aborted' } });
    });
  }

  it('keeps its connections for the next generations', async () => {
    for (let count = 0; count < 5; count += 1) await run();
    // The next one may come before the pool has seen that the first is free.
    expect(fake.connectionCount()).toBeLessThanOrEqual(2);
  });

  it('opens no more connections than the limit', async () => {
    await engine.stop();
    engine = open({ maxConnections: 2 });
    await Promise.all(Array.from({ length: 10 }, (_, index) => run({ requestId: `r${index}` })));

    expect(fake.calls).toHaveLength(10);
    expect(fake.connectionCount()).toBeLessThanOrEqual(2);
  });
});
