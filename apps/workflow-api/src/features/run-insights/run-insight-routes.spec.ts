import { writeFile } from 'node:fs/promises';
import type { DagRunDiffResponse, DagRunEnvironmentResponse } from '@weir/workflow-contract';
import type { DagRun, StepOutputs } from '@weir/workflow-engine';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { badRequest } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const at = (second: number) => new Date(Date.UTC(2026, 10, 22, 9, 0, second));
const outputs = (values: Record<string, string>): StepOutputs => ({
  fields: [],
  declared: Object.entries(values).map(([name, value]) => ({ name, value })),
});
const add = async (values: Partial<DagRun>, steps = [aRunStep()], published = outputs({})) => {
  await workflow.server.application.runs.insert(aRun(values), steps, {
    singleton: false,
    outputs: new Map([[0, published]]),
  });
};
const base = 'env: [{FROM_BASE: hidden}]\n';
const specText = `params: [{name: region, type: string}]
env: [{A: "1"}, {B: "\${params.region}"}]
secrets: [{name: TOKEN, provider: env, key: SOME_KEY}]
steps:
  - {name: fetch, run: "true", env: [{A: "2"}]}
`;

describe('GET /dag-runs/{name}/{dagRunId}/diff', () => {
  const addBoth = async () => {
    await add(
      {
        ...{ id: 'a', dagRunId: 'a', createdAt: at(1), startedAt: at(1), finishedAt: at(3), status: 'succeeded' },
        specText,
        resolvedParams: [{ name: 'region', value: 'eu' }],
      },
      [aRunStep({ name: 'fetch', status: 'succeeded', startedAt: at(1), finishedAt: at(2) })],
      outputs({ rows: '1', gone: 'x' }),
    );
    await add(
      {
        ...{ id: 'b', dagRunId: 'b', createdAt: at(10), startedAt: at(10), finishedAt: at(15), status: 'failed' },
        specText: specText.replace('{A: "1"}', '{C: "1"}').replace('fetch, run: "true"', 'fetch, run: "false"'),
        resolvedParams: [{ name: 'region', value: 'us' }],
        baseTexts: [base],
      },
      [
        aRunStep({ name: 'fetch', status: 'failed', startedAt: at(10), finishedAt: at(15) }),
        aRunStep({ name: 'store', position: 1, status: 'not_started' }),
      ],
      outputs({ rows: '2', big: 'y'.repeat(20_000) }),
    );
  };

  it('returns 200 with what differs from the run before', async () => {
    await addBoth();
    const { status, body } = await get('/dag-runs/nightly/b/diff');
    const diff = body as unknown as DagRunDiffResponse;

    expect(status).toBe(200);
    expect(diff).toMatchObject({
      from: { dagRunId: 'a', statusLabel: 'succeeded', durationMs: 2000 },
      to: { dagRunId: 'b', statusLabel: 'failed', durationMs: 5000 },
      spec: { isEqual: false, minimal: true, isBaseEqual: false },
      parameters: [{ name: 'region', change: 'changed', from: 'eu', to: 'us', isCut: false }],
      steps: [
        {
          name: 'fetch',
          change: 'changed',
          from: { durationMs: 1000 },
          to: { statusLabel: 'failed', durationMs: 5000 },
        },
        { name: 'store', change: 'added', to: { statusLabel: 'not_started' } },
      ],
      outputs: [
        { name: 'big', change: 'added', to: 'y'.repeat(16_384), isCut: true },
        { name: 'gone', change: 'removed', from: 'x' },
        { name: 'rows', change: 'changed', from: '1', to: '2' },
      ],
    });
    expect(diff.spec.diff).toContain('-  - {name: fetch, run: "true", env: [{A: "2"}]}\n');
  });

  it('compares environments by name and source, without values', async () => {
    await addBoth();
    const { environment } = (await get('/dag-runs/nightly/b/diff')).body as unknown as DagRunDiffResponse;

    expect(environment.filter(({ change }) => change !== 'equal')).toEqual([
      { name: 'A', source: 'dag', change: 'removed' },
      { name: 'FROM_BASE', source: 'base', change: 'added' },
      { name: 'C', source: 'dag', change: 'added' },
    ]);
    expect(environment).toContainEqual({ name: 'TOKEN', source: 'secret', change: 'equal' });
    expect(environment).toContainEqual({ name: 'A', source: 'step', step: 'fetch', change: 'equal' });
  });

  it('returns 200 for a run of another DAG, which is the older side', async () => {
    await addBoth();
    await add({ id: 'o', dagName: 'other', dagRunId: 'o', createdAt: at(30), specText });

    await expect(get('/dag-runs/nightly/latest/diff?with=o&withName=other')).resolves.toMatchObject({
      status: 200,
      body: { from: { name: 'other', dagRunId: 'o' }, to: { dagRunId: 'b' } },
    });
  });

  it('returns 400 for an invalid id', async () => {
    await expect(get('/dag-runs/nightly/b/diff?with=a/b')).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it.each(['a/diff', 'b/diff?with=none', 'none/diff'])('returns 404 for %s without such a run', async (path) => {
    await addBoth();

    await expect(get(`/dag-runs/nightly/${path}`)).resolves.toMatchObject({
      status: 404,
      body: { reason: 'dag_run_not_found' },
    });
  });

  it('returns 404 for a run of a workspace that is not visible', async () => {
    await addBoth();
    await add({ id: 'w', dagName: 'nightly', dagRunId: 'w', createdAt: at(5), workspace: 'closed' });
    const viewer = await workflow.server.createKey('viewer', { open: 'viewer' });

    await expect(get('/dag-runs/nightly/b/diff?with=w', viewer)).resolves.toMatchObject({ status: 404 });
    await expect(get('/dag-runs/nightly/b/diff', viewer)).resolves.toMatchObject({ body: { from: { dagRunId: 'a' } } });
  });
});

describe('GET /dag-runs/{name}/{dagRunId}/environment', () => {
  it('returns 200 with the sources of all variables, without values that only the server may know', async () => {
    await add({ specText, baseTexts: [base], resolvedParams: [{ name: 'region', value: 'eu' }] });
    const { status, body } = await get('/dag-runs/nightly/run-1/environment');
    const { variables, files } = body as unknown as DagRunEnvironmentResponse;
    const named = (name: string) => variables.filter((variable) => variable.name === name);

    expect(status).toBe(200);
    expect(files).toEqual(['.env']);
    expect(named('PATH')).toEqual([{ name: 'PATH', source: 'host', isReplaced: false }]);
    expect(named('region')).toEqual([{ name: 'region', source: 'parameter', value: 'eu', isReplaced: false }]);
    expect(named('FROM_BASE')).toEqual([{ name: 'FROM_BASE', source: 'base', isReplaced: false }]);
    expect(named('B')).toEqual([{ name: 'B', source: 'dag', value: '${params.region}', isReplaced: false }]);
    expect(named('TOKEN')).toEqual([{ name: 'TOKEN', source: 'secret', value: '*****', isReplaced: false }]);
    expect(named('DAG_RUN_ID')).toEqual([{ name: 'DAG_RUN_ID', source: 'run', value: 'run-1', isReplaced: false }]);
    expect(named('A')).toEqual([
      { name: 'A', source: 'dag', value: '1', isReplaced: false },
      { name: 'A', source: 'step', step: 'fetch', value: '2', isReplaced: false },
    ]);
    expect(JSON.stringify(body)).not.toContain('hidden');
  });

  it('returns 200 and says which entry does not count', async () => {
    const text = specText.replace('{A: "1"}', '{HOME: /elsewhere}');
    await add({ specText: text });
    const { variables } = (await get('/dag-runs/nightly/run-1/environment'))
      .body as unknown as DagRunEnvironmentResponse;

    expect(variables.filter(({ name }) => name === 'HOME')).toMatchObject([
      { source: 'host', isReplaced: true },
      { source: 'dag', isReplaced: false },
    ]);
  });

  it('returns 404 for no run', async () => {
    await expect(get('/dag-runs/nightly/none/environment')).resolves.toMatchObject({ status: 404 });
  });
});

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

  it('returns 404 for no DAG', async () => {
    await expect(get('/dags/none/recent-params')).resolves.toMatchObject({ status: 404 });
  });
});
