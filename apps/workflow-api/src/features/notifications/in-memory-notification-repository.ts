import {
  subscriptionNotFound,
  targetSealContext,
  type NotificationRepository,
  type Subscription,
} from './subscription';

/**
 * Creates a repository for specs about operations; it sends nothing, because runs in memory write no outbox. Its
 * subscriptions pass the same contract suite as those of the Prisma repository.
 */
export function createInMemoryNotificationRepository(): NotificationRepository {
  const rows = new Map<string, Subscription>();
  const get = (id: string): Subscription => {
    const row = rows.get(id);
    if (row === undefined) throw subscriptionNotFound(id);
    return row;
  };
  return {
    list: () => Promise.resolve([...rows.values()]),
    find: (id) => Promise.resolve(rows.get(id)),
    insert: (subscription) => {
      rows.set(subscription.id, subscription);
      return Promise.resolve();
    },
    update: async (id, changes) => {
      const after = { ...get(id), ...changes };
      rows.set(id, after);
      return Promise.resolve(after);
    },
    remove: async (id) => {
      get(id);
      rows.delete(id);
      return Promise.resolve();
    },
    listOutbox: () => Promise.resolve([]),
    expand: () => Promise.resolve(),
    alert: () => Promise.resolve(false),
    findMark: () => Promise.resolve(undefined),
    advanceMark: () => Promise.resolve(),
    removeLateMarks: () => Promise.resolve(),
    insertDelivery: () => Promise.resolve(),
    listDue: () => Promise.resolve([]),
    listUnsent: () => Promise.resolve([]),
    claim: () => Promise.resolve(false),
    settle: () => Promise.resolve(),
    listDeliveries: () => Promise.resolve([]),
    redeliver: () => Promise.resolve(undefined),
    listSealed: () =>
      Promise.resolve(
        [...rows.values()].map(({ id, keyId, text }) => ({
          id,
          context: targetSealContext(id),
          sealed: { keyId, text },
        })),
      ),
    replaceSealed: ({ id, sealed }, { keyId, text }) => {
      const row = rows.get(id);
      if (row?.keyId !== sealed.keyId || row.text !== sealed.text) return Promise.resolve(false);
      rows.set(id, { ...row, keyId, text });
      return Promise.resolve(true);
    },
  };
}
