import { unaudited, type Requester } from '../../access/audited-operation';
import { systemClock } from '../../adapters/clock';
import { systemRandom } from '../../adapters/random-source';
import { createCountingHasher } from '../../testing/counting-hasher';
import { aUser } from '../../testing/identity-builders';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { toUserPrincipal } from '../../access/principal';
import { isEnabledAdmin } from '../../access/user';
import { createUserService, type UserService } from './user-service';

const callerNamed = (id: string): Requester => ({
  principal: toUserPrincipal(aUser({ id, username: id, role: 'admin', workspaceAccess: { all: true, grants: [] } })),
  audit: unaudited,
});

type Deed = (users: UserService, victim: string, by: string) => Promise<unknown>;
const demote: Deed = (users, victim, by) => users.update(victim, { role: 'viewer' }, callerNamed(by));
const disable: Deed = (users, victim, by) => users.update(victim, { isDisabled: true }, callerNamed(by));
const remove: Deed = (users, victim, by) => users.remove(victim, callerNamed(by));

// At the service, where nothing before the transaction puts the two calls into an order.
describe.each(storeKinds)('createUserService on %s', (kind) => {
  let source: TestStoreSource;

  beforeAll(async () => {
    source = await createTestStores(kind);
  });
  afterAll(() => source.remove());

  it.each<[string, Deed, Deed]>([
    ['demote each other', demote, demote],
    ['disable each other', disable, disable],
    ['delete each other', remove, remove],
    ['demote and delete each other', demote, remove],
    ['demote themselves', (users, _, by) => demote(users, by, by), (users, _, by) => demote(users, by, by)],
  ])('lets one of the last two admins win who %s at once', async (_, first, second) => {
    const { users } = await source.open();
    const service = createUserService({
      users,
      hasher: createCountingHasher(),
      clock: systemClock,
      random: systemRandom,
    });
    await users.insert(aUser({ id: 'ada' }));
    await users.insert(aUser({ id: 'grace' }));
    // Connections are opened at their first use, one after the other, which would put the calls into an order too.
    await Promise.all([users.count(), users.count(), users.count(), users.count()]);
    const results = await Promise.allSettled([first(service, 'grace', 'ada'), second(service, 'ada', 'grace')]);
    const lost = results.filter((result) => result.status === 'rejected');

    expect(lost).toHaveLength(1);
    expect(lost[0]?.reason).toMatchObject({ code: 'forbidden', reason: 'last_admin' });
    expect((await users.list()).filter(isEnabledAdmin)).toHaveLength(1);
  });
});
