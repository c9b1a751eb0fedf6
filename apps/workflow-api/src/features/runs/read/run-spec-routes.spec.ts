import { aRun } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { useWorkflow } from '../../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const specText = 'steps:\n  - name: a\n    run: echo old\n';

beforeEach(async () => {
  const { runs } = workflow.server.application;
  await workflow.server.addDag('nightly', 'steps:\n  - name: a\n    run: echo new\n');
  await runs.insert(aRun({ specText }), [], { audit: unaudited, singleton: false });
  const below = { id: 'sub', dagName: 'child', dagRunId: 'sub', parentId: 'run-1', rootId: 'run-1', depth: 1 };
  await runs.insert(aRun({ ...below, parentNode: '0', specText: 'steps: []' }), [], {
    audit: unaudited,
    singleton: false,
  });
});

describe('the spec of a run', () => {
  it.each([
    ['by its id', '/dag-runs/nightly/run-1/spec', specText],
    ['as the newest run', '/dag-runs/nightly/latest/spec', specText],
    ['below a run', '/dag-runs/nightly/run-1/sub-dag-runs/sub/spec', 'steps: []'],
  ] as const)('is that of its creation, %s', async (_, address, spec) => {
    await expect(get(address)).resolves.toMatchObject({ status: 200, body: { spec } });
  });

  it.each(['/dag-runs/nightly/other/spec', '/dag-runs/nightly/run-1/sub-dag-runs/other/spec'] as const)(
    'returns 404 for %s',
    async (address) => {
      await expect(get(address)).resolves.toMatchObject({ status: 404, body: { reason: 'dag_run_not_found' } });
    },
  );
});
