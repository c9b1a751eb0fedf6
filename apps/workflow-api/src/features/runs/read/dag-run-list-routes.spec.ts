import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { badRequest } from '../../../testing/answers';
import { useWorkflow } from '../../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const now = new Date();
const add = (values: Parameters<typeof aRun>[0] = {}, steps = [aRunStep()]) =>
  workflow.server.application.runs.insert(aRun({ createdAt: now, ...values }), steps, {
    audit: unaudited,
    singleton: false,
  });

describe('GET /dag-runs', () => {
  const listIds = async (query: string, as = workflow.asAdmin): Promise<readonly string[]> => {
    const { status, body } = await get(`/dag-runs${query}`, as);
    expect(status).toBe(200);
    return (body.dagRuns as { dagRunId: string }[]).map(({ dagRunId }) => dagRunId);
  };
  const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

  describe('200', () => {
    it('names the step that runs now, and how many do, of running and waiting runs', async () => {
      const running = aRunStep({ position: 1, name: 'load', status: 'running' });
      await add({ id: 'a', dagRunId: 'a', status: 'running' }, [
        aRunStep({ status: 'succeeded' }),
        running,
        { ...running, position: 2, name: 'check' },
      ]);
      await add({ id: 'b', dagRunId: 'b', status: 'waiting' }, [aRunStep({ name: 'approve', status: 'waiting' })]);
      await add({ id: 'c', dagRunId: 'c', status: 'succeeded' });
      const { body } = await get('/dag-runs');
      const steps = (body.dagRuns as Record<string, unknown>[]).map((run) => [
        run.dagRunId,
        run.currentStep,
        run.currentStepCount,
      ]);

      expect(steps.toSorted()).toEqual([
        ['a', 'load', 2],
        ['b', 'approve', 1],
        ['c', undefined, undefined],
      ]);
    });

    it('shows a run as it is stored', async () => {
      await add({
        status: 'failed',
        params: 'a=1',
        labels: ['team=data'],
        workspace: 'ops',
        startedAt: now,
        finishedAt: now,
        queuedAt: now,
      });
      const { body } = await get('/dag-runs');

      expect(body).toEqual({
        dagRuns: [
          {
            dagRunId: 'run-1',
            name: 'nightly',
            workspace: 'ops',
            status: 2,
            statusLabel: 'failed',
            createdAt: expect.any(String) as string,
            queuedAt: expect.any(String) as string,
            autoRetryCount: 0,
            autoRetryLimit: null,
            startedAt: expect.any(String) as string,
            finishedAt: expect.any(String) as string,
            artifactsAvailable: false,
            params: 'a=1',
            workerId: 'local',
            triggerType: 'manual',
            labels: ['team=data'],
            tags: ['team=data'],
          },
        ],
      });
      expect(new Date((body.dagRuns as { startedAt: string }[])[0]?.startedAt ?? '')).toEqual(now);
    });

    it('lists the runs since midnight when no time is given', async () => {
      const midnight = new Date(workflow.server.api.clock.now().setHours(0, 0, 0, 0));
      await add({ id: 'yesterday', createdAt: new Date(midnight.getTime() - 1) });
      await add({ id: 'today', createdAt: midnight });

      await expect(listIds('')).resolves.toEqual(['today']);
      await expect(listIds('?fromDate=0')).resolves.toEqual(['today', 'yesterday']);
      await expect(listIds(`?toDate=${seconds(midnight)}`)).resolves.toEqual(['yesterday']);
    });

    it.each([
      ['status=2', ['b']],
      ['status=2&status=4', ['c', 'b']],
      ['name=NIGHT', ['b', 'a']],
      ['dagRunId=c', ['c']],
      ['labels=team=data', ['a']],
      ['tags=!team', ['c']],
      ['name=other&status=2', []],
    ] as const)('filters by %s', async (query, expected) => {
      await add({ id: 'a', status: 'queued', labels: ['team=data'], createdAt: new Date(now.getTime() - 2) });
      await add({ id: 'b', status: 'failed', labels: ['team=ops'], createdAt: new Date(now.getTime() - 1) });
      await add({ id: 'c', status: 'succeeded', dagName: 'other' });

      await expect(listIds(`?fromDate=0&${query}`)).resolves.toEqual(expected);
    });

    it('pages through all runs without missing or repeating one', async () => {
      const ids = Array.from({ length: 25 }, (_, index) => `run-${String(index).padStart(2, '0')}`);
      for (const [index, id] of ids.entries()) {
        const createdAt = new Date(now.getTime() - Math.floor(index / 4));
        await add({ id, createdAt, labels: index % 5 === 0 ? ['rare'] : [] });
      }
      const pages = async (filter: string): Promise<readonly string[][]> => {
        const found: string[][] = [];
        for (let cursor = ''; ;) {
          const { body } = await get(`/dag-runs?fromDate=0&limit=4${filter}${cursor && `&cursor=${cursor}`}`);
          found.push((body.dagRuns as { dagRunId: string }[]).map(({ dagRunId }) => dagRunId));
          if (body.nextCursor === undefined) return found;
          cursor = body.nextCursor as string;
        }
      };
      const all = await pages('');

      expect(all).toHaveLength(7);
      expect(all.flat().toSorted()).toEqual(ids);
      expect((await pages('&labels=rare')).map((page) => page.length)).toEqual([4, 1]);
    });

    it('shows only what the caller may see', async () => {
      await add({ id: 'free' });
      await add({ id: 'in-ops', workspace: 'ops' });
      await add({ id: 'in-dev', workspace: 'dev' });
      const as = await workflow.server.createKey('viewer', { ops: 'viewer' });

      await expect(listIds('?fromDate=0', as)).resolves.toEqual(['in-ops', 'free']);
      await expect(listIds('?fromDate=0&workspace=ops', as)).resolves.toEqual(['in-ops']);
      await expect(listIds('?fromDate=0&workspaceScope=default')).resolves.toEqual(['free']);
    });
  });

  describe('400', () => {
    it.each(['status=9', 'status=x', 'fromDate=now', 'limit=x', 'labels=a&tags=b'])('is for %s', async (query) => {
      await expect(get(`/dag-runs?${query}`)).resolves.toMatchObject(badRequest('request_invalid'));
    });

    it.each(['nonsense', 'e30', 'bnVsbA', Buffer.from('{"v":1}').toString('base64url')])(
      'is for the cursor %s',
      async (cursor) => {
        await expect(get(`/dag-runs?cursor=${cursor}`)).resolves.toMatchObject(badRequest('cursor_invalid'));
      },
    );

    it.each([
      ['a time before all times', { t: -8.64e15 }],
      ['a time after all times', { t: 8.64e15 }],
      ['a string that no database takes', { n: 'a\0b' }],
      ['a field that is not known', { x: 1 }],
    ])('is for a forged cursor with %s', async (_, change) => {
      await add({ id: 'a' });
      await add({ id: 'b' });
      const { body } = await get('/dag-runs?fromDate=0&limit=1');
      const payload = JSON.parse(Buffer.from(body.nextCursor as string, 'base64url').toString()) as object;
      const forged = Buffer.from(JSON.stringify({ ...payload, ...change })).toString('base64url');

      await expect(get(`/dag-runs?fromDate=0&cursor=${forged}`)).resolves.toMatchObject(badRequest('cursor_invalid'));
    });

    it('is for a cursor of other filters, or of another caller', async () => {
      await add({ id: 'a' });
      await add({ id: 'b' });
      const { body } = await get('/dag-runs?fromDate=0&limit=1');
      const cursor = String(body.nextCursor);
      const as = await workflow.server.createKey('viewer', { ops: 'viewer' });

      await expect(get(`/dag-runs?fromDate=0&limit=2&cursor=${cursor}`)).resolves.toMatchObject({ status: 200 });
      await expect(get(`/dag-runs?fromDate=1&cursor=${cursor}`)).resolves.toMatchObject(badRequest('cursor_invalid'));
      await expect(get(`/dag-runs?fromDate=0&cursor=${cursor}`, as)).resolves.toMatchObject(
        badRequest('cursor_invalid'),
      );
    });
  });

  it('returns 404 for a workspace that is not visible', async () => {
    const as = await workflow.server.createKey('viewer', { ops: 'viewer' });

    await expect(get('/dag-runs?workspace=dev', as)).resolves.toMatchObject({ status: 404 });
  });
});

describe('GET /dag-runs/{name}', () => {
  it('returns 200 with the runs of the DAG of exactly this name', async () => {
    await add({ id: 'one', dagName: 'nightly' });
    await add({ id: 'two', dagName: 'nightly-too' });

    await expect(get('/dag-runs/nightly')).resolves.toMatchObject({
      status: 200,
      body: { dagRuns: [{ name: 'nightly', dagRunId: 'one' }] },
    });
  });
});
