import { unaudited } from '../../../access/audited-operation';
import { createTestWorkflow, type TestWorkflow } from '../../../testing/workflow-api';
import { aRun } from '@weir/workflow-engine/testing';

let test: TestWorkflow;

beforeEach(async () => {
  test = await createTestWorkflow();
});
afterEach(() => test.stop());

const steps = 'steps:\n  - {name: a, run: "true"}\n';
const start = (as: string, body: object = {}, file = 'report') =>
  test.api.send(`POST /dags/${file}/start`, { as, body });
const ranIn = (workspace: string | null) =>
  test.application.runs.insert(aRun({ id: 'secret-run', dagName: 'report', workspace }), [], {
    audit: unaudited,
    singleton: false,
  });
const refused = { status: 403, body: { code: 'forbidden', reason: 'dag_name_of_other_workspace' } };

describe('a DAG name of another workspace', () => {
  beforeEach(() => test.addDag('report', `labels: workspace=dev\n${steps}`));

  it.each([
    ['a workspace that the caller does not see', 'ops', { dev: 'operator' }],
    ['a workspace where the caller may not start', 'ops', { dev: 'operator', ops: 'viewer' }],
    ['no workspace', null, { dev: 'operator' }],
  ] as const)('is refused with 403 when it is %s', async (_, workspace, grants) => {
    await ranIn(workspace);
    const as = await test.createKey('viewer', grants);

    for (const body of [{}, { singleton: true }, { dagRunId: 'secret-run' }, { dagRunId: 'latest' }]) {
      const answer = await start(as, body);
      expect(answer).toMatchObject(refused);
      expect(JSON.stringify(answer.body)).not.toContain('secret-run');
    }
    await expect(test.application.runs.findLatest('report')).resolves.toMatchObject({ id: 'secret-run' });
  });

  it('is refused also when the start names it', async () => {
    await ranIn('ops');
    await test.addDag('mine', `labels: workspace=dev\n${steps}`);
    const as = await test.createKey('viewer', { dev: 'operator' });

    await expect(start(as, { dagName: 'report' }, 'mine')).resolves.toMatchObject(refused);
    await expect(start(as, {}, 'mine')).resolves.toMatchObject({ status: 200 });
  });

  it.each([
    ['operator in both', 'ops', { dev: 'operator', ops: 'operator' }],
    ['operator everywhere', 'ops', undefined],
    ['operator where it ran before', 'dev', { dev: 'operator' }],
  ] as const)('is started by an %s', async (_, workspace, grants) => {
    await ranIn(workspace);
    const as = await test.createKey(grants === undefined ? 'operator' : 'viewer', grants);

    await expect(start(as)).resolves.toMatchObject({ status: 200 });
    await expect(test.application.runs.findLatest('report')).resolves.toMatchObject({ workspace: 'dev' });
  });
});

it('refuses a start for its first problem', async () => {
  await test.addDag('report', steps);
  const as = await test.createKey('operator');
  await start(as, { dagRunId: 'taken' });
  const faults = { singleton: true, labels: ['-x'], params: '{' };

  const reasons: unknown[] = [];
  for (const body of [
    { ...faults, dagRunId: 'latest' },
    { ...faults, dagRunId: 'taken' },
    { ...faults, dagRunId: 'taken', singleton: false },
    { ...faults, singleton: false },
    { params: '{' },
  ]) {
    reasons.push((await start(as, body)).body.reason);
  }
  expect(reasons).toEqual(['request_invalid', 'dag_run_active', 'dag_run_exists', 'labels_invalid', 'params_invalid']);
});
