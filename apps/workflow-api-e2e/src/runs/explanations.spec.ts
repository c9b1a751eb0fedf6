import { waitFor } from '@weir/test-kit';
import type { DagRunExplanation } from '@weir/workflow-contract/schemas';
import { onEachDatabase } from '../support/databases';
import { setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

const review = `
type: chain
steps:
  - name: draft
    run: "true"
    approval: { prompt: Good? }
  - name: publish
    run: "true"
`;

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    const client = weir.createClient(admin);
    const hold = weir.home.file('hold');
    const slow = `steps:\n  - run: until [ -e ${hold} ]; do sleep 0.05; done\n`;
    await client.createNewDag({ body: { name: 'slow', spec: slow } });
    await client.createNewDag({ body: { name: 'review', spec: review } });
    await client.createNewDag({ body: { name: 'parent', spec: 'steps:\n  - name: call\n    call: review\n' } });
    for (const dagRunId of ['first', 'second', 'third']) {
      await client.enqueueDag({ params: { fileName: 'slow' }, body: { dagRunId } });
    }
    await client.executeDag({ params: { fileName: 'parent' }, body: { dagRunId: 'top' } });
    await until('slow', 'first', 'running');
    await until('parent', 'top', 'waiting');
  }, 60_000);

  afterAll(() => weir.dispose());

  const until = (name: string, dagRunId: string, status: string) =>
    waitFor(
      async () => {
        const { dagRunDetails } = await weir.createClient(admin).getDagRunDetails({ params: { name, dagRunId } });
        return dagRunDetails.statusLabel === status;
      },
      { what: `the run ${dagRunId} to be ${status}` },
    );
  const get = (path: string) => weir.request('GET', `/dag-runs/${path}`, { token: admin });

  describe('GET /dag-runs/{name}/{dagRunId}/explain', () => {
    it('returns 200 with the position in a full queue and the runs that occupy its slots', async () => {
      const { status, body } = await get('slow/third/explain');
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          name: 'slow',
          dagRunId: 'third',
          status: 5,
          statusLabel: 'queued',
          estimate: { startsAt: null, reason: 'No run has ended yet of a DAG that is before it.' },
          causes: [
            {
              kind: 'queue_full',
              message: 'All slots of the queue "slow" are in use.',
              queue: { name: 'slow', slots: 1, slotsInUse: 1, position: 2 },
              runs: [{ name: 'slow', dagRunId: 'first', statusLabel: 'running' }],
              otherRuns: 0,
            },
          ],
        },
      });
    });

    it('returns 200 with the expected start, from the durations of earlier runs', async () => {
      const client = weir.createClient(admin);
      const params = { fileName: 'timed' };
      const spec = `params: [{name: hold, default: ""}]\nsteps:\n  - run: test -z "$hold" || until [ -e "$hold" ]; do sleep 0.05; done\n`;
      await client.createNewDag({ body: { name: 'timed', spec } });
      for (const dagRunId of ['past-1', 'past-2']) {
        await client.enqueueDag({ params, body: { dagRunId } });
        await until('timed', dagRunId, 'succeeded');
      }
      const held = `hold=${weir.home.file('hold')}`;
      await client.enqueueDag({ params, body: { dagRunId: 'holder', params: held } });
      await until('timed', 'holder', 'running');
      await client.enqueueDag({ params, body: { dagRunId: 'ahead', params: held } });
      await client.enqueueDag({ params, body: { dagRunId: 'asked', params: held } });
      const before = Date.now();
      const { status, body } = await get('timed/asked/explain');
      const { estimate, causes } = body as DagRunExplanation;

      expect(status).toBe(200);
      expect(causes).toMatchObject([{ kind: 'queue_full', queue: { position: 2 } }]);
      expect(estimate).toEqual({ startsAt: expect.any(String) as string, basis: '2 runs' });
      expect(Date.parse(estimate?.startsAt ?? '')).toBeGreaterThanOrEqual(before);
    });

    it('returns 200 without an expected start while the queue is paused', async () => {
      await weir.request('POST', '/queues/slow/pause', { token: admin });
      const { body } = await get('slow/third/explain');
      await weir.request('POST', '/queues/slow/resume', { token: admin });

      expect(body).toMatchObject({ estimate: { startsAt: null, reason: 'The queue is paused.' } });
    });

    it('returns 200 without causes for a run that is executing', async () => {
      expect(await get('slow/first/explain')).toMatchObject({ status: 200, body: { causes: [] } });
    });

    it('returns 400 for another node', async () => {
      expect(await get('slow/first/explain?remoteNode=other')).toMatchObject({ status: 400 });
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('GET', '/dag-runs/slow/first/explain')).toMatchObject({ status: 401 });
    });

    it('returns 404 for an unknown step', async () => {
      expect(await get('slow/first/explain?step=none')).toMatchObject({
        status: 404,
        body: { reason: 'step_not_found' },
      });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/explain', () => {
    it('returns 200 with the person that a step after the next one waits for', async () => {
      const { body } = await get('parent/top/explain');
      const [cause] = (body as { causes: { kind: string; runs: { dagRunId: string }[] }[] }).causes;
      expect(cause).toMatchObject({ kind: 'child_run', step: 'call', runs: [{ name: 'review' }] });

      expect(await get(`parent/top/sub-dag-runs/${cause?.runs[0]?.dagRunId}/explain?step=publish`)).toMatchObject({
        status: 200,
        body: {
          step: { name: 'publish', statusLabel: 'not_started' },
          causes: [
            { kind: 'dependency', steps: [{ name: 'draft', statusLabel: 'waiting' }] },
            { kind: 'approval', step: 'draft', role: 'operator', prompt: 'Good?' },
          ],
        },
      });
    });
  });

  describe('GET /open-decisions', () => {
    it('returns 200 with the approval of the child run', async () => {
      const { status, body } = await weir.request('GET', '/open-decisions', { token: admin });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          items: [
            {
              kind: 'approval',
              name: 'parent',
              dagRunId: 'top',
              dagName: 'review',
              step: 'draft',
              mayDecide: true,
              since: expect.stringMatching(/^\d{4}-/) as string,
            },
          ],
        },
      });
    });
  });
});
