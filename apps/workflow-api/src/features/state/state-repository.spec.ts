import { randomUUID } from 'node:crypto';
import { maxStateEntries, type StateStore } from '@weir/workflow-engine';
import { aRun } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { createPrismaDagRunRepository } from '../runs';
import { createInMemoryStateRepository } from './in-memory-state-repository';
import { createPrismaStateRepository } from './state-repository';

const keyspace = { scope: 'dag', namespace: 'nightly' };

describe.each(storeKinds)('state repository on %s', (kind) => {
  let stores: TestStoreSource;
  let state: StateStore;
  const by = { runId: randomUUID(), fencingToken: 3 };
  const set = (key: string, value: unknown, expectedVersion?: number) =>
    state.set({ keyspace, key, value: value as string, expectedVersion, by });

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());

  beforeEach(async () => {
    if (kind === 'memory') {
      state = createInMemoryStateRepository({ isHeld: ({ fencingToken }) => fencingToken === by.fencingToken });
      return;
    }
    const database = await stores.openDatabase();
    const run = aRun({ id: by.runId, status: 'running', ownerId: 'owner', fencingToken: by.fencingToken });
    await createPrismaDagRunRepository(database).insert(run, [], { audit: unaudited, singleton: false });
    state = createPrismaStateRepository(database);
  });

  it.each([['text'], [12], [null], [{ a: [1, { b: null }] }], [false]])('keeps %j unchanged', async (value) => {
    expect(await set('key', value)).toEqual({ kind: 'stored', version: 1, isNew: true });

    expect(await state.get(keyspace, 'key')).toMatchObject({ key: 'key', value, version: 1 });
    expect(await state.get({ ...keyspace, namespace: 'other' }, 'key')).toBeUndefined();
  });

  it('raises the version with every change, and refuses a change that expects another', async () => {
    await set('key', 1);

    expect(await set('key', 2, 1)).toEqual({ kind: 'stored', version: 2, isNew: false });
    expect(await set('key', 3, 1)).toEqual({ kind: 'conflict', version: 2 });
    expect(await set('key', 3, 0)).toEqual({ kind: 'conflict', version: 2 });
    expect(await set('other', 3, 1)).toEqual({ kind: 'conflict', version: 0 });
    expect(await state.get(keyspace, 'key')).toMatchObject({ value: 2 });
  });

  it('lets one of many that expect the same version change the entry', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, (_, index) => set('key', index, 0)));

    expect(results.filter(({ kind: result }) => result === 'stored')).toHaveLength(1);
    expect(results.filter(({ kind: result }) => result === 'conflict')).toHaveLength(7);
  });

  it('loses none of many concurrent changes', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => set('key', index)));

    expect(await state.get(keyspace, 'key')).toMatchObject({ version: 8 });
  });

  it('refuses an owner that has lost the run', async () => {
    await set('key', 1);
    const stale = { keyspace, key: 'key', by: { ...by, fencingToken: 2 } };

    expect(await state.set({ ...stale, value: 2 })).toEqual({ kind: 'lost' });
    expect(await state.delete(stale)).toEqual({ kind: 'lost' });
    expect(await state.get(keyspace, 'key')).toMatchObject({ value: 1 });
  });

  it('deletes an entry of the expected version', async () => {
    await set('key', 1);
    const change = { keyspace, key: 'key', by };

    expect(await state.delete({ ...change, expectedVersion: 2 })).toEqual({ kind: 'conflict', version: 1 });
    expect(await state.delete({ ...change, expectedVersion: 1 })).toEqual({ kind: 'deleted' });
    expect(await state.delete(change)).toEqual({ kind: 'missing' });
  });

  it('lists by code units, by a literal prefix', async () => {
    for (const key of ['b', 'a', 'A', 'a%', 'ab', 'ä']) await set(key, key);

    const keys = async (prefix: string, limit = 100) =>
      (await state.list(keyspace, { prefix, limit })).map(({ key }) => key);
    expect(await keys('')).toEqual(['A', 'a', 'a%', 'ab', 'b', 'ä']);
    expect(await keys('a')).toEqual(['a', 'a%', 'ab']);
    expect(await keys('a%')).toEqual(['a%']);
    expect(await keys('', 2)).toEqual(['A', 'a']);
    expect((await state.readValues(keyspace, ['b', 'none'])).map(({ value }) => value)).toEqual(['b']);
  });
});

it('limits the entries of a keyspace', async () => {
  const state = createInMemoryStateRepository();
  const by = { runId: 'run', fencingToken: 1 };
  for (let index = 0; index < maxStateEntries; index += 1) {
    await state.set({ keyspace, key: String(index), value: index, by });
  }

  expect(await state.set({ keyspace, key: 'more', value: 1, by })).toEqual({ kind: 'full' });
  expect(await state.set({ keyspace, key: '1', value: 1, by })).toMatchObject({ kind: 'stored' });
});
