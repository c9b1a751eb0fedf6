import type { Answer } from '../../testing/send';
import { createTestApi, testPassword, type TestApi } from '../../testing/test-api';

let api: TestApi;

beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.stop());

const admin = { username: 'ada', password: testPassword };

describe('POST /auth/login', () => {
  const login = (username: string, password: string, from = '203.0.113.1') =>
    api.send('POST /auth/login', { body: { username, password }, from });

  describe('200', () => {
    it('signs the user in', async () => {
      const user = await api.addUser({ username: 'ada', role: 'operator' });
      const { status, body } = await login('ada', testPassword);

      expect(status).toBe(200);
      expect(body.user).toMatchObject({ id: user.id, username: 'ada', role: 'operator' });
      expect(Object.keys(body).toSorted()).toEqual(['expiresAt', 'token', 'user']);
      expect(JSON.stringify(body)).not.toContain(user.passwordHash);
      expect(new Date(String(body.expiresAt)).getTime()).toBeGreaterThan(api.clock.nowMs() + 3_590_000);
    });
  });

  it('reads the user only once', async () => {
    await api.addUser({ username: 'ada' });
    const reads = [jest.spyOn(api.users, 'findByUsername'), jest.spyOn(api.users, 'findById')];

    await expect(login('ada', testPassword)).resolves.toMatchObject({ status: 200 });
    expect(reads.flatMap(({ mock }) => mock.calls)).toEqual([['ada']]);
  });

  describe('400', () => {
    it.each([
      ['no password', { username: 'ada' }],
      ['an empty password', { username: 'ada', password: '' }],
      ['a list for a username', { username: ['ada'], password: testPassword }],
      ['an object for a password', { username: 'ada', password: { $ne: '' } }],
    ])('refuses %s without checking anything', async (_, body) => {
      await expect(api.send('POST /auth/login', { body })).resolves.toMatchObject({ status: 400 });
      expect(api.hasher.verifications()).toBe(0);
    });
  });

  describe('401', () => {
    it('gives the same answer for an unknown user and a wrong password, after the same work', async () => {
      await api.addUser({ username: 'ada' });
      const wrong = await login('ada', 'wrong password');
      const checkedForWrong = api.hasher.verifications();
      const unknown = await login('nobody', 'wrong password');
      const said = ({ body: { code, message, reason, ...rest } }: Answer) => ({
        code,
        message,
        reason,
        more: Object.keys(rest),
      });

      expect([wrong.status, unknown.status]).toEqual([401, 401]);
      expect(said(wrong)).toEqual({
        code: 'unauthorized',
        message: 'The username or the password is wrong.',
        reason: 'login_failed',
        more: ['requestId'],
      });
      expect(said(unknown)).toEqual(said(wrong));
      expect([checkedForWrong, api.hasher.verifications()]).toEqual([1, 2]);
      expect(wrong.headers.get('www-authenticate')).toBe('Bearer realm="weir"');
    });

    it.each(['Ada', 'ada '])('does not accept "%s" for "ada"', async (username) => {
      await api.addUser({ username: 'ada' });
      await expect(login(username, testPassword)).resolves.toMatchObject({ status: 401 });
    });

    it('reports a disabled user only to callers that know the password', async () => {
      await api.addUser({ username: 'ada', isDisabled: true });

      await expect(login('ada', testPassword)).resolves.toMatchObject({
        status: 401,
        body: { reason: 'user_disabled' },
      });
      await expect(login('ada', 'wrong one')).resolves.toMatchObject({ status: 401, body: { reason: 'login_failed' } });
    });
  });

  describe('429', () => {
    const fail = async (times: number, username: string, from?: string) => {
      for (let time = 0; time < times; time++) await login(username, 'wrong password', from);
    };

    it.each([
      ['a known', 'ada'],
      ['an unknown', 'nobody'],
    ])('refuses the sixth attempt for %s account from one address, unchecked', async (_, username) => {
      await api.addUser({ username: 'ada' });
      await fail(5, username);
      const checked = api.hasher.verifications();
      const answer = await login(username, testPassword);

      expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited', reason: 'too_many_attempts' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(900);
      expect(api.hasher.verifications()).toBe(checked);
    });

    it('leaves other accounts and other addresses alone', async () => {
      await api.addUser({ username: 'ada' });
      await api.addUser({ id: '2', username: 'grace' });
      await fail(5, 'ada');

      await expect(login('grace', testPassword)).resolves.toMatchObject({ status: 200 });
      await expect(login('ada', testPassword, '203.0.113.2')).resolves.toMatchObject({ status: 200 });
    });

    it('resets the failures of an account after a success', async () => {
      await api.addUser({ username: 'ada' });
      await fail(4, 'ada');
      await login('ada', testPassword);
      await fail(4, 'ada');

      await expect(login('ada', testPassword)).resolves.toMatchObject({ status: 200 });
    });

    it('refuses an address that fails at many accounts', async () => {
      await api.addUser({ username: 'ada' });
      for (let account = 0; account < 30; account++) await login(`guess-${account}`, 'wrong password');

      await expect(login('ada', testPassword)).resolves.toMatchObject({ status: 429 });
      await expect(login('ada', testPassword, '203.0.113.2')).resolves.toMatchObject({ status: 200 });
    });

    it('treats the addresses of one IPv6 network as one', async () => {
      await api.addUser({ username: 'ada' });
      for (let host = 1; host <= 5; host++) await login('ada', 'wrong password', `2001:db8:1:2::${host}`);

      await expect(login('ada', testPassword, '2001:db8:1:2:3::')).resolves.toMatchObject({ status: 429 });
      await expect(login('ada', testPassword, '2001:db8:1:3::1')).resolves.toMatchObject({ status: 200 });
    });

    it('ignores an address that no trusted proxy reports', async () => {
      const strict = await createTestApi({ users: api.users, trustedProxies: [] });
      const attempt = (index: number) =>
        strict.send('POST /auth/login', { body: { ...admin, password: 'wrong' }, from: `203.0.113.${index}` });
      for (let index = 0; index < 5; index++) await attempt(index);
      const { status } = await attempt(6);
      await strict.stop();

      expect(status).toBe(429);
    });

    it('limits a burst against one account', async () => {
      await api.addUser({ username: 'ada' });
      const answers = await Promise.all(Array.from({ length: 100 }, () => login('ada', 'wrong password')));

      expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(76);
      // 20 under way, and at most 4 that begin while fewer than 5 failures are noted.
      expect(api.hasher.verifications()).toBeLessThanOrEqual(24);
    });
  });
});
