import { roleMissing, unauthorized } from '../../testing/answers';
import { testPassword } from '../../testing/test-api';
import { useTestApi } from '../../testing/use-test-api';

const test = useTestApi();
const grants = { all: false, grants: [{ workspace: 'ops', role: 'developer' }] };
const aPerson = { username: 'grace', password: testPassword, role: 'operator' };
const notFound = { status: 404, body: { code: 'not_found', reason: 'user_not_found' } };

const operations = [
  ['GET /users', undefined],
  ['POST /users', aPerson],
  ['GET /users/user-1', undefined],
  ['PATCH /users/user-1', { role: 'admin' }],
  ['DELETE /users/user-1', undefined],
  ['POST /users/user-1/reset-password', { newPassword: 'set by an admin' }],
] as const;

describe.each(operations)('%s', (operation, body) => {
  beforeEach(async () => {
    await test.api.addUser({ id: 'user-1', username: 'ada', role: 'viewer' });
  });

  it('returns 401 without a credential, and changes nothing', async () => {
    const before = await test.api.users.list();

    await expect(test.api.send(operation, { body })).resolves.toMatchObject(unauthorized);
    await expect(test.api.users.list()).resolves.toEqual(before);
  });

  it.each(['manager', 'developer', 'operator', 'viewer'] as const)('returns 403 to a %s', async (role) => {
    const as = await test.api.createToken(role);
    const before = await test.api.users.list();

    await expect(test.api.send(operation, { as, body })).resolves.toMatchObject(roleMissing);
    await expect(test.api.users.list()).resolves.toEqual(before);
  });
});

describe('GET /users', () => {
  it('returns 200 with all users by name, without their hashes', async () => {
    const grace = await test.api.addUser({ username: 'Grace', role: 'viewer', isDisabled: true });
    const { status, body } = await test.api.send('GET /users', { as: test.asAdmin });

    expect(status).toBe(200);
    expect(body).toEqual({
      users: [
        {
          id: grace.id,
          username: 'Grace',
          role: 'viewer',
          workspaceAccess: { all: true, grants: [] },
          authProvider: 'builtin',
          isDisabled: true,
          createdAt: grace.createdAt.toISOString(),
          updatedAt: grace.updatedAt.toISOString(),
        },
        expect.not.objectContaining({ isDisabled: expect.anything() as unknown }),
      ],
    });
    expect(JSON.stringify(body)).not.toMatch(/argon2|passwordHash|tokenVersion/);
  });
});

describe('POST /users', () => {
  const create = (body: unknown) => test.api.send('POST /users', { as: test.asAdmin, body });

  describe('201', () => {
    it('creates a user who can sign in', async () => {
      const { status, body } = await create(aPerson);

      expect(status).toBe(201);
      expect(body.user).toMatchObject({
        username: 'grace',
        role: 'operator',
        workspaceAccess: { all: true, grants: [] },
        createdAt: test.api.clock.now().toISOString(),
      });
      await expect(test.api.signIn({ username: 'grace' })).resolves.toEqual(expect.any(String));
    });

    it('keeps grants', async () => {
      const { body } = await create({ ...aPerson, role: 'viewer', workspaceAccess: grants });
      expect(body.user).toMatchObject({ role: 'viewer', workspaceAccess: grants });
    });
  });

  describe('400', () => {
    it.each([
      ['a password of 7 characters', { ...aPerson, password: 'short-7' }, 'password_weak'],
      ['a common password', { ...aPerson, password: 'password123' }, 'password_weak'],
      ['the username as password', { ...aPerson, username: 'grace-hopper', password: 'Grace-Hopper' }, 'password_weak'],
      ['an unknown role', { ...aPerson, role: 'owner' }, 'request_invalid'],
      ['no role', { ...aPerson, role: undefined }, 'request_invalid'],
      ['grants for a stronger role', { ...aPerson, workspaceAccess: grants }, 'workspace_access_invalid'],
      [
        'no grant',
        { ...aPerson, role: 'viewer', workspaceAccess: { all: false, grants: [] } },
        'workspace_access_invalid',
      ],
      ['access without grants', { ...aPerson, workspaceAccess: { all: true } }, 'request_invalid'],
    ])('refuses %s', async (_, body, reason) => {
      await expect(create(body)).resolves.toMatchObject({ status: 400, body: { code: 'bad_request', reason } });
      await expect(test.api.users.count()).resolves.toBe(1);
    });

    it('names every wrong field', async () => {
      const { body } = await create({ username: 7, password: true, role: 'owner' });
      const { problems } = body.details as { problems: { path: string }[] };

      expect(problems.map(({ path }) => path)).toEqual(['body.username', 'body.password', 'body.role']);
    });
  });

  describe('409', () => {
    it('refuses a taken username', async () => {
      const answer = await create({ ...aPerson, username: 'root' });
      expect(answer).toMatchObject({ status: 409, body: { code: 'already_exists', reason: 'username_taken' } });
    });
  });
});

