import { databaseKinds, createTestStores, type TestStoreSource } from '../testing/test-stores';
import { createTestApi, testPassword, type TestApi } from '../testing/test-api';

// What depends on how a real database orders transactions and on which text it takes.
describe.each(databaseKinds)('users and keys on %s', (kind) => {
  let stores: TestStoreSource;
  let api: TestApi;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    api = await createTestApi(await stores.open());
  });
  afterEach(() => api.stop());
  afterAll(() => stores.remove());

  it.each([
    ['different names', (index: number) => `admin-${index}`],
    ['the same name', () => 'ada'],
  ])(
    'lets one of 20 parallel set-ups with %s win',
    async (_, nameOf) => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_unused, index) =>
          api.send('POST /auth/setup', { body: { username: nameOf(index), password: testPassword } }),
        ),
      );
      const lost = answers.filter(({ status }) => status !== 200);

      expect(lost.map(({ status, body }) => [status, body.reason])).toEqual(Array(19).fill([403, 'setup_completed']));
      await expect(api.users.count()).resolves.toBe(1);
    },
    30_000,
  );

  it.each([
    ['demote', (id: string) => ({ operation: `PATCH /users/${id}` as const, body: { role: 'viewer' } })],
    ['disable', (id: string) => ({ operation: `PATCH /users/${id}` as const, body: { isDisabled: true } })],
    ['delete', (id: string) => ({ operation: `DELETE /users/${id}` as const, body: undefined })],
  ])(
    'lets one of two admins who %s each other win',
    async (_, deed) => {
      // A race shows itself in some rounds only.
      for (let round = 0; round < 5; round++) {
        const fresh = await createTestApi(await stores.open());
        const [ada, grace] = [await fresh.addUser({ username: 'ada' }), await fresh.addUser({ username: 'grace' })];
        const [asAda, asGrace] = [await fresh.signIn(ada), await fresh.signIn(grace)];
        const [first, second] = [deed(grace.id), deed(ada.id)];
        const answers = await Promise.all([
          fresh.send(first.operation, { as: asAda, body: first.body }),
          fresh.send(second.operation, { as: asGrace, body: second.body }),
        ]);
        const admins = (await fresh.users.list()).filter((user) => user.role === 'admin' && !user.isDisabled);
        await fresh.stop();

        expect(admins).toHaveLength(1);
        // The loser is refused for what it asks, or because it is no enabled admin any more.
        expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
        expect(answers.filter(({ status }) => status === 403 || status === 401)).toHaveLength(1);
      }
    },
    60_000,
  );

  it('keeps the last admin when it demotes itself while another deletes the only other admin', async () => {
    const [ada, grace] = [await api.addUser({ username: 'ada' }), await api.addUser({ username: 'grace' })];
    const [asAda, asGrace] = [await api.signIn(ada), await api.signIn(grace)];
    await Promise.all([
      api.send(`PATCH /users/${ada.id}`, { as: asAda, body: { role: 'operator' } }),
      api.send(`PATCH /users/${grace.id}`, { as: asGrace, body: { role: 'operator' } }),
    ]);

    expect((await api.users.list()).filter((user) => user.role === 'admin')).toHaveLength(1);
  });

  it('stores one user of two created at once with the same name', async () => {
    const as = await api.createToken('admin');
    const body = { username: 'grace', password: testPassword, role: 'viewer' };
    const answers = await Promise.all([api.send('POST /users', { as, body }), api.send('POST /users', { as, body })]);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it.each([
    ['a username at sign-in', 'POST /auth/login', { username: 'ada\u0000', password: testPassword }],
    ['a username in half a surrogate pair', 'POST /auth/login', { username: 'ada\ud800', password: testPassword }],
    ['the name of a key', 'POST /api-keys', { name: 'deploy\u0000', role: 'viewer' }],
    ['a description', 'POST /api-keys', { name: 'deploy', description: 'a\u0000b', role: 'viewer' }],
    ['the id of a user', 'GET /users/%00', undefined],
    ['the id of a key', 'DELETE /api-keys/a%00b', undefined],
  ] as const)('returns 400 for NUL or broken Unicode in %s', async (_, operation, body) => {
    const { status, body: error } = await api.send(operation, { as: await api.createToken('admin'), body });

    expect({ status, reason: error.reason }).toEqual({ status: 400, reason: 'text_unusable' });
  });
});
