import { Secret } from '@weir/service-kit';
import { createTestApi, testPassword, type TestApi } from '../../testing/test-api';

let api: TestApi;

beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.stop());

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const admin = { username: 'ada', password: testPassword };

const unacceptablePasswords: readonly [string, string, string][] = [
  ['is shorter than 8 characters', 'short-7', 'password_weak'],
  ['has fewer than 8 characters in more than 8 units', '\u{1F600}'.repeat(7), 'password_weak'],
  ['is a common one', 'password1', 'password_weak'],
  ['is a common one in capitals', 'PASSWORD1', 'password_weak'],
  ['is one repeated character', 'zzzzzzzzzzzz', 'password_weak'],
  ['is blank', ' '.repeat(12), 'password_weak'],
  ['is the username', 'ada-lovelace', 'password_weak'],
  ['is the username in capitals', 'ADA-Lovelace', 'password_weak'],
  ['is longer than 1024 characters', 'x'.repeat(1025), 'request_invalid'],
];

describe('POST /auth/setup', () => {
  const setUp = (body: unknown, query = '') => api.send(`POST /auth/setup${query}`, { body });

  describe('200', () => {
    it('creates an admin of all workspaces and signs it in', async () => {
      const { status, body } = await setUp(admin, '?remoteNode=local');

      expect(status).toBe(200);
      expect(body).toEqual({
        token: expect.any(String) as string,
        expiresAt: expect.stringMatching(iso) as string,
        user: {
          id: expect.any(String) as string,
          username: 'ada',
          role: 'admin',
          workspaceAccess: { all: true, grants: [] },
          authProvider: 'builtin',
          createdAt: expect.stringMatching(iso) as string,
          updatedAt: expect.stringMatching(iso) as string,
        },
      });
      await expect(api.send('GET /users', { as: String(body.token) })).resolves.toMatchObject({ status: 200 });
    });

    it.each([
      ['exactly 8 characters', 'aq7-zx9!'],
      ['1024 characters of four bytes each', '\u{1F600}\u{1F9E9}\u{1F30D}\u{1F427}'.repeat(256)],
      ['more bytes than bcrypt would take', 'überlange Wörter '.repeat(20)],
    ])('accepts a password of %s, whole', async (_, password) => {
      await expect(setUp({ username: 'ada', password })).resolves.toMatchObject({ status: 200 });
      const login = (text: string) => api.send('POST /auth/login', { body: { username: 'ada', password: text } });

      await expect(login(password)).resolves.toMatchObject({ status: 200 });
      await expect(login(password.slice(0, -2))).resolves.toMatchObject({ status: 401 });
    });
  });

  describe('a server that other machines can reach', () => {
    const setupToken = new Secret('printed-at-the-start-of-the-server');
    let reachable: TestApi;

    beforeEach(async () => {
      reachable = await createTestApi({ setupToken });
    });
    afterEach(() => reachable.stop());

    it.each([
      ['without the token', {}],
      ['with another token', { setupToken: 'printed-at-the-start-of-another' }],
    ])('returns 403 %s', async (_, extra) => {
      const answer = await reachable.send('POST /auth/setup', { body: { ...admin, ...extra } });

      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'setup_token_wrong' } });
      await expect(reachable.users.count()).resolves.toBe(0);
    });

    it('creates the first admin with the token', async () => {
      const body = { ...admin, setupToken: setupToken.reveal() };
      await expect(reachable.send('POST /auth/setup', { body })).resolves.toMatchObject({ status: 200 });
      await expect(reachable.send('POST /auth/setup', { body })).resolves.toMatchObject({
        status: 403,
        body: { reason: 'setup_completed' },
      });
    });
  });

  describe('400', () => {
    it.each(unacceptablePasswords)('refuses a password that %s', async (_, password, reason) => {
      const { status, body } = await setUp({ username: 'ada-lovelace', password });

      expect({ status, code: body.code, reason: body.reason }).toEqual({ status: 400, code: 'bad_request', reason });
      expect(JSON.stringify(body)).not.toContain(password);
      await expect(api.users.count()).resolves.toBe(0);
    });

    it.each([
      ['an empty username', { username: '', password: testPassword }, 'body.username'],
      ['a username of 65 characters', { username: 'a'.repeat(65), password: testPassword }, 'body.username'],
      ['a username with a line break', { username: 'a\nb', password: testPassword }, 'body.username'],
      ['a username with a blank at its end', { username: 'ada ', password: testPassword }, 'body.username'],
      ['no password', { username: 'ada' }, 'body.password'],
      ['a number for a password', { username: 'ada', password: 12_345_678 }, 'body.password'],
      ['a list', [], 'body'],
      ['null', null, 'body'],
    ])('refuses %s and names the field', async (_, body, path) => {
      const answer = await setUp(body);

      expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request', reason: 'request_invalid' } });
      expect(answer.body.details).toEqual({
        problems: expect.arrayContaining([{ path, message: expect.any(String) as string }]) as unknown[],
      });
    });

    it('refuses a call meant for another node', async () => {
      const answer = await setUp(admin, '?remoteNode=elsewhere');

      expect(answer).toMatchObject({ status: 400, body: { reason: 'remote_node_unsupported' } });
      await expect(api.users.count()).resolves.toBe(0);
    });

    it('refuses a missing body', async () => {
      await expect(api.send('POST /auth/setup')).resolves.toMatchObject({
        status: 400,
        body: { code: 'bad_request', reason: 'body_missing' },
      });
    });
  });

  describe('403', () => {
    it('refuses a second set-up for any remaining users', async () => {
      await api.addUser({ role: 'viewer', isDisabled: true });
      const answer = await setUp(admin);

      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'setup_completed' } });
      await expect(api.users.count()).resolves.toBe(1);
    });

    it('refuses before it checks the password', async () => {
      await api.addUser();
      await expect(setUp({ username: 'ada', password: 'password1' })).resolves.toMatchObject({ status: 403 });
      await expect(setUp({ username: 'ada', password: 'short' })).resolves.toMatchObject({ status: 403 });
    });

    it('lets one of 20 parallel calls win', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => setUp({ ...admin, username: `admin-${index}` })),
      );
      const statuses = answers.map(({ status }) => status);

      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 403)).toHaveLength(19);
      await expect(api.users.count()).resolves.toBe(1);
    });
  });
});

