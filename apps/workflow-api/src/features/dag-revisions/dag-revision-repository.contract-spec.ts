import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import type { DagRevisionRepository, DagRevisionWithText } from './dag-revision';
import { createInMemoryDagRevisionRepository, createPrismaDagRevisionRepository } from './index';

const aRevision = (number: number, changes: Partial<DagRevisionWithText> = {}): DagRevisionWithText => ({
  fileName: 'nightly',
  number,
  change: 'changed',
  hash: `hash-${number}`,
  text: `text ${number}`,
  author: 'ada',
  workspace: 'ops',
  createdAt: new Date('2026-05-06T07:08:09.123Z'),
  ...changes,
});

describe.each(storeKinds)('revisions of DAGs in %s', (kind) => {
  let stores: TestStoreSource;
  let revisions: DagRevisionRepository;
  const numbersOf = async (fileName: string) => (await revisions.list(fileName)).map(({ number }) => number);

  beforeAll(async () => {
    stores = await createTestStores(kind);
  }, 60_000);
  afterAll(() => stores.remove());
  beforeEach(async () => {
    revisions =
      kind === 'memory'
        ? createInMemoryDagRevisionRepository()
        : createPrismaDagRevisionRepository(await stores.openDatabase());
  }, 60_000);

  it('are listed newest first without texts, and found with them', async () => {
    const outside = aRevision(2, { author: null, workspace: null, hash: null, text: '', change: 'deleted' });
    for (const revision of [aRevision(1), outside, aRevision(7, { fileName: 'other' })]) {
      await expect(revisions.insert(revision)).resolves.toBe(true);
    }
    const [newest, first] = await revisions.list('nightly');

    expect(newest).not.toHaveProperty('text');
    expect(newest).toMatchObject({ number: 2, author: null, workspace: null, hash: null, change: 'deleted' });
    expect(first).toMatchObject({ number: 1, author: 'ada', workspace: 'ops', hash: 'hash-1', change: 'changed' });
    await expect(revisions.findNewest('nightly')).resolves.toEqual(newest);
    await expect(revisions.find('nightly', 1)).resolves.toEqual(aRevision(1));
    await expect(revisions.find('nightly', 3)).resolves.toBeUndefined();
    await expect(revisions.findNewest('none')).resolves.toBeUndefined();
  });

  it('have unique numbers', async () => {
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => revisions.insert(aRevision(1, { text }))));

    expect(answers.filter(Boolean)).toHaveLength(1);
    await expect(numbersOf('nightly')).resolves.toEqual([1]);
  });

  it('get an author only once', async () => {
    await revisions.insert(aRevision(1, { author: null }));

    await expect(revisions.claim(aRevision(1), { author: 'ada', change: 'restored' })).resolves.toBe(true);
    await expect(revisions.claim(aRevision(1), { author: 'eve', change: 'changed' })).resolves.toBe(false);
    await expect(revisions.claim(aRevision(2), { author: 'eve', change: 'changed' })).resolves.toBe(false);
    await expect(revisions.find('nightly', 1)).resolves.toEqual(aRevision(1, { change: 'restored' }));
  });

  it('are moved behind those of the new name', async () => {
    for (const fileName of ['nightly', 'daily']) {
      for (const number of [1, 2, 3]) await revisions.insert(aRevision(number, { fileName }));
    }
    await revisions.move('nightly', 'daily');

    await expect(numbersOf('nightly')).resolves.toEqual([]);
    await expect(numbersOf('daily')).resolves.toEqual([6, 5, 4, 3, 2, 1]);
    await expect(revisions.find('daily', 5)).resolves.toEqual(
      aRevision(5, { fileName: 'daily', hash: 'hash-2', text: 'text 2' }),
    );
  });

  it('are pruned to the newest', async () => {
    for (const number of [1, 4, 9]) await revisions.insert(aRevision(number));
    await revisions.prune('nightly', 3);
    await expect(numbersOf('nightly')).resolves.toEqual([9, 4, 1]);

    await revisions.prune('nightly', 2);
    await expect(numbersOf('nightly')).resolves.toEqual([9, 4]);
  });
});
