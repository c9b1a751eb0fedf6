import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { createInMemorySecretRepository } from './in-memory-secret-repository';
import { createPrismaSecretRepository, type SecretRepository } from './secret-repository';
import type { SecretVersion, StoredSecret } from './stored-secret';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 9, minute));
const aSecret = (id: string, values: Partial<StoredSecret> = {}): StoredSecret => ({
  id,
  workspace: undefined,
  ref: id,
  description: '',
  currentVersion: 0,
  isDisabled: false,
  createdAt: at(0),
  updatedAt: at(0),
  lastResolvedAt: undefined,
  lastRotatedAt: undefined,
  ...values,
});
const aVersion = (secretId: string, number: number, values: Partial<SecretVersion> = {}): SecretVersion => ({
  secretId,
  number,
  keyId: 'k1',
  text: `sealed ${secretId} ${number}`,
  createdAt: at(number),
  createdBy: 'ada',
  ...values,
});
const page = { limit: 10, offset: 0 };
const missing = { reason: 'secret_not_found' };

describe.each(storeKinds)('secret repository on %s', (kind) => {
  let stores: TestStoreSource;
  let secrets: SecretRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    secrets =
      kind === 'memory' ? createInMemorySecretRepository() : createPrismaSecretRepository(await stores.openDatabase());
  });
  afterAll(() => stores.remove());

  it('returns what was inserted, with its first value or without one', async () => {
    const version = aVersion('a', 1);
    const secret = aSecret('a', { workspace: 'ops', currentVersion: 1, lastRotatedAt: at(1) });
    await secrets.insert(secret, version);
    await secrets.insert(aSecret('b'), undefined);

    await expect(secrets.findById('a')).resolves.toEqual(secret);
    await expect(secrets.findByRef('ops', 'a')).resolves.toEqual(secret);
    await expect(secrets.findByRef(undefined, 'a')).resolves.toBeUndefined();
    await expect(secrets.findVersion({ secretId: 'a', number: 1 })).resolves.toEqual(version);
    await expect(secrets.findVersion({ secretId: 'b', number: 1 })).resolves.toBeUndefined();
  });

  it('allows each ref once in a workspace', async () => {
    await secrets.insert(aSecret('a', { ref: 'api' }), undefined);
    await secrets.insert(aSecret('b', { ref: 'api', workspace: 'ops' }), undefined);

    for (const workspace of [undefined, 'ops']) {
      await expect(secrets.insert(aSecret('c', { ref: 'api', workspace }), undefined)).rejects.toMatchObject({
        reason: 'secret_ref_taken',
      });
    }
  });

  it('lists those of a workspace by ref, a page at a time', async () => {
    for (const ref of ['b', 'a/c', 'a', 'a-b']) await secrets.insert(aSecret(ref), undefined);
    await secrets.insert(aSecret('x', { workspace: 'ops' }), undefined);
    const refs = async (limit: number, offset: number) =>
      (await secrets.list(undefined, { limit, offset })).secrets.map(({ ref }) => ref);

    await expect(refs(10, 0)).resolves.toEqual(['a', 'a-b', 'a/c', 'b']);
    await expect(refs(2, 1)).resolves.toEqual(['a-b', 'a/c']);
    await expect(secrets.list('ops', page)).resolves.toMatchObject({ total: 1 });
    await expect(secrets.list('other', page)).resolves.toEqual({ secrets: [], total: 0 });
  });

  it('lists which workspaces have secrets of given refs', async () => {
    await secrets.insert(aSecret('shared', { ref: 'api' }), undefined);
    await secrets.insert(aSecret('a', { ref: 'api', workspace: 'ops' }), undefined);
    await secrets.insert(aSecret('b', { ref: 'other', workspace: 'ops' }), undefined);

    await expect(secrets.listOwners(['api', 'none'])).resolves.toMatchObject([{ workspace: 'ops', ref: 'api' }]);
    await expect(secrets.listOwners([])).resolves.toEqual([]);
  });

  it('changes only the given fields', async () => {
    await secrets.insert(aSecret('a'), undefined);
    const changes = { description: 'New.', isDisabled: true, updatedAt: at(5) };

    await expect(secrets.update('a', changes)).resolves.toEqual(aSecret('a', changes));
    await secrets.noteUse('a', at(6));
    await secrets.noteUse('none', at(6));
    await expect(secrets.findById('a')).resolves.toEqual(aSecret('a', { ...changes, lastResolvedAt: at(6) }));
    await expect(secrets.update('none', changes)).rejects.toMatchObject(missing);
  });

  it('adds values one after another, and retains the newest', async () => {
    await secrets.insert(aSecret('a'), undefined);
    for (const number of [1, 2, 3]) await secrets.addVersion(aVersion('a', number), 2);

    await expect(secrets.findById('a')).resolves.toMatchObject({ currentVersion: 3, lastRotatedAt: at(3) });
    expect((await secrets.listVersions(undefined, 9)).map(({ number }) => number)).toEqual([2, 3]);
    await expect(secrets.addVersion(aVersion('a', 3), 2)).rejects.toMatchObject({ reason: 'secret_changed' });
    await expect(secrets.addVersion(aVersion('none', 1), 2)).rejects.toMatchObject(missing);
  });

  it('accepts one of several concurrent values', async () => {
    await secrets.insert(aSecret('a'), undefined);
    const write = (text: string) => secrets.addVersion(aVersion('a', 1, { text }), 2);
    const results = await Promise.allSettled(['x', 'y', 'z'].map(write));
    const refused = results.filter((result) => result.status === 'rejected');

    expect(refused).toHaveLength(2);
    for (const { reason } of refused) expect(reason).toMatchObject({ reason: 'secret_changed' });
  });

  it('lists the values of all secrets in pages', async () => {
    for (const id of ['b', 'a']) {
      await secrets.insert(aSecret(id), undefined);
      for (const number of [1, 2]) await secrets.addVersion(aVersion(id, number), 5);
    }
    const first = await secrets.listVersions(undefined, 3);
    const second = await secrets.listVersions(first.at(-1), 3);

    expect([...first, ...second].map(({ text }) => text)).toEqual(
      ['a 1', 'a 2', 'b 1', 'b 2'].map((end) => `sealed ${end}`),
    );
  });

  it('encrypts a value again unless it was changed meanwhile', async () => {
    const version = aVersion('a', 1);
    await secrets.insert(aSecret('a', { currentVersion: 1 }), version);
    const sealed = { keyId: 'k2', text: 'anew' };

    await expect(secrets.reseal(version, sealed)).resolves.toBe(true);
    await expect(secrets.reseal(version, { keyId: 'k3', text: 'late' })).resolves.toBe(false);
    await expect(secrets.findVersion(version)).resolves.toEqual({ ...version, ...sealed });
  });

  it('removes a secret with its values', async () => {
    await secrets.insert(aSecret('a', { currentVersion: 1 }), aVersion('a', 1));
    await secrets.remove('a');

    await expect(secrets.findById('a')).resolves.toBeUndefined();
    await expect(secrets.listVersions(undefined, 9)).resolves.toEqual([]);
    await expect(secrets.remove('a')).rejects.toMatchObject(missing);
  });
});
