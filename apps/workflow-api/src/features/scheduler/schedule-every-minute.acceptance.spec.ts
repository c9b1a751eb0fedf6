import { createSeededRandom } from '@weir/test-kit';
import { createTestStores, databaseKinds, type TestStoreSource } from '../../testing/test-stores';
import { simulateSchedules } from '../../testing/scheduler/simulate-schedules';

// `npm run chaos schedule` simulates a month.
const minutes = 60;

describe.each(databaseKinds)('three schedulers on %s, whose clocks are a minute apart', (kind) => {
  let source: TestStoreSource;

  beforeAll(async () => {
    source = await createTestStores(kind);
  });
  afterAll(() => source.remove());

  it('start each occurrence of every minute once, although they are killed, paused and started again', async () => {
    const database = await source.openDatabase();
    const random = createSeededRandom(1);
    const result = await simulateSchedules({ database, minutes, schedulers: 3, random, onDay: () => undefined });

    expect(result).toMatchObject({ lost: [], double: [], lostOfPlain: [], doubleOfPlain: [] });
    expect(result.kills).toBeGreaterThan(0);
    expect(result.runs).toBeGreaterThan(minutes);
  }, 300_000);
});
