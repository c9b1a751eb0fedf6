import { createTestApi, testPassword, type TestApi } from '../../testing/test-api';
import type { User } from './user';

let api: TestApi;
let admin: User;
let asAdmin: string;

beforeEach(async () => {
  api = await createTestApi();
  admin = await api.addUser({ id: 'admin-1', username: 'root' });
  asAdmin = await api.signIn(admin);
});
afterEach(() => api.stop());

const grants = { all: false, grants: [{ workspace: 'ops', role: 'developer' }] };
const aPerson = { username: 'grace', password: testPassword, role: 'operator' };
const unauthorized = { status: 401, body: { code: 'unauthorized', reason: 'credential_invalid' } };
const roleMissing = { status: 403, body: { code: 'forbidden', reason: 'role_missing' } };
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
    await api.addUser({ id: 'user-1', username: 'ada', role: 'viewer' });
  });

  it('returns 401 without a credential, and changes nothing', async () => {
    const before = await api.users.list();

    await expect(api.send(operation, { body })).resolves.toMatchObject(unauthorized);
    await expect(api.users.list()).resolves.toEqual(before);
  });

  it.each(['manager', 'developer', 'operator', 'viewer'] as const)('returns 403 to a %s', async (role) => {
    const as = await api.createToken(role);
    const before = await api.users.list();

    await expect(api.send(operation, { as, body })).resolves.toMatchObject(roleMissing);
    await expect(api.users.list()).resolves.toEqual(before);
  });
});

