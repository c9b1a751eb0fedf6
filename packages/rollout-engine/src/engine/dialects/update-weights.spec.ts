import { startFakeEngine, type FakeEngine } from '@weir/fake-engine';
import { createHttpEngine, type HttpEngine } from './http-engine';
import { neverAborted } from '../testing/generations';

// The calls that SGLang 0.5 and vLLM 0.18 document.
const documented = {
  sglang: [
    { path: '/pause_generation', body: { mode: 'abort' } },
    {
      path: '/update_weights_from_disk',
      body: { model_path: '/weights/7', weight_version: '7', flush_cache: true, abort_all_requests: true },
    },
    { path: '/continue_generation', body: {} },
  ],
  vllm: [
    { path: '/pause?mode=abort&clear_cache=true', body: {} },
    { path: '/collective_rpc', body: { method: 'reload_weights', kwargs: { weights_path: '/weights/7' } } },
    { path: '/update_weight_version', body: { new_version: '7' } },
    { path: '/resume', body: {} },
  ],
} as const;

describe.each([
  ['sglang', documented.sglang],
  ['vllm', documented.vllm],
  ['vllm-generate', documented.vllm],
] as const)('updateWeights of %s', (dialect, calls) => {
  let fake: FakeEngine;
  let engine: HttpEngine;
  beforeEach(async () => {
    fake = await startFakeEngine({ dialect });
    engine = createHttpEngine({ dialect, url: fake.url });
  });
  afterEach(async () => {
    await engine.stop();
    await fake.stop();
  });
  const update = () => engine.updateWeights?.({ source: '/weights/7', version: 7 }, neverAborted);

  it('pauses the engine, makes it read the weights, labels them and resumes', async () => {
    await update();
    expect(fake.weightCalls).toEqual(calls);
    expect([fake.weightSource(), fake.isPaused()]).toEqual(['/weights/7', false]);
  });

  it('rejects and resumes when the engine refuses the weights', async () => {
    fake.refuseNextWeights();
    await expect(update()).rejects.toMatchObject({ code: 'upstream_failed' });
    expect([fake.weightSource(), fake.isPaused()]).toEqual([undefined, false]);
  });
});

it('sets no label at a vLLM server that reports none', async () => {
  const fake = await startFakeEngine({ dialect: 'vllm', versions: 'none' });
  const engine = createHttpEngine({ dialect: 'vllm', url: fake.url });
  await engine.updateWeights?.({ source: '/weights/7', version: 7 }, neverAborted);
  expect(fake.weightCalls.map(({ path }) => path)).toEqual([
    '/pause?mode=abort&clear_cache=true',
    '/collective_rpc',
    '/resume',
  ]);
  await engine.stop();
  await fake.stop();
});

it('names the operation that a server does not have', async () => {
  const fake = await startFakeEngine({ dialect: 'llama-cpp' });
  const engine = createHttpEngine({ dialect: 'sglang', url: fake.url });
  const updated = engine.updateWeights?.({ source: '/weights/7', version: 7 }, neverAborted);
  await expect(updated).rejects.toMatchObject({ reason: 'weights_operation_missing' });
  await engine.stop();
  await fake.stop();
});

it('does not exist for llama.cpp', async () => {
  const engine = createHttpEngine({ dialect: 'llama-cpp', url: 'http://127.0.0.1:1' });
  expect(engine.updateWeights).toBeUndefined();
  await engine.stop();
});
