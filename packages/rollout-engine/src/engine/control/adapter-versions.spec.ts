import { startFakeEngine, type FakeEngine, type FakeEngineDialect } from '@weir/fake-engine';
import { waitFor } from '@weir/test-kit';
import { createHttpEngine } from '../dialects/http-engine';
import type { AdapterVersion } from '../port/inference-engine';
import { aRequest, collect, neverAborted } from '../testing/generations';
import { createGenerationControl, type GenerationControl } from './generation-control';

describe('versions of adapters', () => {
  let fake: FakeEngine;
  let control: GenerationControl;
  let versions: Record<string, number>;
  const currentAdapter = (name: string): Promise<AdapterVersion> => {
    const version = versions[name] ?? 0;
    return Promise.resolve({ name, version, path: `/adapters/${name}-${version}`, isPinned: false });
  };
  const open = async (dialect: FakeEngineDialect): Promise<void> => {
    fake = await startFakeEngine({ dialect });
    const engine = createHttpEngine({ dialect, url: fake.url });
    control = createGenerationControl(engine, { initialVersion: 40, retryDelayMs: 0, currentAdapter });
  };
  beforeEach(() => {
    versions = { math: 5, code: 1 };
  });
  afterEach(async () => {
    await control.stop();
    await fake.stop();
  });
  const run = (adapterName?: string) => collect(control.generate(aRequest({ adapterName }), neverAborted));

  it.each(['sglang', 'vllm'] as const)('are those of tokens, not the label of %s', async (dialect) => {
    await open(dialect);
    fake.setWeightVersion('40');
    fake.setScript(() => [1, 2]);
    const got = await Promise.all([run('math'), run('code'), run()]);
    expect(got.map((one) => one.versions)).toEqual([
      [5, 5],
      [1, 1],
      [40, 40],
    ]);
    expect(got.map(({ end }) => end.doubt)).toEqual([undefined, undefined, undefined]);
  });

  const holding = () =>
    fake.setScript(({ callNumber }) =>
      callNumber === 0 ? { ids: [1, 2, 3, 4], faults: { holdAfterTokens: 2 } } : [8, 9],
    );

  it('change within an answer that continues on the new one, token by token', async () => {
    await open('sglang');
    holding();
    const running = run('math');
    await waitFor(() => fake.heldCount() === 1, { what: 'two tokens of the first version' });
    versions.math = 6;
    control.endThoseWith('math', 'abort');
    const got = await running;
    expect([got.ids, got.versions, got.end.doubt]).toEqual([[1, 2, 8, 9], [5, 5, 6, 6], undefined]);
    expect(fake.calls.map(({ request }) => request.adapter)).toEqual(['/adapters/math-5', '/adapters/math-6']);
  });

  it('stay those of an answer that is not interrupted', async () => {
    await open('sglang');
    holding();
    const running = run('math');
    await waitFor(() => fake.heldCount() === 1, { what: 'two tokens of the first version' });
    versions.math = 6;
    control.endThoseWith('code', 'drop');
    fake.release();
    expect((await running).versions).toEqual([5, 5, 5, 5]);
  });

  it('end the answers of their adapter alone when these are dropped', async () => {
    await open('sglang');
    holding();
    const running = run('math');
    await waitFor(() => fake.heldCount() === 1, { what: 'two tokens of the first version' });
    control.endThoseWith('math', 'drop');
    await expect(running).rejects.toMatchObject({ reason: 'generation_dropped' });
  });

  it('are those at the end of a pause', async () => {
    await open('sglang');
    control.pause('wait');
    const running = run('math');
    versions.math = 7;
    control.resume();
    expect(new Set((await running).versions)).toEqual(new Set([7]));
  });
});
