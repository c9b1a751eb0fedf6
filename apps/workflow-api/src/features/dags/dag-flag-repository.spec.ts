import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { createPrismaDagFlagRepository, type DagFlagRepository } from './dag-flag-repository';
import { createInMemoryDagFlagRepository } from './in-memory-dag-flag-repository';

const moment = new Date('2026-01-02T03:04:05Z');

describe.each(storeKinds)('dag flag repository on %s', (kind) => {
  let stores: TestStoreSource;
  let flags: DagFlagRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    flags =
      kind === 'memory'
        ? createInMemoryDagFlagRepository()
        : createPrismaDagFlagRepository(await stores.openDatabase());
  });
  afterAll(() => stores.remove());

  it('lists the suspended DAGs by name', async () => {
    await flags.setSuspended('b', true, moment);
    await flags.setSuspended('a', true, moment);
    await flags.setSuspended('c', false, moment);

    await expect(flags.listSuspended()).resolves.toEqual(['a', 'b']);
  });

  it('finds since when a DAG is suspended or released, and nothing for others', async () => {
    const later = new Date(moment.getTime() + 60_000);
    await flags.setSuspended('a', true, moment);
    await flags.setSuspended('b', true, moment);
    await flags.setSuspended('b', false, later);

    await expect(flags.find('a')).resolves.toEqual({ suspended: true, updatedAt: moment });
    await expect(flags.find('b')).resolves.toEqual({ suspended: false, updatedAt: later });
    await expect(flags.find('c')).resolves.toBeUndefined();
  });

  it('removes a released DAG from the list, and accepts the same state twice', async () => {
    await flags.setSuspended('a', true, moment);
    await flags.setSuspended('a', true, moment);
    await flags.setSuspended('a', false, moment);

    await expect(flags.listSuspended()).resolves.toEqual([]);
  });

  it('lists the DAGs that were released after a time, with their times', async () => {
    const later = new Date(moment.getTime() + 60_000);
    await flags.setSuspended('a', true, moment);
    await flags.setSuspended('a', false, later);
    await flags.setSuspended('b', false, moment);
    await flags.setSuspended('c', true, later);

    await expect(flags.listReleased(moment)).resolves.toEqual(new Map([['a', later]]));
  });
});
