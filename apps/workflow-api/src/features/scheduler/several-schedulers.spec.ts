import { createManualClock } from '@weir/test-kit';
import { createPrismaDagRunRepository } from '../runs';
import { createPrismaDagFlagRepository } from '../dags';
import { createTestStores, databaseKinds, type TestStoreSource } from '../../testing/test-stores';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';
import { createPrismaSchedulerStateRepository, schedulerKey } from './scheduler-state-repository';

const steps = 'steps:\n  - run: "true"\n';
const dags = {
  skips: `schedule: "* * * * *"\ncatchup_window: 1h\n${steps}`,
  all: `schedule: "* * * * *"\noverlap_policy: all\ncatchup_window: 1h\n${steps}`,
  newest: `schedule: "* * * * *"\noverlap_policy: latest\ncatchup_window: 1h\n${steps}`,
  restarted: `schedule: {restart: "* * * * *"}\n${steps}`,
};

describe.each(databaseKinds)('several schedulers on %s', (kind) => {
  let source: TestStoreSource;
  let opened: TestWorkflow[];

  beforeAll(async () => {
    source = await createTestStores(kind);
  });
  beforeEach(() => {
    opened = [];
  });
  afterEach(() => Promise.all(opened.map((test) => test.stop())));
  afterAll(() => source.remove());

  it('start each occurrence once, in time and after a downtime', async () => {
    const clock = createManualClock('2026-06-01T12:00:30Z');
    const database = await source.openDatabase();
    const stores = {
      runs: createPrismaDagRunRepository(database),
      flags: createPrismaDagFlagRepository(database),
      schedulerState: createPrismaSchedulerStateRepository(database),
    };
    const open = async (): Promise<TestWorkflow> => {
      const test = await createTestWorkflow({ clock, platform: stores, config: { timeZone: 'UTC' } });
      opened.push(test);
      await test.application.scheduler.prepare();
      for (const [name, text] of Object.entries(dags)) await test.addDag(name, text);
      return test;
    };
    const tickAll = (tests: readonly TestWorkflow[]) =>
      Promise.all(tests.map((test) => test.application.scheduler.tick()));
    const listOccurrences = async (dagName: string, isActive: boolean) => {
      const workspaces = { unassigned: true, named: 'all' } as const;
      const found = await stores.runs.scan({ dagName, workspaces, limit: 100 });
      const expected = isActive ? found.filter(({ status }) => status === 'queued') : found;
      return expected.map(({ scheduleTime }) => scheduleTime?.toISOString().slice(11, 16)).sort();
    };

    const first = [await open(), await open(), await open()];
    await tickAll(first);
    for (const time of ['12:01:00', '12:02:00']) {
      clock.set(`2026-06-01T${time}Z`);
      await tickAll(first);
    }
    await Promise.all(first.map(({ application }) => application.scheduler.stop()));
    clock.set('2026-06-01T12:06:00Z');
    await tickAll([await open(), await open()]);

    await expect(listOccurrences('all', false)).resolves.toEqual([
      '12:01',
      '12:02',
      '12:03',
      '12:04',
      '12:05',
      '12:06',
    ]);
    await expect(listOccurrences('skips', false)).resolves.toEqual(['12:01']);
    await expect(listOccurrences('newest', true)).resolves.toEqual(['12:06']);
    const restarted = await listOccurrences('restarted', false);
    expect(new Set(restarted).size).toBe(restarted.length);
    expect((await stores.schedulerState.read()).get(schedulerKey)).toEqual(new Date('2026-06-01T12:06:00Z'));
  }, 60_000);

  it('start an occurrence once that is caught up by the clock of one of them, and on time by that of another', async () => {
    const database = await source.openDatabase();
    const stores = {
      runs: createPrismaDagRunRepository(database),
      flags: createPrismaDagFlagRepository(database),
      schedulerState: createPrismaSchedulerStateRepository(database),
    };
    await stores.schedulerState.advance([schedulerKey, 'all'], new Date('2026-06-01T12:00:00Z'));
    const open = async (time: string): Promise<TestWorkflow> => {
      const clock = createManualClock(`2026-06-01T${time}Z`);
      const test = await createTestWorkflow({ clock, platform: stores, config: { timeZone: 'UTC' } });
      opened.push(test);
      await test.application.scheduler.prepare();
      await test.addDag('all', dags.all);
      return test;
    };
    const both = [await open('12:09:30'), await open('12:10:30')];
    await Promise.all(both.map(({ application }) => application.scheduler.tick()));

    const workspaces = { unassigned: true, named: 'all' } as const;
    const found = await stores.runs.scan({ dagName: 'all', workspaces, limit: 100 });
    const times = found.map(({ scheduleTime }) => scheduleTime?.toISOString().slice(11, 16)).sort();
    expect(times).toEqual(Array.from({ length: 10 }, (_, index) => `12:${String(index + 1).padStart(2, '0')}`));
  }, 60_000);
});
