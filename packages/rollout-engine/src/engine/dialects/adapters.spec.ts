import { startFakeEngine, type FakeEngine, type FakeEngineOptions } from '@weir/fake-engine';
import { engineNameOf } from '../http/server-adapters';
import type { AdapterVersion } from '../port/inference-engine';
import { aRequest, collect, neverAborted } from '../testing/generations';
import { createHttpEngine, type HttpEngine } from './http-engine';

const math: AdapterVersion = { name: 'math', version: 3, path: '/adapters/math-3', isPinned: false };
const code: AdapterVersion = { name: 'code', version: 0, path: '/adapters/code', isPinned: false };

let fake: FakeEngine;
let engine: HttpEngine;
const open = async (options: FakeEngineOptions): Promise<void> => {
  fake = await startFakeEngine(options);
  engine = createHttpEngine({ dialect: options.dialect, url: fake.url });
};
const run = (adapter?: AdapterVersion) => collect(engine.generate(aRequest({ adapter }), neverAborted));
const sampledWith = () => fake.calls.map(({ request }) => request.adapter);
afterEach(async () => {
  await engine.stop();
  await fake.stop();
});

// The calls that SGLang 0.5 and vLLM 0.18 document.
const documented = {
  sglang: { load: '/load_lora_adapter', unload: '/unload_lora_adapter', more: { pinned: false } },
  vllm: { load: '/v1/load_lora_adapter', unload: '/v1/unload_lora_adapter', more: {} },
  'vllm-generate': { load: '/v1/load_lora_adapter', unload: '/v1/unload_lora_adapter', more: {} },
} as const;

describe.each(['sglang', 'vllm', 'vllm-generate'] as const)('adapters of %s', (dialect) => {
  const { load, unload, more } = documented[dialect];
  beforeEach(() => open({ dialect }));
  const loads = () => fake.adapterCalls.filter(({ path }) => path === load);

  it('loads an adapter before its first generation, under a name of its version, and samples with it', async () => {
    await run(math);
    await run(math);
    const lora_name = engineNameOf(math);
    expect(fake.adapterCalls).toEqual([{ path: load, body: { lora_name, lora_path: '/adapters/math-3', ...more } }]);
    expect(lora_name).toMatch(/^math-v3-[0-9a-f]{8}$/);
    expect(sampledWith()).toEqual(['/adapters/math-3', '/adapters/math-3']);
  });

  it('samples with the adapter of each generation, and without one', async () => {
    await Promise.all([run(math), run(code), run()]);
    const paths = sampledWith().map(String);
    expect(paths.sort()).toEqual(['/adapters/code', '/adapters/math-3', 'undefined']);
  });

  it('loads once for generations that start together', async () => {
    await Promise.all([run(math), run(math), run(math)]);
    expect(loads()).toHaveLength(1);
    expect(sampledWith()).toEqual(Array(3).fill('/adapters/math-3'));
  });

  it('takes an adapter that another process has loaded', async () => {
    const other = createHttpEngine({ dialect, url: fake.url });
    await other.adapters.load(math, neverAborted);
    await other.stop();
    await run(math);
    expect(loads()).toHaveLength(2);
    expect(sampledWith()).toEqual(['/adapters/math-3']);
  });

  it.each([true, false])('loads it again when the engine has restarted (streaming: %p)', async (isStreaming) => {
    await run(math);
    fake.forgetAdapters();
    await collect(engine.generate(aRequest({ adapter: math, isStreaming }), neverAborted));
    expect(loads()).toHaveLength(2);
    expect(sampledWith()).toEqual(['/adapters/math-3', '/adapters/math-3']);
  });

  it('fails when the engine refuses it, and tries again with the next generation', async () => {
    fake.refuseNextAdapter();
    await expect(run(math)).rejects.toMatchObject({ code: 'upstream_failed', reason: 'adapter_refused' });
    await run(math);
    expect(sampledWith()).toEqual(['/adapters/math-3']);
  });

  it('unloads an adapter with which nothing runs, and loads it for the next generation', async () => {
    await run(math);
    await engine.adapters.unload(engineNameOf(math), neverAborted);
    expect(fake.adapters()).toEqual([]);
    expect(fake.adapterCalls.at(-1)).toEqual({ path: unload, body: { lora_name: engineNameOf(math) } });
    await run(math);
    expect(loads()).toHaveLength(2);
  });

  it('does not unload an adapter while it samples', async () => {
    fake.setScript(() => ({ ids: [1, 2], faults: { holdAfterTokens: 1 } }));
    const events = engine.generate(aRequest({ adapter: math }), neverAborted)[Symbol.asyncIterator]();
    await events.next();
    await engine.adapters.unload(engineNameOf(math), neverAborted);
    expect(fake.adapters()).toEqual([engineNameOf(math)]);
    await events.return?.();
  });

  it('takes it as unloaded when the engine does not have it any more', async () => {
    await run(math);
    fake.forgetAdapters();
    await engine.adapters.unload(engineNameOf(math), neverAborted);
    expect(engine.adapters.loaded()).toEqual([]);
  });

  it('stops waiting for a load when its caller disconnects, and leaves the load to others', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(engine.adapters.load(math, gone)).rejects.toThrow('gone');
    await run(math);
    expect(loads()).toHaveLength(1);
  });
});

