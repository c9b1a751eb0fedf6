import {
  startFakeEngine,
  type FakeAnswer,
  type FakeEngine,
  type FakeEngineDialect,
  type FakeEngineOptions,
} from '@weir/fake-engine';
import { createHttpEngine, type HttpEngineOptions } from '../dialects/http-engine';
import type { EngineInfo } from '../port/inference-engine';
import { collect, aRequest, neverAborted } from '../testing/generations';

const bytes = (text: string): readonly number[] => [...Buffer.from(text)];
const encode = (text: string): Promise<Int32Array> => Promise.resolve(Int32Array.from(bytes(text)));
const dialects: readonly FakeEngineDialect[] = ['sglang', 'vllm', 'vllm-generate', 'llama-cpp'];

describe('probe', () => {
  const open: FakeEngine[] = [];
  const probe = async (options: FakeEngineOptions, more: Partial<HttpEngineOptions> = {}): Promise<EngineInfo> => {
    const fake = await startFakeEngine({ encode: bytes, ...options });
    open.push(fake);
    const engine = createHttpEngine({
      dialect: options.dialect,
      url: fake.url,
      encode,
      ...more,
    });
    try {
      return await engine.probe(neverAborted);
    } finally {
      await engine.stop();
    }
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((fake) => fake.stop()));
  });

  it.each(dialects)('finds a correct %s engine exact', async (dialect) => {
    expect(await probe({ dialect, contextLength: 8_192, model: 'tiny' })).toMatchObject({
      engine: dialect,
      model: 'tiny',
      contextLength: 8_192,
      acceptsIds: true,
      returnsIds: true,
      logprobs: 'processed',
      versions: dialect === 'llama-cpp' ? 'none' : 'spans',
      canAbort: true,
      grammar: true,
      tokenizerParity: 'equal',
      mode: 'exact',
    });
  });

  describe.each(dialects)('a context that was set, before %s', (dialect) => {
    it.each([
      [1_024, 1_024],
      [16_384, 8_192],
    ])('of %d tokens is an upper limit: %d', async (limit, expected) => {
      expect((await probe({ dialect, contextLength: 8_192 }, { contextLength: limit })).contextLength).toBe(expected);
    });
  });

  it.each(dialects)('measures that log-probabilities of %s are raw', async (dialect) => {
    const info = await probe({ dialect, logprobMode: 'raw' });
    expect(info).toMatchObject({ logprobs: 'raw', mode: 'exact' });
  });

  it('doubts answers that were not sampled neutrally if log-probabilities are raw', async () => {
    const fake = await startFakeEngine({ dialect: 'vllm', logprobMode: 'raw' });
    open.push(fake);
    const engine = createHttpEngine({ dialect: 'vllm', url: fake.url });
    await engine.probe(neverAborted);
    const neutral = await collect(engine.generate(aRequest(), neverAborted));
    const cold = await collect(engine.generate(aRequest({ sampling: { temperature: 0.7 } }), neverAborted));
    await engine.stop();

    expect([neutral.end.doubt, cold.end.doubt]).toEqual([undefined, 'logprobs_raw']);
  });

  const weak: readonly (readonly [string, Partial<FakeEngineOptions>])[] = [
    ['no log-probabilities come', { script: () => ({ ids: [1, 2], faults: { logprobs: 'missing' } }) }],
    ['no ids come', { script: () => ({ ids: [], faults: { noIds: true } }) }],
    ['the prompt is another one', { script: () => ({ ids: [1, 2], faults: { wrongPromptEcho: true } }) }],
    ['the tokenizers differ', { encode: (text: string) => [1, ...bytes(text)] }],
  ];
  it.each(weak)('captures only when %s, and reports why', async (_name, options) => {
    const info = await probe({ dialect: 'vllm', ...options });
    expect(info.mode).toBe('capture-only');
    expect(info.remarks.length).toBeGreaterThan(1);
  });

  it('has no result for the tokenizer of an engine without one to query', async () => {
    const fake = await startFakeEngine({ dialect: 'vllm' });
    open.push(fake);
    const engine = createHttpEngine({ dialect: 'vllm', url: fake.url, encode });
    expect(await engine.probe(neverAborted)).toMatchObject({ tokenizerParity: 'unknown', mode: 'exact' });
    await engine.stop();
  });

  it('refuses a grammar that the engine refused', async () => {
    const fake = await startFakeEngine({ dialect: 'llama-cpp', refusesGrammar: true });
    open.push(fake);
    const engine = createHttpEngine({ dialect: 'llama-cpp', url: fake.url });
    expect(await engine.probe(neverAborted)).toMatchObject({ grammar: false });
    await expect(collect(engine.generate(aRequest({ grammar: 'root ::= "a"' }), neverAborted))).rejects.toMatchObject({
      code: 'invalid_request',
      reason: 'parameter_not_supported',
      details: { parameter: 'grammar' },
    });
    await engine.stop();
  });

  it.each([
    ['does not report', { script: () => ({ ids: [1, 2], faults: { topLogprobs: 'missing' as const } }) }],
    ['refuses', { maxTopLogprobs: 4 }],
  ])('remarks that the engine %s the likeliest tokens that are to be recorded', async (verb, options) => {
    const { remarks } = await probe({ dialect: 'vllm', ...options }, { recording: { topLogprobs: 5 } });
    expect(remarks).toContainEqual(expect.stringContaining(`engine ${verb}`) as string);
  });

  it('remarks that the engine does not report experts of the configured shape', async () => {
    const expertShape = { layers: 4, perToken: 2 };
    const remarksOf = async (experts?: typeof expertShape) =>
      (await probe({ dialect: 'vllm', ...(experts && { experts }) }, { expertShape })).remarks.join(' ');
    expect(await remarksOf()).toContain('does not report 2 experts of 4 layers');
    expect(await remarksOf({ layers: 2, perToken: 4 })).toContain('does not report 2 experts of 4 layers');
    expect(await remarksOf(expertShape)).not.toContain('experts');
  });

  it.each(['sglang', 'vllm-generate'] as const)('remarks that %s reports no sampling masks', async (dialect) => {
    const remarksOf = async (hasSamplingMask: boolean) =>
      (await probe({ dialect, hasSamplingMask }, { recording: { samplingMask: true } })).remarks.join(' ');
    expect(await remarksOf(false)).toContain('does not report sampling masks');
    expect(await remarksOf(true)).not.toContain('sampling masks');
  });

  it('reports versions per answer', async () => {
    expect(await probe({ dialect: 'sglang', versions: 'answer' })).toMatchObject({ versions: 'answer' });
  });

  it('rejects while the engine cannot accept requests yet, so that it is probed again', async () => {
    const script = (): FakeAnswer => ({ ids: [], faults: { status: 503 } });
    await expect(probe({ dialect: 'llama-cpp', script })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('rejects when no engine answers', async () => {
    const fake = await startFakeEngine({ dialect: 'vllm' });
    await fake.stop();
    const engine = createHttpEngine({ dialect: 'vllm', url: fake.url });
    await expect(engine.probe(neverAborted)).rejects.toMatchObject({ code: 'unavailable' });
    await engine.stop();
  });
});
