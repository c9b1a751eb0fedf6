import { rm, writeFile } from 'node:fs/promises';
import type { JsonObject } from '@weir/workflow-spec';
import type { ExecutableActionName } from '@weir/workflow-spec/actions';
import { actionFixture, type ActionFixture } from '../testing/action-fixture';
import { loopbackServer } from '../testing/loopback-server';

let nowMs = Date.parse('2026-03-01T09:00:00Z');
let paused: number[] = [];
let onPause: () => Promise<void> | void = () => undefined;
let fixture: ActionFixture;

beforeEach(async () => {
  nowMs = Date.parse('2026-03-01T09:00:00Z');
  paused = [];
  onPause = () => undefined;
  fixture = await actionFixture({
    clock: { now: () => new Date(nowMs) },
    pause: async (milliseconds, signal) => {
      paused.push(milliseconds);
      nowMs += milliseconds;
      await onPause();
      signal.throwIfAborted();
    },
  });
});
afterEach(() => fixture.remove());

const totalMs = () => paused.reduce((sum, each) => sum + each, 0);
const succeed = async (action: ExecutableActionName, settings: JsonObject) => {
  expect((await fixture.run(action, settings)).outcome).toEqual({ status: 'succeeded' });
};

describe('wait.duration', () => {
  it.each([
    [90, 90_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1_500],
    ['250ms', 250],
    ['40d', 3_456_000_000],
    [0, 0],
  ])('waits for %s', async (duration, expected) => {
    await succeed('wait.duration', { duration });
    expect(totalMs()).toBe(expected);
  });

  it('has a limit', async () => {
    const { outcome } = await fixture.run('wait.duration', { duration: '4000d' });
    expect(outcome).toMatchObject({ status: 'failed', error: 'duration is longer than ten years.' });
  });

  it('is ended by a stop', async () => {
    const real = await actionFixture();
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const { outcome } = await real.run('wait.duration', { duration: '1h' }, { signal: stop.signal });
    await real.remove();

    expect(outcome).toMatchObject({ status: 'aborted', error: 'run stopped' });
  });
});

describe('wait.until', () => {
  it('waits until the moment, whatever its offset', async () => {
    await succeed('wait.until', { until: '2026-03-01T11:30:00+01:00' });
    expect(totalMs()).toBe(90 * 60_000);
  });

  it('does not wait for a past moment', async () => {
    await succeed('wait.until', { until: '2020-01-01T00:00:00Z' });
    expect(paused).toEqual([]);
  });

  it('follows the clock when it is set', async () => {
    onPause = () => void (nowMs += 3_600_000);
    await succeed('wait.until', { until: '2026-03-01T10:00:00Z' });
    expect(paused).toEqual([60_000]);
  });
});

describe('wait.file', () => {
  it('polls until the file exists', async () => {
    onPause = () => (paused.length === 3 ? writeFile(fixture.path('done'), '') : undefined);
    await succeed('wait.file', { path: 'done', poll_interval: '2s' });
    expect(paused).toEqual([2_000, 2_000, 2_000]);
  });

  it('polls until the file is gone', async () => {
    await writeFile(fixture.path('lock'), '');
    onPause = () => rm(fixture.path('lock'));
    await succeed('wait.file', { path: 'lock', state: 'missing' });
    expect(paused).toEqual([1_000]);
  });

  it('never polls without a pause', async () => {
    onPause = () => writeFile(fixture.path('done'), '');
    await succeed('wait.file', { path: 'done', poll_interval: 0 });
    expect(paused).toEqual([50]);
  });

  it('is ended by a stop', async () => {
    const stop = new AbortController();
    onPause = () => stop.abort();
    const { outcome } = await fixture.run('wait.file', { path: 'never' }, { signal: stop.signal });
    expect(outcome.status).toBe('aborted');
  });
});

describe('wait.http', () => {
  it('polls until the answer has the expected status', async () => {
    const server = await loopbackServer(({ url }, response) => {
      response.writeHead(url === '/moved' ? 302 : ([503, 503, 201][server.seen.length - 1] ?? 200), { location: '/x' });
      response.end();
    });
    await succeed('wait.http', { url: `${server.origin}/ready`, poll_interval: '1s', method: 'POST', body: { a: 1 } });
    expect(paused).toEqual([1_000, 1_000]);
    expect(server.seen[0]).toMatchObject({ method: 'POST', body: '{"a":1}' });

    await succeed('wait.http', { url: `${server.origin}/moved`, status: [301, 302] });
    expect(paused).toHaveLength(2);
    await server.close();
  });

  it('continues while there is no answer, and logs it once', async () => {
    const gone = await loopbackServer(() => undefined);
    await gone.close();
    const stop = new AbortController();
    onPause = () => (paused.length === 3 ? stop.abort() : undefined);
    const { outcome, stderr } = await fixture.run('wait.http', { url: gone.origin }, { signal: stop.signal });

    expect(outcome.status).toBe('aborted');
    expect(stderr).toBe('The request got no response (ECONNREFUSED).\n');
  });

  it('gives up on a request that takes too long, and tries again', async () => {
    const server = await loopbackServer((_, response) => {
      if (server.seen.length > 1) response.end();
    });
    await succeed('wait.http', { url: server.origin, request_timeout: '100ms' });
    expect(server.seen).toHaveLength(2);
    await server.close();
  });
});
