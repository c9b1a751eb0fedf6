import { readFile } from 'node:fs/promises';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { badRequest } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const add = ({ id, ...values }: Partial<Parameters<typeof aRun>[0]> & { readonly id: string }, steps = [aRunStep()]) =>
  workflow.server.application.runs.insert(
    aRun({ id, dagRunId: id, createdAt: new Date(), finishedAt: new Date(), ...values }),
    steps,
    { audit: unaudited, singleton: false },
  );

interface Item {
  readonly [key: string]: unknown;
  readonly outcome: string;
}

/** The data of the events: each item, by its run or its file, and the end. */
const change = async (path: '/bulk/dag-runs' | '/bulk/dags', body: object, as = workflow.asAdmin) => {
  const response = await fetch(`${workflow.server.api.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  const text = await response.text();
  const blocks = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event = '', data = '']) => ({
    event,
    data: JSON.parse(data) as Item,
  }));
  const items = blocks.filter(({ event }) => event === 'item').map(({ data }) => data);
  expect(blocks.at(-1)?.event).toBe('end');
  return {
    items: new Map(items.map((item) => [item.fileName ?? item.dagRunId, item])),
    end: blocks.at(-1)?.data,
  };
};
const statusOf = async (id: string) => (await workflow.server.application.runs.findById(id))?.status;

describe('POST /bulk/dag-runs', () => {
  const failedStep = aRunStep({ status: 'failed' });

  it('returns 200 with a result for each run, and retries those that can be', async () => {
    await add({ id: 'a', status: 'failed' }, [failedStep]);
    await add({ id: 'b', status: 'failed' }, [aRunStep({ status: 'succeeded' })]);
    await add({ id: 'c', status: 'succeeded' });
    const { items, end } = await change('/bulk/dag-runs', { action: 'retry', filter: { status: [2] } });

    expect(items.get('a')).toEqual({ name: 'nightly', dagRunId: 'a', outcome: 'done' });
    expect(items.get('b')).toMatchObject({ outcome: 'refused', code: 'already_exists', reason: 'nothing_to_retry' });
    expect(end).toEqual({ total: 2, done: 1, possible: 0, refused: 1, hasMore: false });
    expect(await statusOf('a')).toBe('queued');
  });

  it.each([
    ['retry', { a: 'possible', b: 'dag_run_active', c: 'dag_run_active', d: 'dag_run_active' }],
    ['stop', { a: 'not_running', b: 'possible', c: 'possible', d: 'possible' }],
    ['dequeue', { a: 'not_queued', b: 'possible', c: 'not_queued', d: 'not_queued' }],
    ['delete', { a: 'possible', b: 'dag_run_active', c: 'dag_run_active', d: 'dag_run_active' }],
  ])('returns 200 and reports what %s would do, without doing it', async (action, expected) => {
    const statuses = { a: 'failed', b: 'queued', c: 'running', d: 'waiting' } as const;
    for (const [id, status] of Object.entries(statuses)) {
      await add({ id, status, startedAt: status === 'queued' ? null : new Date() }, [failedStep]);
    }
    const { items } = await change('/bulk/dag-runs', { action, filter: {}, dryRun: true });

    const found = [...items].map(([id, { outcome, reason }]) => [id, reason ?? outcome]);
    expect(Object.fromEntries(found)).toEqual(expected);
    for (const [id, status] of Object.entries(statuses)) expect(await statusOf(id)).toBe(status);
  });

  it('returns 200 and stops, dequeues and deletes', async () => {
    await add({ id: 'a', status: 'waiting' });
    await add({ id: 'b', status: 'queued', startedAt: null, finishedAt: null });

    expect((await change('/bulk/dag-runs', { action: 'stop', filter: { status: [7] } })).end).toMatchObject({
      done: 1,
    });
    expect((await change('/bulk/dag-runs', { action: 'dequeue', filter: { status: 5 } })).end).toMatchObject({
      done: 1,
    });
    expect([await statusOf('a'), await statusOf('b')]).toEqual(['aborted', 'aborted']);

    expect((await change('/bulk/dag-runs', { action: 'delete', filter: {} })).end).toMatchObject({ done: 2 });
    expect(await statusOf('a')).toBeUndefined();
  });

  it('returns 200 with all pages of the filter, up to the limit', async () => {
    for (let index = 0; index < 502; index += 1) await add({ id: `run-${index}`, status: 'failed', labels: ['old'] });
    await add({ id: 'other', status: 'failed' });
    const request = { action: 'delete', filter: { labels: 'old' } };

    const some = await change('/bulk/dag-runs', { ...request, dryRun: true, limit: 502 });
    expect(some.end).toMatchObject({ total: 502, possible: 502, hasMore: false });
    expect((await change('/bulk/dag-runs', { ...request, limit: 3 })).end).toMatchObject({ done: 3, hasMore: true });
    expect((await change('/bulk/dag-runs', request)).end).toMatchObject({ done: 499, hasMore: false });
    expect(await statusOf('other')).toBe('failed');
  });

  it('returns 200 with only the named runs of the filter, even if other ids contain theirs', async () => {
    for (const id of ['1', '10', '11']) await add({ id, status: 'failed' });
    await add({ id: '12', status: 'succeeded' });
    const only = ['1', '12'].map((dagRunId) => ({ name: 'nightly', dagRunId }));
    const { items, end } = await change('/bulk/dag-runs', { action: 'delete', filter: { status: [2] }, only });

    expect([...items.keys()]).toEqual(['1']);
    expect(end).toMatchObject({ total: 1, done: 1, hasMore: false });
    expect(await statusOf('12')).toBe('succeeded');
  });

  it('returns 200, checks the role for each run, and omits invisible ones', async () => {
    for (const [id, workspace] of [
      ['a', 'ops'],
      ['b', 'dev'],
      ['c', 'hidden'],
    ] as const)
      await add({ id, workspace, status: 'failed' });
    const key = await workflow.server.createKey('viewer', { ops: 'developer', dev: 'operator' });

    for (const dryRun of [true, false]) {
      const { items } = await change('/bulk/dag-runs', { action: 'delete', filter: {}, dryRun }, key);
      expect(items.size).toBe(2);
      expect(items.get('a')?.outcome).toBe(dryRun ? 'possible' : 'done');
      expect(items.get('b')).toMatchObject({ outcome: 'refused', code: 'forbidden', reason: 'role_missing' });
    }
    expect(await statusOf('c')).toBe('failed');
  });

  it('shows a manager in the audit log what it changed in the own workspace, and nothing of others', async () => {
    for (const [id, workspace] of [
      ['mine', 'ops'],
      ['theirs', 'dev'],
    ] as const)
      await add({ id, workspace, status: 'failed' });
    const only = ['mine', 'theirs'].map((dagRunId) => ({ name: 'nightly', dagRunId }));
    await change('/bulk/dag-runs', { action: 'delete', filter: {}, only });
    const { body } = await workflow.get('/audit', await workflow.server.createKey('viewer', { ops: 'manager' }));

    expect(body).toMatchObject({ total: 1, entries: [{ resourceId: 'nightly/mine', workspace: 'ops' }] });
    expect(JSON.stringify(body)).not.toContain('theirs');
    expect((await workflow.get('/audit')).body.total).toBe(3);
  });

  it('returns 400 for an unknown field, and 404 for a workspace that is not visible', async () => {
    const send = (body: object, as?: string) => workflow.post('/bulk/dag-runs', body, as);
    const outsider = await workflow.server.createKey('viewer', { ops: 'viewer' });

    await expect(send({ action: 'delete', filter: { nmae: 'a' } })).resolves.toMatchObject(
      badRequest('request_invalid'),
    );
    await expect(send({ action: 'delete' })).resolves.toMatchObject(badRequest('request_invalid'));
    await expect(send({ action: 'stop', filter: { workspace: 'dev' } }, outsider)).resolves.toMatchObject({
      status: 404,
      body: { reason: 'workspace_not_found' },
    });
  });
});

describe('POST /bulk/dags', () => {
  const addDag = (name: string, spec = 'steps:\n  - run: "true"\n') => workflow.server.addDag(name, spec);
  const textOf = (name: string) => readFile(workflow.server.folder.file('dags', `${name}.yaml`), 'utf8');

  beforeEach(async () => {
    await addDag('one', 'group: load\nsteps:\n  - run: "true" # stays\n');
    await addDag('two', 'group: load\nlabels: [workspace=ops]\nsteps:\n  - run: "true"\n');
    await addDag('broken', 'group: load\nsteps: 7\n');
    await addDag('other');
  });
  const filter = { group: 'load' };

  it('returns 200 and queues a run of each DAG that the filter selects', async () => {
    const dry = await change('/bulk/dags', { action: 'start', filter, dryRun: true });
    expect(dry.end).toMatchObject({ total: 3, possible: 2, refused: 1 });
    expect(dry.items.get('broken')).toMatchObject({ reason: 'spec_invalid' });
    const { items } = await change('/bulk/dags', { action: 'start', filter });

    expect(items.get('broken')).toMatchObject({ outcome: 'refused', reason: 'spec_invalid' });
    const { body } = await workflow.get('/dag-runs');
    const stored = (body.dagRuns as { dagRunId: string; statusLabel: string }[]).map((run) => [
      run.dagRunId,
      run.statusLabel,
    ]);
    const started = ['one', 'two'].map((name) => [items.get(name)?.dagRunId, 'queued']);
    expect(stored.toSorted()).toEqual(started.toSorted());
  });

  it('returns 200 and suspends and resumes', async () => {
    const suspended = async () =>
      ((await workflow.get('/dags')).body.dags as { fileName: string; suspended: boolean }[])
        .filter((dag) => dag.suspended)
        .map(({ fileName }) => fileName);
    await change('/bulk/dags', { action: 'suspend', filter });
    expect(await suspended()).toEqual(['broken', 'one', 'two']);

    expect((await change('/bulk/dags', { action: 'resume', filter: { name: 'O' } })).end).toMatchObject({ done: 4 });
    expect(await suspended()).toEqual([]);
  });

  it('returns 200 with only the named DAGs of the filter', async () => {
    const { items } = await change('/bulk/dags', { action: 'suspend', filter, only: ['one', 'other'] });

    expect([...items.keys()]).toEqual(['one']);
  });

  it('returns 200 and writes labels into the files, which are otherwise unchanged', async () => {
    const request = { action: 'label', filter, addLabels: ['urgent'], removeLabels: ['gone'] };
    expect((await change('/bulk/dags', { ...request, dryRun: true })).end).toMatchObject({ possible: 3 });
    expect(await textOf('one')).not.toContain('urgent');
    const { items } = await change('/bulk/dags', request);

    expect(items.get('broken')).toMatchObject({ outcome: 'refused', reason: 'spec_invalid' });
    expect(await textOf('one')).toBe('labels: [urgent]\ngroup: load\nsteps:\n  - run: "true" # stays\n');
    expect(await textOf('two')).toContain('labels: [workspace=ops, urgent]\n');
    await expect(workflow.get('/dags/one/revisions')).resolves.toMatchObject({
      body: { revisions: [{ change: 'changed' }, {}] },
    });
  });

  it('returns 200 and deletes, with the role for each DAG', async () => {
    const key = await workflow.server.createKey('viewer', { ops: 'developer' });
    const { items } = await change('/bulk/dags', { action: 'delete', filter }, key);

    expect(items.get('two')?.outcome).toBe('done');
    expect(items.get('one')).toMatchObject({ outcome: 'refused', reason: 'role_missing' });
    const { body } = await workflow.get('/dags');
    expect((body.dags as { fileName: string }[]).map(({ fileName }) => fileName)).toEqual(['broken', 'one', 'other']);
  });

  it('returns 400 for labels without the action, and for the action without labels', async () => {
    const refused = badRequest('request_invalid');
    await expect(workflow.post('/bulk/dags', { action: 'label', filter })).resolves.toMatchObject(refused);
    await expect(workflow.post('/bulk/dags', { action: 'delete', filter, addLabels: ['a'] })).resolves.toMatchObject(
      refused,
    );
    await expect(workflow.post('/bulk/dags', { action: 'delete', filter, params: 'a=1' })).resolves.toMatchObject(
      refused,
    );
  });

  it('returns 404 for a workspace that is not visible', async () => {
    const outsider = await workflow.server.createKey('viewer', { dev: 'viewer' });

    await expect(
      workflow.post('/bulk/dags', { action: 'delete', filter: { workspace: 'ops' } }, outsider),
    ).resolves.toMatchObject({ status: 404, body: { reason: 'workspace_not_found' } });
  });
});
