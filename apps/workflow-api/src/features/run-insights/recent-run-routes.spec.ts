import { writeFile } from 'node:fs/promises';
import type { DagRun } from '@weir/workflow-engine/model';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { badRequest } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 9, 0, second));
const add = async (values: Partial<DagRun>, steps = [aRunStep()]) => {
  await workflow.server.application.runs.insert(aRun(values), steps, { audit: unaudited, singleton: false });
};

describe('GET /run-failures', () => {
  const file = (name: string) => workflow.server.folder.file('logs', name);
  const failed = { status: 'failed', stdoutFile: '', stderrFile: '' } as const;

  it('returns 200 with the step that failed last and the last line of its log', async () => {
    await writeFile(file('err'), 'first\nTraceback: no such table\n\n');
    await writeFile(file('out'), `${'x'.repeat(5000)}\n`);
    await add({ id: 'a', dagRunId: 'a', status: 'failed', createdAt: at(1) }, [
      aRunStep({ ...failed, name: 'early', finishedAt: at(2), exitCode: 1 }),
      aRunStep({ ...failed, position: 1, name: 'late', finishedAt: at(3), exitCode: 2, stderrFile: file('err') }),
    ]);
    await add({ id: 'b', dagRunId: 'b', status: 'failed', createdAt: at(2) }, [
      aRunStep({ ...failed, name: 'only', error: 'no', stdoutFile: file('out'), stderrFile: file('none') }),
    ]);
    await add({ id: 'c', dagRunId: 'c', status: 'failed', createdAt: at(3), error: 'not started' });
    await add({ id: 'd', dagRunId: 'd', status: 'succeeded', createdAt: at(4) });

    const { status, body } = await get('/run-failures');
    expect(status).toBe(200);
    expect(body.failures).toMatchObject([
      { run: { dagRunId: 'c', error: 'not started' } },
      { run: { dagRunId: 'b' }, step: { name: 'only', error: 'no', lastLine: 'x'.repeat(1000) } },
      { run: { dagRunId: 'a' }, step: { name: 'late', exitCode: 2, lastLine: 'Traceback: no such table' } },
    ]);
    expect((body.failures as object[])[0]).not.toHaveProperty('step');
    expect((await get('/run-failures?limit=1')).body.failures).toHaveLength(1);
  });

  it('returns 200 without runs of workspaces that are not visible', async () => {
    await add({ status: 'failed', workspace: 'closed' });
    const viewer = await workflow.server.createKey('viewer', { open: 'viewer' });

    await expect(get('/run-failures', viewer)).resolves.toMatchObject({ status: 200, body: { failures: [] } });
  });

  it('returns 404 for a workspace that is not visible', async () => {
    const viewer = await workflow.server.createKey('viewer', { open: 'viewer' });

    await expect(get('/run-failures?workspace=closed', viewer)).resolves.toMatchObject({
      status: 404,
      body: { reason: 'workspace_not_found' },
    });
  });

  it('returns 400 for a limit that is too high', async () => {
    await expect(get('/run-failures?limit=21')).resolves.toMatchObject(badRequest('request_invalid'));
  });
});

describe('GET /dags/{fileName}/recent-params', () => {
  it('returns 200 with different parameters, the newest first', async () => {
    await workflow.server.addDag('nightly', 'steps: [{run: "true"}]\n');
    for (const [index, params] of ['a=1', 'a=2', 'a=1', '', 'a=3'].entries()) {
      const id = `r${index}`;
      await add({ id, dagRunId: id, createdAt: at(index), params, status: 'succeeded' });
    }
    const { status, body } = await get('/dags/nightly/recent-params');

    expect(status).toBe(200);
    expect(body.recent).toMatchObject([
      { params: 'a=3', dagRunId: 'r4', statusLabel: 'succeeded' },
      { params: 'a=1', dagRunId: 'r2' },
      { params: 'a=2', dagRunId: 'r1' },
    ]);
  });

  it('returns 404 for an unknown DAG', async () => {
    await expect(get('/dags/none/recent-params')).resolves.toMatchObject({ status: 404 });
  });
});
