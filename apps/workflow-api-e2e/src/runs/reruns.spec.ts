import { onEachDatabase } from '../support/databases';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import type { Weir } from '../support/weir-server';

const spec = `
type: chain
steps:
  - name: first
    run: echo kept
    output: KEPT
  - name: second
    run: exit 3
  - name: third
    run: echo never
`;

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    const client = weir.createClient(admin);
    await client.createNewDag({ body: { name: 'flaky', spec } });
    await client.createNewDag({ body: { name: 'parent', spec: 'steps:\n  - call: flaky\n' } });
    await client.executeDag({ params: { fileName: 'flaky' }, body: { dagRunId: 'failed' } });
    await client.executeDag({ params: { fileName: 'parent' }, body: { dagRunId: 'top' } });
    await endOfRun(weir, admin, 'flaky', 'failed');
    await endOfRun(weir, admin, 'parent', 'top');
  }, 60_000);

  afterAll(() => weir.dispose());

  const send = (method: string, path: string, body?: object) => weir.request(method, path, { token: admin, body });

  describe('POST /dag-runs/{name}/{dagRunId}/reschedule', () => {
    it('returns 200 with a new run that is executed', async () => {
      const { status, body } = await send('POST', '/dag-runs/flaky/failed/reschedule', { dagRunId: 'again' });
      expect({ status, body }).toEqual({ status: 200, body: { dagRunId: 'again', queued: true } });

      expect((await endOfRun(weir, admin, 'flaky', 'again')).statusLabel).toBe('failed');
    });

    it('returns 409 when the id is taken', async () => {
      expect(await send('POST', '/dag-runs/flaky/failed/reschedule', { dagRunId: 'failed' })).toMatchObject({
        status: 409,
      });
    });
  });

  const editRetry = '/dag-runs/flaky/failed/edit-retry';
  const edited = spec.replace('exit 3', 'echo mended').replace('echo never', 'echo "again ${KEPT}"');

  describe('POST /dag-runs/{name}/{dagRunId}/edit-retry/preview', () => {
    it('returns 200 with the kept and the executed steps', async () => {
      expect(await send('POST', `${editRetry}/preview`, { spec: edited })).toMatchObject({
        status: 200,
        body: {
          dagName: 'flaky',
          skippedSteps: ['first'],
          runnableSteps: ['second', 'third'],
          ineligibleSteps: [{ stepName: 'second' }, { stepName: 'third' }],
          errors: [],
        },
      });
    });
  });

  describe('POST /dag-runs/{name}/{dagRunId}/edit-retry', () => {
    it('returns 200 with a new run that has outputs and logs of the old one', async () => {
      const { status, body } = await send('POST', editRetry, { spec: edited, dagRunId: 'edited' });
      const run = await endOfRun(weir, admin, 'flaky', 'edited');
      const old = await endOfRun(weir, admin, 'flaky', 'failed');
      const logOf = async (stepName: string) => {
        const params = { name: 'flaky', dagRunId: 'edited', stepName };
        return (await weir.createClient(admin).getDagRunStepLog({ params })).content;
      };

      expect({ status, body }).toEqual({
        status: 200,
        body: { dagRunId: 'edited', queued: true, skippedSteps: ['first'], startedSteps: ['second', 'third'] },
      });
      expect(run.statusLabel).toBe('succeeded');
      expect(run.nodes[0]?.finishedAt).toBe(old.nodes[0]?.finishedAt);
      expect(await logOf('first')).toContain('kept');
      expect(await logOf('third')).toContain('again kept');
    });

    it('returns 400 for a step that cannot be kept', async () => {
      expect(await send('POST', editRetry, { spec: edited, skipSteps: ['second'] })).toMatchObject({
        status: 400,
        body: { reason: 'step_not_reusable' },
      });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/attempts', () => {
    it('returns 200 with each attempt, its end and the cause of the next one', async () => {
      await send('POST', '/dag-runs/flaky/failed/reschedule', { dagRunId: 'twice' });
      await endOfRun(weir, admin, 'flaky', 'twice');
      expect(await send('POST', '/dag-runs/flaky/twice/retry', { dagRunId: 'twice' })).toMatchObject({ status: 200 });
      await endOfRun(weir, admin, 'flaky', 'twice');

      const times = {
        startedAt: expect.stringMatching(/^2/) as string,
        finishedAt: expect.stringMatching(/^2/) as string,
      };
      const failed = { status: 'failed', exitCode: 3, worker: expect.any(String) as string, ...times };
      expect(await send('GET', '/dag-runs/flaky/twice/attempts')).toMatchObject({
        status: 200,
        body: {
          total: 2,
          attempts: [
            { ...failed, number: 1, attemptId: 'attempt-1', cause: 'start', reusedSteps: 0 },
            { ...failed, number: 2, attemptId: 'attempt-2', cause: 'retry', reusedSteps: 1 },
          ],
        },
      });
    });

    it('returns 200 with the steps that an edited copy reused', async () => {
      await send('POST', editRetry, { spec: edited, dagRunId: 'copied' });
      await endOfRun(weir, admin, 'flaky', 'copied');

      expect(await send('GET', '/dag-runs/flaky/copied/attempts')).toMatchObject({
        status: 200,
        body: { attempts: [{ number: 1, cause: 'edit_retry', status: 'succeeded', reusedSteps: 1 }], total: 1 },
      });
    });

    it('returns 400 for another node, 401 without a credential and 404 for an unknown run', async () => {
      expect(await send('GET', '/dag-runs/flaky/failed/attempts?remoteNode=other')).toMatchObject({ status: 400 });
      expect(await weir.request('GET', '/dag-runs/flaky/failed/attempts')).toMatchObject({ status: 401 });
      expect(await send('GET', '/dag-runs/flaky/none/attempts')).toMatchObject({ status: 404 });
    });
  });

  describe('PATCH /dag-runs/{name}/{dagRunId}/steps/{stepName}/status', () => {
    it('returns 200, and the status of the run changes accordingly', async () => {
      await send('POST', '/dag-runs/flaky/failed/reschedule', { dagRunId: 'corrected' });
      await endOfRun(weir, admin, 'flaky', 'corrected');
      const address = '/dag-runs/flaky/corrected/steps';
      expect(await send('PATCH', `${address}/second/status`, { status: 4 })).toMatchObject({ status: 200 });
      expect(await send('PATCH', `${address}/third/status`, { status: 5 })).toMatchObject({ status: 200 });

      const run = await endOfRun(weir, admin, 'flaky', 'corrected');
      expect(run.statusLabel).toBe('succeeded');
      expect(run.nodes.map(({ statusLabel }) => statusLabel)).toEqual(['succeeded', 'succeeded', 'skipped']);
    });

    it('returns 400 for a status that is not terminal', async () => {
      expect(await send('PATCH', '/dag-runs/flaky/failed/steps/second/status', { status: 1 })).toMatchObject({
        status: 400,
        body: { reason: 'step_not_correctable' },
      });
    });
  });

  const findSub = async (): Promise<string> => {
    const params = { name: 'parent', dagRunId: 'top' };
    const { subRuns } = await weir.createClient(admin).getSubDagRuns({ params });
    return `/dag-runs/parent/top/sub-dag-runs/${subRuns[0]?.dagRunId}`;
  };

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/attempts', () => {
    it('returns 200 with the attempt of the child run', async () => {
      expect(await send('GET', `${await findSub()}/attempts`)).toMatchObject({
        status: 200,
        body: { attempts: [{ number: 1, cause: 'start', status: 'failed', exitCode: 3 }], total: 1 },
      });
    });

    it('returns 400 for another node, 401 without a credential and 404 for an unknown child run', async () => {
      expect(await send('GET', `${await findSub()}/attempts?remoteNode=other`)).toMatchObject({ status: 400 });
      expect(await weir.request('GET', `${await findSub()}/attempts`)).toMatchObject({ status: 401 });
      expect(await send('GET', '/dag-runs/parent/top/sub-dag-runs/none/attempts')).toMatchObject({ status: 404 });
    });
  });

  describe('PATCH /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/status', () => {
    it('returns 200', async () => {
      const sub = await findSub();
      expect(await send('PATCH', `${sub}/steps/second/status`, { status: 5 })).toMatchObject({ status: 200 });
      const { body } = await send('GET', sub);
      expect((body as { dagRunDetails: { nodes: object[] } }).dagRunDetails.nodes[1]).toMatchObject({ status: 5 });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/steps/{stepName}/messages', () => {
    it('returns 200 without messages', async () => {
      expect(await send('GET', '/dag-runs/flaky/failed/steps/first/messages')).toMatchObject({
        status: 200,
        body: { messages: [], stepStatusLabel: 'succeeded', hasMore: false },
      });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/messages', () => {
    it('returns 200 without messages', async () => {
      expect(await send('GET', `${await findSub()}/steps/first/messages`)).toMatchObject({
        status: 200,
        body: { messages: [], hasMore: false },
      });
    });
  });
});