describe('GET /auth/me', () => {
  describe('200', () => {
    it('shows the user', async () => {
      const user = await api.addUser({ username: 'ada', role: 'viewer' });
      const { status, body } = await api.send('GET /auth/me', { as: await api.signIn(user) });

      expect(status).toBe(200);
      expect(body).toEqual({
        user: {
          id: user.id,
          username: 'ada',
          role: 'viewer',
          workspaceAccess: { all: true, grants: [] },
          authProvider: 'builtin',
          createdAt: user.createdAt.toISOString(),
          updatedAt: user.updatedAt.toISOString(),
        },
      });
    });

    it('shows an API key as a user of its own kind', async () => {
      const { apiKey, key } = await api.addApiKey({ name: 'deploy', role: 'operator' });
      const { status, body } = await api.send('GET /auth/me', { as: key });

      expect(status).toBe(200);
      expect(body.user).toMatchObject({ id: `apikey:${apiKey.id}`, username: 'apikey:deploy', role: 'operator' });
    });
  });

  describe('401', () => {
    it('requests a credential, with the Error schema', async () => {
      const { status, body, headers } = await api.send('GET /auth/me');

      expect(status).toBe(401);
      expect(body).toEqual({
        code: 'unauthorized',
        message: 'The credential is missing or not valid.',
        reason: 'credential_invalid',
        requestId: expect.any(String) as string,
      });
      expect(headers.get('www-authenticate')).toBe('Bearer realm="weir"');
      expect(headers.get('content-type')).toMatch(/^application\/json/);
    });
  });
});

describe('POST /auth/change-password', () => {
  const newPassword = 'another long sentence';
  const change = (as: string | undefined, body: unknown) =>
    api.send('POST /auth/change-password', { ...(as === undefined ? {} : { as }), body });

  describe('200', () => {
    it('sets the new password and ends all tokens of the user', async () => {
      const user = await api.addUser({ role: 'viewer' });
      const [token, other] = [await api.signIn(user), await api.signIn(user)];
      const answer = await change(token, { currentPassword: testPassword, newPassword });

      expect(answer).toMatchObject({ status: 200, body: { message: 'The password was changed.' } });
      for (const as of [token, other])
        await expect(api.send('GET /auth/me', { as })).resolves.toMatchObject({ status: 401 });
      await expect(api.signIn(user)).rejects.toThrow('401');
      await expect(api.signIn(user, newPassword)).resolves.toEqual(expect.any(String));
    });
  });

  describe('400', () => {
    it.each(unacceptablePasswords)('refuses a new password that %s', async (_, password, reason) => {
      const user = await api.addUser({ username: 'ada-lovelace' });
      const as = await api.signIn(user);
      const answer = await change(as, { currentPassword: testPassword, newPassword: password });

      expect(answer).toMatchObject({ status: 400, body: { code: 'bad_request', reason } });
      await expect(api.send('GET /auth/me', { as })).resolves.toMatchObject({ status: 200 });
    });

    it('refuses a missing body', async () => {
      const answer = await api.send('POST /auth/change-password', { as: await api.createToken('viewer') });
      expect(answer).toMatchObject({ status: 400, body: { reason: 'body_missing' } });
    });
  });

  describe('401', () => {
    it('refuses a wrong current password', async () => {
      const answer = await change(await api.createToken('viewer'), { currentPassword: 'wrong', newPassword });

      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized', reason: 'current_password_wrong' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="weir"');
    });

    it('refuses a caller without a credential', async () => {
      const answer = await change(undefined, { currentPassword: testPassword, newPassword });
      expect(answer).toMatchObject({ status: 401, body: { reason: 'credential_invalid' } });
    });

    it('lets one of two parallel changes win', async () => {
      const user = await api.addUser();
      const as = await api.signIn(user);
      const answers = await Promise.all(
        ['first new sentence', 'second new sentence'].map((password) =>
          change(as, { currentPassword: testPassword, newPassword: password }),
        ),
      );

      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
      await expect(api.users.findById(user.id)).resolves.toMatchObject({ tokenVersion: 1 });
    });
  });

  describe('403', () => {
    it('refuses an API key, which has no password', async () => {
      const { key } = await api.addApiKey({ role: 'admin' });
      const answer = await change(key, { currentPassword: testPassword, newPassword });

      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden', reason: 'no_password' } });
    });
  });

  describe('429', () => {
    it('refuses the sixth attempt, even with the right password', async () => {
      const as = await api.createToken('viewer');
      for (let time = 0; time < 5; time++) await change(as, { currentPassword: 'wrong', newPassword });
      const answer = await change(as, { currentPassword: testPassword, newPassword });

      expect(answer).toMatchObject({ status: 429, body: { reason: 'too_many_attempts' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });
});