describe('GET /users', () => {
  it('returns 200 with all users by name, without their hashes', async () => {
    const grace = await api.addUser({ username: 'Grace', role: 'viewer', isDisabled: true });
    const { status, body } = await api.send('GET /users', { as: asAdmin });

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
  const create = (body: unknown) => api.send('POST /users', { as: asAdmin, body });

  describe('201', () => {
    it('creates a user who can sign in', async () => {
      const { status, body } = await create(aPerson);

      expect(status).toBe(201);
      expect(body.user).toMatchObject({
        username: 'grace',
        role: 'operator',
        workspaceAccess: { all: true, grants: [] },
        createdAt: api.clock.now().toISOString(),
      });
      await expect(api.signIn({ username: 'grace' })).resolves.toEqual(expect.any(String));
    });

    it('keeps grants', async () => {
      const { body } = await create({ ...aPerson, role: 'viewer', workspaceAccess: grants });
      expect(body.user).toMatchObject({ role: 'viewer', workspaceAccess: grants });
    });

    it('ignores keys that it does not know', async () => {
      const extra = { id: 'chosen', isDisabled: true, tokenVersion: 9, passwordHash: 'x', authProvider: 'oidc' };
      const { status, body } = await create({ ...aPerson, ...extra });

      expect(status).toBe(201);
      expect(body.user).toMatchObject({ id: expect.not.stringMatching('chosen') as string, authProvider: 'builtin' });
      expect(body.user).not.toHaveProperty('isDisabled');
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
      await expect(api.users.count()).resolves.toBe(1);
    });

    it('names every field that is wrong', async () => {
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
    const answer = await api.send(`GET /users/${admin.id}`, { as: asAdmin });
    expect(answer).toMatchObject({ status: 200, body: { user: { id: admin.id, username: 'root', role: 'admin' } } });
  });

  it('returns 404 for an unknown id', async () => {
    await expect(api.send('GET /users/nobody', { as: asAdmin })).resolves.toMatchObject(notFound);
  });
});

describe('PATCH /users/{userId}', () => {
  const patch = (id: string, body: unknown) => api.send(`PATCH /users/${id}`, { as: asAdmin, body });
  let grace: User;

  beforeEach(async () => {
    grace = await api.addUser({ id: 'user-1', username: 'grace', role: 'viewer' });
  });

  describe('200', () => {
    it.each([
      ['the username', { username: 'hopper' }, { username: 'hopper' }],
      ['the role', { role: 'manager' }, { role: 'manager' }],
      ['the workspace access', { workspaceAccess: grants }, { workspaceAccess: grants }],
      ['whether the user is disabled', { isDisabled: true }, { isDisabled: true, tokenVersion: 1 }],
      ['nothing', {}, {}],
      ['nothing for keys that it does not know', { tokenVersion: 7, passwordHash: 'x', id: 'y' }, {}],
    ])('changes %s and leaves the rest', async (_, body, changes) => {
      api.clock.advance(1000);
      const answer = await patch(grace.id, body);

      expect(answer.status).toBe(200);
      await expect(api.users.findById(grace.id)).resolves.toEqual({ ...grace, ...changes, updatedAt: api.clock.now() });
    });

    it('allows the name that the user has already', async () => {
      await expect(patch(grace.id, { username: 'grace' })).resolves.toMatchObject({ status: 200 });
    });

    it('lets an admin demote themself while another is left', async () => {
      await api.addUser({ id: 'admin-2', username: 'root2' });
      await expect(patch(admin.id, { role: 'viewer' })).resolves.toMatchObject({ status: 200 });
    });

    it('leaves out isDisabled once the user is enabled again', async () => {
      await patch(grace.id, { isDisabled: true });
      const { body } = await patch(grace.id, { isDisabled: false });

      expect(body.user).not.toHaveProperty('isDisabled');
    });
  });

  describe('400', () => {
    it.each([
      ['an unknown role', { role: 'owner' }, 'request_invalid'],
      ['an empty username', { username: '' }, 'request_invalid'],
      ['null for a role', { role: null }, 'request_invalid'],
      ['text for isDisabled', { isDisabled: 'true' }, 'request_invalid'],
      ['a list', [], 'request_invalid'],
      [
        'a role that does not go with the grants',
        { role: 'manager', workspaceAccess: grants },
        'workspace_access_invalid',
      ],
    ])('refuses %s', async (_, body, reason) => {
      await expect(patch(grace.id, body)).resolves.toMatchObject({
        status: 400,
        body: { code: 'bad_request', reason },
      });
      await expect(api.users.findById(grace.id)).resolves.toEqual(grace);
    });

    it('refuses a role that does not go with the grants stored', async () => {
      await patch(grace.id, { workspaceAccess: grants });
      const answer = await patch(grace.id, { role: 'manager' });

      expect(answer).toMatchObject({ status: 400, body: { reason: 'workspace_access_invalid' } });
    });

    it('refuses a missing body', async () => {
      const answer = await api.send(`PATCH /users/${grace.id}`, { as: asAdmin });
      expect(answer).toMatchObject({ status: 400, body: { reason: 'body_missing' } });
    });
  });

  describe('403', () => {
    it.each([
      ['the role of the last enabled admin', { role: 'manager' }, 'last_admin'],
      ['the own account to disabled', { isDisabled: true }, 'own_account'],
      ['the own account to disabled and demoted', { isDisabled: true, role: 'viewer' }, 'own_account'],
    ])('refuses to change %s', async (_, body, reason) => {
      await expect(patch(admin.id, body)).resolves.toMatchObject({ status: 403, body: { code: 'forbidden', reason } });
      await expect(api.users.findById(admin.id)).resolves.toEqual(admin);
    });

    it('does not count a disabled admin as one that is left', async () => {
      await api.addUser({ id: 'admin-2', username: 'root2', isDisabled: true });
      await expect(patch(admin.id, { role: 'viewer' })).resolves.toMatchObject({ status: 403 });
    });

    it.each([
      ['disable', { isDisabled: true }],
      ['demote', { role: 'viewer' }],
    ])('refuses an API key that would %s the last enabled admin', async (_, body) => {
      const { key } = await api.addApiKey({ role: 'admin' });
      const answer = await api.send(`PATCH /users/${admin.id}`, { as: key, body });

      expect(answer).toMatchObject({ status: 403, body: { reason: 'last_admin' } });
    });
  });

  it('returns 404 for an unknown id', async () => {
    await expect(patch('nobody', { role: 'viewer' })).resolves.toMatchObject(notFound);
  });

  it('returns 409 for a name that another user has', async () => {
    const answer = await patch(grace.id, { username: 'root', role: 'manager' });

    expect(answer).toMatchObject({ status: 409, body: { code: 'already_exists', reason: 'username_taken' } });
    await expect(api.users.findById(grace.id)).resolves.toEqual(grace);
  });
});

describe('DELETE /users/{userId}', () => {
  const remove = (id: string, as = asAdmin) => api.send(`DELETE /users/${id}`, { as });

  it('returns 204 without a body, and the user is gone', async () => {
    const grace = await api.addUser({ username: 'grace' });
    const answer = await remove(grace.id);

    expect(answer).toMatchObject({ status: 204, body: {} });
    await expect(remove(grace.id)).resolves.toMatchObject(notFound);
    await expect(api.signIn(grace)).rejects.toThrow('401');
  });

  it('returns 403 for the own account, also when another admin is left', async () => {
    await api.addUser({ username: 'grace' });
    const answer = await remove(admin.id);

    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'own_account' } });
    await expect(api.users.count()).resolves.toBe(2);
  });

  it('returns 403 to an API key that would delete the last enabled admin', async () => {
    await api.addUser({ username: 'grace', isDisabled: true });
    const { key } = await api.addApiKey({ role: 'admin' });

    await expect(remove(admin.id, key)).resolves.toMatchObject({ status: 403, body: { reason: 'last_admin' } });
  });

  it('returns 404 for an unknown id', async () => {
    await expect(remove('nobody')).resolves.toMatchObject(notFound);
  });
});

describe('POST /users/{userId}/reset-password', () => {
  const reset = (id: string, newPassword: unknown) =>
    api.send(`POST /users/${id}/reset-password`, { as: asAdmin, body: { newPassword } });

  it('returns 200, and only the new password works', async () => {
    const grace = await api.addUser({ username: 'grace' });
    const answer = await reset(grace.id, 'set by an admin');

    expect(answer).toMatchObject({ status: 200, body: { message: 'The password was set.' } });
    await expect(api.signIn(grace)).rejects.toThrow('401');
    await expect(api.signIn(grace, 'set by an admin')).resolves.toEqual(expect.any(String));
  });

  it.each([
    ['short', 'password_weak'],
    ['password1', 'password_weak'],
    ['Grace-Hopper', 'password_weak'],
    [12_345_678, 'request_invalid'],
  ])('returns 400 for %p', async (newPassword, reason) => {
    const grace = await api.addUser({ username: 'grace-hopper' });

    await expect(reset(grace.id, newPassword)).resolves.toMatchObject({ status: 400, body: { reason } });
    await expect(api.users.findById(grace.id)).resolves.toEqual(grace);
  });

  it('returns 404 for an unknown id', async () => {
    await expect(reset('nobody', 'set by an admin')).resolves.toMatchObject(notFound);
  });
});
