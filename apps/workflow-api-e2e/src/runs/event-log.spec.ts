import { waitFor } from '@weir/test-kit';
import { onEachDatabase } from '../support/databases';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import type { Weir } from '../support/weir-server';

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    const client = weir.createClient(admin);
    await client.createNewDag({ body: { name: 'broken', spec: 'steps:\n  - name: a\n    run: exit 3\n' } });
    await client.executeDag({ params: { fileName: 'broken' }, body: { dagRunId: 'first' } });
    await endOfRun(weir, admin, 'broken', 'first');
  }, 60_000);

  afterAll(() => weir.dispose());

  describe('GET /event-logs', () => {
    it('returns 200 with the events of a run', async () => {
      const client = weir.createClient(admin);
      const { entries } = await waitFor(
        async () => {
          const page = await client.listEventLogs({ query: { dagRunId: 'first' } });
          return page.entries.some(({ status }) => status === 'failed') ? page : undefined;
        },
        { what: 'the end of the run to be stored' },
      );

      expect(entries.map(({ type }) => type).slice(0, 2)).toEqual(['dag.run.failed', 'dag.run.running']);
      expect(entries[0]).toMatchObject({ kind: 'dag_run', dagName: 'broken', attemptId: '1', status: 'failed' });
    });

    it('returns 200 with who paused and resumed a queue, once each', async () => {
      const client = weir.createClient(admin);
      const spec = `steps:\n  - run: until [ -e ${weir.home.file('go')} ]; do sleep 0.05; done\n`;
      await client.createNewDag({ body: { name: 'held', spec } });
      await client.enqueueDag({ params: { fileName: 'held' }, body: {} });
      for (const action of ['pause', 'pause', 'resume', 'resume']) {
        const changed = await weir.request('POST', `/queues/held/${action}`, { token: admin });
        expect(changed.status).toBe(200);
      }
      const { entries } = await waitFor(
        async () => {
          const page = await client.listEventLogs({ query: { kind: 'queue' } });
          return page.entries.length >= 2 ? page : undefined;
        },
        { what: 'the changes of the queue to be stored' },
      );

      expect(entries).toMatchObject([
        { type: 'queue.resumed', userId: 'ada', data: { queue: 'held' } },
        { type: 'queue.paused', userId: 'ada', data: { queue: 'held' } },
      ]);
      expect(entries[0]).not.toHaveProperty('dagName');
    });

    it('returns 400 for a cursor together with an offset, and 401 without a credential', async () => {
      expect(await weir.request('GET', '/event-logs?cursor=x&offset=1', { token: admin })).toMatchObject({
        status: 400,
        body: { reason: 'request_invalid' },
      });
      expect(await weir.request('GET', '/event-logs')).toMatchObject({ status: 401 });
    });
  });
});
