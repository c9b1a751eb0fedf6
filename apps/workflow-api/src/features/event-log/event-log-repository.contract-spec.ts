import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import type { EventLogEntry, EventLogFilter, EventLogRepository } from './event-log-entry';
import { createInMemoryEventLogRepository, createPrismaEventLogRepository } from './index';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, second, 5));
const anEntry = (second: number, values: Partial<EventLogEntry> = {}): EventLogEntry => ({
  id: `e${second}`,
  occurredAt: at(second),
  recordedAt: at(second + 1),
  kind: 'dag_run',
  type: 'dag.run.failed',
  sourceInstance: 'host:1',
  dagName: 'nightly',
  dagRunId: 'run-1',
  attempt: 1,
  userId: null,
  status: 'failed',
  data: { error: 'no', nested: [1, null] },
  ...values,
});

describe.each(storeKinds)('event log in %s', (kind) => {
  let stores: TestStoreSource;
  let log: EventLogRepository;
  const idsOf = async (filter: EventLogFilter = {}, page: Partial<Parameters<EventLogRepository['list']>[1]> = {}) =>
    (await log.list(filter, { limit: 100, ...page })).map(({ id }) => id);

  beforeAll(async () => {
    stores = await createTestStores(kind);
    log =
      kind === 'memory'
        ? createInMemoryEventLogRepository()
        : createPrismaEventLogRepository(await stores.openDatabase());
  }, 60_000);
  afterAll(() => stores.remove());
  afterEach(() => log.prune({ maxEntries: 1, before: at(3600) }));

  it('returns entries as they were stored, newest first', async () => {
    const decision = anEntry(2, { kind: 'decision', userId: 'ada', status: null, data: {} });
    await log.insert([anEntry(1), decision]);

    await expect(log.list({}, { limit: 100 })).resolves.toEqual([decision, anEntry(1)]);
  });

  it('limits entries to workspaces', async () => {
    await log.insert([
      anEntry(1, { id: 'none' }),
      anEntry(2, { id: 'ops', data: { workspace: 'ops' } }),
      anEntry(3, { id: 'dev', data: { workspace: 'dev' } }),
    ]);
    const of = (unassigned: boolean, named: 'all' | readonly string[]) => idsOf({ workspaces: { unassigned, named } });

    await expect(of(true, 'all')).resolves.toEqual(['dev', 'ops', 'none']);
    await expect(of(false, ['ops'])).resolves.toEqual(['ops']);
    await expect(of(true, ['dev', 'other'])).resolves.toEqual(['dev', 'none']);
    await expect(of(true, [])).resolves.toEqual(['none']);
    await expect(log.count({ workspaces: { unassigned: false, named: ['ops'] }, dagName: 'other' })).resolves.toBe(0);
  });

  it('pages by position, also between entries of the same time, and by offset', async () => {
    await log.insert([anEntry(1, { id: 'a' }), anEntry(1, { id: 'b' }), anEntry(1, { id: 'c' }), anEntry(0)]);

    await expect(idsOf({}, { limit: 2 })).resolves.toEqual(['c', 'b']);
    await expect(idsOf({}, { after: { occurredAt: at(1), id: 'b' } })).resolves.toEqual(['a', 'e0']);
    await expect(idsOf({}, { offset: 1, limit: 2 })).resolves.toEqual(['b', 'a']);
  });

  it.each<[string, EventLogFilter, readonly string[]]>([
    ['a kind', { kind: 'decision' }, ['e2']],
    ['a type', { type: 'step.approved' }, ['e2']],
    ['a DAG', { dagName: 'other' }, ['e3']],
    ['a run', { dagRunId: 'run-4' }, ['e4']],
    ['an attempt', { attempt: 2 }, ['e4']],
    ['a user', { userId: 'ada' }, ['e2']],
    ['a beginning and an end', { from: at(2), to: at(4) }, ['e3', 'e2']],
    ['several', { dagName: 'nightly', from: at(3) }, ['e4']],
  ])('lists and counts by %s', async (_, filter, ids) => {
    await log.insert([
      anEntry(1),
      anEntry(2, { kind: 'decision', type: 'step.approved', userId: 'ada' }),
      anEntry(3, { dagName: 'other' }),
      anEntry(4, { dagRunId: 'run-4', attempt: 2 }),
    ]);

    await expect(idsOf(filter)).resolves.toEqual(ids);
    await expect(log.count(filter)).resolves.toBe(ids.length);
  });

  it('keeps the newest entries, and none that are too old', async () => {
    await log.insert(Array.from({ length: 600 }, (_, second) => anEntry(second)));
    await log.prune({ maxEntries: 3, before: at(0) });
    await expect(idsOf()).resolves.toEqual(['e599', 'e598', 'e597']);

    await log.prune({ maxEntries: 3, before: at(599) });
    await expect(idsOf()).resolves.toEqual(['e599']);
  });
});
