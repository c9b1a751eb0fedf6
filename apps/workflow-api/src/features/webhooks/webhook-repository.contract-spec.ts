import { unaudited } from '../../access/audited-operation';
import { aWebhook } from '../../testing/a-webhook';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { createInMemoryWebhookRepository } from './in-memory-webhook-repository';
import { createPrismaWebhookRepository } from './prisma-webhook-repository';
import type { WebhookRepository } from './webhook';

const at = (minute: number): Date => new Date(Date.UTC(2026, 4, 6, 7, minute));
const missing = { code: 'not_found', reason: 'webhook_not_found' };

describe.each(storeKinds)('webhook repository on %s', (kind) => {
  let stores: TestStoreSource;
  let webhooks: WebhookRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    webhooks =
      kind === 'memory'
        ? createInMemoryWebhookRepository()
        : createPrismaWebhookRepository(await stores.openDatabase());
  });
  afterAll(() => stores.remove());

  it('returns what was stored, and lists by file name', async () => {
    const signed = aWebhook({ verification: { style: 'github' }, secretRef: 'hook', paramsFilter: '.a' });
    await webhooks.insert(signed, unaudited);
    await webhooks.insert(aWebhook({ fileName: 'backup', id: 'b' }), unaudited);

    await expect(webhooks.find('nightly')).resolves.toEqual(signed);
    await expect(webhooks.find('other')).resolves.toBeUndefined();
    expect((await webhooks.list()).map(({ fileName }) => fileName)).toEqual(['backup', 'nightly']);
  });

  it('allows one for each DAG', async () => {
    await webhooks.insert(aWebhook(), unaudited);
    await expect(webhooks.insert(aWebhook({ id: 'w2' }), unaudited)).rejects.toMatchObject({
      reason: 'webhook_exists',
    });
  });

  it('changes the given fields only', async () => {
    await webhooks.insert(aWebhook({ verification: { style: 'github' } }), unaudited);
    const changed = aWebhook({ isEnabled: false, updatedAt: at(1) });

    await expect(
      webhooks.update('nightly', { isEnabled: false, verification: null, updatedAt: at(1) }, unaudited),
    ).resolves.toEqual(changed);
    await expect(webhooks.find('nightly')).resolves.toEqual(changed);
    await expect(webhooks.update('other', { updatedAt: at(1) }, unaudited)).rejects.toMatchObject(missing);
  });

  it('stores the time of a use', async () => {
    await webhooks.insert(aWebhook(), unaudited);
    await webhooks.noteUse('w', at(5));
    await webhooks.noteUse('gone', at(5));

    await expect(webhooks.find('nightly')).resolves.toEqual(aWebhook({ lastUsedAt: at(5) }));
  });

  it('removes it, and returns whether there was one', async () => {
    await webhooks.insert(aWebhook(), unaudited);

    await expect(webhooks.remove('nightly', unaudited)).resolves.toBe(true);
    await expect(webhooks.remove('nightly', unaudited)).resolves.toBe(false);
    await webhooks.removeWithDag('nightly');
    await expect(webhooks.list()).resolves.toEqual([]);
  });

  it('follows a DAG to its new name, and replaces one that a former DAG has left', async () => {
    await webhooks.insert(aWebhook(), unaudited);
    await webhooks.insert(aWebhook({ fileName: 'backup', id: 'left' }), unaudited);
    await webhooks.rename('nightly', 'backup');

    await expect(webhooks.list()).resolves.toEqual([aWebhook({ fileName: 'backup' })]);
  });

  it('lists its own secrets, and replaces an encrypted one unless it has changed', async () => {
    await webhooks.insert(aWebhook({ secretKeyId: 'k', secretText: 'sealed' }), unaudited);
    await webhooks.insert(aWebhook({ fileName: 'backup', id: 'b' }), unaudited);
    const row = { id: 'w', context: 'webhook w', sealed: { keyId: 'k', text: 'sealed' } };

    await expect(webhooks.listSealed()).resolves.toEqual([row]);
    await expect(webhooks.replaceSealed(row, { keyId: 'k2', text: 'anew' })).resolves.toBe(true);
    await expect(webhooks.replaceSealed(row, { keyId: 'k3', text: 'late' })).resolves.toBe(false);
    await expect(webhooks.find('nightly')).resolves.toEqual(aWebhook({ secretKeyId: 'k2', secretText: 'anew' }));
  });
});
