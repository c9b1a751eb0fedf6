import { onEachDatabase } from '../support/databases';
import { adminName, aUser, password, setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

const missing = '00000000-0000-4000-8000-000000000000';

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let manager: string;

  beforeAll(async () => {
    weir = await start();
    admin = await setUpAdmin(weir);
    manager = (await aUser(weir, admin, 'manager', 'mia')).token;
  }, 60_000);

  afterAll(() => weir.dispose());

  const newUser = (username: string, changes: object = {}) => ({ username, password, role: 'viewer', ...changes });

  describe('GET /users', () => {
    it('returns 200 with the users by name and no password', async () => {
      const { status, body } = await weir.request('GET', '/users', { token: admin });

      expect(status).toBe(200);
      const { users } = body as { users: { username: string }[] };
      const names = users.map((user) => user.username);
      expect(names.slice(0, 2)).toEqual([adminName, 'mia']);
      expect(JSON.stringify(body)).not.toMatch(/argon2|passwordHash/);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('GET', '/users')).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await weir.request('GET', '/users', { token: manager })).status).toBe(403);
    });
  });

  describe('POST /users', () => {
    it('returns 201 with the user', async () => {
      const { status, body } = await weir.request('POST', '/users', { token: admin, body: newUser('created') });

      expect(status).toBe(201);
      expect(body).toMatchObject({ user: { username: 'created', role: 'viewer', authProvider: 'builtin' } });
      expect(body).not.toHaveProperty('user.isDisabled');
    });

    it('returns 400 for a weak password and for an unknown role', async () => {
      for (const changes of [{ password: 'short' }, { password: 'password123' }, { role: 'king' }]) {
        const { status } = await weir.request('POST', '/users', { token: admin, body: newUser('refused', changes) });
        expect(status).toBe(400);
      }
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('POST', '/users', { body: newUser('x') })).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await weir.request('POST', '/users', { token: manager, body: newUser('x') })).status).toBe(403);
    });

    it('returns 409 when the username is taken', async () => {
      const { status, body } = await weir.request('POST', '/users', { token: admin, body: newUser(adminName) });

      expect(status).toBe(409);
      expect(body).toMatchObject({ code: 'already_exists' });
    });
  });

  describe('GET /users/{userId}', () => {
    it('returns 200 with the user', async () => {
      const { id } = await aUser(weir, admin, 'viewer', 'read-me');
      const { status, body } = await weir.request('GET', `/users/${id}`, { token: admin });

      expect(status).toBe(200);
      expect(body).toMatchObject({ user: { id, username: 'read-me' } });
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('GET', `/users/${missing}`)).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await weir.request('GET', `/users/${missing}`, { token: manager })).status).toBe(403);
    });

    it('returns 404 for an unknown id', async () => {
      expect((await weir.request('GET', `/users/${missing}`, { token: admin })).status).toBe(404);
    });
  });

  describe('PATCH /users/{userId}', () => {
    it('returns 200 with the updated user', async () => {
      const { id } = await aUser(weir, admin, 'viewer', 'patch-me');
      const { status, body } = await weir.request('PATCH', `/users/${id}`, {
        token: admin,
        body: { role: 'developer' },
      });

      expect(status).toBe(200);
      expect(body).toMatchObject({ user: { id, username: 'patch-me', role: 'developer' } });
    });

    it('returns 400 for an unknown role', async () => {
      const { id } = await aUser(weir, admin, 'viewer', 'patch-role');
      expect((await weir.request('PATCH', `/users/${id}`, { token: admin, body: { role: 'king' } })).status).toBe(400);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('PATCH', `/users/${missing}`, { body: {} })).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await weir.request('PATCH', `/users/${missing}`, { token: manager, body: {} })).status).toBe(403);
    });

    it('returns 403 when it would leave no enabled admin', async () => {
      const { users } = await weir.createClient(admin).listUsers();
      const id = users.find((user) => user.username === adminName)?.id ?? '';
      const { status, body } = await weir.request('PATCH', `/users/${id}`, { token: admin, body: { role: 'viewer' } });

      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'last_admin' });
    });

    it('returns 404 for an unknown id', async () => {
      expect((await weir.request('PATCH', `/users/${missing}`, { token: admin, body: {} })).status).toBe(404);
    });

    it('returns 409 when the username is taken', async () => {
      const { id } = await aUser(weir, admin, 'viewer', 'patch-name');
      expect(
        (await weir.request('PATCH', `/users/${id}`, { token: admin, body: { username: adminName } })).status,
      ).toBe(409);
    });

    it('invalidates the tokens of a user who is disabled', async () => {
      const { id, token } = await aUser(weir, admin, 'viewer', 'disable-me');
      await weir.createClient(admin).updateUser({ params: { userId: id }, body: { isDisabled: true } });

      expect((await weir.request('GET', '/auth/me', { token })).status).toBe(401);
    });
  });

  describe('DELETE /users/{userId}', () => {
    it('returns 204 without a body and invalidates the tokens of the user', async () => {
      const { id, token } = await aUser(weir, admin, 'viewer', 'delete-me');
      const { status, body } = await weir.request('DELETE', `/users/${id}`, { token: admin });

      expect(status).toBe(204);
      expect(body).toBeUndefined();
      expect((await weir.request('GET', '/auth/me', { token })).status).toBe(401);
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('DELETE', `/users/${missing}`)).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await weir.request('DELETE', `/users/${missing}`, { token: manager })).status).toBe(403);
    });

    it('returns 403 for the own account', async () => {
      const { id, token } = await aUser(weir, admin, 'admin', 'second-admin');
      const { status, body } = await weir.request('DELETE', `/users/${id}`, { token });

      expect(status).toBe(403);
      expect(body).toMatchObject({ reason: 'own_account' });
    });

    it('returns 404 for an unknown id', async () => {
      expect((await weir.request('DELETE', `/users/${missing}`, { token: admin })).status).toBe(404);
    });
  });

  describe('POST /users/{userId}/reset-password', () => {
    const body = { newPassword: 'another good one' };

    it('returns 200, invalidates earlier tokens, and accepts the new password', async () => {
      const { id, token } = await aUser(weir, admin, 'viewer', 'reset-me');

      expect((await weir.request('POST', `/users/${id}/reset-password`, { token: admin, body })).status).toBe(200);
      expect((await weir.request('GET', '/auth/me', { token })).status).toBe(401);
      const login = await weir.request('POST', '/auth/login', {
        body: { username: 'reset-me', password: body.newPassword },
      });
      expect(login.status).toBe(200);
    });

    it('returns 400 for a weak password', async () => {
      const { id } = await aUser(weir, admin, 'viewer', 'reset-weak');
      const weak = { newPassword: 'password123' };
      expect((await weir.request('POST', `/users/${id}/reset-password`, { token: admin, body: weak })).status).toBe(
        400,
      );
    });

    it('returns 401 without a credential', async () => {
      expect((await weir.request('POST', `/users/${missing}/reset-password`, { body })).status).toBe(401);
    });

    it('returns 403 for a manager', async () => {
      expect((await weir.request('POST', `/users/${missing}/reset-password`, { token: manager, body })).status).toBe(
        403,
      );
    });

    it('returns 404 for an unknown id', async () => {
      expect((await weir.request('POST', `/users/${missing}/reset-password`, { token: admin, body })).status).toBe(404);
    });
  });
});
