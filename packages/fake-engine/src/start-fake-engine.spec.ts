import { startFakeEngine } from './start-fake-engine';
import type { FakeEngine, FakeEngineOptions } from './fake-engine-types';

const paths = {
  sglang: '/generate',
  vllm: '/v1/completions',
  'vllm-generate': '/inference/v1/generate',
  'llama-cpp': '/completion',
} as const;

describe('startFakeEngine', () => {
  const open: FakeEngine[] = [];
  const start = async (options: FakeEngineOptions): Promise<FakeEngine> => {
    const fake = await startFakeEngine(options);
    open.push(fake);
    return fake;
  };
  const post = (fake: FakeEngine, path: string, body: unknown): Promise<Response> =>
    fetch(fake.url + path, { method: 'POST', body: JSON.stringify(body) });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((fake) => fake.stop()));
  });

  it('samples the same for the same seed', async () => {
    const [first, second, other] = [
      await start({ dialect: 'vllm', seed: 4 }),
      await start({ dialect: 'vllm', seed: 4 }),
      await start({ dialect: 'vllm', seed: 5 }),
    ];
    for (const fake of [first, second, other])
      await (await post(fake, paths.vllm, { prompt: [1], max_tokens: 8 })).text();

    expect(first.calls[0]?.ids).toEqual(second.calls[0]?.ids);
    expect(first.calls[0]?.ids).not.toEqual(other.calls[0]?.ids);
  });

  it('passes the request to the script, and answers with its ids', async () => {
    const fake = await start({ dialect: 'sglang', script: ({ promptIds }) => promptIds.map((id) => id + 1) });
    const response = await post(fake, paths.sglang, {
      input_ids: [1, 2],
      rid: 'a',
      sampling_params: { max_new_tokens: 5 },
    });

    expect(await response.json()).toMatchObject({ output_ids: [2, 3], meta_info: { finish_reason: { type: 'stop' } } });
    expect(fake.calls[0]?.request).toMatchObject({ requestId: 'a', promptIds: [1, 2], maxNewTokens: 5 });
  });

  it.each(['sglang', 'vllm', 'vllm-generate', 'llama-cpp'] as const)('answers at once with %s', async (dialect) => {
    const fake = await start({ dialect, instant: [4, 5, 6] });
    const whole = await (await post(fake, paths[dialect], { stream: false })).text();
    const streamed = await (await post(fake, paths[dialect], { stream: true })).text();

    expect(whole).toContain('[4,5,6]');
    expect(streamed).toMatch(/^data: \{.*\[4,5,6\]/);
    expect(fake.callCount()).toBe(2);
    expect(fake.calls).toEqual([]);
  });

  it('records aborted requests', async () => {
    const fake = await start({ dialect: 'vllm-generate' });
    await post(fake, '/inference/v1/abort_requests', { request_ids: ['generate-tokens-a', 'b'] });
    expect(fake.abortCalls).toEqual(['a']);
  });

  it('fails its health check when configured to', async () => {
    const fake = await start({ dialect: 'llama-cpp' });
    fake.setHealth('failing');
    expect((await fetch(`${fake.url}/health`)).status).toBe(503);
  });
});