describe.each(['sglang', 'vllm', 'vllm-generate'] as const)('an adapter that %s has since its start', (dialect) => {
  const served: AdapterVersion = { name: 'tuned', version: 0, path: undefined, isPinned: false };
  beforeEach(() => open({ dialect, adapters: [{ name: 'tuned', path: '/start/tuned' }] }));

  it('is used under its name, and neither loaded nor unloaded', async () => {
    await run(served);
    await engine.adapters.unload('tuned', neverAborted);
    expect(sampledWith()).toEqual(['/start/tuned']);
    expect(fake.adapterCalls).toEqual([]);
  });

  it('is refused when the engine has none of that name', async () => {
    await expect(run({ ...served, name: 'other' })).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(fake.calls).toEqual([]);
  });
});

it('does not take the name of the base model of vLLM for an adapter', async () => {
  await open({ dialect: 'vllm' });
  const base = { name: 'fake', version: 0, path: undefined, isPinned: false };
  await expect(run(base)).rejects.toMatchObject({ reason: 'adapter_unknown' });
});

it('names the operation that vLLM does not have unless it allows it', async () => {
  await open({ dialect: 'vllm', hasFixedAdapters: true });
  await expect(run(math)).rejects.toMatchObject({ reason: 'adapter_operation_missing' });
});

it('has SGLang pin an adapter, and refuses that of the others', async () => {
  await open({ dialect: 'sglang' });
  await run({ ...math, isPinned: true });
  expect(fake.adapterCalls[0]?.body).toMatchObject({ pinned: true });
  const vllm = createHttpEngine({ dialect: 'vllm', url: fake.url });
  const loaded = vllm.adapters.load({ ...math, isPinned: true }, neverAborted);
  await expect(loaded).rejects.toMatchObject({ reason: 'parameter_not_supported' });
  await vllm.stop();
});

describe('adapters of llama.cpp', () => {
  const adapters = [
    { name: '0', path: '/start/other.gguf' },
    { name: '1', path: '/start/math.gguf' },
  ];
  beforeEach(() => open({ dialect: 'llama-cpp', adapters }));

  it.each([
    ['path', { name: 'any', version: 0, path: '/start/math.gguf', isPinned: false }],
    ['file name', { name: 'math', version: 0, path: undefined, isPinned: false }],
  ])('are those of its start, found by their %s', async (_by, adapter) => {
    await run(adapter);
    expect(fake.calls[0]?.request.body.lora).toEqual([{ id: 1, scale: 1 }]);
    expect(sampledWith()).toEqual(['/start/math.gguf']);
  });

  it('are refused when the server was started without them', async () => {
    await expect(run(math)).rejects.toMatchObject({ reason: 'adapter_unknown' });
  });

  it('cannot be loaded while it runs', () => {
    expect(engine.areAdaptersLoadable).toBe(false);
  });
});
