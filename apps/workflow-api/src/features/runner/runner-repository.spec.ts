import { waitFor } from '@weir/test-kit';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores.contract';
import { createInMemoryRunnerRepository } from './in-memory-runner-repository';
import { createPrismaRunnerRepository, type RunnerRepository } from './runner-repository';

const minuteMs = 60_000;
const aRunner = (id: string) => ({ id, host: 'here', pid: 1, startedAt: new Date() });

describe.each(storeKinds)('runner repository on %s', (kind) => {
  let stores: TestStoreSource;
  let runners: RunnerRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    runners =
      kind === 'memory' ? createInMemoryRunnerRepository() : createPrismaRunnerRepository(await stores.openDatabase());
    await runners.beat(aRunner('a'));
    await runners.beat(aRunner('b'));
  });
  afterAll(() => stores.remove());

  /** Lets the runner "a" be silent for longer than "b": by so much that a busy machine does not make up for it. */
  const silenceOfA = async (): Promise<number> => {
    const since = Date.now();
    await waitFor(
      async () => {
        await runners.beat(aRunner('b'));
        return Date.now() - since > 600;
      },
      { what: 'a while to pass' },
    );
    return Date.now() - since - 100;
  };

  it('lists the runners heard of within a time', async () => {
    await expect(runners.listAlive(minuteMs)).resolves.toEqual(['a', 'b']);
    const silentMs = await silenceOfA();
    await expect(runners.listAlive(silentMs)).resolves.toEqual(['b']);
    await runners.beat(aRunner('a'));
    await expect(runners.listAlive(minuteMs)).resolves.toEqual(['a', 'b']);
  });

  it('removes a runner, also one that is not there', async () => {
    await runners.remove('a');
    await runners.remove('a');
    await expect(runners.listAlive(minuteMs)).resolves.toEqual(['b']);
  });

  it('removes those not heard of for long', async () => {
    await runners.removeSilent(await silenceOfA());
    await expect(runners.listAlive(minuteMs)).resolves.toEqual(['b']);
  });
});