describe('GET /users/{userId}', () => {
  it('returns 200 with the user', async () => {
    const answer = await test.api.send(`GET /users/${test.admin.id}`, { as: test.asAdmin });
    expect(answer).toMatchObject({
      status: 200,
      body: { user: { id: test.admin.id, username: 'root', role: 'admin' } },
    });
  });

  it('returns 404 for an unknown id', async () => {
    await expect(test.api.send('GET /users/nobody', { as: test.asAdmin })).resolves.toMatchObject(notFound);
  });
});

describe('DELETE /users/{userId}', () => {
  const remove = (id: string, as = test.asAdmin) => test.api.send(`DELETE /users/${id}`, { as });

  it('returns 204 without a body, and the user is gone', async () => {
    const grace = await test.api.addUser({ username: 'grace' });
    const answer = await remove(grace.id);

    expect(answer).toMatchObject({ status: 204, body: {} });
    await expect(remove(grace.id)).resolves.toMatchObject(notFound);
    await expect(test.api.signIn(grace)).rejects.toThrow('401');
  });

  it('returns 403 for the own account, also when another admin is left', async () => {
    await test.api.addUser({ username: 'grace' });
    const answer = await remove(test.admin.id);

    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'own_account' } });
    await expect(test.api.users.count()).resolves.toBe(2);
  });

  it('returns 403 to an API key that would delete the last enabled admin', async () => {
    await test.api.addUser({ username: 'grace', isDisabled: true });
    const { key } = await test.api.addApiKey({ role: 'admin' });

    await expect(remove(test.admin.id, key)).resolves.toMatchObject({ status: 403, body: { reason: 'last_admin' } });
  });

  it('returns 404 for an unknown id', async () => {
    await expect(remove('nobody')).resolves.toMatchObject(notFound);
  });
});

describe('POST /users/{userId}/reset-password', () => {
  const reset = (id: string, newPassword: unknown) =>
    test.api.send(`POST /users/${id}/reset-password`, { as: test.asAdmin, body: { newPassword } });

  it('returns 200, and only the new password works', async () => {
    const grace = await test.api.addUser({ username: 'grace' });
    const answer = await reset(grace.id, 'set by an admin');

    expect(answer).toMatchObject({ status: 200, body: { message: 'The password was set.' } });
    await expect(test.api.signIn(grace)).rejects.toThrow('401');
    await expect(test.api.signIn(grace, 'set by an admin')).resolves.toEqual(expect.any(String));
  });

  it.each([
    ['short', 'password_weak'],
    ['password1', 'password_weak'],
    ['Grace-Hopper', 'password_weak'],
    [12_345_678, 'request_invalid'],
  ])('returns 400 for %p', async (newPassword, reason) => {
    const grace = await test.api.addUser({ username: 'grace-hopper' });

    await expect(reset(grace.id, newPassword)).resolves.toMatchObject({ status: 400, body: { reason } });
    await expect(test.api.users.findById(grace.id)).resolves.toEqual(grace);
  });

  it('returns 404 for an unknown id', async () => {
    await expect(reset('nobody', 'set by an admin')).resolves.toMatchObject(notFound);
  });
});
