import { unaudited } from '../../access/audited-operation';
import { isEnabledAdmin, type User } from '../../access/user';
import { externalIdTaken, userNotFound, usernameTaken } from './user-errors';
import { byName, type UserRepository, type UserStore } from './user-repository';

/** Creates a store for specs. It passes the same contract suite as the Prisma store. */
export function createInMemoryUserStore(): UserStore {
  let rows = new Map<string, User>();
  let tail: Promise<unknown> = Promise.resolve();
  const transaction: UserStore['transaction'] = (audit, work) => {
    const result = tail.then(async () => {
      const draft = new Map(rows);
      const result = await work(
        repositoryOver(() => draft),
        audit.record,
      );
      rows = draft;
      return result;
    });
    tail = result.catch(() => undefined);
    return result;
  };
  return {
    ...repositoryOver(() => rows),
    // Single changes are serialized too; otherwise the end of a transaction would undo them.
    insert: (user) => transaction(unaudited, (users) => users.insert(user)),
    update: (user) => transaction(unaudited, (users) => users.update(user)),
    remove: (id) => transaction(unaudited, (users) => users.remove(id)),
    transaction,
  };
}

function repositoryOver(rows: () => Map<string, User>): UserRepository {
  const all = (): readonly User[] => [...rows().values()];
  const assertNameIsFree = (user: User): void => {
    if (all().some((other) => other.username === user.username && other.id !== user.id))
      throw usernameTaken(user.username);
  };
  const assertExternalIdIsFree = (user: User): void => {
    if (user.externalId === undefined) return;
    if (all().some((other) => other.externalId === user.externalId && other.id !== user.id)) throw externalIdTaken();
  };
  const assertExists = (id: string): void => {
    if (!rows().has(id)) throw userNotFound(id);
  };
  // The functions are async, so that a refusal is a rejection as with a database.
  return {
    count: () => Promise.resolve(rows().size),
    list: () => Promise.resolve(all().toSorted(byName)),
    findById: (id) => Promise.resolve(rows().get(id)),
    findByUsername: (username) => Promise.resolve(all().find((user) => user.username === username)),
    findByExternalId: (externalId) => Promise.resolve(all().find((user) => user.externalId === externalId)),
    countOtherEnabledAdmins: (id) =>
      Promise.resolve(all().filter((user) => isEnabledAdmin(user) && user.id !== id).length),
    insert: async (user) => {
      assertNameIsFree(user);
      assertExternalIdIsFree(user);
      await Promise.resolve(rows().set(user.id, user));
    },
    update: async (user) => {
      assertExists(user.id);
      assertNameIsFree(user);
      await Promise.resolve(rows().set(user.id, user));
    },
    remove: async (id) => {
      assertExists(id);
      await Promise.resolve(rows().delete(id));
    },
  };
}
