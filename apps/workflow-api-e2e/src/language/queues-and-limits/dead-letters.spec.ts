import { writeFile } from 'node:fs/promises';
import { waitFor } from '@weir/test-kit';
import { onEachDatabase } from '../../support/databases';
import { setUpAdmin } from '../../support/people';
import { endOfRun } from '../../support/runs';
import type { Weir } from '../../support/weir-server';

const spec = `steps:
  - {name: before, run: echo before}
  - name: hang
    idempotent: true
    run: test -e "$HOME/again" || exec sleep 300
    depends: before
`;

onEachDatabase((start) => {
  let weir: Weir;
  let token: string;

  beforeAll(async () => {
    weir = await start({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_QUEUE_MAX_FAILURES: '1' } });
    token = await setUpAdmin(weir);
    const client = weir.createClient(token);
    await client.createNewDag({ body: { name: 'deadly', spec } });
    await client.enqueueDag({ params: { fileName: 'deadly' }, body: { dagRunId: 'first' } });
    await waitFor(
      async () => {
        const params = { name: 'deadly', dagRunId: 'first' };
        const { dagRunDetails } = await client.getDagRunDetails({ params });
        return dagRunDetails.nodes.some(({ step, statusLabel }) => step.name === 'hang' && statusLabel === 'running');
      },
      { what: 'the step to run' },
    );
    await weir.process.stop({ signal: 'SIGKILL' });
    weir = await weir.restart();
    await endOfRun(weir, token, 'deadly', 'first');
  }, 120_000);

  afterAll(() => weir.dispose());

  const get = (as?: string) => weir.request('GET', '/dead-letters', { token: as });
  const redrive = (body: object, as?: string) => weir.request('POST', '/dead-letters/redrive', { token: as, body });

  describe('GET /dead-letters', () => {
    it('returns 200 with the run whose worker was lost too often', async () => {
      expect(await get(token)).toMatchObject({
        status: 200,
        body: {
          deadLetters: [
            {
              queue: 'deadly',
              reason: 'worker_lost',
              failures: 1,
              run: { name: 'deadly', dagRunId: 'first', statusLabel: 'failed' },
            },
          ],
        },
      });
    });

    it('returns 400 for another node', async () => {
      expect(await weir.request('GET', '/dead-letters?remoteNode=other', { token })).toMatchObject({ status: 400 });
    });

    it('returns 401 without a credential', async () => {
      expect(await get()).toMatchObject({ status: 401 });
    });
  });

  describe('POST /dead-letters/redrive', () => {
    it('returns 400 for a field that it does not know', async () => {
      expect(await redrive({ dagRunId: '' }, token)).toMatchObject({ status: 400 });
    });

    it('returns 401 without a credential', async () => {
      expect(await redrive({})).toMatchObject({ status: 401 });
    });

    it('returns 403 for a viewer', async () => {
      const { key } = await weir.createClient(token).createApiKey({ body: { name: 'viewer', role: 'viewer' } });
      expect(await redrive({}, key)).toMatchObject({ status: 403 });
    });

    it('returns 200 and queues the run, whose passed step is not executed again', async () => {
      await writeFile(weir.home.file('again'), '');
      expect(await redrive({ queue: 'deadly' }, token)).toMatchObject({
        status: 200,
        body: { redriven: [{ name: 'deadly', dagRunId: 'first' }], refused: [] },
      });
      const run = await endOfRun(weir, token, 'deadly', 'first');

      expect(run).toMatchObject({ statusLabel: 'succeeded' });
      expect(await get(token)).toMatchObject({ body: { deadLetters: [] } });
    });
  });
});
