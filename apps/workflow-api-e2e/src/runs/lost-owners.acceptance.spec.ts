import { writeFile } from 'node:fs/promises';
import { waitFor } from '@weir/test-kit';
import type { RunAttemptsResponse } from '@weir/workflow-contract/schemas';
import { onEachDatabase } from '../support/databases';
import { setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

onEachDatabase((start) => {
  let weir: Weir | undefined;
  afterEach(() => weir?.dispose());

  describe('GET /dag-runs/{name}/{dagRunId}/explain', () => {
    it('returns 200 with the lost owner, and the lack of a worker to claim the run', async () => {
      const first = await start({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true' } });
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
      expect((await second.request('GET', '/dag-runs/long/next/explain', { token: admin })).body).toMatchObject({
        estimate: { startsAt: null, reason: 'No worker claims it.' },
      });
    }, 120_000);
  });

  describe('POST /dags/{fileName}/enqueue', () => {
    it('returns 200 for a DAG that requires a label that no worker has, and explains at once that the run waits for one', async () => {
      weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
      const admin = await setUpAdmin(weir);
      const spec = 'worker_selector: {gpu: "yes"}\nsteps:\n  - run: "true"\n';
      await weir.request('POST', '/dags', { token: admin, body: { name: 'labelled', spec } });

      expect(await weir.request('POST', '/dags/labelled/enqueue', { token: admin, body: {} })).toMatchObject({
        status: 200,
      });
      const { body } = await weir.request('GET', '/dag-runs/labelled/latest/explain', { token: admin });
      expect(body).toMatchObject({
        causes: [
          { kind: 'queued' },
          { kind: 'no_worker', selector: { gpu: 'yes' }, nearest: { missing: { gpu: 'yes' } } },
        ],
        estimate: { startsAt: null, reason: 'No worker claims it.' },
      });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/attempts', () => {
    it('returns 200 with the lost worker, and the one that took over the run', async () => {
      const first = await start({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true' } });
      weir = first;
      const admin = await setUpAdmin(first);
      const client = first.createClient(admin);
      const hold = first.home.file('hold');
      const spec = `steps:\n  - {name: quick, run: "true"}\n  - {name: long, run: "until [ -e ${hold} ]; do sleep 0.05; done", depends: quick, retry_policy: {limit: 3, interval_sec: 0}}\n`;
      await client.createNewDag({ body: { name: 'taken', spec } });
      await client.executeDag({ params: { fileName: 'taken' }, body: { dagRunId: 'lost' } });
      const params = { name: 'taken', dagRunId: 'lost' };
      await waitFor(
        async () => (await client.getDagRunDetails({ params })).dagRunDetails.nodes[1]?.statusLabel === 'running',
        { what: 'the second step to be executed' },
      );
      await first.process.stop({ signal: 'SIGKILL' });
      await writeFile(hold, '');
      const second = await first.restart();
      weir = second;
      const attempts = await waitFor(
        async () => {
          const { body } = await second.request('GET', '/dag-runs/taken/lost/attempts', { token: admin });
          const { attempts: found } = body as RunAttemptsResponse;
          return found.at(-1)?.cause === 'take_over' && found.at(-1)?.status !== 'running' ? found : undefined;
        },
        { what: 'the run to be taken over and to end', deadlineMs: 60_000 },
      );

      expect(attempts).toMatchObject([
        { number: 1, attemptId: 'attempt-1', cause: 'start', status: 'interrupted', reusedSteps: 0 },
        { number: 2, attemptId: 'attempt-1', cause: 'take_over', reusedSteps: 1 },
      ]);
      expect(new Set(attempts.map(({ worker }) => worker)).size).toBe(2);
    }, 120_000);
  });
});
