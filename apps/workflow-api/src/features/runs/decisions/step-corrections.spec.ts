import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { createInlineParsers } from '../../../dag-parser';
import type { Principal } from '../../../access/principal';
import { createRunAddresses } from '../read/run-addresses';
import { createInMemoryDagRunRepository } from '../store/in-memory-dag-run-repository';
import { createStepCorrections } from './step-corrections';

const specText = 'steps:\n  - name: a\n    run: "false"\n  - name: b\n    run: "false"\n';
const admin: Principal = {
  kind: 'local',
  id: '',
  name: 'ada',
  role: 'admin',
  workspaceAccess: { all: true, grants: [] },
};
const asAdmin = { principal: admin, audit: unaudited };
const address = { name: 'nightly', dagRunId: 'run-1' };
const succeeded = 4;

async function setUp() {
  const runs = createInMemoryDagRunRepository();
  const rows = ['a', 'b'].map((name, position) => aRunStep({ name, position, status: 'failed' }));
  await runs.insert(aRun({ status: 'failed', specText }), rows, { audit: unaudited, singleton: false });
  const create = (afterReading: () => Promise<void>) =>
    createStepCorrections({
      runs: {
        commit: runs.commit,
        listAllSteps: async (id) => {
          const read = await runs.listAllSteps(id);
          await afterReading();
          return read;
        },
      },
      addresses: createRunAddresses(runs),
      parser: createInlineParsers().forRequests,
      clock: { now: () => new Date('2026-01-02T03:04:05Z') },
    });
  return { runs, create, plain: create(() => Promise.resolve()) };
}

describe('corrections of steps', () => {
  it('derive the status of the run from a correction that was stored meanwhile', async () => {
    const { runs, create, plain } = await setUp();
    const others = [() => plain.correct(address, { name: 'a', status: succeeded }, asAdmin)];
    const correction = create(() => others.pop()?.() ?? Promise.resolve());
    await correction.correct(address, { name: 'b', status: succeeded }, asAdmin);

    await expect(runs.find('nightly', 'run-1')).resolves.toMatchObject({ status: 'succeeded' });
    await expect(runs.listSteps('run-1')).resolves.toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  });

  it('are refused when the run starts again meanwhile', async () => {
    const { runs, create } = await setUp();
    const retry = async () => {
      await runs.commit(
        'run-1',
        {
          kind: 'retried',
          at: new Date(),
          attempt: 1,
          by: 'manual',
          reusedSteps: 0,
          steps: [],
        },
        { audit: unaudited },
      );
    };

    await expect(create(retry).correct(address, { name: 'b', status: succeeded }, asAdmin)).rejects.toMatchObject({
      reason: 'dag_run_active',
    });
  });

  it('are refused when other corrections never end', async () => {
    const { runs, create, plain } = await setUp();
    const other = () => plain.correct(address, { name: 'a', status: succeeded }, asAdmin);

    await expect(create(other).correct(address, { name: 'b', status: succeeded }, asAdmin)).rejects.toMatchObject({
      reason: 'dag_run_changing',
    });
    await expect(runs.listSteps('run-1')).resolves.toMatchObject([{ status: 'succeeded' }, { status: 'failed' }]);
  });
});
