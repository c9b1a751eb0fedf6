import { writeFile } from 'node:fs/promises';
import { waitFor } from '@weir/test-kit';
import { onEachDatabase } from '../../support/databases';
import { setUpAdmin } from '../../support/people';
import type { Weir } from '../../support/weir-server';

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_QUEUES: 'wide=3' } });
    admin = await setUpAdmin(weir);
    const client = weir.createClient(admin);
    const hold = weir.home.file('hold');
    await client.createNewDag({
      body: { name: 'slow', spec: `steps:\n  - run: until [ -e ${hold} ]; do sleep 0.05; done\n` },
    });
    for (const dagRunId of ['first', 'second', 'third']) {
      await client.enqueueDag({ params: { fileName: 'slow' }, body: { dagRunId } });
    }
    await waitForStatus('first', 'running');
  }, 60_000);

  afterAll(() => weir.dispose());

  const readRun = async (dagRunId: string) =>
    (await weir.createClient(admin).getDagRunDetails({ params: { name: 'slow', dagRunId } })).dagRunDetails;
  const waitForStatus = (dagRunId: string, status: string) =>
    waitFor(async () => (await readRun(dagRunId)).statusLabel === status, {
      what: `the run ${dagRunId} to be ${status}`,
    });
  const get = (path: string, token: string | undefined = admin) => weir.request('GET', path, { token });

  describe('GET /queues', () => {
    it('returns 200 with slots, holders and waiting runs', async () => {
      expect(await get('/queues')).toMatchObject({
        status: 200,
        body: {
          queues: [
            { name: 'slow', type: 'dag-based', runningCount: 1, queuedCount: 2, running: [{ dagRunId: 'first' }] },
            { name: 'wide', type: 'global', maxConcurrency: 3, runningCount: 0, queuedCount: 0, running: [] },
          ],
          summary: { totalQueues: 2, totalRunning: 1, totalQueued: 2, totalCapacity: 4, utilizationPercentage: 25 },
        },
      });
    });

    it('returns 400 for another node', async () => {
      expect(await get('/queues?remoteNode=other')).toMatchObject({ status: 400 });
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('GET', '/queues')).toMatchObject({ status: 401 });
    });
  });

  describe('GET /queues/{name}', () => {
    it('returns 200 with the queue', async () => {
      expect(await get('/queues/slow')).toMatchObject({ status: 200, body: { name: 'slow', queuedCount: 2 } });
    });

    it('returns 400 for another node', async () => {
      expect(await get('/queues/slow?remoteNode=other')).toMatchObject({ status: 400 });
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('GET', '/queues/slow')).toMatchObject({ status: 401 });
    });

    it('returns 404 for an unknown queue', async () => {
      expect(await get('/queues/none')).toMatchObject({ status: 404, body: { reason: 'queue_not_found' } });
    });
  });

  describe('GET /queues/{name}/items', () => {
    it('returns 200 with the next run first, page by page', async () => {
      const first = await get('/queues/slow/items?limit=1');
      const { items, nextCursor } = first.body as { items: { dagRunId: string }[]; nextCursor: string };
      expect(items.map(({ dagRunId }) => dagRunId)).toEqual(['second']);

      const second = await get(`/queues/slow/items?limit=1&cursor=${nextCursor}`);
      expect(second).toMatchObject({ status: 200, body: { items: [{ dagRunId: 'third', statusLabel: 'queued' }] } });
      expect(second.body).not.toHaveProperty('nextCursor');
    });

    it('returns 400 for an invalid cursor', async () => {
      expect(await get('/queues/slow/items?cursor=x')).toMatchObject({ status: 400 });
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('GET', '/queues/slow/items')).toMatchObject({ status: 401 });
    });

    it('returns 404 for an unknown queue', async () => {
      expect(await get('/queues/none/items')).toMatchObject({ status: 404 });
    });
  });

  describe('POST /queues/{name}/items/move', () => {
    const move = (body: object, token: string | undefined = admin) =>
      weir.request('POST', '/queues/slow/items/move', { token, body });
    const third = { name: 'slow', dagRunId: 'third' };

    it('returns 200 with the new position', async () => {
      expect(await move({ ...third, to: 'first' })).toMatchObject({ status: 200, body: { position: 1 } });
      expect(await get('/queues/slow/items')).toMatchObject({
        body: { items: [{ dagRunId: 'third' }, { dagRunId: 'second' }] },
      });
    });

    it('returns 400 for a run that is not waiting', async () => {
      expect(await move({ name: 'slow', dagRunId: 'first', to: 'last' })).toMatchObject({
        status: 400,
        body: { reason: 'not_queued' },
      });
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('POST', '/queues/slow/items/move', { body: { ...third, to: 'last' } })).toMatchObject({
        status: 401,
      });
    });

    it('returns 404 for an unknown run', async () => {
      expect(await move({ name: 'slow', dagRunId: 'none', to: 'last' })).toMatchObject({ status: 404 });
    });
  });

  describe('POST /queues/{name}/pause', () => {
    const pause = (name: string, token: string | undefined = admin) =>
      weir.request('POST', `/queues/${name}/pause`, { token });

    it('returns 200, and no waiting run is claimed, even if a slot is free', async () => {
      expect(await pause('slow')).toMatchObject({ status: 200, body: { name: 'slow', pausedBy: 'ada' } });
      await writeFile(weir.home.file('hold'), '');
      await waitForStatus('first', 'succeeded');
      // One of another queue that was queued later is executed meanwhile.
      const client = weir.createClient(admin);
      await client.enqueueDag({ params: { fileName: 'slow' }, body: { dagRunId: 'elsewhere', queue: 'wide' } });
      await waitForStatus('elsewhere', 'succeeded');

      expect(await get('/queues/slow')).toMatchObject({ body: { runningCount: 0, queuedCount: 2 } });
    });

    it('returns 400 for another node', async () => {
      expect(await weir.request('POST', '/queues/slow/pause?remoteNode=other', { token: admin })).toMatchObject({
        status: 400,
      });
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('POST', '/queues/slow/pause')).toMatchObject({ status: 401 });
    });

    it('returns 404 for an unknown queue', async () => {
      expect(await pause('none')).toMatchObject({ status: 404, body: { reason: 'queue_not_found' } });
    });
  });

  describe('POST /queues/{name}/resume', () => {
    it('returns 200, and the runs are executed in the order they were moved to', async () => {
      const { status, body } = await weir.request('POST', '/queues/slow/resume', { token: admin });
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('pausedAt');
      await waitForStatus('second', 'succeeded');

      const startOf = async (dagRunId: string) => (await readRun(dagRunId)).startedAt;
      expect((await startOf('third')) <= (await startOf('second'))).toBe(true);
      await waitForStatus('third', 'succeeded');
    });

    it('returns 400 for another node', async () => {
      expect(await weir.request('POST', '/queues/wide/resume?remoteNode=other', { token: admin })).toMatchObject({
        status: 400,
      });
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('POST', '/queues/slow/resume')).toMatchObject({ status: 401 });
    });

    it('returns 404 for an unknown queue', async () => {
      expect(await weir.request('POST', '/queues/none/resume', { token: admin })).toMatchObject({ status: 404 });
    });
  });
});
