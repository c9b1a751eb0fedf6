import { startFakeEngine, type FakeEngine, type FakeFaults } from '@weir/fake-engine';
import { createManualClock, waitFor, type ManualClock } from '@weir/test-kit';
import { createEngineGroup, type EngineGroup } from './engine-group';
import type { ConnectionLimits } from '../http/engine-connection';
import { createHttpEngine } from '../dialects/http-engine';
import { aRequest, collect, neverAborted, type Collected } from '../testing/generations';

describe('createEngineGroup', () => {
  let fakes: FakeEngine[];
  let group: EngineGroup;
  let clock: ManualClock;
  const openGroup = (limits: ConnectionLimits = {}): EngineGroup =>
    createEngineGroup({
      replicas: fakes.map(({ url }, index) => ({
        key: `replica-${index}`,
        engine: createHttpEngine({ dialect: 'sglang', url, limits }),
      })),
      healthIntervalMs: 1_000,
      sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    });
  const run = (sessionId: string): Promise<Collected> => collect(group.generate(aRequest({ sessionId }), neverAborted));
  const listCalls = (sessionId: string): readonly number[] =>
    fakes.map(({ calls }) => calls.filter(({ request }) => request.routingKey === sessionId).length);
  const home = (sessionId: string): number => listCalls(sessionId).findIndex((count) => count > 0);
  /** Runs one round of health checks and waits until each has ended. */
  const checkHealth = async (): Promise<void> => {
    await waitFor(() => clock.sleeperCount() === fakes.length, { what: 'the replicas to be watched' });
    clock.advance(1_000);
    await waitFor(() => clock.sleeperCount() === fakes.length, { what: 'the checks to end' });
  };
  const upCount = (): number => group.health().filter(({ isUp }) => isUp).length;
  const failAll = (faults: FakeFaults): void => {
    for (const fake of fakes) fake.setScript(() => ({ ids: [1, 2], faults }));
  };

  beforeEach(async () => {
    clock = createManualClock();
    fakes = await Promise.all([1, 2, 3].map((seed) => startFakeEngine({ dialect: 'sglang', seed })));
    group = openGroup();
  });
  afterEach(async () => {
    await group.stop();
    await Promise.all(fakes.map((fake) => fake.stop()));
  });

  it('keeps a session on its replica, and spreads sessions over all', async () => {
    const sessions = Array.from({ length: 24 }, (_, index) => `session-${index}`);
    for (const session of [...sessions, ...sessions]) await run(session);

    for (const session of sessions) expect([...listCalls(session)].sort()).toEqual([0, 0, 2]);
    for (const fake of fakes) expect(fake.calls.length).toBeGreaterThan(0);
  });

  it('moves only the sessions of a failed replica, and they return with it', async () => {
    const sessions = Array.from({ length: 12 }, (_, index) => `session-${index}`);
    for (const session of sessions) await run(session);
    const before = sessions.map(home);
    fakes[0]?.setHealth('failing');
    await checkHealth();
    await checkHealth();
    expect(upCount()).toBe(2);
    const callsBefore = fakes.map(({ calls }) => calls.length);
    for (const session of sessions) await run(session);
    expect(fakes[0]?.calls.length).toBe(callsBefore[0]);
    for (const [index, session] of sessions.entries()) {
      if (before[index] !== 0) expect([...listCalls(session)].sort()).toEqual([0, 0, 2]);
    }

    fakes[0]?.setHealth('good');
    await checkHealth();
    expect(upCount()).toBe(3);
  });

  it('does not treat a slow replica as dead', async () => {
    await group.stop();
    clock = createManualClock();
    group = openGroup({ controlTimeoutMs: 50 });
    fakes[0]?.setHealth('silent');
    for (let round = 0; round < 3; round += 1) await checkHealth();
    expect(upCount()).toBe(3);
  });

  it.each([[{ status: 503 }], [{ status: 429 }], [{ resetBeforeAnswer: true }]])(
    'tries another replica when nothing was sampled: %p',
    async (faults) => {
      await run('session-1');
      fakes[home('session-1')]?.setScript(() => ({ ids: [], faults }));
      expect((await run('session-1')).end.reason).toBe('length');
      expect(listCalls('session-1').reduce((sum, count) => sum + count, 0)).toBe(3);
    },
  );

  it('does not retry when tokens were already returned', async () => {
    failAll({ resetAfterTokens: 1 });
    await expect(run('session-1')).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(fakes.flatMap(({ calls }) => calls)).toHaveLength(1);
  });

  it('does not retry an invalid request', async () => {
    failAll({ status: 400, message: 'exceed_context_size_error' });
    await expect(run('session-1')).rejects.toMatchObject({ reason: 'prompt_too_long' });
    expect(fakes.flatMap(({ calls }) => calls)).toHaveLength(1);
  });

  it('tries each replica once, and reports the last failure', async () => {
    failAll({ status: 503 });
    await expect(run('session-1')).rejects.toMatchObject({ code: 'unavailable' });
    expect(fakes.map(({ calls }) => calls.length)).toEqual([1, 1, 1]);
  });

  it('reports when none is healthy', async () => {
    for (const fake of fakes) fake.setHealth('failing');
    await checkHealth();
    await checkHealth();
    await expect(run('session-1')).rejects.toMatchObject({ code: 'unavailable', reason: 'no_healthy_replica' });
  });

  it('adds a replica that was missing at the start', async () => {
    fakes[1]?.setScript(() => ({ ids: [], faults: { status: 503 } }));
    await group.probe(neverAborted);
    expect(upCount()).toBe(2);
    fakes[1]?.setScript(() => [1, 2]);
    await group.probe(neverAborted);
    expect(upCount()).toBe(3);
  });

  it('reports what applies to all replicas, and omits those that do not answer', async () => {
    await fakes[2]?.stop();
    const info = await group.probe(neverAborted);

    expect(info).toMatchObject({ engine: 'sglang', mode: 'exact', model: 'fake' });
    expect(info.remarks).toContain('1 of 3 replicas did not answer.');
    expect(upCount()).toBe(2);
  });
});
