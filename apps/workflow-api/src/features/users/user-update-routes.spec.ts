import { useTestApi } from '../../testing/use-test-api';
import type { User } from '../../access/user';

const test = useTestApi();
const grants = { all: false, grants: [{ workspace: 'ops', role: 'developer' }] };
const notFound = { status: 404, body: { code: 'not_found', reason: 'user_not_found' } };

describe('PATCH /users/{userId}', () => {
  const patch = (id: string, body: unknown) => test.api.send(`PATCH /users/${id}`, { as: test.asAdmin, body });
  let grace: User;

  beforeEach(async () => {
    grace = await test.api.addUser({ id: 'user-1', username: 'grace', role: 'viewer' });
  });

  describe('200', () => {
    it.each([
      ['the username', { username: 'hopper' }, { username: 'hopper' }],
      ['the role', { role: 'manager' }, { role: 'manager' }],
      ['the workspace access', { workspaceAccess: grants }, { workspaceAccess: grants }],
      ['whether the user is disabled', { isDisabled: true }, { isDisabled: true, tokenVersion: 1 }],
      ['nothing', {}, {}],
    ])('changes %s and keeps the rest', async (_, body, changes) => {
      test.api.clock.advance(1000);
      const answer = await patch(grace.id, body);

      expect(answer.status).toBe(200);
      await expect(test.api.users.findById(grace.id)).resolves.toEqual({
        ...grace,
        ...changes,
        updatedAt: test.api.clock.now(),
      });
    });

    it('allows the present name of the user', async () => {
      await expect(patch(grace.id, { username: 'grace' })).resolves.toMatchObject({ status: 200 });
    });

    it('lets an admin demote themself while another remains', async () => {
      await test.api.addUser({ id: 'admin-2', username: 'root2' });
      await expect(patch(test.admin.id, { role: 'viewer' })).resolves.toMatchObject({ status: 200 });
    });

    it('omits isDisabled once the user is enabled again', async () => {
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
      await expect(test.api.users.findById(grace.id)).resolves.toEqual(grace);
    });

    it('refuses a role that contradicts the stored grants', async () => {
      await patch(grace.id, { workspaceAccess: grants });
      const answer = await patch(grace.id, { role: 'manager' });

      expect(answer).toMatchObject({ status: 400, body: { reason: 'workspace_access_invalid' } });
    });

    it('refuses a missing body', async () => {
      const answer = await test.api.send(`PATCH /users/${grace.id}`, { as: test.asAdmin });
      expect(answer).toMatchObject({ status: 400, body: { reason: 'body_missing' } });
    });
  });

  describe('403', () => {
    it.each([
      ['the role of the last enabled admin', { role: 'manager' }, 'last_admin'],
      ['the own account to disabled', { isDisabled: true }, 'own_account'],
      ['the own account to disabled and demoted', { isDisabled: true, role: 'viewer' }, 'own_account'],
    ])('refuses to change %s', async (_, body, reason) => {
      await expect(patch(test.admin.id, body)).resolves.toMatchObject({
        status: 403,
        body: { code: 'forbidden', reason },
      });
      await expect(test.api.users.findById(test.admin.id)).resolves.toEqual(test.admin);
    });

    it('does not count a disabled admin as a remaining one', async () => {
      await test.api.addUser({ id: 'admin-2', username: 'root2', isDisabled: true });
      await expect(patch(test.admin.id, { role: 'viewer' })).resolves.toMatchObject({ status: 403 });
    });

    it.each([
      ['disable', { isDisabled: true }],
      ['demote', { role: 'viewer' }],
    ])('refuses an API key that would %s the last enabled admin', async (_, body) => {
      const { key } = await test.api.addApiKey({ role: 'admin' });
      const answer = await test.api.send(`PATCH /users/${test.admin.id}`, { as: key, body });

      expect(answer).toMatchObject({ status: 403, body: { reason: 'last_admin' } });
    });
  });

  it('returns 404 for an unknown id', async () => {
    await expect(patch('nobody', { role: 'viewer' })).resolves.toMatchObject(notFound);
  });

  it('returns 409 for a name that another user has', async () => {
    const answer = await patch(grace.id, { username: 'root', role: 'manager' });

    expect(answer).toMatchObject({ status: 409, body: { code: 'already_exists', reason: 'username_taken' } });
    await expect(test.api.users.findById(grace.id)).resolves.toEqual(grace);
  });
});
