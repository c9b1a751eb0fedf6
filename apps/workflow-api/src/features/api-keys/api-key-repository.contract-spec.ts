import { unaudited } from '../../access/audited-operation';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { anApiKey } from '../../testing/identity-builders';
import type { ApiKeyRepository } from './api-key-repository';

const later = new Date('2026-05-06T07:08:09.123Z');
const grants = { all: false, grants: [{ workspace: 'ops', role: 'operator' as const }] };

/** What every repository of API keys promises. `open` gives an empty one. */
function describeApiKeyRepository(open: () => Promise<ApiKeyRepository>): void {
  let apiKeys: ApiKeyRepository;

  beforeEach(async () => {
    apiKeys = await open();
  });

  it.each([
    [
      'all optional fields',
      {
        description: 'For CI.',
        expiresAt: later,
        role: 'viewer',
        workspaceAccess: grants,
        scopes: ['read', 'run'],
        surfaces: ['mcp'],
        ownerId: 'user-1',
        serviceAccountName: 'ci',
      },
    ],
    ['none of the optional fields', {}],
  ] as const)('returns a key with %s', async (_, values) => {
    const apiKey = anApiKey(values);
    await apiKeys.insert(apiKey, unaudited);

    await expect(apiKeys.findById(apiKey.id)).resolves.toEqual(apiKey);
    await expect(apiKeys.findByDigest(apiKey.keyDigest)).resolves.toEqual(apiKey);
    await expect(apiKeys.list()).resolves.toEqual([apiKey]);
  });

  it('finds nothing that was not stored', async () => {
    await expect(apiKeys.findById('none')).resolves.toBeUndefined();
    await expect(apiKeys.findByDigest('none')).resolves.toBeUndefined();
    await expect(apiKeys.list()).resolves.toEqual([]);
  });

  it('lists by name without regard to case, and equal names by id', async () => {
    const names = ['zoë', 'ab', 'a_b', 'Ada', 'ada', '\u{1F600}', '\uFFFD'];
    for (const [index, name] of names.entries())
      await apiKeys.insert(anApiKey({ id: `${9 - index}`, name }), unaudited);
    const listed = (await apiKeys.list()).map((apiKey) => apiKey.name);

    expect(listed).toEqual(['a_b', 'ab', 'ada', 'Ada', 'zoë', '\u{1F600}', '\uFFFD']);
  });

  it('refuses a taken name at insert and at update', async () => {
    await apiKeys.insert(anApiKey({ id: '1', name: 'deploy' }), unaudited);
    await apiKeys.insert(anApiKey({ id: '2', name: 'backup' }), unaudited);
    const taken = { code: 'conflict', reason: 'api_key_name_taken', message: 'The name "deploy" is taken.' };

    await expect(apiKeys.insert(anApiKey({ id: '3', name: 'deploy' }), unaudited)).rejects.toMatchObject(taken);
    await expect(apiKeys.update('2', () => ({ name: 'deploy', updatedAt: later }), unaudited)).rejects.toMatchObject(
      taken,
    );
    await expect(apiKeys.findById('2')).resolves.toMatchObject({ name: 'backup' });
  });

  it('changes only the given fields, and returns the key afterwards', async () => {
    const apiKey = anApiKey({ description: 'Old.', expiresAt: later });
    await apiKeys.insert(apiKey, unaudited);
    const changed = { ...apiKey, role: 'viewer' as const, workspaceAccess: grants, updatedAt: later };
    const changes = { role: 'viewer' as const, workspaceAccess: grants, updatedAt: later };

    await expect(apiKeys.update(apiKey.id, () => changes, unaudited)).resolves.toEqual(changed);
    await expect(apiKeys.findById(apiKey.id)).resolves.toEqual(changed);
  });

  it('loses none of several concurrent changes', async () => {
    await apiKeys.insert(anApiKey({ description: '' }), unaudited);
    const append = (letter: string) =>
      apiKeys.update(
        'key-1',
        (present) => ({ description: `${present.description}${letter}`, updatedAt: later }),
        unaudited,
      );
    await Promise.all(['a', 'b', 'c', 'd'].map(append));

    const { description = '' } = (await apiKeys.findById('key-1')) ?? {};
    expect(description.split('').sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('removes an expiry on request', async () => {
    await apiKeys.insert(anApiKey({ expiresAt: later }), unaudited);
    await apiKeys.update('key-1', () => ({ expiresAt: undefined, updatedAt: later }), unaudited);

    expect((await apiKeys.findById('key-1'))?.expiresAt).toBeUndefined();
  });

  it('replaces a key, which then counts as unused', async () => {
    const apiKey = anApiKey();
    await apiKeys.insert(apiKey, unaudited);
    await apiKeys.noteUse(apiKey.id, later);
    const replaced = { keyPrefix: 'weir_new', keyDigest: 'new digest', lastUsedAt: undefined, updatedAt: later };

    await expect(apiKeys.update(apiKey.id, () => replaced, unaudited)).resolves.toEqual({ ...apiKey, ...replaced });
    await expect(apiKeys.findByDigest(apiKey.keyDigest)).resolves.toBeUndefined();
    await expect(apiKeys.findByDigest('new digest')).resolves.toEqual({ ...apiKey, ...replaced });
  });

  it('refuses to change or remove a missing key', async () => {
    const missing = { code: 'not_found', reason: 'api_key_not_found' };

    await expect(apiKeys.update('none', () => ({ name: 'x', updatedAt: later }), unaudited)).rejects.toMatchObject(
      missing,
    );
    await expect(apiKeys.remove('none', unaudited)).rejects.toMatchObject(missing);
  });

  it('stores only the time of a use', async () => {
    const apiKey = anApiKey();
    await apiKeys.insert(apiKey, unaudited);
    await apiKeys.noteUse(apiKey.id, later);

    await expect(apiKeys.findById(apiKey.id)).resolves.toEqual({ ...apiKey, lastUsedAt: later });
  });

  it('ignores the use of a deleted key', async () => {
    await apiKeys.noteUse('none', later);
    await expect(apiKeys.list()).resolves.toEqual([]);
  });

  it('does not find a removed key', async () => {
    const apiKey = anApiKey();
    await apiKeys.insert(apiKey, unaudited);
    await apiKeys.remove(apiKey.id, unaudited);

    await expect(apiKeys.findByDigest(apiKey.keyDigest)).resolves.toBeUndefined();
  });

  it('lets one of many parallel inserts of the same name win', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `key-${index}`);
    const results = await Promise.allSettled(
      ids.map((id) => apiKeys.insert(anApiKey({ id, name: 'deploy' }), unaudited)),
    );
    const lost = results.filter((result) => result.status === 'rejected');

    expect(lost).toHaveLength(9);
    for (const { reason } of lost) expect(reason).toMatchObject({ reason: 'api_key_name_taken' });
    await expect(apiKeys.list()).resolves.toHaveLength(1);
  });
}

describe.each(storeKinds)('API key repository on %s', (kind) => {
  let stores: TestStoreSource;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());

  describeApiKeyRepository(async () => (await stores.open()).apiKeys);
});
