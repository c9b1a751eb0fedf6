import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores.contract';
import { createInMemoryRunnerRepository } from './in-memory-runner-repository';
import { createPrismaRunnerRepository, type RunnerRecord, type RunnerRepository } from './runner-repository';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second));
const aRunner = (id: string, heartbeatAt: Date): RunnerRecord => ({
  id,
  host: 'here',
  pid: 1,
  startedAt: at(0),
  heartbeatAt,
});

describe.each(storeKinds)('runner repository on %s', (kind) => {
  let stores: TestStoreSource;
  let runners: RunnerRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    runners =
      kind === 'memory' ? createInMemoryRunnerRepository() : createPrismaRunnerRepository(await stores.openDatabase());
    await runners.beat(aRunner('a', at(1)));
    await runners.beat(aRunner('b', at(2)));
  });
  afterAll(() => stores.remove());

  it('lists the runners heard of since a time', async () => {
    await expect(runners.listAlive(at(2))).resolves.toEqual(['b']);
    await runners.beat(aRunner('a', at(3)));
    await expect(runners.listAlive(at(2))).resolves.toEqual(['a', 'b']);
  });

  it('removes a runner, also one that is not there', async () => {
    await runners.remove('a');
    await runners.remove('a');
    await expect(runners.listAlive(at(0))).resolves.toEqual(['b']);
  });

  it('removes those not heard of for long', async () => {
    await runners.removeSilentSince(at(2));
    await expect(runners.listAlive(at(0))).resolves.toEqual(['b']);
  });
});
