import { createManualClock, createRecordingLogger, waitFor } from '@weir/test-kit';
import { badRequest, roleMissing } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';
import { createResourceReader } from './read-resources';
import { createResourceHistory } from './resource-history';

describe('GET /services/resources/history', () => {
  const workflow = useWorkflow();
  const address = '/services/resources/history';

  it('returns 200 with the sample of the start', async () => {
    const { status, body } = await workflow.get(address);

    expect(status).toBe(200);
    for (const key of ['cpu', 'memory', 'disk', 'load'])
      expect(body[key]).toEqual([{ timestamp: expect.any(Number) as number, value: expect.any(Number) as number }]);
    expect(body.memoryTotalBytes).toBeGreaterThan(0);
    expect(body.diskTotalBytes).toBeGreaterThan(0);
  });

  it.each(['30s', '15m', '24h', '1h30m'])('returns 200 for the duration %s', async (duration) => {
    await expect(workflow.get(`${address}?duration=${duration}`)).resolves.toMatchObject({ status: 200 });
  });

  it.each(['', 'h', '1d', '-1h', '1', '1m1h'])('returns 400 for the duration "%s"', async (duration) => {
    await expect(workflow.get(`${address}?duration=${duration}`)).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it('returns 403 to an operator', async () => {
    await expect(workflow.get(address, await workflow.server.createKey('operator'))).resolves.toMatchObject(
      roleMissing,
    );
  });
});

describe('createResourceReader', () => {
  it('reads the resources of the host', async () => {
    const reading = await createResourceReader('/')();

    expect(reading.cpuPercent).toBeGreaterThanOrEqual(0);
    expect(reading.cpuPercent).toBeLessThanOrEqual(100);
    expect(reading.memoryUsedBytes).toBeLessThanOrEqual(reading.memoryTotalBytes);
    expect(reading.diskUsedBytes).toBeLessThanOrEqual(reading.diskTotalBytes);
  });
});

const reading = {
  cpuPercent: 1,
  load: 1,
  memoryUsedBytes: 1,
  memoryTotalBytes: 2,
  diskUsedBytes: 1,
  diskTotalBytes: 2,
};

describe('createResourceHistory', () => {
  it('samples at each interval until it is stopped, and continues after a failure', async () => {
    const clock = createManualClock(new Date(0));
    const pending: (() => void)[] = [];
    const timer = { start: (_: number, due: () => void) => (pending.push(due), () => void pending.pop()) };
    const readings = [() => Promise.resolve(reading), () => Promise.reject(new Error('gone'))];
    const readResources = () => (readings.shift() ?? (() => Promise.resolve(reading)))();
    const history = createResourceHistory({
      folder: '/',
      readResources,
      clock,
      timer,
      logger: createRecordingLogger(),
    });

    await history.start();
    for (let round = 0; round < 2; round += 1) {
      clock.advance(15_000);
      pending.shift()?.();
      await waitFor(() => pending.length > 0, { what: 'the next sample' });
    }

    expect(history.since(60_000).map(({ atMs }) => atMs)).toEqual([0, 30_000]);
    expect(history.since(10_000).map(({ atMs }) => atMs)).toEqual([30_000]);
    await history.stop();
    expect(pending).toEqual([]);
  });
});
