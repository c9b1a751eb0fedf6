import { unaudited } from '../../access/audited-operation';
import { aSubscription } from '../../testing/a-subscription';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { createInMemoryNotificationRepository } from './in-memory-notification-repository';
import { createPrismaNotificationRepository } from './prisma-notification-repository';
import type { NotificationRepository } from './subscription';

const at = (minute: number): Date => new Date(Date.UTC(2026, 4, 6, 7, minute));
const missing = { code: 'not_found', reason: 'subscription_not_found' };

describe.each(storeKinds)('subscriptions of the notification repository on %s', (kind) => {
  let stores: TestStoreSource;
  let notifications: NotificationRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    notifications =
      kind === 'memory'
        ? createInMemoryNotificationRepository()
        : createPrismaNotificationRepository(await stores.openDatabase());
  });
  afterAll(() => stores.remove());

  it('returns what was stored', async () => {
    const pauses = { digestSeconds: 900, repeatAfterSeconds: 3600, mutedUntil: at(30) };
    const about = { workspace: 'ops', dagName: 'nightly', lateAfterSeconds: 60 };
    const full = aSubscription({ ...about, ...pauses, failingSince: at(1) });
    await notifications.insert(full, unaudited);

    await expect(notifications.find('s')).resolves.toEqual(full);
    await expect(notifications.list()).resolves.toEqual([full]);
    await expect(notifications.find('other')).resolves.toBeUndefined();
  });

  it('changes the given fields only', async () => {
    await notifications.insert(aSubscription(), unaudited);
    const changed = aSubscription({ isEnabled: false, disabledReason: 'gone', updatedAt: at(1) });
    const changes = { isEnabled: false, disabledReason: 'gone', updatedAt: at(1) };

    await expect(notifications.update('s', changes, unaudited)).resolves.toEqual(changed);
    await expect(notifications.find('s')).resolves.toEqual(changed);
    await expect(notifications.update('other', changes, unaudited)).rejects.toMatchObject(missing);
  });

  it('removes an existing one', async () => {
    await notifications.insert(aSubscription(), unaudited);
    await notifications.remove('s', unaudited);

    await expect(notifications.list()).resolves.toEqual([]);
    await expect(notifications.remove('s', unaudited)).rejects.toMatchObject(missing);
  });

  it('lists the targets, and replaces an encrypted one unless it has changed', async () => {
    await notifications.insert(aSubscription(), unaudited);
    const row = { id: 's', context: 'event subscription s', sealed: { keyId: 'k', text: 'sealed' } };

    await expect(notifications.listSealed()).resolves.toEqual([row]);
    await expect(notifications.replaceSealed(row, { keyId: 'k2', text: 'anew' })).resolves.toBe(true);
    await expect(notifications.replaceSealed(row, { keyId: 'k3', text: 'late' })).resolves.toBe(false);
    await expect(notifications.find('s')).resolves.toEqual(aSubscription({ keyId: 'k2', text: 'anew' }));
  });
});
