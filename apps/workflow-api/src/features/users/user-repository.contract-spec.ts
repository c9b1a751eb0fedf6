import { unaudited } from '../../access/audited-operation';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { aUser } from '../../testing/identity-builders';
import type { UserStore } from './user-repository';

const later = new Date('2026-05-06T07:08:09.123Z');
const grants = { all: false, grants: [{ workspace: 'ops', role: 'operator' as const }] };

/** What every user store promises. `open` gives an empty one. */
function describeUserStore(open: () => Promise<UserStore>): void {
  let users: UserStore;

  beforeEach(async () => {
    users = await open();
  });

  it('returns every stored field', async () => {
    const user = aUser({
      role: 'viewer',
      workspaceAccess: grants,
      isDisabled: true,
      tokenVersion: 7,
      updatedAt: later,
    });
    await users.insert(user);

    await expect(users.findById(user.id)).resolves.toEqual(user);
    await expect(users.findByUsername(user.username)).resolves.toEqual(user);
    await expect(users.list()).resolves.toEqual([user]);
    await expect(users.count()).resolves.toBe(1);
  });

  it('finds nothing that was not stored', async () => {
    await expect(users.findById('nobody')).resolves.toBeUndefined();
    await expect(users.findByUsername('nobody')).resolves.toBeUndefined();
    await expect(users.count()).resolves.toBe(0);
  });

  it('treats names that differ only in case as different users', async () => {
    await users.insert(aUser({ id: '1', username: 'ada' }));
    await users.insert(aUser({ id: '2', username: 'Ada' }));

    await expect(users.findByUsername('Ada')).resolves.toMatchObject({ id: '2' });
    await expect(users.findByUsername('ADA')).resolves.toBeUndefined();
  });

  it('lists by name without regard to case, and equal names by id', async () => {
    const names = ['zoë', 'ab', 'a_b', 'Ada', 'ada', '\u{1F600}', '\uFFFD', 'Ébène', 'a b', '10', '9'];
    for (const [index, username] of names.entries())
      await users.insert(aUser({ id: `${9 - (index % 5)}${index}`, username }));
    const listed = (await users.list()).map((user) => user.username);

    expect(listed).toEqual(['10', '9', 'a b', 'a_b', 'ab', 'ada', 'Ada', 'zoë', 'Ébène', '\u{1F600}', '\uFFFD']);
  });

  it('refuses a taken name at insert and at update', async () => {
    await users.insert(aUser({ id: '1', username: 'ada' }));
    await users.insert(aUser({ id: '2', username: 'grace' }));
    const taken = { code: 'conflict', reason: 'username_taken', message: 'The username "ada" is taken.' };

    await expect(users.insert(aUser({ id: '3', username: 'ada' }))).rejects.toMatchObject(taken);
    await expect(users.update(aUser({ id: '2', username: 'ada' }))).rejects.toMatchObject(taken);
    await expect(users.findById('2')).resolves.toMatchObject({ username: 'grace' });
    await expect(users.count()).resolves.toBe(2);
  });

  it('replaces all fields at update', async () => {
    await users.insert(aUser());
    const changed = aUser({
      username: 'grace',
      role: 'viewer',
      workspaceAccess: grants,
      tokenVersion: 1,
      updatedAt: later,
    });
    await users.update(changed);

    await expect(users.findById(changed.id)).resolves.toEqual(changed);
  });

  it('refuses to change or remove a missing user', async () => {
    const missing = { code: 'not_found', reason: 'user_not_found' };

    await expect(users.update(aUser({ id: 'nobody' }))).rejects.toMatchObject(missing);
    await expect(users.remove('nobody')).rejects.toMatchObject(missing);
  });

  it('counts the other enabled admins', async () => {
    await users.insert(aUser({ id: '1' }));
    await users.insert(aUser({ id: '2' }));
    await users.insert(aUser({ id: '3', isDisabled: true }));
    await users.insert(aUser({ id: '4', role: 'manager' }));

    await expect(users.countOtherEnabledAdmins('1')).resolves.toBe(1);
    await expect(users.countOtherEnabledAdmins('4')).resolves.toBe(2);
  });

  describe('with parallel writes', () => {
    it('lets one of many inserts of the same name win', async () => {
      const ids = Array.from({ length: 10 }, (_, index) => `user-${index}`);
      const results = await Promise.allSettled(ids.map((id) => users.insert(aUser({ id, username: 'ada' }))));
      const lost = results.filter((result) => result.status === 'rejected');

      expect(lost).toHaveLength(9);
      for (const { reason } of lost) expect(reason).toMatchObject({ reason: 'username_taken' });
      await expect(users.count()).resolves.toBe(1);
    });

    it('loses no update of transactions that read and write the same user', async () => {
      await users.insert(aUser());
      const raise = () =>
        users.transaction(unaudited, async (repository) => {
          const user = await repository.findById('user-1');
          if (user) await repository.update({ ...user, tokenVersion: user.tokenVersion + 1 });
        });
      await Promise.all(Array.from({ length: 15 }, raise));

      await expect(users.findById('user-1')).resolves.toMatchObject({ tokenVersion: 15 });
    });

    it('keeps concurrent writes beside a transaction', async () => {
      await users.insert(aUser());
      await Promise.all([
        users.transaction(unaudited, async (repository) => {
          await repository.findById('user-1');
          await repository.update(aUser({ tokenVersion: 1 }));
        }),
        users.insert(aUser({ id: 'user-2' })),
      ]);

      await expect(users.findById('user-1')).resolves.toMatchObject({ tokenVersion: 1 });
      await expect(users.findById('user-2')).resolves.toBeDefined();
    });
  });

  describe('transaction', () => {
    it('returns what the work returns', async () => {
      await users.insert(aUser());
      await expect(users.transaction(unaudited, (repository) => repository.count())).resolves.toBe(1);
    });

    it('sees its own changes', async () => {
      const count = await users.transaction(unaudited, async (repository) => {
        await repository.insert(aUser());
        return repository.count();
      });
      expect(count).toBe(1);
    });

    it('undoes everything when the work throws, and throws the same error', async () => {
      const failure = new Error('no');
      await users.insert(aUser({ id: 'kept' }));
      const work = users.transaction(unaudited, async (repository) => {
        await repository.insert(aUser({ id: 'undone' }));
        await repository.remove('kept');
        throw failure;
      });

      await expect(work).rejects.toBe(failure);
      expect((await users.list()).map((user) => user.id)).toEqual(['kept']);
    });

    it('undoes everything when a name is taken', async () => {
      await users.insert(aUser({ id: '1', username: 'ada' }));
      const work = users.transaction(unaudited, async (repository) => {
        await repository.insert(aUser({ id: '2', username: 'grace' }));
        await repository.insert(aUser({ id: '3', username: 'ada' }));
      });

      await expect(work).rejects.toMatchObject({ reason: 'username_taken' });
      await expect(users.count()).resolves.toBe(1);
    });
  });
}

describe.each(storeKinds)('user store on %s', (kind) => {
  let stores: TestStoreSource;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());

  describeUserStore(async () => (await stores.open()).users);
});
