import type { SealedRows } from '../../encryption';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { createInMemoryProfileRepository, createPrismaProfileRepository } from './index';
import type { ProfileEntry, ProfileRepository, StoredProfile } from './profile';

const moment = new Date('2026-05-06T07:08:09.123Z');
const later = new Date('2026-05-07T07:08:09.123Z');
const aProfile = (name: string): StoredProfile => ({
  id: `id-${name}`,
  name,
  description: '',
  isDisabled: false,
  isProtected: false,
  defaultProfile: null,
  createdAt: moment,
  updatedAt: moment,
  entries: [],
});
const variable = (key: string, value: string, at = moment): ProfileEntry => ({
  key,
  content: { value },
  createdAt: at,
  updatedAt: at,
});
const secret = (key: string, text: string, at = moment): ProfileEntry => ({
  key,
  content: { sealed: { keyId: 'k', text } },
  createdAt: at,
  updatedAt: at,
});
const notFound = { reason: 'profile_not_found' };

describe.each(storeKinds)('profiles in %s', (kind) => {
  let stores: TestStoreSource;
  let profiles: ProfileRepository & SealedRows;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  }, 60_000);
  afterAll(() => stores.remove());
  beforeEach(async () => {
    profiles =
      kind === 'memory'
        ? createInMemoryProfileRepository()
        : createPrismaProfileRepository(await stores.openDatabase());
    await profiles.insert(aProfile('staging'));
  }, 60_000);

  it('have distinct names', async () => {
    await expect(profiles.insert({ ...aProfile('staging'), id: 'other' })).rejects.toMatchObject({
      reason: 'profile_name_taken',
    });
    await expect(profiles.find('staging')).resolves.toEqual(aProfile('staging'));
    await expect(profiles.find('none')).resolves.toBeUndefined();
    await expect(profiles.list()).resolves.toEqual([aProfile('staging')]);
  });

  it('are changed', async () => {
    const changes = { description: 'é', isDisabled: true, isProtected: true, updatedAt: later };
    await expect(profiles.update('staging', changes)).resolves.toEqual({ ...aProfile('staging'), ...changes });
    await expect(profiles.update('none', changes)).rejects.toMatchObject(notFound);
  });

  it('have one entry for each key, a variable or a secret', async () => {
    await profiles.putEntry('staging', variable('B', 'first'));
    await profiles.putEntry('staging', variable('A', ''));
    const { entries, updatedAt } = await profiles.putEntry('staging', secret('B', 's', later));

    expect(entries).toEqual([variable('A', ''), { ...secret('B', 's', later), createdAt: moment }]);
    expect(updatedAt).toEqual(later);
    await expect(profiles.putEntry('none', variable('A', ''))).rejects.toMatchObject(notFound);
    await expect(profiles.removeEntry('staging', 'B', later)).resolves.toBe(true);
    await expect(profiles.removeEntry('staging', 'B', later)).resolves.toBe(false);
    await expect(profiles.find('staging')).resolves.toMatchObject({ entries: [variable('A', '')] });
  });

  it('give the secrets of a profile by its id', async () => {
    await profiles.putEntry('staging', secret('TOKEN', 's'));
    await profiles.putEntry('staging', variable('HOST', 'h'));
    await profiles.update('staging', { isDisabled: true, updatedAt: later });

    await expect(profiles.findSecret('id-staging', 'TOKEN')).resolves.toEqual({
      isDisabled: true,
      sealed: { keyId: 'k', text: 's' },
    });
    await expect(profiles.findSecret('id-staging', 'HOST')).resolves.toBeUndefined();
    await expect(profiles.findSecret('none', 'TOKEN')).resolves.toBeUndefined();
  });

  it('replace an encrypted value unless it has changed', async () => {
    await profiles.putEntry('staging', secret('TOKEN', 's'));
    const [row] = await profiles.listSealed();
    if (row === undefined) throw new Error('There is no row.');

    await expect(profiles.replaceSealed(row, { keyId: 'n', text: 't' })).resolves.toBe(true);
    await expect(profiles.replaceSealed(row, { keyId: 'n', text: 'u' })).resolves.toBe(false);
    await expect(profiles.listSealed()).resolves.toMatchObject([{ sealed: { keyId: 'n', text: 't' } }]);
  });

  it('are removed with their entries, and are no default then', async () => {
    await profiles.putEntry('staging', secret('TOKEN', 's'));
    await profiles.insert({ ...aProfile('_global'), defaultProfile: 'staging' });
    await profiles.remove('staging');

    await expect(profiles.list()).resolves.toEqual([aProfile('_global')]);
    await expect(profiles.listSealed()).resolves.toEqual([]);
    await expect(profiles.remove('staging')).rejects.toMatchObject(notFound);
  });
});
