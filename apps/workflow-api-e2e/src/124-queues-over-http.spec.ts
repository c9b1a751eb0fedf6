import { waitFor } from '@weir/test-kit';
import { onEachDatabase } from './support/databases';
import { setUpAdmin } from './support/people';
import type { Weir } from './support/weir-server';

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
    await waitFor(
      async () => {
        const { dagRunDetails } = await client.getDagRunDetails({ params: { name: 'slow', dagRunId: 'first' } });
        return dagRunDetails.statusLabel === 'running';
      },
      { what: 'the first run to hold the slot' },
    );
  }, 60_000);

  afterAll(() => weir.dispose());

  const get = (path: string, token: string | undefined = admin) => weir.request('GET', path, { token });

  describe('GET /queues', () => {
    it('returns 200 with slots, holders and what waits', async () => {
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

    it('returns 404 for no queue', async () => {
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

    it('returns 400 for a cursor that is none', async () => {
      expect(await get('/queues/slow/items?cursor=x')).toMatchObject({ status: 400 });
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('GET', '/queues/slow/items')).toMatchObject({ status: 401 });
    });

    it('returns 404 for no queue', async () => {
      expect(await get('/queues/none/items')).toMatchObject({ status: 404 });
    });
  });
});
