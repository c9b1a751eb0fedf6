import { createRunHarness, createDatabaseStores, type RunHarness } from '../../testing/run-harness.contract';
import { createTestStores, databaseKinds, type TestStoreSource } from '../../testing/test-stores.contract';
import type { DagRunRepository } from '../dag-runs';

describe.each(databaseKinds)('outputs of a run on %s', (kind) => {
  let stores: TestStoreSource;
  let runs: DagRunRepository;
  let harness: RunHarness;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    const store = createDatabaseStores(await stores.openDatabase());
    runs = store.runs;
    harness = createRunHarness(store);
  });
  afterEach(() => harness.stop());
  afterAll(() => stores.remove());

  it('are stored with the steps that publish some', async () => {
    await harness.startWorker();
    const run = await harness.queue(`
type: chain
steps:
  - {name: a, run: "echo ' ü '", output: TEXT}
  - {name: b, run: "echo [1, null]", output: {list: {from: stdout, decode: json}}}
  - {name: c, run: "test $TEXT = ü"}
`);

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });
    await expect(runs.readOutputs(run.id)).resolves.toEqual(
      new Map<number, unknown>([
        [0, { variable: { name: 'TEXT', value: 'ü' }, fields: [], declared: [] }],
        [1, { fields: [{ name: 'list', value: [1, null] }], declared: [] }],
      ]),
    );
  });

  it('fail their step when they cannot be had, and nothing of them is stored', async () => {
    await harness.startWorker();
    const run = await harness.queue(
      'type: chain\nmax_output_size: 3\nsteps:\n  - {name: a, run: "echo secret", output: TEXT}\n  - {name: b, run: "true"}\n',
    );

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'failed' });
    await expect(runs.listSteps(run.id)).resolves.toMatchObject([
      { status: 'failed', exitCode: 0, error: 'The standard output is larger than 3 bytes.' },
      { status: 'aborted' },
    ]);
    await expect(runs.readOutputs(run.id)).resolves.toEqual(new Map([[0, { fields: [], declared: [] }]]));
  });
});
