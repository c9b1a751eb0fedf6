import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { createInMemorySchedulerStateRepository } from './in-memory-scheduler-state-repository';
import {
  createPrismaSchedulerStateRepository,
  schedulerKey,
  type SchedulerStateRepository,
} from './scheduler-state-repository';

const noon = new Date('2026-01-02T12:00:00Z');
const one = new Date('2026-01-02T13:00:00Z');

describe.each(storeKinds)('scheduler state repository on %s', (kind) => {
  let stores: TestStoreSource;
  let state: SchedulerStateRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    state =
      kind === 'memory'
        ? createInMemorySchedulerStateRepository()
        : createPrismaSchedulerStateRepository(await stores.openDatabase());
  });
  afterAll(() => stores.remove());

  it('is empty at first', async () => {
    await expect(state.read()).resolves.toEqual(new Map());
  });

  it('advances watermarks and never moves them back', async () => {
    await state.advance([schedulerKey, 'a'], one);
    await state.advance(['a', 'b'], noon);

    await expect(state.read()).resolves.toEqual(
      new Map([
        [schedulerKey, one],
        ['a', one],
        ['b', noon],
      ]),
    );
  });

  it('accepts many names, and none', async () => {
    const names = Array.from({ length: 1200 }, (_, index) => `dag-${index}`);
    await state.advance([], noon);
    await state.advance(names, noon);
    await state.advance(names, one);

    const watermarks = await state.read();
    expect(watermarks.size).toBe(1200);
    expect(watermarks.get('dag-1199')).toEqual(one);
  });

  it('accepts the same new name from several schedulers', async () => {
    await Promise.all([noon, one, noon, one].map((to) => state.advance(['a'], to)));

    await expect(state.read()).resolves.toEqual(new Map([['a', one]]));
  });
});
