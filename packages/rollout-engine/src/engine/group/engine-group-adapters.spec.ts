import { startFakeEngine, type FakeEngine } from '@weir/fake-engine';
import { createHttpEngine } from '../dialects/http-engine';
import { engineNameOf } from '../http/server-adapters';
import { aRequest, collect, neverAborted } from '../testing/generations';
import { createEngineGroup, type EngineGroup } from './engine-group';

const math = { name: 'math', version: 0, path: '/adapters/math', isPinned: false };

describe('adapters of a group', () => {
  let fakes: FakeEngine[];
  let group: EngineGroup;
  beforeEach(async () => {
    fakes = await Promise.all([1, 2].map((seed) => startFakeEngine({ dialect: 'sglang', seed })));
    group = createEngineGroup({
      replicas: fakes.map(({ url }, index) => ({
        key: `replica-${index}`,
        engine: createHttpEngine({ dialect: 'sglang', url }),
      })),
      // Only failures of generations and loads count here.
      healthIntervalMs: 3_600_000,
      failuresToDown: 1,
    });
  });
  afterEach(async () => {
    await group.stop();
    await Promise.all(fakes.map((fake) => fake.stop()));
  });
  const loaded = () => fakes.map((fake) => fake.adapters());
  const name = engineNameOf(math);

  it('are loaded at every server', async () => {
    await group.adapters.load(math, neverAborted);
    expect(loaded()).toEqual([[name], [name]]);
    expect(group.adapters.loaded()).toMatchObject([{ engineName: name, running: 0 }]);
  });

  it('are refused when one server refuses them', async () => {
    fakes[1]?.refuseNextAdapter();
    await expect(group.adapters.load(math, neverAborted)).rejects.toMatchObject({ reason: 'adapter_refused' });
  });

  it('are loaded without a server that does not answer', async () => {
    await fakes[1]?.stop();
    await group.adapters.load(math, neverAborted);
    expect(loaded()[0]).toEqual([name]);
  });

  it('are loaded at the other server when that of the session fails', async () => {
    const run = () => collect(group.generate(aRequest({ adapter: math }), neverAborted));
    await run();
    const at = fakes.findIndex(({ calls }) => calls.length > 0);
    await fakes[at]?.stop();
    await run();
    const [call] = fakes[1 - at]?.calls ?? [];
    expect(call?.request.adapter).toBe('/adapters/math');
  });

  it('are found where an earlier process has loaded them, and used without another load', async () => {
    await group.adapters.load(math, neverAborted);
    const later = createEngineGroup({
      replicas: fakes.map(({ url }, index) => ({
        key: `replica-${index}`,
        engine: createHttpEngine({ dialect: 'sglang', url }),
      })),
    });
    try {
      expect(await later.adapters.adopt([math, { ...math, version: 1 }], neverAborted)).toBe(true);
      expect(later.adapters.loaded()).toMatchObject([{ adapter: math, engineName: name, running: 0 }]);
      await collect(later.generate(aRequest({ adapter: math }), neverAborted));
      expect(fakes.flatMap(({ adapterCalls }) => adapterCalls)).toHaveLength(2);
    } finally {
      await later.stop();
    }
  });

  it('are unloaded at every server', async () => {
    await group.adapters.load(math, neverAborted);
    await group.adapters.unload(name, neverAborted);
    expect([...loaded(), group.adapters.loaded()]).toEqual([[], [], []]);
  });
});
