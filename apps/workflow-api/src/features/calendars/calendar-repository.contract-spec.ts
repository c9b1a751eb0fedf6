import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import type { CalendarRepository, StoredCalendar } from './calendar';
import { createInMemoryCalendarRepository, createPrismaCalendarRepository } from './index';

const moment = new Date('2026-05-06T07:08:09.123Z');
const aCalendar = (name: string, revision = '"1"'): StoredCalendar => ({
  name,
  definition: {
    description: '',
    weekdays: ['MON'],
    holidays: [{ date: '2026-12-25', name: 'Christmas Day' }],
    extraBusinessDays: [],
    include: [],
  },
  revision,
  createdAt: moment,
  updatedAt: moment,
  updatedBy: 'ada',
});
const changed = { reason: 'revision_changed' };

describe.each(storeKinds)('calendars in %s', (kind) => {
  let stores: TestStoreSource;
  let calendars: CalendarRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  }, 60_000);
  afterAll(() => stores.remove());
  beforeEach(async () => {
    calendars =
      kind === 'memory'
        ? createInMemoryCalendarRepository()
        : createPrismaCalendarRepository(await stores.openDatabase());
  }, 60_000);

  it('are listed whole, and by their revisions', async () => {
    for (const name of ['b', 'a']) await calendars.insert(aCalendar(name));

    expect((await calendars.list()).toSorted((left, right) => (left.name < right.name ? -1 : 1))).toEqual([
      aCalendar('a'),
      aCalendar('b'),
    ]);
    await expect(calendars.listRevisions()).resolves.toContainEqual({ name: 'a', revision: '"1"' });
  });

  it('are changed and removed only from the revision that was seen', async () => {
    await calendars.insert(aCalendar('a'));
    await expect(calendars.insert(aCalendar('a'))).rejects.toMatchObject(changed);
    await expect(calendars.replace(aCalendar('a', '"2"'), '"0"')).rejects.toMatchObject(changed);
    await calendars.replace(aCalendar('a', '"2"'), '"1"');
    await expect(calendars.remove('a', '"1"')).rejects.toMatchObject(changed);
    await expect(calendars.list()).resolves.toEqual([aCalendar('a', '"2"')]);
    await calendars.remove('a', '"2"');
    await expect(calendars.list()).resolves.toEqual([]);
  });
});
