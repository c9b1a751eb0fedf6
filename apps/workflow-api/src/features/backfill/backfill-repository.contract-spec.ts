import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import type { Backfill, BackfillRepository } from './backfill';
import { createInMemoryBackfillRepository } from './in-memory-backfill-repository';
import { createPrismaBackfillRepository } from './prisma-backfill-repository';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 9, minute));
const aBackfill = (values: Partial<Backfill> = {}): Backfill => ({
  id: 'a',
  fileName: 'nightly',
  dagName: 'nightly',
  workspace: null,
  status: 'active',
  error: null,
  author: 'ada',
  createdAt: at(0),
  endedAt: null,
  from: at(1),
  to: at(9),
  maxActive: 2,
  params: 'A=1',
  occurrences: [at(1), at(5)],
  position: 0,
  started: 0,
  existing: 0,
  ...values,
});

describe.each(storeKinds)('backfill repository on %s', (kind) => {
  let stores: TestStoreSource;
  let backfills: BackfillRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    backfills =
      kind === 'memory'
        ? createInMemoryBackfillRepository()
        : createPrismaBackfillRepository(await stores.openDatabase());
  });
  afterAll(() => stores.remove());

  it('returns what was inserted', async () => {
    await expect(backfills.insert(aBackfill(), 5)).resolves.toBe(true);

    await expect(backfills.find('a')).resolves.toEqual(aBackfill());
    await expect(backfills.list('nightly')).resolves.toEqual([aBackfill()]);
    await expect(backfills.listActive()).resolves.toEqual([aBackfill()]);
    await expect(backfills.find('none')).resolves.toBeUndefined();
  });

  it('allows at most one active backfill of a DAG', async () => {
    await backfills.insert(aBackfill(), 5);

    await expect(backfills.insert(aBackfill({ id: 'b' }), 5)).resolves.toBe(false);
    await expect(backfills.insert(aBackfill({ id: 'c', dagName: 'other' }), 5)).resolves.toBe(true);
    await backfills.cancel('a', at(3));
    await expect(backfills.insert(aBackfill({ id: 'b', createdAt: at(4) }), 5)).resolves.toBe(true);
    expect((await backfills.list('nightly')).map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it('advances only from its present position, and not after its end', async () => {
    await backfills.insert(aBackfill(), 5);
    const stale = { id: 'a', position: 0 };

    await expect(backfills.advance(stale, { position: 1, started: 1 })).resolves.toBe(true);
    await expect(backfills.advance(stale, { position: 1, started: 1 })).resolves.toBe(false);
    const end = { status: 'finished', endedAt: at(6) } as const;
    await expect(backfills.advance({ id: 'a', position: 1 }, end)).resolves.toBe(true);
    await expect(backfills.advance({ id: 'a', position: 1 }, { position: 2 })).resolves.toBe(false);
    await expect(backfills.cancel('a', at(7))).resolves.toBe(false);
    await expect(backfills.find('a')).resolves.toEqual(aBackfill({ position: 1, started: 1, ...end }));
    await expect(backfills.listActive()).resolves.toEqual([]);
  });

  it('keeps the newest that have ended', async () => {
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) {
      await backfills.insert(aBackfill({ id, createdAt: at(index) }), 2);
      await backfills.cancel(id, at(20));
    }
    await backfills.insert(aBackfill({ id: 'e', createdAt: at(9) }), 2);

    expect((await backfills.list('nightly')).map(({ id }) => id)).toEqual(['e', 'd', 'c']);
  });
});
