import { unaudited } from '../../../access/audited-operation';
import { createTestWorkflow, type TestWorkflow } from '../../../testing/workflow-api';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';

let test: TestWorkflow;

beforeEach(async () => {
  test = await createTestWorkflow();
  await add({ id: 'top' });
  for (const workspace of ['ops', 'sales']) {
    const below = { parentId: 'top', parentNode: '0', rootId: 'top', depth: 1 };
    await add({ id: `of-${workspace}`, dagName: workspace, workspace, params: 'a=1', ...below });
  }
});
afterEach(() => test.stop());

const add = (values: Parameters<typeof aRun>[0]) =>
  test.application.runs.insert(aRun(values), [aRunStep()], { audit: unaudited, singleton: false });
const listIds = (runs: unknown) => (runs as { dagRunId: string }[]).map(({ dagRunId }) => dagRunId);

describe('runs below a run', () => {
  it.each([
    ['nobody who sees one workspace', { ops: 'viewer' }, ['of-ops']],
    ['those who see all', undefined, ['of-ops', 'of-sales']],
  ] as const)('of other workspaces are shown to %s', async (_, grants, expected) => {
    const as = await test.createKey('viewer', grants);
    const list = await test.api.send('GET /dag-runs/nightly/top/sub-dag-runs', { as });
    const details = await test.api.send('GET /dag-runs/nightly/top', { as });
    const [node] = (details.body.dagRunDetails as { nodes: { subRuns: unknown }[] }).nodes;

    expect(listIds(list.body.subRuns)).toEqual(expected);
    expect(listIds(node?.subRuns)).toEqual(expected);
  });

  it.each([
    '',
    '/spec',
    '/log',
    '/log/download',
    '/outputs',
    '/artifacts',
    '/steps/extract/log',
    '/steps/extract/log/download',
  ])('of another workspace are not found%s', async (rest) => {
    const as = await test.createKey('viewer', { ops: 'operator' });
    const below = rest === '/outputs' ? '/dag-runs/sales/of-sales' : '/dag-runs/nightly/top/sub-dag-runs/of-sales';
    const { status, body } = await test.api.send(`GET ${below}${rest}` as `GET /${string}`, { as });
    expect({ status, reason: body.reason }).toEqual({ status: 404, reason: 'dag_run_not_found' });
  });

  it.each(['approve', 'reject', 'push-back'])('of another workspace cannot be found to %s', async (decision) => {
    const as = await test.createKey('viewer', { ops: 'operator' });
    const address = `/dag-runs/nightly/top/sub-dag-runs/of-sales/steps/extract/${decision}` as const;
    await expect(test.api.send(`POST ${address}`, { as, body: {} })).resolves.toMatchObject({ status: 404 });
  });

  it.each(['approve', 'reject', 'push-back'])('are refused for a viewer to %s', async (decision) => {
    const as = await test.createKey('viewer', { ops: 'viewer' });
    const address = `/dag-runs/nightly/top/sub-dag-runs/of-ops/steps/extract/${decision}` as const;
    await expect(test.api.send(`POST ${address}`, { as, body: {} })).resolves.toMatchObject({
      status: 403,
      body: { reason: 'role_missing' },
    });
  });
});
