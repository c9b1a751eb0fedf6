import { readFile, stat, writeFile } from 'node:fs/promises';
import { runStatus } from '@weir/workflow-engine/model';
import { waitFor } from '@weir/test-kit';
import { localRunFiles } from './run-files';
import { createTestApi } from './testing/test-api';
import { createTestWorkflow, type TestWorkflow } from './testing/workflow-api';

describe('the workflow features', () => {
  let test: TestWorkflow;

  beforeEach(async () => {
    test = await createTestWorkflow({ roles: ['api', 'scheduler', 'worker'] });
  });
  afterEach(() => test.stop());

  it('close the file of a new DAG to other users', async () => {
    const as = await test.createKey('developer');
    const created = await test.api.send('POST /dags', { as, body: { name: 'closed' } });

    expect(created.status).toBe(201);
    expect((await stat(test.folder.file('dags', 'closed.yaml'))).mode & 0o777).toBe(0o600);
  });

  it('keep the scripts of steps in the data folder, for their owner only', async () => {
    const { runs } = test.application;
    const hold = test.folder.file('hold');
    await test.addDag(
      'nightly',
      `steps:\n  - name: a\n    script: |\n      echo "$0"\n      until [ -e ${hold} ]; do sleep 0.02; done\n`,
    );
    const started = await test.api.send('POST /dags/nightly/start', { as: await test.createKey('operator'), body: {} });
    expect(started.status).toBe(200);
    const { id } = await waitFor(() => runs.findLatest('nightly'), { what: 'the run' });
    const script = await waitFor(
      async () => {
        const [step] = await runs.listSteps(id);
        return readFile(step?.stdoutFile ?? '', 'utf8').catch(() => '');
      },
      { what: 'the path of the script' },
    );

    expect(script.startsWith(test.folder.file('data', 'scripts', test.application.worker.id))).toBe(true);
    expect((await stat(test.folder.file('data', 'scripts'))).mode & 0o777).toBe(0o700);
    await writeFile(hold, '');
    await waitFor(async () => runStatus.isTerminal((await runs.findById(id))?.status ?? 'queued'), { what: 'the end' });
  });
});

it('what is behind the operations is made once, however many listeners serve them', async () => {
  let asked = 0;
  const isReachable = (): Promise<boolean> => {
    asked += 1;
    return Promise.resolve(true);
  };
  const first = await createTestWorkflow({ platform: { runFiles: { ...localRunFiles, isReachable } } });
  const { audit, passOn } = first.application;
  const second = await createTestApi({ features: [first.application], audit, passOn });
  try {
    for (const api of [first.api, second]) expect((await api.send('GET /health')).status).toBe(200);

    expect(asked).toBe(1);
  } finally {
    await second.stop();
    await first.stop();
  }
});
