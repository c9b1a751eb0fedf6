import * as fc from 'fast-check';
import { waitFor } from '@weir/test-kit';
import { startTestProxy, type TestProxy } from './testing/test-proxy';

const chat = { model: 'echo', messages: [{ role: 'user', content: 'hello' }] };

describe('control operations', () => {
  let proxy: TestProxy;
  beforeEach(async () => {
    proxy = await startTestProxy({ env: { ROLLOUT_CAPACITY: '4' } });
  });
  afterEach(() => proxy.stop());

  const exportSession = (id: string, more: object = {}, headers = {}, signal?: AbortSignal) =>
    proxy.call('/export_trajectories', { body: { session_id: id, ...more }, headers, ...(signal && { signal }) });

  describe('of clients that send fields of another service', () => {
    it('succeed, and name the ignored fields', async () => {
      await proxy.call('/grant_capacity');
      const started = await proxy.call('/rl/start_session', { body: { task_id: 't', group_size: 2 } });
      expect([started.status, started.body.ignored]).toEqual([200, ['group_size']]);
      const key = String(started.body.session_api_key);
      await proxy.call('/chat/completions', { key, body: chat });
      const rewarded = await proxy.call('/rl/set_reward', { key, body: { reward: 1, model: 'x' } });
      expect([rewarded.status, rewarded.body.ignored]).toEqual([200, ['model']]);
      await proxy.call('/rl/end_session', { key });
      const answer = await exportSession('t-0', { trajectory_id: null, group_id: 'g' });
      expect([answer.status, answer.body.ignored]).toEqual([200, ['trajectory_id', 'group_id']]);
      expect(await exportSession('t-0')).not.toHaveProperty('body.ignored');
    });

    it('return a short list, for fields of any name', async () => {
      await proxy.call('/grant_capacity');
      const long = Object.fromEntries(Array.from({ length: 500 }, (_, number) => [`${number}${'x'.repeat(900)}`, 1]));
      const body = `{"__proto__":{"api_key":"0123456789abcdefg"},"constructor":1,${JSON.stringify(long).slice(1)}`;
      const started = await proxy.call('/rl/start_session', { body });
      expect(started.status).toBe(200);
      expect(started.body.api_key).toHaveLength(43);
      expect(JSON.stringify(started.body.ignored).length).toBeLessThan(2_500);
    });
  });

  it('an export repeated with its idempotency key succeeds after the first client disconnects', async () => {
    const { id, key } = await proxy.start();
    await proxy.call('/chat/completions', { key, body: chat });
    const headers = { 'idempotency-key': 'one' };
    const aborting = new AbortController();
    const first = exportSession(id, { wait_seconds: 20 }, headers, aborting.signal);
    const second = exportSession(id, { wait_seconds: 20 }, headers);
    // Both requests have been received when this later one is answered.
    await proxy.call('/rl/sessions', { method: 'GET' });
    aborting.abort();
    await expect(first).rejects.toThrow();
    await proxy.call('/rl/end_session', { key });
    expect((await second).status).toBe(200);
  });

  it('never let grants and unfinished sessions exceed the capacity, and never leak capacity', async () => {
    const steps = ['grant', 'grant', 'start', 'start', 'end', 'end', 'export', 'acknowledge', 'delete'] as const;
    const anySteps = fc.array(fc.tuple(fc.constantFrom(...steps), fc.nat()), { minLength: 1, maxLength: 30 });
    const sessionsNow = async () => {
      const { body } = await proxy.call('/rl/sessions', { method: 'GET' });
      return body.sessions as { readonly session_id: string; readonly state: string }[];
    };
    const take = async (step: (typeof steps)[number], pick: number): Promise<number> => {
      const all = await sessionsNow();
      const session_id = all[pick % Math.max(1, all.length)]?.session_id ?? 'none';
      if (step === 'grant') return (await proxy.call('/grant_capacity')).status;
      if (step === 'start') return (await proxy.call('/rl/start_session', { body: { task_id: 't' } })).status;
      if (step === 'delete') return (await proxy.call(`/rl/sessions/${session_id}`, { method: 'DELETE' })).status;
      if (step === 'export') return (await exportSession(session_id, { wait_seconds: 0 })).status;
      const path = step === 'end' ? '/rl/end_session' : '/rl/acknowledge_export';
      return (await proxy.call(path, { body: { session_id } })).status;
    };
    const usedCapacity = async () => {
      const { body } = await proxy.call('/metrics', { method: 'GET' });
      const unused = Number(/grants_unused (\d+)/.exec(String(body.text))?.[1]);
      return {
        unused,
        open: (await sessionsNow()).filter(({ state }) => state === 'active' || state === 'ending').length,
      };
    };
    const empty = async () => {
      for (const { session_id } of await sessionsNow())
        await proxy.call(`/rl/sessions/${session_id}`, { method: 'DELETE' });
      while ((await proxy.call('/rl/start_session', { body: {} })).status === 200);
      for (const { session_id } of await sessionsNow())
        await proxy.call(`/rl/sessions/${session_id}`, { method: 'DELETE' });
    };
    await fc.assert(
      fc.asyncProperty(anySteps, fc.boolean(), async (some, isAtOnce) => {
        const work = some.map(
          ([step, pick]) =>
            () =>
              take(step, pick),
        );
        const statuses = isAtOnce ? await Promise.all(work.map((one) => one())) : [];
        if (!isAtOnce) for (const one of work) statuses.push(await one());
        expect(statuses.every((status) => [200, 204, 404, 409, 429].includes(status))).toBe(true);
        const { unused, open } = await usedCapacity();
        expect(unused + open).toBeLessThanOrEqual(4);
        for (let more = unused + open; more < 4; more += 1)
          expect((await proxy.call('/grant_capacity')).status).toBe(200);
        expect((await proxy.call('/grant_capacity')).status).toBe(429);
        await empty();
        await waitFor(async () => (await usedCapacity()).open === 0, { what: 'all places to be free' });
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});
