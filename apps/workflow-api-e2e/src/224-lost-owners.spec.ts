import { waitFor } from '@weir/test-kit';
import { onEachDatabase } from './support/databases';
import { setUpAdmin } from './support/people';
import type { Weir } from './support/weir-server';

onEachDatabase((start) => {
  let weir: Weir | undefined;
  afterEach(() => weir?.dispose());

  describe('GET /dag-runs/{name}/{dagRunId}/explain', () => {
    it('returns 200 with the owner that is lost, and that there is no worker to claim the run', async () => {
      const first = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
      weir = first;
      const admin = await setUpAdmin(first);
      const client = first.createClient(admin);
      await client.createNewDag({ body: { name: 'long', spec: 'steps:\n  - run: sleep 300\n' } });
      await client.executeDag({ params: { fileName: 'long' }, body: { dagRunId: 'lost' } });
      await waitFor(
        async () => {
          const { dagRunDetails } = await client.getDagRunDetails({ params: { name: 'long', dagRunId: 'lost' } });
          return dagRunDetails.statusLabel === 'running';
        },
        { what: 'the run to be executed' },
      );
      await first.process.stop({ signal: 'SIGKILL' });
      const second = await first.restart({ command: 'server' });
      weir = second;
      const causesOf = async (dagRunId: string) => {
        const { body } = await second.request('GET', `/dag-runs/long/${dagRunId}/explain`, { token: admin });
        return (body as { causes: { kind: string; owner?: string }[] }).causes;
      };
      await second.createClient(admin).enqueueDag({ params: { fileName: 'long' }, body: { dagRunId: 'next' } });
      // Where servers share the database, its heartbeat counts for as long as its lease.
      const causes = await waitFor(
        async () => {
          const found = await causesOf('lost');
          return found.some(({ kind }) => kind === 'owner_lost') ? found : undefined;
        },
        { what: 'the owner to be lost', deadlineMs: 40_000 },
      );

      expect(causes).toMatchObject([
        { kind: 'owner_lost', owner: expect.any(String) as string },
        { kind: 'no_worker' },
      ]);
      expect((await causesOf('next')).map(({ kind }) => kind)).toContain('no_worker');
    }, 120_000);
  });
});
