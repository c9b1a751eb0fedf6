import { startFakeEngine, type FakeEngine } from '@weir/fake-engine';
import { createManualClock, waitFor, type ManualClock } from '@weir/test-kit';
import { createEngineGroup, type EngineGroup } from './engine-group';
import { createHttpEngine } from '../dialects/http-engine';
import { neverAborted } from '../testing/generations';

describe('updateWeights of a group', () => {
  let fakes: FakeEngine[];
  let group: EngineGroup;
  let clock: ManualClock;
  const checkHealth = async (): Promise<void> => {
    await waitFor(() => clock.sleeperCount() === fakes.length, { what: 'the replicas to be watched' });
    clock.advance(1_000);
    await waitFor(() => clock.sleeperCount() === fakes.length, { what: 'the checks to end' });
  };
  const update = (source: string, version: number) => group.updateWeights?.({ source, version }, neverAborted);
  const sources = () => fakes.map((fake) => fake.weightSource());

  beforeEach(async () => {
    clock = createManualClock();
    fakes = await Promise.all([1, 2].map((seed) => startFakeEngine({ dialect: 'sglang', seed })));
    group = createEngineGroup({
      replicas: fakes.map(({ url }, index) => ({
        key: `replica-${index}`,
        engine: createHttpEngine({ dialect: 'sglang', url }),
      })),
      healthIntervalMs: 1_000,
      sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    });
  });
  afterEach(async () => {
    await group.stop();
    await Promise.all(fakes.map((fake) => fake.stop()));
  });

  it('reaches every server', async () => {
    await update('/weights/1', 1);
    expect(sources()).toEqual(['/weights/1', '/weights/1']);
  });

  it('rejects when one server refuses the weights', async () => {
    fakes[1]?.refuseNextWeights();
    await expect(update('/weights/1', 1)).rejects.toMatchObject({ reason: 'weights_refused' });
  });

  it('loads the current weights into a server that was down before it gets sessions', async () => {
    fakes[0]?.setHealth('failing');
    await checkHealth();
    await checkHealth();
    await update('/weights/1', 1);
    expect(sources()).toEqual([undefined, '/weights/1']);

    fakes[0]?.setHealth('good');
    await checkHealth();
    expect(sources()).toEqual(['/weights/1', '/weights/1']);
    expect(group.health().every(({ isUp }) => isUp)).toBe(true);
  });

  it('does not use a server that was down and refuses the current weights', async () => {
    fakes[0]?.setHealth('failing');
    await checkHealth();
    await checkHealth();
    await update('/weights/1', 1);
    fakes[0]?.setHealth('good');
    fakes[0]?.refuseNextWeights();
    await checkHealth();
    expect(group.health().map(({ isUp }) => isUp)).toEqual([false, true]);
  });
});
