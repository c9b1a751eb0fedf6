import { unaudited } from '../../../access/audited-operation';
import { createTestStores, databaseKinds, type TestStoreSource } from '../../../testing/test-stores';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { createPrismaDagRunRepository } from './prisma-dag-run-repository';

describe.each(databaseKinds)('parallel starts of one DAG on %s', (kind) => {
  let stores: TestStoreSource;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());

  it('wait for each other and are not repeated', async () => {
    const database = await stores.openDatabase();
    const { unitOfWork } = database;
    let works = 0;
    const runs = createPrismaDagRunRepository({
      ...database,
      unitOfWork: (work, options) =>
        unitOfWork((tables) => {
          works += 1;
          return work(tables);
        }, options),
    });
    const insert = (_: unknown, index: number) =>
      runs.insert(aRun({ id: `run-${index}` }), [aRunStep()], { audit: unaudited, singleton: false });
    await Promise.all(Array.from({ length: 40 }, insert));

    expect(works).toBe(40);
  });
});
